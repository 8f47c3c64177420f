"""Notes on written datasets: values that are in their place, and that other readers use otherwise."""

from __future__ import annotations

from typing import Any

from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES
from tests.interop.completeness import converted
from tests.interop.evaluation_datasets.test_writing import CALLS, turn

SCENARIO = {"conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask."}}


def notes_of(*cases: dict[str, Any]) -> list[str]:
    document = {"eval_set_id": "trips", "eval_cases": [{"eval_id": f"c{n}", **each} for n, each in enumerate(cases)]}
    return list(converted(document, EVAL_SET, EVALUATION_DATASET).notes)


def talk(count: int, **last: Any) -> dict[str, Any]:
    turns = [turn(f"{n}", "Yes") for n in range(count)]
    return {"conversation": [*turns[:-1], {**turns[-1], **last}]}


def test_single_turns_need_no_note() -> None:
    assert notes_of(talk(1, intermediate_data=CALLS), talk(1)) == []


def test_earlier_turns_become_context() -> None:
    assert notes_of(talk(2)) == [
        "In a dataset, only the last turn of a case is compared. 1 earlier turn in 1 case gives only context."
    ]
    assert notes_of(talk(7), talk(4), talk(1)) == [
        "In a dataset, only the last turn of a case is compared. 9 earlier turns in 2 cases give only context."
    ]


def test_expected_calls_beside_agent_data_are_read_by_evaltui_alone() -> None:
    state = {"session_input": {"app_name": "desk", "user_id": "u", "state": {"fines": 0}}}
    (note,) = notes_of({**talk(1, intermediate_data=CALLS), **state}, talk(1, intermediate_data=CALLS))
    assert note == (
        "The expected tool calls of 1 case are in intermediate_events beside agent_data. "
        "agents-cli ignores this field there, but evaltui scores the calls."
    )


def test_a_scenario_keeps_the_other_cases_from_being_run() -> None:
    assert notes_of(SCENARIO, talk(1)) == [
        "`agents-cli eval generate` does not run this file, because 1 case is a scenario. "
        "Move scenarios to a separate file."
    ]
    assert "2 cases are scenarios" in notes_of(SCENARIO, SCENARIO, talk(1))[0]
    assert notes_of(SCENARIO, SCENARIO) == []


def test_a_case_without_stated_calls_expects_none_in_an_eval_set() -> None:
    hi = {"role": "user", "parts": [{"text": "Hi"}]}
    open_case = {"eval_case_id": "a", "prompt": hi, "reference": {"response": hi}}
    cases = [open_case, {**open_case, "intermediate_events": []}]
    for target in (EVAL_SET, ADK_RS, LEGACY_CASES):
        assert converted({"eval_cases": cases}, EVALUATION_DATASET, target).notes == [
            "1 case states no tool calls for the last turn, so the written turn expects that no tool is called."
        ]
    edited = {**open_case, "invocation_details": [{"shape": "absent"}]}
    conversion = converted({"eval_cases": [open_case, edited]}, EVALUATION_DATASET, EVAL_SET)
    assert "2 cases state no tool calls" in conversion.notes[0]
    (copy,) = converted({"eval_cases": [edited]}, EVALUATION_DATASET, EVALUATION_DATASET).documents
    assert "intermediate_events" not in copy["eval_cases"][0]
    called = {**edited, "intermediate_events": [{"author": "desk", "content": {"parts": [{"function_call": {}}]}}]}
    (written,) = converted({"eval_cases": [called]}, EVALUATION_DATASET, EVAL_SET).documents
    assert "invocation_events" in written["eval_cases"][0]["conversation"][0]["intermediate_data"]


def test_a_copy_of_a_dataset_needs_no_notes() -> None:
    document = {"eval_set_id": "trips", "eval_cases": [{"eval_id": "c", **talk(3)}]}
    (written,) = converted(document, EVAL_SET, EVALUATION_DATASET).documents
    assert converted(written, EVALUATION_DATASET, EVALUATION_DATASET).notes == []
