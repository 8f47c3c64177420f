"""Keys that arrive faster than the editor works, as a slow line or a script delivers them."""

import json
import re
from pathlib import Path
from typing import Any

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
    return json.loads(path.read_text())


def test_what_is_typed_with_enter_is_in_the_file(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("Enter")
    terminal.until("▌  eval_id")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.keys(*"_two", "Enter")
    terminal.until("eval_id     greeting_two")
    assert saved(terminal, path)["eval_cases"][0]["eval_id"] == "greeting_two"


def test_a_list_is_what_was_typed(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("Right", "Right", "Right")
    terminal.until("▌      look")
    terminal.keys("Enter")
    terminal.until("▌  name")
    terminal.keys("Down", "Down")
    terminal.until("▌  hours")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.keys("C-u", *"[6,12,18,24]")
    terminal.until("[6,12,18,24]")
    call = saved(terminal, path)["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]
    assert call["args"] == {"hours": [6, 12, 18, 24]}


def test_a_save_at_once_behind_a_paste_saves_what_was_pasted(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("Right", "Right", "Right")
    terminal.until("▌      look")
    terminal.keys("Enter")
    terminal.until("▌  name")
    terminal.keys("y", "Down", "p", "C-s")
    terminal.until("Saved desk.evalset.json")
    call = json.loads(path.read_text())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]
    assert call["id"] == "look"


def test_no_id_is_given_twice(terminal: Terminal) -> None:
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
    ids = [case["eval_id"] for case in saved(terminal, path)["eval_cases"]]
    assert ids == ["greeting", "case_1", "case_2", "case_3", "case_4"]


def test_letters_behind_the_key_that_adds_a_case_name_it(terminal: Terminal) -> None:
    path = opened(terminal)
    terminal.keys("End")
    terminal.until("▌  case_1")
    terminal.keys("a", *"_added", "Enter")
    terminal.until("_added › turn 1")  # enter leads on to the message
    assert [case["eval_id"] for case in saved(terminal, path)["eval_cases"]] == ["greeting", "case_1", "_added"]


def test_undo_takes_as_many_steps_back_as_it_is_pressed(terminal: Terminal) -> None:
    opened(terminal)
    terminal.keys("d", "d")
    terminal.until("0 cases")
    terminal.keys("u", "u", "u")
    terminal.until("Nothing to undo.")
    terminal.until(re.compile(r"greeting\n.*1 Hello\n.*case_1"))
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
