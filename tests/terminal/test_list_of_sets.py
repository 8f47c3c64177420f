"""From the list of eval sets into one, back, and to a new one."""

from pathlib import Path

from tests.terminal.desk import edit_user_text, written
from tests.terminal.terminal import EVALTUI, Terminal


def listed(terminal: Terminal, *arguments: str) -> Path:
    """A folder with two sets, and the list of them on screen."""
    path = written(terminal)
    (terminal.work / "more").mkdir()
    (terminal.work / "more" / "other.json").write_text('{"eval_set_id": "other", "eval_cases": []}')
    terminal.start([*EVALTUI, *arguments])
    terminal.until("2 eval sets")
    return path


def test_the_list_leads_into_a_set_and_back(terminal: Terminal) -> None:
    path = listed(terminal)
    terminal.until("more/other.json")
    terminal.keys("Enter")
    terminal.until("enter edit")
    edit_user_text(terminal, "!")
    terminal.keys("C-o")
    terminal.until("save and open the list")
    terminal.keys("s")
    terminal.until("2 eval sets")
    terminal.until("▌desk.evalset.json")
    assert "Good morning!" in path.read_text()
    terminal.keys("q")
    assert terminal.until_exit() == 0


def test_going_back_from_a_set_of_the_list_leads_to_the_list(terminal: Terminal) -> None:
    listed(terminal)
    terminal.keys("Enter")
    terminal.until("enter edit")
    terminal.keys("q")
    terminal.until("2 eval sets")
    terminal.keys("q")
    assert terminal.until_exit() == 0


def test_staying_keeps_the_edits_and_quitting_then_quits(terminal: Terminal) -> None:
    path = listed(terminal, "edit", ".")
    terminal.keys("Enter")
    terminal.until("enter edit")
    edit_user_text(terminal, "!")
    terminal.keys("C-o")
    terminal.until("save and open the list")
    terminal.keys("Escape")
    terminal.until(lambda lines: not any("open the list" in line for line in lines))
    terminal.keys("C-q")
    terminal.until("save and quit")
    terminal.keys("s")
    assert terminal.until_exit() == 0
    assert "Good morning!" in path.read_text()


def test_a_set_is_made_from_the_list(terminal: Terminal) -> None:
    listed(terminal, "edit")
    terminal.keys("a")
    terminal.until("Name of the new eval set")
    terminal.type("my-first set")
    terminal.keys("Enter")
    terminal.until("new")
    terminal.until("case_1")
    terminal.keys("C-s")
    terminal.until("Saved my-first set.evalset.json")
    assert (terminal.work / "my-first set.evalset.json").read_text().startswith('{\n  "eval_set_id": "my_first_set",')


def test_a_folder_without_sets_says_how_to_make_one(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "."])
    terminal.until("there is no eval set in this folder; `evaltui edit NAME.evalset.json")
    assert terminal.until_exit() == 2
