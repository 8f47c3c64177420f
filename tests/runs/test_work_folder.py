"""The folder of a run on a cluster is deleted, also if the run was killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from evaltui.document.disk.locks import lock
from evaltui.runs.batch.work_folder import work_folder


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def a_run() -> None:
    with work_folder() as folder:
        assert folder.path.exists()


def killed_run(temporary: Path) -> Path:
    """The folder of a run that was killed."""
    before = set(temporary.iterdir())
    script = """
import os, signal
from evaltui.runs.batch.work_folder import work_folder
with work_folder() as folder:
    (folder.path / "results-1").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    (folder,) = set(temporary.iterdir()) - before
    return folder


def test_what_a_killed_run_left_behind_is_deleted(temporary: Path) -> None:
    killed, running, fresh = (killed_run(temporary) for _ in range(3))
    for folder in (killed, running):
        os.utime(folder, (0, 0))
    handle = os.open(running, os.O_RDONLY)
    try:
        assert lock(handle)
        a_run()
    finally:
        os.close(handle)
    assert sorted(temporary.iterdir()) == sorted([running, fresh])
    assert not killed.exists()


def test_no_folder_of_others_is_deleted_whatever_its_name(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = killed_run(temporary)
    elsewhere = tmp_path / "elsewhere"
    marked.rename(elsewhere)
    plain, copied, piped, link = (temporary / f"evaltui-run-{name}" for name in ("plain", "copied", "piped", "link"))
    plain.mkdir()
    shutil.copytree(elsewhere, copied)
    piped.mkdir()
    os.mkfifo(piped / "mark")
    link.symlink_to(elsewhere)
    (temporary / "evaltui-run-file").write_text("x")
    for path in (plain, copied, piped, elsewhere):
        (path / "precious").write_text("x")
        os.utime(path, (0, 0))
    kept = {path: sorted(path.rglob("*")) for path in (*temporary.iterdir(), elsewhere)}
    a_run()
    assert {path: sorted(path.rglob("*")) for path in (*temporary.iterdir(), elsewhere)} == kept
    of_somebody = killed_run(temporary)
    os.utime(of_somebody, (0, 0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: of_somebody.stat().st_uid + 1)
        a_run()
    assert of_somebody.exists()
    a_run()
    assert not of_somebody.exists()
