"""Trajectories of agentplatform's metrics: items with `tool_name` and `tool_input` are tool calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, converted
from tests.interop.plain_sets import accepted_set

BOOK = {"tool_name": "book", "tool_input": {"to": "YUL", "n": 2}}
PAY = {"toolName": "pay", "toolInput": {"sum": 5}}
CALLS = [{"name": "book", "args": {"to": "YUL", "n": 2}}, {"name": "pay", "args": {"sum": 5}}]


def dataset(**members: Any) -> Any:
    return {"eval_cases": [{"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "hi"}]}, **members}]}


def made_of(target: FormatType = EVAL_SET, **members: Any) -> tuple[Any, Conversion]:
    conversion = converted(dataset(**members), EVALUATION_DATASET, target)
    assert_complete(dataset(**members), conversion)
    return conversion.documents[0], conversion


def lost(conversion: Conversion) -> list[tuple[str, str]]:
    return [(item.pointer, item.kind) for item in conversion.losses if item.kind != "invented"]


def test_a_trajectory_becomes_tool_calls() -> None:
    value, conversion = made_of(reference_trajectory=[BOOK, PAY])
    (turn,) = value["eval_cases"][0]["conversation"]
    assert turn["intermediate_data"] == {"tool_uses": CALLS}
    assert lost(conversion) == []
    assert accepted_set(value)


@pytest.mark.parametrize("target", [LEGACY_CASES, EVALUATION_DATASET], ids=lambda item: item.option)
def test_other_formats_have_the_calls_too(target: FormatType) -> None:
    value, conversion = made_of(target, reference_trajectory=[BOOK, PAY])
    assert lost(conversion) == []
    case = value[0]["data"][0] if target is LEGACY_CASES else value["eval_cases"][0]
    if target is LEGACY_CASES:
        assert [item["tool_input"] for item in case["expected_tool_use"]] == [call["args"] for call in CALLS]
    else:
        parts = [part for event in case["intermediate_events"] for part in event["content"]["parts"]]
        assert [part["function_call"] for part in parts] == CALLS


def test_an_input_in_a_json_text_becomes_an_object_and_other_values_stand_under_a_key() -> None:
    text = json.dumps({"to": "YUL", "n": float("nan")})
    items = [{"tool_name": "a", "tool_input": text}, {"tool_name": "b", "tool_input": "{"}, {"tool_name": "c"}]
    conversion = converted(dataset(reference_trajectory=items), EVALUATION_DATASET, EVAL_SET)
    (turn,) = conversion.documents[0]["eval_cases"][0]["conversation"]
    uses = turn["intermediate_data"]["tool_uses"]
    assert uses == [
        {"name": "a", "args": {"to": "YUL", "n": "NaN"}},
        {"name": "b", "args": {"value": "{"}},
        {"name": "c"},
    ]
    below = "/eval_cases/0/reference_trajectory"
    assert lost(conversion) == [(f"{below}/0/tool_input", "changed"), (f"{below}/1/tool_input", "changed")]


def test_an_empty_trajectory_expects_no_tool_call() -> None:
    value, _ = made_of(reference_trajectory=[])
    assert value["eval_cases"][0]["conversation"][0]["intermediate_data"] == {"tool_uses": []}
    value, _ = made_of(reference_trajectory=[BOOK], intermediate_events=[])
    assert value["eval_cases"][0]["conversation"][0]["intermediate_data"] == {"tool_uses": CALLS[:1]}


def test_a_trajectory_beside_intermediate_events_is_lost_with_the_reason() -> None:
    event = {"author": "agent", "content": {"role": "model", "parts": [{"text": "one moment"}]}}
    _, conversion = made_of(reference_trajectory=[BOOK], intermediate_events=[event])
    (loss,) = [item for item in conversion.losses if item.kind != "invented"]
    assert loss.pointer == "/eval_cases/0/reference_trajectory"
    assert loss.reason == "the case also has intermediate_events, which evaltui uses"


def test_other_members_of_an_item_are_reported() -> None:
    _, conversion = made_of(reference_trajectory=[{**BOOK, "latency": 3}])
    assert lost(conversion) == [("/eval_cases/0/reference_trajectory/0/latency", "no_place")]


@pytest.mark.parametrize("name", ["predicted_trajectory", "response"])
def test_recorded_values_of_a_table_are_kept_and_reported(name: str) -> None:
    value, conversion = made_of(**{name: [BOOK]})
    assert value["eval_cases"][0][name] == [BOOK]
    assert lost(conversion) == [(f"/eval_cases/0/{name}", "changed")]


def test_a_trajectory_in_a_case_with_turns_is_an_extra_field_and_reported() -> None:
    turn = {"user_content": {"role": "user", "parts": [{"text": "hi"}]}}
    case = {"eval_id": "a", "conversation": [turn], "reference_trajectory": [BOOK]}
    conversion = converted({"eval_set_id": "s", "eval_cases": [case]}, EVAL_SET, EVAL_SET)
    assert lost(conversion) == [("/eval_cases/0/reference_trajectory", "changed")]


def test_events_of_a_set_and_messages_with_a_call_of_a_trajectory_have_the_call() -> None:
    said = {"author": "agent", "content": {"role": "model", "parts": [{"text": "one moment"}]}}
    turn = {
        "user_content": {"role": "user", "parts": [{"text": "hi"}]},
        "intermediate_data": {"invocation_events": [{"author": "agent", **BOOK}, {**said, **PAY}]},
    }
    made = converted({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}, EVAL_SET, EVAL_SET)
    assert made.losses == []
    (turn,) = made.documents[0]["eval_cases"][0]["conversation"]
    assert turn["intermediate_data"]["invocation_events"] == [
        {"author": "agent", "content": {"role": "model", "parts": [{"function_call": CALLS[0]}]}},
        {
            "author": "agent",
            "content": {"role": "model", "parts": [{"text": "one moment"}, {"function_call": CALLS[1]}]},
        },
    ]
    value, conversion = made_of(intermediate_events=[{"author": "agent", **BOOK}])
    assert value["eval_cases"][0]["conversation"][0]["intermediate_data"] == {"tool_uses": CALLS[:1]}
    assert lost(conversion) == []
