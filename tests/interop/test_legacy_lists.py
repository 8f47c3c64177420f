"""Legacy lists, read and written; google-adk's own conversion is asked in tests/agreement."""

from typing import Any

from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import SetField
from evaltui.interop.legacy_lists import LEGACY_CASES, LEGACY_TURNS
from tests.interop.completeness import converted
from tests.interop.full_sets import FULL_LIST, FULL_SET


def written(value: Any) -> Any:
    (document,) = converted(value, EVAL_SET, LEGACY_CASES).documents
    return document


def test_a_list_of_turns_is_one_case_named_after_the_file() -> None:
    conversion = converted(FULL_LIST[0]["data"], LEGACY_TURNS, EVAL_SET, "simple")
    (document,) = conversion.documents
    assert (document["eval_set_id"], document["name"]) == ("simple", "simple")
    assert [case["eval_id"] for case in document["eval_cases"]] == ["simple"]
    invented = [(loss.pointer, loss.value) for loss in conversion.losses if loss.kind == "invented"]
    assert invented == [("/name", "simple"), ("/eval_set_id", "simple")]


def test_members_that_google_adk_does_not_read_are_reported() -> None:
    lost = {loss.pointer: loss.value for loss in converted(FULL_LIST, LEGACY_CASES, EVAL_SET).losses}
    assert lost["/0/data/0/expected_tool_use/0/mock_tool_output"] == "mock"
    assert lost["/0/initial_session/session_id"] == "s1"
    assert lost["/0/initial_state/other"] == "state"


def test_an_absent_list_of_calls_expects_nothing_and_an_empty_one_expects_no_calls() -> None:
    turns = [{"query": "a"}, {"query": "b", "expected_tool_use": []}]
    (document,) = converted(turns, LEGACY_TURNS, EVAL_SET).documents
    data = [turn["intermediate_data"] for turn in document["eval_cases"][0]["conversation"]]
    assert data == [{}, {"tool_uses": []}]


def test_a_list_has_what_google_adk_reads() -> None:
    (case,) = written(FULL_SET)
    assert case["name"] == "case-id"
    assert case["initial_session"]["state"] == {"city": "Lisbon", "list": [11, {"deep": None}]}
    first, second = case["data"]
    assert first == {
        "query": "user text\nsecond user text",
        "expected_tool_use": [
            {"tool_name": "find", "tool_input": {"to": "YUL", "n": 21}},
            {"tool_name": "book", "tool_input": {}},
        ],
        "expected_intermediate_agent_responses": [{"author": "searcher", "text": "looking"}],
        "reference": "final text",
    }
    assert second["expected_intermediate_agent_responses"] == [{"author": "helper", "text": "event text"}]
    assert "reference" not in second


def test_joined_texts_are_reported_once_each_and_a_scenario_is_left_out_as_a_whole() -> None:
    losses = converted(FULL_SET, EVAL_SET, LEGACY_CASES).losses
    assert [loss.value for loss in losses if loss.kind == "merged"] == ["user text", "second user text"]
    (scenario,) = [loss for loss in losses if loss.pointer.startswith("/eval_cases/1")]
    assert (scenario.pointer, scenario.kind) == ("/eval_cases/1", "no_place")


def test_required_members_that_are_absent_are_invented_and_reported() -> None:
    turn = {"user_content": {"parts": []}, "intermediate_data": {"tool_uses": [{"id": "x"}]}}
    conversion = converted({"eval_set_id": "s", "eval_cases": [{"conversation": [turn]}]}, EVAL_SET, LEGACY_CASES)
    invented = {loss.pointer: loss.value for loss in conversion.losses if loss.kind == "invented"}
    call = "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0"
    assert invented == {
        "/eval_cases/0/eval_id": "case_1",
        "/eval_cases/0/conversation/0/user_content": "",
        f"{call}/name": "",
        f"{call}/args": {},
    }
    assert {loss.field for loss in conversion.losses if loss.kind == "no_place"} == {SetField.SET_ID, SetField.CALL_ID}
