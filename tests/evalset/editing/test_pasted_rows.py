"""What JSON from elsewhere is taken for, and what is said where it is of no use."""

import json
from typing import Any

import pytest

from evaltui.document.errors import EditError
from evaltui.evalset.editing.pasted_rows import recognise_rows
from evaltui.evalset.editing.revision import Copy
from evaltui.evalset.editing.row_copies import text_of_copies

CASE = {"eval_id": "a", "conversation": []}
TURN = {"user_content": {"parts": [{"text": "hi"}]}}


def kinds(value: Any) -> list[str]:
    return [copy.kind for copy in recognise_rows(json.dumps(value))[0]]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (CASE, ["case"]),
        ([CASE, CASE], ["case", "case"]),
        ({"eval_set_id": "s", "eval_cases": [CASE, CASE]}, ["case", "case"]),
        ({"evalId": "a", "conversationScenario": {}}, ["case"]),
        (TURN, ["turn"]),
        ({"invocationId": "i", "finalResponse": None}, ["turn"]),
        ([TURN, TURN, TURN], ["turn"] * 3),
        ({"name": "f", "args": {}}, ["call"]),
        ({"name": "f", "args": {}, "id": "c"}, ["call"]),
        ({"function_call": {"name": "f", "args": {}}}, ["call"]),
        ({"tool_use": {"name": "f"}, "tool_response": {"name": "f", "response": {}}}, ["call"]),
        ({"parts": [{"text": "hi"}], "role": "user"}, ["turn"]),
    ],
)
def test_what_it_is(value: Any, wanted: list[str]) -> None:
    assert kinds(value) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to paste"),
        ("hello there", "text, not JSON: hello there"),
        ('{"a": 1,}', "line 1, column 9"),
        ("42", "JSON number"),
        ("[]", "is empty"),
        ("[1]", "JSON number"),
        ("{}", "empty object"),
        ('{"url": 1, "method": 2}', "object with url, method"),
        (json.dumps([CASE, TURN]), "several kinds: case, turn"),
        ('"\x1b]0;x\x07"', "not valid JSON"),
    ],
)
def test_what_is_said_of_what_cannot_be_used(text: str, said: str) -> None:
    with pytest.raises(EditError) as caught:
        recognise_rows(text)
    assert said in str(caught.value)


def test_an_answer_becomes_the_expected_response_of_a_turn() -> None:
    content = {"parts": [{"text": "Sure."}], "role": "model"}
    turn = json.loads(recognise_rows(json.dumps(content))[0][0].source)
    assert turn["final_response"] == content
    assert turn["user_content"]["role"] == "user"


def test_the_order_of_keys_and_the_spelling_of_numbers_stay() -> None:
    source = '{"name": "f", "args": {"b": 1.50, "a": 1e3}}'
    assert recognise_rows(source)[0][0].source == source.encode()


def test_what_is_copied_is_recognised_again() -> None:
    call = Copy("call", b'{"name": "f"}', b"", b'{"name": "f", "response": {}}')
    case = Copy("case", b'{\n    "eval_id": "a"\n  }', b"  ")
    for copies in ([call], [call, call], [case], [case, case]):
        found = recognise_rows(text_of_copies(copies))[0]
        assert [copy.kind for copy in found] == [copy.kind for copy in copies]
        assert [json.loads(copy.source) for copy in found] == [json.loads(copy.source) for copy in copies]
        assert [copy.response for copy in found] == [copy.response for copy in copies]
