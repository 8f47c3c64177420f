"""From the list of eval sets into one, back, and to a new one."""

from pathlib import Path

import pytest

from tests.terminal.desk import edit_user_text, written
from tests.terminal.terminal import EVALTUI, Terminal


def listed(terminal: Terminal) -> Path:
    """A folder with two sets, and the list of them on screen."""
    path = written(terminal)
    (terminal.work / "more").mkdir()
    (terminal.work / "more" / "other.json").write_text('{"eval_set_id": "other", "eval_cases": []}')
    terminal.start(EVALTUI)
    terminal.until("2 eval sets")
    return path


def test_the_list_leads_into_a_set_back_to_a_new_one_and_quits(terminal: Terminal) -> None:
    path = listed(terminal)
    terminal.until("more/other.json")
    terminal.keys("Enter")
    terminal.until("enter edit")
    edit_user_text(terminal, "!")
    terminal.keys("C-o")
    terminal.until("save and open the list")
    terminal.keys("Escape")
    terminal.until(lambda lines: not any("open the list" in line for line in lines))
    terminal.keys("C-o")
    terminal.until("save and open the list")
    terminal.keys("s")
    terminal.until("2 eval sets")
    terminal.until("▌desk.evalset.json")
    assert "Good morning!" in path.read_text()
    terminal.keys("Enter")
    terminal.until("enter edit")
    terminal.keys("q")
    terminal.until("2 eval sets")
    terminal.keys("a")
    terminal.until("Name of the new eval set")
    terminal.type("my-first set")
    terminal.keys("Enter")
    terminal.until("new")
    terminal.until("case_1")
    terminal.keys("C-s")
    terminal.until("Saved my-first set.evalset.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert (terminal.work / "my-first set.evalset.json").read_text().startswith('{\n  "eval_set_id": "my_first_set",')


@pytest.mark.thorough
def test_a_folder_without_sets_says_how_to_make_one(terminal: Terminal) -> None:
    terminal.start([*EVALTUI, "edit", "."])
    terminal.until("there is no eval set in this folder; `evaltui edit NAME.evalset.json")
    assert terminal.until_exit() == 2
