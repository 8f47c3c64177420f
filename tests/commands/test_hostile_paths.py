"""Paths on the command line that no file can have: exit 2 with one sentence, whichever command and option."""

import os
import pty
from pathlib import Path

import pytest

from tests.commands.conftest import Evaltui, Process
from tests.commands.runs import EXPECTED, eval_set, write
from tests.commands.test_edit_refusals import edit

LONG = "a" * 300
NAMES = {
    "long": (LONG, "file name too long"),
    "user": ("~nosuchuser/x.json", "there is no such file"),
    "through a file": ("there.json/x.json", "there.json/x.json"),
    "loop": ("loop.json", "too many levels of symbolic links"),
}
COMMANDS = {
    "validate": ["validate", "{}"],
    "validate --config": ["validate", "there.json", "--config", "{}"],
    "patch": ["patch", "{}", "there.json"],
    "patch with": ["patch", "there.json", "{}"],
    "run": ["run", "{}"],
    "run -r": ["run", "there.json", "-r", "{}"],
    "run --config": ["run", "there.json", "--config", "{}"],
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    write(tmp_path / "there.json", eval_set(EXPECTED))
    (tmp_path / "loop.json").symlink_to("loop.json")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", NAMES)
def test_commands_refuse_it(evaltui: Evaltui, command: str, name: str) -> None:
    path, reason = NAMES[name]
    done = evaltui(*(path if each == "{}" else each for each in COMMANDS[command]))
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith("evaltui: ")
    assert done.err.count("\n") == 1
    assert reason in done.err


@pytest.mark.parametrize("output", [LONG + ".json", "~nosuchuser/x.json", "nowhere/x.json", "there.json/x.json"])
def test_a_report_that_cannot_be_written_is_refused(evaltui: Evaltui, tmp_path: Path, output: str) -> None:
    done = evaltui("run", "there.json", "-r", "there.json", "-o", output)
    assert done.code == 2
    assert done.out == b""
    assert "cannot be saved" in done.err


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (LONG, "cannot be read: file name too long"),
        ("~nosuchuser/x.json", "the folder ~nosuchuser does not exist"),
        ("there.json/x.json", "there.json is a file, not a folder"),
        ("there.json/more/x.json", "there.json is a file, not a folder"),
    ],
)
def test_edit_refuses_it(process: Process, name: str, sentence: str) -> None:
    assert edit(process, name) == (2, f"evaltui: {name}: {sentence}\n")


@pytest.mark.parametrize("option", ["-r", "--config"])
@pytest.mark.parametrize("name", [LONG, "~nosuchuser/x.json", "there.json/x.json"])
def test_edit_refuses_what_it_is_to_score_with(process: Process, option: str, name: str) -> None:
    controlling, terminal = pty.openpty()
    try:
        done = process("edit", "there.json", option, name, stdin=terminal, stdout=terminal)
    finally:
        os.close(terminal)
        os.close(controlling)
    assert done.returncode == 2
    assert done.stderr.decode() == f"evaltui: {name}: there is no such file\n"
