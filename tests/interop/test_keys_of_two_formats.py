"""Files with the keys of two formats: fields of the other format are used where they fit, else lost with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES, LEGACY_TURNS
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, converted

HI = {"role": "user", "parts": [{"text": "hi"}]}
TURN = {"user_content": HI}
OF_ADK = {"rubric_id": "r1", "rubric_content": {"text_property": "is kind"}, "description": "why"}
OF_DATASET = {"rubric_id": "r2", "content": {"property": {"description": "is short"}}}


def reasons(conversion: Conversion) -> dict[str, str]:
    return {item.pointer: item.reason for item in conversion.losses if item.kind != "invented"}


def test_a_dataset_with_the_fields_of_a_set_keeps_them_in_a_set() -> None:
    own = {"eval_set_id": "trips", "name": "Trips", "description": "All", "creation_timestamp": 5.5}
    value = {**own, "eval_cases": [{"eval_case_id": "a", "prompt": HI}]}
    made = converted(value, EVALUATION_DATASET, EVAL_SET)
    assert {name: made.documents[0].get(name) for name in own} == own
    assert made.losses == []
    assert set(reasons(converted(value, EVALUATION_DATASET, EVALUATION_DATASET))) == {f"/{name}" for name in own}


@pytest.mark.parametrize(("source", "key"), [(CXAS, "conversations"), (SCENARIOS, "scenarios")])
def test_a_case_without_an_id_of_its_own_takes_that_of_another_format(source: FormatType, key: str) -> None:
    case = {"turns": [{"user": "hi", "agent": "ho"}]} if source is CXAS else {"starting_prompt": "a"}
    value = {key: [{**case, "eval_id": "greet"}]}
    made = converted(value, source, EVAL_SET)
    (found,) = made.documents[0]["eval_cases"]
    assert found["eval_id"] == "greet"
    assert_complete(value, made)


def test_extra_fields_never_take_the_place_of_fields_of_google_adk() -> None:
    extras = {"sessionInput": {"appName": "x"}, "rubrics": [OF_ADK], "conversationScenario": {"startingPrompt": "y"}}
    case = {"conversation": "a", "turns": [{"user": "hi", "agent": "ho"}], "note": "n", **extras}
    made = converted({"conversations": [case], "eval_cases": "z", "owner": "me"}, CXAS, EVAL_SET)
    value = made.documents[0]
    assert value["owner"] == "me"
    (found,) = value["eval_cases"]
    assert (found["note"], set(found) & set(extras)) == ("n", set())
    assert set(reasons(made)) == {"/eval_cases", *(f"/conversations/0/{name}" for name in extras)}
    assert set(reasons(made).values()) == {
        "a field with this name has another meaning in google-adk, so evaltui leaves it out"
    }


@pytest.mark.parametrize("target", [EVAL_SET, EVALUATION_DATASET], ids=lambda item: item.option)
def test_rubrics_are_read_in_the_forms_of_both_formats(target: FormatType) -> None:
    sets = {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "conversation": [TURN], "rubrics": [OF_ADK, OF_DATASET]}],
    }
    groups = {"adk_rubrics": {"rubrics": [OF_ADK, OF_DATASET]}}
    datasets = {"eval_cases": [{"eval_case_id": "a", "prompt": HI, "rubric_groups": groups}]}
    for source, value in ((EVAL_SET, sets), (EVALUATION_DATASET, datasets)):
        text = str(converted(value, source, target).documents[0])
        assert all(item in text for item in ("'r1'", "'r2'", "'is kind'", "'is short'", "'why'"))


def test_a_prompt_beside_a_conversation_is_lost_because_of_the_conversation() -> None:
    case = {"eval_case_id": "a", "conversation": [TURN], "prompt": HI, "user_scenario": {"starting_prompt": "b"}}
    made = converted({"eval_cases": [case]}, EVALUATION_DATASET, EVAL_SET)
    lost = {pointer: reason for pointer, reason in reasons(made).items() if pointer.startswith("/eval_cases/0/prompt")}
    assert set(lost.values()) == {"the case also has a conversation, which evaltui uses"}


def test_a_second_scenario_keeps_its_persona() -> None:
    scenario = {"starting_prompt": "a", "conversation_plan": "b", "user_persona": "EXPERT"}
    case = {"eval_id": "a", "conversation": [TURN], "conversation_scenario": scenario}
    made = converted({"eval_set_id": "s", "eval_cases": [case]}, EVAL_SET, EVAL_SET)
    assert made.documents[0]["eval_cases"][0]["user_scenario"] == scenario
    assert {item.kind for item in made.losses} == {"changed"}


def test_required_texts_that_are_empty_or_no_texts_are_not_called_missing() -> None:
    case: dict[str, Any] = {"eval_id": "", "conversation_scenario": {"starting_prompt": "", "conversation_plan": 7}}
    case["rubrics"] = [{"rubric_id": "r", "rubric_content": {}}]
    for target in (CES, CXAS):
        losses = converted({"eval_set_id": "s", "eval_cases": [case]}, EVAL_SET, target).losses
        added = {item.pointer.rsplit("/", 1)[-1]: item.reason for item in losses if item.kind == "invented"}
        named = {name: reason for name, reason in added.items() if name != "scenario_expectations"}
        assert set(named) >= {"eval_id", "conversation_plan"}
        assert all(reason.endswith("but the source has no text there") for reason in named.values())


def test_a_user_message_without_text_is_named_in_a_legacy_list() -> None:
    file = {"file_data": {"file_uri": "gs://b/f", "mime_type": "text/css"}}
    turn = {"user_content": {"role": "user", "parts": [file]}}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    (added,) = [item for item in converted(value, EVAL_SET, LEGACY_CASES).losses if item.kind == "invented"]
    assert added.reason == "required by google-adk in a legacy list, but the user message has no text"


LEGACY_CALL = {"tool_name": "find", "tool_input": {"to": "YUL"}}
ADK_CALL = {"name": "find", "args": {"to": "YUL"}}


@pytest.mark.parametrize("call", [LEGACY_CALL, ADK_CALL, {"toolName": "find", "args": {"to": "YUL"}}], ids=list)
def test_calls_are_read_with_the_keys_of_both_formats(call: dict[str, Any]) -> None:
    turn = {**TURN, "intermediate_data": {"tool_uses": [call]}}
    of_set = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    made = converted(of_set, EVAL_SET, EVAL_SET)
    assert made.losses == []
    assert made.documents[0]["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"] == [ADK_CALL]
    made = converted(of_set, EVAL_SET, LEGACY_CASES)
    assert made.documents[0][0]["data"][0]["expected_tool_use"] == [LEGACY_CALL]
    assert not [item for item in made.losses if item.kind == "invented"]


def test_a_legacy_list_may_have_calls_and_turns_may_have_fields_of_the_other_kind() -> None:
    turns = [{"query": "hi", "expected_tool_use": [ADK_CALL]}]
    made = converted(turns, LEGACY_TURNS, LEGACY_CASES)
    assert made.documents[0][0]["data"][0]["expected_tool_use"] == [LEGACY_CALL]
    turn = {**TURN, "query": "again", "expected_tool_use": [LEGACY_CALL]}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    lost = reasons(converted(value, EVAL_SET, LEGACY_CASES))
    below = "/eval_cases/0/conversation/0"
    foreign = {pointer for pointer, reason in lost.items() if reason.endswith("only in a legacy list")}
    assert foreign == {f"{below}/query", f"{below}/expected_tool_use"}
