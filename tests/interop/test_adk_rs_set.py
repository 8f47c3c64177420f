"""Eval sets of adk-rs, read with their aliases and written with the members that adk-rs has."""

from typing import Any

from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import SetField
from tests.interop.completeness import converted
from tests.interop.full_sets import FULL_SET

OLDER: Any = {
    "id": "hello-set",
    "name": "Hello world",
    "eval_cases": [
        {
            "id": "case-1",
            "name": "greeting",
            "session_input": None,
            "conversation": [
                {
                    "user_content": {"role": "user", "parts": [{"text": "Weather?"}]},
                    "intermediate_data": {
                        "tool_uses": [{"name": "get", "args": {"city": "Paris"}}],
                        "intermediate_responses": [],
                    },
                }
            ],
        }
    ],
}
STRUCTS = {
    "set": {"eval_set_id", "name", "description", "eval_cases", "creation_timestamp"},
    "case": {"eval_id", "name", "session_input", "conversation", "creation_timestamp"},
    "turn": {"user_content", "final_response", "intermediate_data", "invocation_id", "creation_timestamp"},
}
"""The members of adk-rs's structs (mission/adk-rs-evaluation.txt)."""


def test_older_names_of_ids_are_read() -> None:
    conversion = converted(OLDER, ADK_RS, EVAL_SET)
    (document,) = conversion.documents
    assert document["eval_set_id"] == "hello-set"
    (case,) = document["eval_cases"]
    assert (case["eval_id"], "id" in case) == ("case-1", False)
    assert [(loss.pointer, loss.field) for loss in conversion.losses] == [("/eval_cases/0/name", SetField.CASE_NAME)]


def test_a_set_of_adk_rs_comes_back_from_itself_under_its_present_names() -> None:
    conversion = converted(OLDER, ADK_RS, ADK_RS)
    (document,) = conversion.documents
    assert conversion.losses == []
    assert document["eval_cases"][0]["name"] == "greeting"
    assert document["eval_set_id"] == "hello-set"


def test_only_members_of_its_structs_are_written() -> None:
    (document,) = converted(FULL_SET, EVAL_SET, ADK_RS).documents
    assert document.keys() <= STRUCTS["set"]
    (case,) = document["eval_cases"]
    assert case.keys() <= STRUCTS["case"]
    assert all(turn.keys() <= STRUCTS["turn"] for turn in case["conversation"])


def test_events_become_lists_which_adk_rs_reads() -> None:
    (document,) = converted(FULL_SET, EVAL_SET, ADK_RS).documents
    data = document["eval_cases"][0]["conversation"][1]["intermediate_data"]
    assert data == {
        "tool_uses": [{"name": "pay", "args": {"sum": 5}}],
        "intermediate_responses": [["helper", [{"text": "event text"}]]],
    }


def test_ids_of_calls_responses_and_scenarios_are_reported() -> None:
    losses = converted(FULL_SET, EVAL_SET, ADK_RS).losses
    assert {SetField.CALL_ID, SetField.TOOL_RESPONSE, SetField.CASE_RUBRICS} <= {loss.field for loss in losses}
    assert [loss.reason for loss in losses if loss.pointer == "/eval_cases/1"] == ["adk-rs has only cases with turns"]
