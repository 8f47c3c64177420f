"""Somebody else writes the file while it is open, as `git pull` does, in a real terminal."""

import random
from pathlib import Path

from evaltui.document.document import Document
from tests.terminal.desk import SET, edit_user_text, opened
from tests.terminal.terminal import EVALTUI, Terminal


def replace(path: Path, text: str) -> None:
    """Put another file in its place, as git does: the old one goes first."""
    new = path.with_name("from-git")
    new.write_text(text)
    path.unlink()
    new.rename(path)


def test_a_clean_file_is_read_again_by_itself(terminal: Terminal) -> None:
    path = opened(terminal)
    replace(path, SET.replace("Good morning", "Good evening"))
    terminal.until("reloaded: 1 case changed")
    terminal.until("1 Good evening")
    replace(path, SET)  # the second time too: the folder is watched, not the file
    terminal.until("1 Good morning")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


def test_a_pull_while_something_is_unsaved_is_merged(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, ", all")
    replace(path, SET.replace("farewell", "goodbye"))
    terminal.until("The file reloads when you leave the field")
    terminal.type(" of you")
    terminal.keys("Escape")
    terminal.until("merged with the file on disk")
    terminal.until("Good morning, all of you")
    assert path.read_text() == SET.replace("farewell", "goodbye")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    assert path.read_text() == SET.replace("farewell", "goodbye").replace("morning", "morning, all of you")


def test_a_conflict_is_decided_and_saved(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, ", all")
    terminal.keys("Escape")
    replace(path, SET.replace("Good morning", "Good evening"))
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
    assert r"Good evening\nGood morning, all" in path.read_text()


def test_a_file_that_is_deleted_is_kept_and_saved_elsewhere(terminal: Terminal) -> None:
    path = opened(terminal)
    edit_user_text(terminal, "!")
    terminal.keys("Escape")
    terminal.until("▌  Good morning!")
    path.unlink()
    terminal.until("gone from disk")
    terminal.keys("S")
    terminal.until("Save as")
    terminal.keys("C-u")
    terminal.type("elsewhere.json")
    terminal.keys("Enter")
    terminal.until("Saved as ")
    assert "Good morning!" in (terminal.work / "elsewhere.json").read_text()
    assert not path.exists()
    replace_with = SET.replace("farewell", "goodbye").replace("morning", "morning!")
    (terminal.work / "elsewhere.json").write_text(replace_with)
    terminal.until("reloaded")  # the new file is followed


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
