"""Keys that arrive faster than the editor works, as a slow line or a script delivers them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.terminal import desk
from tests.terminal.terminal import Terminal

SET = """{"eval_set_id": "desk", "eval_cases": [
  {"eval_id": "greeting", "conversation": [{"invocation_id": "1", "user_content": {"parts": [{"text": "Hello"}]},
    "intermediate_data": {"tool_uses": [{"name": "look", "args": {"hours": [6, 12]}}], "tool_responses": []}}]},
  {"eval_id": "case_1", "conversation": []}]}
"""


def opened(terminal: Terminal) -> Path:
    return desk.opened(terminal, text=SET)


def saved(terminal: Terminal, path: Path) -> Any:
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    return json.loads(path.read_text())["eval_cases"]


def test_a_call_is_what_was_typed_and_a_save_at_once_behind_a_paste_saves_it(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("Enter", "Enter", *"_two", "Enter")
    terminal.until("eval_id     greeting_two")
    assert saved(terminal, path)[0]["eval_id"] == "greeting_two"
    terminal.keys("1", "Right", "Right", "Right")
    terminal.until("▌      look")
    terminal.keys("Enter", "Down", "Down", "Enter", "C-u", *"[6,12,18,24]", "Enter")
    terminal.until("[6, 12, 18, 24]")
    terminal.keys("Home", "y", "Down", "p", "C-s")
    terminal.until("Saved desk.evalset.json")
    terminal.until(lambda _: '"id"' in path.read_text())
    (call,) = json.loads(path.read_text())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"]
    assert call == {"name": "look", "args": {"hours": [6, 12, 18, 24]}, "id": "look"}


@pytest.mark.thorough
def test_no_id_is_given_twice_and_undo_takes_back_as_many_steps_as_it_is_pressed(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("End")
    terminal.until("▌  case_1")
    for count in ("3 cases", "4 cases", "5 cases"):
        terminal.keys("a")
        terminal.until(count)
        terminal.until("esc done")
        terminal.keys("Escape")
        terminal.until("enter edit")
        terminal.keys("1")
        terminal.until("▸ case_")
    terminal.keys("a", *"_added", "Enter")
    terminal.until(re.compile(r"_added › turn 1(?s:.*)esc done"))  # enter leads on to the message
    ids = [case["eval_id"] for case in saved(terminal, path)]
    assert ids == ["greeting", "case_1", "case_2", "case_3", "case_4", "_added"]
    terminal.keys("Escape")
    terminal.until("enter edit")
    terminal.keys("1", "Home", "Down", *"dddddd")
    terminal.until("0 cases")
    terminal.keys(*"u" * 30)
    terminal.until("Nothing to undo.")
    terminal.until(re.compile(r"greeting\n.*1 Hello\n.*case_1"))
    terminal.keys("C-q")
    terminal.until("unsaved changes")
    terminal.keys("d")
    assert terminal.until_exit() == 0
