"""Eval sets of trpc-agent-go, read: messages with texts, tools with results, and members of its own."""

import json
from typing import Any

from evaltui.document.node import read_document
from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.portable_set import PortableSet
from evaltui.interop.resource_mapping import ResourceNames
from evaltui.interop.trpc_agent_go import TRPC_AGENT_GO
from tests.interop.completeness import converted
from tests.interop.full_sets import FULL_DIALECT


def conversion() -> Conversion:
    return converted(FULL_DIALECT, TRPC_AGENT_GO, EVAL_SET)


def case() -> Any:
    return conversion().documents[0]["eval_cases"][0]


def test_messages_and_tools_become_contents_calls_and_responses() -> None:
    (turn,) = case()["conversation"]
    assert turn["user_content"] == {"role": "user", "parts": [{"text": "user text"}, {"text": "more"}]}
    assert turn["final_response"] == {
        "role": "model",
        "parts": [{"text": "hm", "thought": True}, {"text": "final text"}],
    }
    data = turn["intermediate_data"]
    assert data["tool_uses"] == [
        {"id": "t1", "name": "find", "args": {"to": "YUL"}},
        {"id": "t2", "name": "say", "args": {"value": "plain"}},
    ]
    assert data["tool_responses"] == [
        {"id": "t1", "name": "find", "response": {"found": 1}},
        {"id": "t2", "name": "say", "response": {"result": "said"}},
    ]
    assert data["intermediate_responses"] == [["agent", [{"text": "looking"}]]]


def test_rubrics_sessions_and_scenarios_have_the_names_of_google_adk() -> None:
    value = conversion().documents[0]
    first, second = value["eval_cases"]
    assert (value["eval_set_id"], value["creation_timestamp"]) == ("dialect-id", 1700000000.5)
    assert first["rubrics"] == [
        {"rubric_id": "r1", "rubric_content": {"text_property": "is kind"}, "description": "d1", "type": "T1"}
    ]
    assert first["session_input"] == {"app_name": "app", "user_id": "ann", "state": {"city": "Lisbon"}}
    assert second["conversation_scenario"] == {"starting_prompt": "start", "conversation_plan": "plan"}


def test_its_own_members_are_kept_where_extras_may_stand_and_else_reported() -> None:
    assert (case()["evalMode"], case()["expectedRunnerEnabled"]) == ("trace", True)
    below = "/evalCases/0"
    reported = {loss.pointer: loss.field for loss in conversion().losses}
    assert reported[f"{below}/contextMessages/0"] is SetField.SYSTEM_INSTRUCTION
    assert reported[f"{below}/actualConversation/0/finalResponse"] is SetField.RECORDED
    assert reported[f"{below}/conversation/0/toolMock"] is SetField.TURN_OTHER
    assert reported[f"{below}/rubrics/0/metricName"] is SetField.RUBRIC_DETAILS
    assert reported["/evalCases/1/conversationScenario/stopSignal"] is SetField.SCENARIO_OTHER


def test_a_message_of_the_system_and_the_last_recorded_response_are_read() -> None:
    read = PortableSet(read_document(json.dumps(FULL_DIALECT).encode()), "name", ResourceNames())
    TRPC_AGENT_GO.read(read)
    assert isinstance(read.fields, SourceFields)
    (recorded,), instruction = [each.value for each in read.cases[0].recorded], read.cases[0].system_instruction
    assert recorded == {"role": "model", "parts": [{"text": "agent said"}]}
    assert instruction is not None
    assert instruction.value == {"role": "system", "parts": [{"text": "You are a bot."}]}


def test_a_dataset_has_the_system_message_and_the_recorded_response_as_contents() -> None:
    made = converted(FULL_DIALECT, TRPC_AGENT_GO, EVALUATION_DATASET)
    found = made.documents[0]["eval_cases"][0]
    assert found["system_instruction"] == {"role": "system", "parts": [{"text": "You are a bot."}]}
    assert found["responses"] == [{"response": {"role": "model", "parts": [{"text": "agent said"}]}}]


def test_what_a_dataset_has_no_place_for_is_reported_by_the_members_of_the_recorded_turn() -> None:
    recorded = {
        "invocationId": "i",
        "userContent": {"role": "user", "content": "hi"},
        "finalResponse": {"role": "assistant", "content": "ho"},
        "tools": [{"id": "1", "name": "f", "arguments": {"a": 1, "b": 2}, "result": {"c": 3}}],
    }
    value = {"evalSetId": "s", "evalCases": [{"evalId": "a", "conversation": [], "actualConversation": [recorded]}]}
    losses = converted(value, TRPC_AGENT_GO, EVALUATION_DATASET).losses
    below = "/evalCases/0/actualConversation/0"
    assert [each.pointer for each in losses if each.field is SetField.RECORDED] == [
        f"{below}/{name}" for name in ("invocationId", "userContent", "tools")
    ]


def test_older_files_with_the_contents_of_google_adk_are_read() -> None:
    turn = {"userContent": {"parts": [{"text": "hi"}]}, "intermediateData": {"toolUses": [{"name": "f"}]}}
    value = {"evalSetId": "s", "evalCases": [{"evalId": "a", "conversation": [turn]}]}
    made = converted(value, TRPC_AGENT_GO, EVAL_SET)
    (found,) = made.documents[0]["eval_cases"][0]["conversation"]
    assert found["user_content"]["parts"] == [{"text": "hi"}]
    assert found["intermediate_data"] == {"tool_uses": [{"name": "f"}]}
    assert made.losses == []
