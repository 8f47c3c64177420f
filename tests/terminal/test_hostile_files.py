"""Nothing in a file may act on the terminal."""

import json

import pytest

from tests.terminal.terminal import EVALTUI, Terminal

ATTACKS = ["\x1b]0;owned\x07", "\x1b[2J", "\x1b]52;c;b3duZWQ=\x07", "\x9b31m", "\u202egnp", "\u2066x", "\r\x08\x7f"]
FORBIDDEN = [b"\x1b]0;owned", b"\x1b[2J\x1b]", b"\x1b]52", b"\xc2\x9b", "\u202e".encode(), "\u2066".encode(), b"\x08"]


def hostile_set() -> bytes:
    """A set that holds every attack in its ids, keys, texts and arguments."""
    attack = "".join(ATTACKS)
    call = {"name": f"tool{attack}", "args": {f"key{attack}": attack}, "id": attack}
    turn = {
        "user_content": {"parts": [{"text": f"start {attack}\nend"}]},
        "final_response": {"parts": [{"text": attack}]},
        "intermediate_data": {"tool_uses": [call]},
    }
    case = {"eval_id": f"case{attack}", "conversation": [turn], f"extra{attack}": attack}
    return json.dumps({"eval_set_id": attack, "name": attack, "eval_cases": [case]}).encode()


@pytest.mark.thorough
def test_browsing_and_editing_hostile_texts_writes_no_escape_of_theirs(terminal: Terminal) -> None:
    (terminal.work / "set.json").write_bytes(hostile_set())
    terminal.start([*EVALTUI, "edit", "set.json"])
    terminal.until("case")
    terminal.keys("Down", "Right")
    terminal.until("tool")
    terminal.keys("Down")
    terminal.until("▌      tool")
    terminal.keys("Enter")
    terminal.until("Arguments")
    terminal.keys("Enter")
    terminal.until("esc done")
    terminal.type("x")
    terminal.until("renamed tool call")
    terminal.keys("Escape")
    terminal.until("a add")
    terminal.keys("Escape")
    terminal.until("a add tool call")
    terminal.keys("Up")
    terminal.until("▌  ▾ 1 start")
    terminal.keys("Enter")
    terminal.until("Expected response")
    terminal.keys("C-q")
    terminal.until("unsaved")
    terminal.keys("d")
    terminal.until_exit()
    assert b"start" in terminal.raw()
    assert [attack for attack in FORBIDDEN if attack in terminal.raw()] == []


@pytest.mark.thorough
def test_a_file_that_is_not_json_shows_the_place(terminal: Terminal) -> None:
    (terminal.work / "set.json").write_text('{\n  "eval_set_id": "x",\n}')
    terminal.start([*EVALTUI, "edit", "set.json"])
    terminal.until("set.json:3:1: invalid JSON: extra comma before }")
    terminal.keys("q")
    assert terminal.until_exit() == 0
