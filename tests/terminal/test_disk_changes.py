"""Somebody else writes the file while it is open, as `git pull` does, in a real terminal."""

import random
from pathlib import Path

import pytest

from evaltui.document.document import Document
from tests.terminal.desk import SET, edit_user_text, opened
from tests.terminal.terminal import EVALTUI, Terminal


def replace(path: Path, text: str) -> None:
    """Put another file in its place, as git does: the old one goes first."""
    new = path.with_name("from-git")
    new.write_text(text)
    path.unlink()
    new.rename(path)


def test_changes_from_outside_are_read_merged_decided_and_followed_elsewhere(terminal: Terminal) -> None:
    path = opened(terminal)
    replace(path, SET.replace("Good morning", "Good evening"))
    terminal.until("reloaded: 1 case changed")
    terminal.until("1 Good evening")
    replace(path, SET)  # the second time too: the folder is watched, not the file
    terminal.until("1 Good morning")
    edit_user_text(terminal, ", all")
    theirs = SET.replace("farewell", "goodbye")
    replace(path, theirs)
    terminal.until("The change comes in when you leave")
    terminal.type(" of you")
    terminal.keys("Escape")
    terminal.until("merged with the file on disk")
    assert path.read_text() == theirs
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert path.read_text() == theirs.replace("morning", "morning, all of you")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.type("!")
    terminal.until("of you!")
    terminal.keys("Escape")
    replace(path, theirs.replace("Good morning", "Good evening"))
    terminal.until("1 conflict with ")
    terminal.keys("C-s")
    terminal.until("1 of 1 conflict to decide")
    terminal.until("Good evening")
    terminal.keys("b")
    terminal.until("All conflicts are decided")
    terminal.keys("Enter")
    terminal.until("merged with the file on disk")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    text = path.read_text()
    assert r"Good evening\nGood morning, all of you!" in text
    path.unlink()
    terminal.until("gone from disk")
    terminal.keys("S")
    terminal.until("Save as")
    terminal.keys("C-u")
    terminal.type("elsewhere.json")
    terminal.keys("Enter")
    terminal.until("Saved as ")
    assert not path.exists()
    elsewhere = terminal.work / "elsewhere.json"
    assert elsewhere.read_text() == text
    elsewhere.write_text(text.replace("Hello", "Welcome"))
    terminal.until("reloaded")  # the new file is followed
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_many_changes_from_outside_while_editing(terminal: Terminal) -> None:
    chance = random.Random(1)
    path = opened(terminal)
    for number in range(10):
        terminal.keys("Home")
        edit_user_text_anew(terminal, f"mine {number}")
        text = path.read_text()
        theirs = chance.choice(["farewell", "goodbye"])
        for name in ("farewell", "goodbye"):
            text = text.replace(name, f"{theirs}{number}" if name in text and name != theirs else name)
        text = text.replace('"Hello', f'"Hello {number}')
        replace(path, text)
        terminal.keys("Escape")
        terminal.until("merged with the file on disk")
        terminal.keys("C-s")
        terminal.until("Saved desk.evalset.json")
        saved = path.read_text()
        assert f"mine {number}" in saved
        assert f"Hello {number}" in saved
        terminal.keys("Escape")
        terminal.until("enter edit")


def edit_user_text_anew(terminal: Terminal, text: str) -> None:
    terminal.keys("Down", "Down")
    terminal.until("▌    1 ")
    terminal.keys("Enter")
    terminal.until("─ greeting › turn 1")
    terminal.until("▌  ")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.keys("F7")
    terminal.type(text)
    terminal.until(text)


@pytest.mark.thorough
def test_readonly_refuses_and_says_so(terminal: Terminal) -> None:
    path = terminal.work / "desk.evalset.json"
    path.write_text(SET)
    terminal.start([*EVALTUI, "edit", "--readonly", path.name])
    terminal.until("read-only")
    terminal.keys("d")
    terminal.until("Read-only: evaltui was started with --readonly")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert Document.open(path).to_bytes() == SET.encode()
