"""Filter, jump and replace in a real terminal."""

import json

import pytest

from tests.terminal.terminal import EVALTUI, Terminal


def opened(terminal: Terminal) -> str:
    cases = [
        {"eval_id": f"case_{number:03d}", "conversation": [{"user_content": {"parts": [{"text": text}]}}]}
        for number, text in enumerate(["To Oslo", "To Lima", "Back to Oslo", "Thanks"] * 20)
    ]
    text = json.dumps({"eval_set_id": "desk", "eval_cases": cases}, indent=1)
    (terminal.work / "desk.evalset.json").write_text(text)
    terminal.start([*EVALTUI, "edit", "desk.evalset.json"])
    terminal.until("enter edit")
    return text


@pytest.mark.thorough
def test_what_is_typed_at_once_filters_and_the_hits_are_replaced(terminal: Terminal) -> None:
    text = opened(terminal)
    terminal.type("/back")
    terminal.until("20 of 80 cases")
    terminal.keys("Enter")
    terminal.until("▌    1 Back to Oslo")
    terminal.keys("n")
    terminal.until("case 2 of 20 found: case_006 › turn 1")
    terminal.keys("C-r")
    terminal.until("in 20 filtered cases")
    terminal.type("oslo")
    terminal.until("20 hits in 20 cases")
    terminal.keys("Tab")
    terminal.type("Bergen")
    terminal.until("Back to [Oslo → Bergen]")
    terminal.keys("Tab", "Space")
    terminal.until("1 left out")
    terminal.keys("Enter")
    terminal.until("replaced oslo with Bergen in 19 places")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    after = (terminal.work / "desk.evalset.json").read_text()
    assert after.count("Back to Bergen") == 19
    assert after.replace("Bergen", "Oslo") == text
    terminal.keys("Escape")
    terminal.until("case_000")
    terminal.keys("C-g")
    terminal.until("Go to a case (id, number")
    terminal.type("77")
    terminal.until("case_076")
    terminal.keys("Enter")
    terminal.until("▌▸ case_0")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
