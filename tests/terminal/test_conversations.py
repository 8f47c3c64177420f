"""From chats to cases in a real terminal: in an agent's folder with a session database, without naming anything."""

import json

import pytest

from evaltui.cli import main
from tests.sampling import sampled
from tests.terminal.conftest import OpenTerminal
from tests.terminal.desk import opened
from tests.terminal.terminal import Terminal
from tests.tui.recordings.chats import BOOKED, FAILED, REWOUND, Chat, ChatTurn, write_chats

EMPTY = '{\n  "eval_set_id": "desk",\n  "eval_cases": []\n}\n'
SUNG = Chat("sung", [ChatTurn("sing", "La la la."), ChatTurn("dance", "I have no legs.", ("dance", {"legs": 0}))])


@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], 1))
def test_two_conversations_and_a_turn_of_a_third_become_cases(
    open_terminal: OpenTerminal, size: tuple[int, int]
) -> None:
    terminal = open_terminal(*size)
    database = write_chats(terminal.work / ".adk" / "session.db", [BOOKED, REWOUND, FAILED, SUNG])
    before = database.read_bytes()
    path = opened(terminal, text=EMPTY)
    terminal.keys("+")
    terminal.until("session.db › sung")
    terminal.until("sing")
    terminal.keys("Right", "Down", "Down", "m")
    terminal.until("1 turn ticked.")
    terminal.keys("Escape")
    terminal.until("→ turns")  # esc and an arrow in one read would be alt with the arrow
    terminal.keys("Down", "Down", "Space")
    terminal.until("1 conversation and 1 turn ticked")
    terminal.keys("Space")
    terminal.until("2 conversations and 1 turn ticked")
    terminal.keys("Enter")
    terminal.until("added 3 recorded cases")
    terminal.until("f7 select all")
    terminal.type("no_legs")
    terminal.until(lambda lines: any("eval_id" in line and line.rstrip().endswith("no_legs") for line in lines))
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    saved = json.loads(path.read_text())["eval_cases"]
    assert [case["eval_id"] for case in saved] == ["no_legs", "is_there_a_bus_to_bern", "hi"]
    assert [len(case["conversation"]) for case in saved] == [1, 1, 3]
    assert main(["validate", str(path)]) == 0
    assert main(["run", str(path), "-r", str(database)]) == 0
    assert database.read_bytes() == before
    assert [each.name for each in database.parent.iterdir()] == ["session.db"]


@pytest.mark.thorough
def test_a_terminal_of_another_size_shows_the_same_chat(terminal: Terminal) -> None:
    write_chats(terminal.work / ".adk" / "session.db", [BOOKED])
    opened(terminal)
    terminal.keys("+")
    terminal.until("K7QX91")
    terminal.keys("Right", "Down")
    for size in ((20, 6), (200, 60), (99, 12), (100, 24), (80, 24)):
        terminal.resize(*size)
        terminal.until("Hello!" if size[1] > 6 else "hi")
    terminal.keys("Escape", "Escape")
    terminal.until("enter edit")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0


@pytest.mark.thorough
def test_a_source_is_reviewed_into_the_set(terminal: Terminal) -> None:
    write_chats(terminal.work / "chats.db", [BOOKED])
    path = opened(terminal, "-r", "chats.db")
    terminal.until("2 –")
    terminal.keys("O")
    terminal.until("chats.db")
    terminal.keys("+")
    terminal.until("─ chats.db › booked ─")
    terminal.until("K7QX91")
    terminal.keys("Enter")
    terminal.until("added case hi")
    terminal.keys("C-s")
    terminal.until("Saved desk.evalset.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    assert [case["eval_id"] for case in json.loads(path.read_text())["eval_cases"]] == ["greeting", "farewell", "hi"]
