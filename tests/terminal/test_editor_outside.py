"""$EDITOR in a real terminal: the app steps aside, comes back whole, and takes in what was written."""

import shutil
from pathlib import Path

import pytest

from tests.terminal.desk import SET, written
from tests.terminal.terminal import EVALTUI, Terminal


def opened(terminal: Terminal, editor: str, text: str = SET, shown: str = "enter edit") -> Path:
    """A set opened with an $EDITOR that is a shell script; "$1" is the file."""
    program = terminal.home / "vim"
    program.write_text(f"#!/bin/sh\n{editor}\n")
    program.chmod(0o755)
    path = written(terminal, text)
    terminal.start([*EVALTUI, "edit", path.name], {"VISUAL": str(program)})
    terminal.until(shown)
    return path


def test_the_editor_has_the_terminal_even_its_ctrl_c_and_the_app_comes_back(terminal: Terminal) -> None:
    path = opened(terminal, 'trap \'exit 9\' INT; echo "editing ${1##*/}"; read line; sed -i "s/Hello/$line/" "$1"')
    terminal.keys("Down", "e")
    terminal.until("editing greeting-turn-1.json")
    terminal.keys("C-c")
    terminal.until("Nothing changed: vim exited with status 9.")
    terminal.keys("e")
    terminal.until(lambda lines: lines[0] == "editing greeting-turn-1.json")
    terminal.type("Welcome\n")
    terminal.until("edited greeting › turn 1 as JSON in vim")
    terminal.keys("Down")
    terminal.until("▌  farewell")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert path.read_text() == SET.replace("Hello", "Welcome")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_keys_for_an_editor_that_is_not_there_yet_do_not_edit_the_set(terminal: Terminal) -> None:
    """Of `edd`, the app reads all three at once; what comes later is for the editor, or for nobody."""
    path = opened(terminal, 'echo "editing ${1##*/}"; until [ -e "$HOME/done" ]; do :; done')
    terminal.keys("Down", "e", "d", "d")
    terminal.until("editing greeting-turn-1.json")
    terminal.keys("x", "x")
    (terminal.home / "done").touch()
    terminal.until("Nothing changed in vim")
    terminal.keys("Down")
    terminal.until("▌  farewell")
    assert "●" not in terminal.screen()[0]
    assert path.read_text() == SET


@pytest.mark.thorough
def test_without_such_an_editor_the_app_goes_on(terminal: Terminal) -> None:
    path = written(terminal)
    terminal.start([*EVALTUI, "edit", path.name], {"VISUAL": "nosuch_editor"})
    terminal.until("enter edit")
    terminal.keys("e")
    terminal.until("$VISUAL is nosuch_editor, but there is no such program")
    terminal.keys("?")
    terminal.until("─ Keys")
    assert path.read_text() == SET


@pytest.mark.skipif(shutil.which("vi") is None, reason="vi is not installed")
def test_vi_itself_edits_a_text(terminal: Terminal) -> None:
    path = written(terminal)
    terminal.start([*EVALTUI, "edit", path.name])
    terminal.until("enter edit")
    terminal.keys("Down", "Enter")
    terminal.until("▌  Good morning")
    terminal.keys("F4")
    terminal.until(lambda lines: lines[0] == "Good morning" and lines[1].startswith("~"))
    terminal.keys("A")
    terminal.type(", all")
    terminal.keys("Escape")
    terminal.type(":wq\n")
    terminal.until("edited user message of greeting › turn 1 in vi")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert path.read_text() == SET.replace("Good morning", "Good morning, all")


@pytest.mark.thorough
def test_a_file_that_is_not_json_is_repaired_in_the_editor(terminal: Terminal) -> None:
    broken = SET.replace('"desk",', '"desk"')
    calls = """echo "$1" >> calls; [ -e first ] || { touch first; echo '[1,]' > "$2"; exit; }; cp whole "$2" """
    (terminal.work / "whole").write_text(SET)
    path = opened(terminal, calls, broken, "invalid JSON")
    terminal.keys("e")
    terminal.until("desk.evalset.json:1:4: invalid JSON")
    terminal.keys("e")
    terminal.until("enter edit")
    assert (terminal.work / "calls").read_text() == "+3\n+1\n"
    assert path.read_text() == SET
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_a_file_that_is_not_json_is_repaired_by_its_safe_fixes(terminal: Terminal) -> None:
    broken = SET.replace('"desk",', '"desk", // the front desk').replace("Hello", "Hi there").replace("\n}", ",\n}")
    path = opened(terminal, "exit 1", broken, "invalid JSON")
    terminal.until("Problems 2")
    terminal.keys("F")
    terminal.until("2 safe fixes, not applied yet")
    terminal.keys("F")
    terminal.until("valid JSON now; press ^s to save and open the file")
    assert path.read_text() == broken
    terminal.keys("C-s")
    terminal.until("enter edit")
    assert path.read_text() == SET.replace("Hello", "Hi there")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
