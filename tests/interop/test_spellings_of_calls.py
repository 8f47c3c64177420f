"""Tool calls in the spellings of other formats: read where they are calls for sure, else reported as lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES, LEGACY_TURNS
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import converted

TARGETS = pytest.mark.parametrize(
    "target", [item for item in FORMATS if item.write is not None], ids=lambda item: item.option
)
CALL = {"name": "find", "args": {"to": "YUL"}}
ASKED = {"role": "user", "parts": [{"text": "Price?"}]}
READ: list[dict[str, Any]] = [
    CALL,
    {"name": "find", "arguments": {"to": "YUL"}},
    {"name": "find", "arguments": '{"to": "YUL"}'},
    {"tool_name": "find", "arguments": {"to": "YUL"}},
    {"function_call": CALL},
    {"functionCall": CALL},
    {"type": "function", "function": {"name": "find", "arguments": '{"to": "YUL"}'}},
]
UNREAD: list[dict[str, Any]] = [
    {"tool_input": {"to": "YUL"}},
    {"name": "find"},
    {"tool": "find", "args": {"to": "YUL"}},
    {"text": "one moment"},
    {"function": "find"},
]


def set_with(data: dict[str, Any]) -> dict[str, Any]:
    turn = {"user_content": ASKED, "intermediate_data": data}
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}


def data_of(conversion: Conversion) -> Any:
    return conversion.documents[0]["eval_cases"][0]["conversation"][0]["intermediate_data"]


def lost(conversion: Conversion) -> dict[str, str]:
    return {item.pointer: item.kind for item in conversion.losses if item.kind != "invented"}


@pytest.mark.parametrize("key", ["reference_trajectory", "intermediate_events"])
@pytest.mark.parametrize("item", READ, ids=json.dumps)
def test_calls_of_a_trajectory_are_read_in_all_spellings(item: dict[str, Any], key: str) -> None:
    value = {"eval_cases": [{"eval_case_id": "a", "prompt": ASKED, key: [{"tool_name": "first"}, item]}]}
    made = converted(value, EVALUATION_DATASET, EVAL_SET)
    assert data_of(made) == {"tool_uses": [{"name": "first"}, CALL]}
    assert {pointer.rsplit("/", 1)[-1] for pointer in lost(made)} <= {"arguments", "type"}
    made = converted(value, EVALUATION_DATASET, LEGACY_CASES)
    (turn,) = made.documents[0][0]["data"]
    assert turn["expected_tool_use"][1] == {"tool_name": "find", "tool_input": {"to": "YUL"}}


@pytest.mark.parametrize("item", READ, ids=json.dumps)
def test_calls_of_events_of_a_set_are_read_in_all_spellings(item: dict[str, Any]) -> None:
    made = converted(set_with({"invocation_events": [{"author": "x", "id": "e1", **item}]}), EVAL_SET, EVAL_SET)
    (event,) = data_of(made)["invocation_events"]
    assert event == {"author": "x", "content": {"role": "model", "parts": [{"function_call": CALL}]}, "id": "e1"}


@TARGETS
@pytest.mark.parametrize("item", UNREAD, ids=json.dumps)
def test_items_that_are_no_call_for_sure_are_lost_and_leave_the_others_alone(
    item: dict[str, Any], target: FormatType
) -> None:
    value = [{"prompt": "Price?", "reference_trajectory": [{"tool_name": "find", "tool_input": {}}, item]}]
    made = converted(value, EVALUATION_DATASET, target)
    (loss,) = [each for each in made.losses if each.pointer.startswith("/0/reference_trajectory/1")]
    assert (loss.pointer, loss.kind) == ("/0/reference_trajectory/1", "no_place")
    assert loss.reason == "evaltui finds no text and no tool call in this event"
    if target is EVAL_SET:
        assert data_of(made) == {"tool_uses": [{"name": "find", "args": {}}]}


def test_other_fields_of_a_call_are_lost_with_a_reason_of_their_own() -> None:
    value = [{"prompt": "Price?", "reference_trajectory": [{**CALL, "id": "c1", "tool_output": {"fare": 5}}]}]
    made = converted(value, EVALUATION_DATASET, EVAL_SET)
    assert data_of(made) == {"tool_uses": [{**CALL, "id": "c1"}]}
    (loss,) = [each for each in made.losses if each.kind != "invented"]
    assert loss.pointer == "/0/reference_trajectory/0/tool_output"
    assert loss.reason == "evaltui reads only the name, the arguments and the id of a tool call here"


@TARGETS
@pytest.mark.parametrize("item", UNREAD, ids=json.dumps)
def test_events_without_content_are_lost(item: dict[str, Any], target: FormatType) -> None:
    made = converted(set_with({"invocation_events": [{"author": "x", **item}]}), EVAL_SET, target)
    pointer = "/eval_cases/0/conversation/0/intermediate_data/invocation_events/0"
    assert lost(made)[pointer] == "no_place"


@TARGETS
def test_arguments_of_a_call_are_read(target: FormatType) -> None:
    calls = [{"name": "find", "arguments": {"to": "YUL"}}, {"name": "find", "arguments": '{"to": "JFK"}'}]
    made = converted(set_with({"tool_uses": calls}), EVAL_SET, target)
    text = json.dumps(list(made.documents))
    assert '{"to": "YUL"}' in text
    assert '{"to": "JFK"}' in text
    assert '"arguments"' not in text
    assert not [item for item in made.losses if item.pointer.endswith("/args")]
    turns = [{"query": "Price?", "expected_tool_use": calls}]
    assert '{"to": "JFK"}' in json.dumps(converted(turns, LEGACY_TURNS, target).documents[0])


@pytest.mark.parametrize("target", [EVAL_SET, EVALUATION_DATASET], ids=lambda item: item.option)
def test_fields_that_messages_do_not_have_are_kept_and_reported(target: FormatType) -> None:
    said = {"role": "model", "parts": [{"type": "text", "content": "500"}, {"text": "more", "lang": "en"}]}
    value = set_with({"tool_uses": [{**CALL, "note": "n"}], "tool_responses": [{"name": "find", "status": "ok"}]})
    value["eval_cases"][0]["conversation"][0]["final_response"] = said
    found = {
        pointer.split("conversation/0/")[-1]: kind for pointer, kind in lost(converted(value, EVAL_SET, target)).items()
    }
    assert {name: kind for name, kind in found.items() if not name.endswith("eval_set_id")} == {
        "final_response/parts/0/type": "changed",
        "final_response/parts/0/content": "changed",
        "final_response/parts/1/lang": "changed",
        "intermediate_data/tool_uses/0/note": "changed",
        "intermediate_data/tool_responses/0/status": "changed",
    }


@TARGETS
def test_the_role_of_an_evaluation_is_lost_because_it_is_unusual(target: FormatType) -> None:
    response = {"role": "host", "chunks": [{"text": "500"}]}
    steps = [{"userInput": {"text": "Price?"}}, {"expectation": {"agentResponse": response}}]
    made = converted([{"displayName": "a", "golden": {"turns": [{"steps": steps}]}}], CES, target)
    (reason,) = [item.reason for item in made.losses if item.pointer.endswith("/role")]
    assert reason == "evaltui converts only the usual roles of messages"
