"""`evaltui edit` where there is nothing to edit: one sentence that names the file, and no screen."""

import os
import pty
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import Process


def edit(process: Process, name: str, **options: object) -> tuple[int, str]:
    """The exit code of `evaltui edit NAME` in a terminal, and what it says on stderr."""
    controlling, terminal = pty.openpty()
    try:
        done = process("edit", name, stdin=terminal, stdout=terminal, **options)
    finally:
        os.close(terminal)
        os.close(controlling)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x" * 300, "cannot be read: file name too long"),
        ("loop.json", "cannot be read: too many levels of symbolic links"),
        ("folder", "there is no eval set in this folder; `evaltui edit NAME.evalset.json` makes one"),
        ("nowhere/a.json", "the folder nowhere does not exist"),
    ],
)
def test_the_file_is_named_and_the_reason(process: Process, tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop.json").symlink_to("loop.json")
    assert edit(process, name) == (2, f"evaltui: {name}: {sentence}\n")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_said(process: Process, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_bytes(b"{}")
    (tmp_path / "secret.json").chmod(0)
    assert edit(process, "secret.json") == (2, "evaltui: secret.json: cannot be read: permission denied\n")


def test_a_working_folder_that_is_gone_is_said(process: Process, tmp_path: Path) -> None:
    code, said = edit(process, "new.json", preexec_fn=lambda: _lose_folder(tmp_path))
    assert (code, said) == (2, "evaltui: new.json: the working directory is gone; change to another and try again\n")


def _lose_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    os.chdir(folder)
    folder.rmdir()
