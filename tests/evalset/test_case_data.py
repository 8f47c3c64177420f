"""Eval cases as plain data."""

from typing import Any

import pytest

from evaltui.evalset.case_data import PlainCase, PlainTurn, get
from evaltui.evalset.keys import camel
from evaltui.evalset.turn import Turn, turn_of

CALL, RESPONSE = {"id": "c1", "name": "find", "args": {}}, {"id": "c1", "name": "find", "response": {"n": 1}}
LISTED = {"intermediate_data": {"tool_uses": [CALL], "tool_responses": [RESPONSE]}}
IN_EVENTS = {
    "intermediate_data": {
        "invocation_events": [
            {"author": "agent", "content": {"parts": [{"text": "So"}, {"function_call": CALL}]}},
            {"author": "agent", "content": {"parts": [{"function_response": RESPONSE}]}},
        ]
    }
}


def in_camel_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {camel(key): in_camel_case(item) for key, item in value.items()}
    return [in_camel_case(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("data", [LISTED, IN_EVENTS, in_camel_case(LISTED), in_camel_case(IN_EVENTS)])
def test_calls_and_responses_are_read_in_either_shape_and_spelling(data: dict[str, Any]) -> None:
    turn = PlainTurn(data)
    assert (turn.calls, turn.responses) == ([CALL], [RESPONSE])


def test_a_key_in_camel_case_wins() -> None:
    assert get({"eval_id": "a", "evalId": "b"}, "eval_id") == "b"


@pytest.mark.parametrize("data", [None, 3, "text", [], ["text"], {"conversation": "text"}])
def test_a_case_of_another_type_has_nothing_in_it(data: Any) -> None:
    case = PlainCase(data)
    assert (case.eval_id, case.turns, case.all_rubrics, case.is_scenario) == (None, [], [], False)


@pytest.mark.parametrize(
    "data",
    [
        None,
        "text",
        {"intermediate_data": "text"},
        {"intermediate_data": {"tool_uses": {}, "tool_responses": 3}},
        {"intermediate_data": {"tool_responses": [{"id": ["no", "text"], "response": {}}]}},
    ],
)
def test_a_turn_of_another_type_has_nothing_in_it(data: Any) -> None:
    assert turn_of(data) == Turn("")


def test_calls_are_passed_on_as_they_are_for_checks_to_look_at() -> None:
    assert PlainTurn({"intermediate_data": {"tool_uses": ["text", CALL]}}).calls == ["text", CALL]
