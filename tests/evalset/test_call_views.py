"""Calls and their responses, paired the same way in both shapes of intermediate data."""

from typing import Any

import pytest

from evaltui.document.node import Node
from evaltui.evalset.call_views import Pairing, ToolUse, calls_and_orphans
from evaltui.evalset.keys import text_of
from tests.evalset.helpers import turn_of

Payload = dict[str, Any]


def listed(calls: list[Payload], responses: list[Payload]) -> Any:
    return {"tool_uses": calls, "tool_responses": responses}


def listed_camel(calls: list[Payload], responses: list[Payload]) -> Any:
    return {"toolUses": calls, "toolResponses": responses}


def in_events(calls: list[Payload], responses: list[Payload]) -> Any:
    """All calls in the parts of one event, each response in an event of its own."""
    parts = [{"text": "Let me see"}, *({"function_call": call} for call in calls)]
    answers = [{"author": "a", "content": {"parts": [{"function_response": one}]}} for one in responses]
    return {"invocation_events": [{"author": "a", "content": {"parts": parts, "role": "model"}}, *answers]}


def in_camel_events_with_nulls(calls: list[Payload], responses: list[Payload]) -> Any:
    """Each call and each response in an event of its own, the other members null as google-adk 1.x wrote them."""
    parts = [{"text": None, "functionCall": call, "functionResponse": None} for call in calls]
    parts += [{"text": None, "functionCall": None, "functionResponse": response} for response in responses]
    return {"invocationEvents": [{"author": "a", "content": {"parts": [part]}} for part in parts] + [{"content": None}]}


SHAPES = pytest.mark.parametrize("shape", [listed, listed_camel, in_events, in_camel_events_with_nulls])


def paired(data: Any) -> tuple[list[ToolUse], list[Node]]:
    """The uses of a turn with these intermediate data."""
    return calls_and_orphans(turn_of({"user_content": {}, "intermediate_data": data}))


def story(data: Any) -> list[tuple[str, Pairing, Any]]:
    """Name, pairing and answer of each call."""
    return [(use.name, use.pairing, _answer(use.response)) for use in paired(data)[0]]


def _answer(response: Node | None) -> Any:
    return response.value().get("response") if response is not None else None


@SHAPES
def test_ids_pair_whatever_the_order_and_the_names(shape: Any) -> None:
    calls = [{"id": "1", "name": "f", "args": {}}, {"name": "f", "id": "2"}]
    responses = [{"id": "2", "name": "f", "response": {"n": 2}}, {"id": "1", "name": "other", "response": {"n": 1}}]
    assert story(shape(calls, responses)) == [
        ("f", Pairing.ANSWERED, {"n": 1}),
        ("f", Pairing.ANSWERED, {"n": 2}),
    ]


@SHAPES
def test_without_ids_name_and_order_pair(shape: Any) -> None:
    calls = [{"name": "f"}, {"name": "g"}, {"name": "f", "id": None}, {"name": "f", "id": ""}]
    responses = [{"name": "g", "response": {"n": 0}}, {"name": "f", "response": {"n": 1}}]
    responses += [{"name": "f", "response": {"n": 2}}]
    assert story(shape(calls, responses)) == [
        ("f", Pairing.BY_ORDER, {"n": 1}),
        ("g", Pairing.BY_ORDER, {"n": 0}),
        ("f", Pairing.BY_ORDER, {"n": 2}),
        ("f", Pairing.NO_ANSWER, None),
    ]


@SHAPES
def test_a_call_without_an_answer_and_an_answer_without_a_call_are_told(shape: Any) -> None:
    uses, orphans = paired(
        shape([{"id": "1", "name": "f"}, {"name": "g"}], [{"id": "2", "name": "f"}, {"id": "3", "name": "g"}])
    )
    assert [(use.pairing, use.response) for use in uses] == [(Pairing.NO_ANSWER, None)] * 2
    assert [text_of(orphan, "id") for orphan in orphans] == ["2", "3"]


@SHAPES
def test_calls_that_share_an_id_are_told_and_answered_in_order(shape: Any) -> None:
    calls = [{"id": "1", "name": "f"}, {"id": "1", "name": "g"}, {"id": "1", "name": "h"}]
    answers = [{"id": "1", "response": {"n": 1}}, {"id": "1", "response": {"n": 2}}]
    assert story(shape(calls, answers)) == [
        ("f", Pairing.SHARED_ID, {"n": 1}),
        ("g", Pairing.SHARED_ID, {"n": 2}),
        ("h", Pairing.SHARED_ID, None),
    ]


@SHAPES
def test_two_answers_to_one_call_leave_the_second_over(shape: Any) -> None:
    uses, orphans = paired(shape([{"id": "1", "name": "f"}], [{"id": "1", "response": {"n": 1}}, {"id": "1"}]))
    assert [_answer(use.response) for use in uses] == [{"n": 1}]
    assert [orphan.value() for orphan in orphans] == [{"id": "1"}]


def test_events_keep_the_order_of_the_conversation_and_say_who_called() -> None:
    events = [
        {"author": "triage", "content": {"parts": [{"function_call": {"name": "hand_over"}}, {"text": "wait"}]}},
        {"author": "triage", "content": {"parts": [{"function_response": {"name": "hand_over"}}]}},
        {"author": "billing", "content": {"parts": [{"function_call": {"name": "refund"}}]}},
    ]
    uses = paired({"invocation_events": events})[0]
    assert [(use.name, use.author) for use in uses] == [("hand_over", "triage"), ("refund", "billing")]
    assert [use.author for use in paired(listed([{"name": "f"}], []))[0]] == [""]


def test_absent_arguments_are_told_from_empty_ones() -> None:
    absent, null, empty = (use.args for use in paired(listed([{}, {"args": None}, {"args": {}}], []))[0])
    assert (absent, null and null.kind, empty and empty.kind) == (None, "null", "object")


@pytest.mark.parametrize(
    "data",
    [
        None, 5, "x", [], [[]], {}, {"tool_uses": None, "tool_responses": None}, {"tool_uses": {}, "tool_responses": 3},
        {"tool_uses": ["f", None, [], 1], "tool_responses": ["f", None]}, {"invocation_events": None},
        {"invocation_events": [None, 1, [], {}, {"content": None}, {"content": []}, {"content": {"parts": None}}]},
        {"invocation_events": [{"content": {"parts": [None, 1, "x", [], {}, {"function_call": 1}]}}]},
        {"invocation_events": [{"content": {"parts": [{"function_call": None, "function_response": "x"}]}}]},
        {"invocation_events": {"content": {"parts": []}}},
    ],
)  # fmt: skip
def test_data_of_a_broken_shape_hold_no_calls(data: Any) -> None:
    assert paired(data) == ([], [])


@pytest.mark.parametrize("call", [{"name": 5, "id": 5}, {"name": None, "id": []}, {"id": {}, "args": []}])
def test_a_call_whose_members_are_no_texts_has_neither_name_nor_id(call: Any) -> None:
    (use,) = paired(listed([call], [{"id": 5}]))[0]
    assert (use.name, use.id, use.pairing) == ("", "", Pairing.BY_ORDER)
