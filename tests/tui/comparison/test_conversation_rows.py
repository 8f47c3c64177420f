"""Long texts of a chat: the beginning is shown, what is left out is counted, and nothing acts on a terminal."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evaltui.evalset.turn import Turn, turn_of
from evaltui.printable import is_unsafe
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.tui.comparison.conversation_rows import (
    ConversationDrawing,
    conversation_rows,
    conversation_text,
    indented_json,
    rows_of_recorded,
    text_lines,
)
from evaltui.tui.lines import text_of


def shown(text: str, *, is_open: bool = False, width: int = 20) -> list[str]:
    return [text_of(line) for line in text_lines(text, width, is_open=is_open)[0]]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ["short"]),
        ("", [""]),
        ("\n".join("abcdefg"), [*"abcdefg"]),  # a line about one more would take its room
        ("\n".join("abcdefgh"), [*"abcdef", "… 2 more lines"]),
        ("x\n" * 1_000, [*"xxxxxx", "… 995 more lines"]),
        ("word " * 10, ["word word word word ", "word word word word ", "word word "]),
    ],
)
def test_the_beginning_and_what_is_left_out(text: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in shown(text)] == [line.rstrip() for line in lines]


def test_of_a_huge_text_characters_are_counted() -> None:
    assert shown("word " * 100_000)[-1].endswith("more characters")
    assert len(shown("word " * 100_000)) == 7
    assert shown("word " * 100_000, is_open=True)[-1] == "… 440,000 more characters"
    assert len(shown("x\n" * 100_000, is_open=True)) == 2_001


def test_what_can_be_unfolded_is_known() -> None:
    assert text_lines("x\n" * 20, 20, is_open=False)[1]
    assert not text_lines("x", 20, is_open=False)[1]


@pytest.mark.parametrize("is_open", [False, True])
def test_nothing_acts_on_a_terminal(*, is_open: bool) -> None:
    for text in ("\x1b[31m[/x]\u202e", "\x1b]0;x\x07\n" * 300, "日本語\x9b" * 5_000, "\ud800"):
        assert not any(map(is_unsafe, shown(text, is_open=is_open)))


def test_a_deep_value_is_shown_as_json() -> None:
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    assert indented_json(deep).startswith("[")


def keys_of(conversation: Conversation, facts: Sequence[str] = ()) -> list[list[str]]:
    return [[row.key for row in rows] for rows in conversation_rows(conversation, facts)]


def test_turns_of_a_score_and_of_a_session_have_the_same_rows() -> None:
    call = {"id": "c", "name": "find", "args": {"to": "OSL"}}
    invocation = {
        "user_content": {"parts": [{"text": "Hello"}]},
        "intermediate_data": {
            "tool_uses": [call],
            "tool_responses": [{"id": "c", "name": "find", "response": {"found": 2}}],
        },
        "final_response": {"parts": [{"text": "Two."}]},
    }
    turn = turn_of(invocation)
    rows = list(rows_of_recorded(0, turn))
    assert [row.key for row in rows] == ["0 user", "0 call 0", "0 tool response 0", "0 final"]
    recorded = list(rows_of_recorded(0, RecordedTurn(turn, invocation)))
    drawing = ConversationDrawing()
    assert [drawing.lines(row, 60) for row in rows] == [drawing.lines(row, 60) for row in recorded]
    assert [row.is_rewound for row in rows_of_recorded(0, RecordedTurn(turn, invocation, is_rewound=True))] == [
        True
    ] * 4


def test_ids_of_a_wrong_type_name_no_response() -> None:
    call = {"id": ["x"], "name": "find"}
    responses = [{"id": {"x": 1}, "name": "find", "response": 1}, {"id": "c", "name": "find", "response": 2}]
    invocation = {"intermediate_data": {"tool_uses": [call], "tool_responses": responses}}
    rows = list(rows_of_recorded(0, RecordedTurn(turn_of(invocation), invocation)))
    assert [row.value for row in rows if row.kind == "tool response"] == [2]


def test_a_long_conversation_comes_in_portions_and_faults_stand_once() -> None:
    turns = tuple(Turn(f"turn {number}", response="ok") for number in range(130))
    first, second, every = keys_of(Conversation(Path("r.json"), "c", turns, failure="broken", unread="event 2"))
    assert (first[-1], second[-1], every[-2:]) == ("more", "more", ["129 fault 0", "129 fault 1"])
    assert (len(first), len(second), len(every)) == (121, 241, 262)
    failed = Conversation(Path("r.json"), "c", (Turn("Hi", failure="broken"),), failure="broken")
    assert keys_of(failed) == [["0 user", "0 error"]]
    assert keys_of(Conversation(Path("r.json"), "c", (), failure="broken"), ["broken"])[0][-1] == "-1 nothing"


def test_a_conversation_as_a_text_leaves_wrapping_to_its_page() -> None:
    message = " ".join(f"word{number}" for number in range(80))
    text = conversation_text(Conversation(Path("r.json"), "c", (Turn(message),)))
    assert text.splitlines()[0].split() == ["1", "User", *message.split()]
