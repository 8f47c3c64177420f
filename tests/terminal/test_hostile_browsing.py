"""All of a hostile file is browsed, in every view, and none of what it holds reaches the terminal as it is."""

import json
import re

import pytest

from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI, Terminal

ATTACKS = {
    "title": "\x1b]0;owned\x07",
    "clear": "\x1b[2J\x1b[H",
    "clipboard": "\x1b]52;c;b3duZWQ=\x07",
    "device": "\x1bP+q544e\x1b\\ \x1b[6n \x1b[c",
    "c1": "\x9b31m \x9d0;owned\x9c \x85",
    "bidi": "\u202egnp.exe\u202c \u2066x\u2069 \u061c",
    "controls": "\x00\x07\x08\x0b\x0c\x0e\x0f\x7f",
}
NEVER_WRITTEN = re.compile(
    r"\x1b[\]P]|\x1b\[2J|\x1b\[6n|\x1b\[c|[\x80-\x9f]|[\u202a-\u202e\u2066-\u2069\u061c]|[\x00\x07\x08\x0b\x0c\x7f]"
)
POINTER_SHAPE = re.compile(r"\x1b\]22;[a-z]*\x07")


def written(terminal: Terminal) -> str:
    """All that was written, without the shapes of the mouse pointer."""
    return POINTER_SHAPE.sub("", terminal.raw().decode("utf-8", "replace"))


def look_around(terminal: Terminal, in_tree: str = "+ recorded") -> None:
    """Unfold everything, and see the form of each row down to its last line. `in_tree` are keys of the tree alone."""
    terminal.keys("Home", "=")
    for row in range(12):
        terminal.keys("Right", "2")
        terminal.until(re.compile("esc back|esc done|enter edit|enter open"))
        terminal.until(lambda lines: not any(in_tree in line for line in lines))
        terminal.keys("End", "PageUp", "End")
        terminal.keys("1")
        terminal.until(in_tree)
        terminal.keys(*["Home", *["Down"] * (row + 1)])
    terminal.keys("3")
    terminal.keys("?")
    terminal.until("─ Keys")


def test_an_eval_set_with_all_attacks_also_in_its_name(open_terminal: OpenTerminal) -> None:
    browse(open_terminal(100, 30), "".join(ATTACKS.values()), "e\x1b]0;owned\x07\u202egnp[b].json")


@pytest.mark.thorough
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
def test_an_eval_set(open_terminal: OpenTerminal, attack: str) -> None:
    browse(open_terminal(100, 30), attack, "set.json")


def browse(terminal: Terminal, attack: str, name: str) -> None:
    """Look at all of an eval set that has the attack in all of its texts, ids and keys."""
    call = {"id": attack, "name": attack, "args": {attack: attack, "l": [attack]}}
    answer = {"id": attack, "name": attack, "response": {attack: attack}}
    content = {"parts": [{"text": attack}, {"inline_data": {"mime_type": attack, "data": attack}}]}
    turn = {
        "invocation_id": attack,
        "user_content": content,
        "intermediate_data": {"tool_uses": [call], "tool_responses": [answer, answer]},
        "final_response": content,
    }
    case = {"eval_id": attack, "conversation": [turn], attack: attack}
    whole = {"eval_set_id": attack, "name": attack, "eval_cases": [case], attack: [attack]}
    (terminal.work / name).write_text(json.dumps(whole, ensure_ascii=attack.isascii()))
    terminal.start([*EVALTUI, "edit", name])
    terminal.until("enter edit")
    look_around(terminal)
    assert ".json" in written(terminal)
    assert not NEVER_WRITTEN.findall(written(terminal))


@pytest.mark.thorough
def test_a_config_with_odd_keys_and_a_file_name_of_its_own(terminal: Terminal) -> None:
    attack = "".join(ATTACKS.values())
    name = "e\x1b]0;owned\x07\u202egnp[b].json"
    text = json.dumps({attack: attack, "x": {attack: [attack]}})
    (terminal.work / name).write_text(text[:-1] + ', "x": NaN, "y": "\\ud800"}')
    terminal.start([*EVALTUI, "edit", name])
    terminal.until("NaN")
    look_around(terminal, "a add  ")
    assert not NEVER_WRITTEN.findall(written(terminal))


@pytest.mark.thorough
def test_bytes_that_are_not_json(terminal: Terminal) -> None:
    attack = "".join(ATTACKS.values()).encode()
    (terminal.work / "set.json").write_bytes(b'{"a": "\xff\xfe\x9b31m' + attack + b"\n" + attack)
    terminal.start([*EVALTUI, "edit", "set.json"])
    terminal.until("invalid JSON")
    terminal.keys("End", "Home", "PageDown")
    terminal.keys("F1")
    terminal.until("─ Keys")
    assert not NEVER_WRITTEN.findall(written(terminal))
