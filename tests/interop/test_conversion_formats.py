"""The format of a source follows from what its cases say, not from the name of their ids alone."""

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.conversion import Conversion
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.converted_rows import rows_in_text
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted

HELLO = {"role": "user", "parts": [{"text": "hi"}]}
REFERENCE = {"response": {"role": "model", "parts": [{"text": "yo"}]}}
GROUPS = {"g": {"rubrics": [{"rubric_id": "r", "content": {"property": {"description": "is kind"}}}]}}
CASE = {"eval_id": "x", "prompt": HELLO, "reference": REFERENCE, "rubric_groups": GROUPS}
SCENARIO = {"starting_prompt": "a", "conversation_plan": "b"}
TURN = {"user_content": HELLO}


def word_of(value: Any) -> str:
    found = format_of_source(read_document(json.dumps(value).encode()))
    return found.source_word if found is not None else ""


@pytest.mark.parametrize(
    "case",
    [
        CASE,
        {**CASE, "conversation": []},
        {**CASE, "conversation": None},
        {**CASE, "eval_case_id": "y", "conversation_scenario": SCENARIO},
        {"eval_id": "x", "agent_data": {"turns": []}},
        {"evalId": "x", "evalCaseId": "y", "conversation": [], "userScenario": SCENARIO},
    ],
)
def test_words_in_members_of_a_dataset_outweigh_an_eval_id(case: dict[str, Any]) -> None:
    assert word_of({"eval_cases": [case]}) == "evaluation_dataset"
    assert word_of([case]) == "evaluation_dataset"


@pytest.mark.parametrize(
    "case",
    [
        {"eval_id": "x"},
        {"eval_id": "x", "conversation": []},
        {**CASE, "conversation": [TURN]},
        {**CASE, "conversation_scenario": SCENARIO},
        {"eval_id": "x", "rubric_groups": GROUPS},
    ],
)
def test_cases_with_turns_or_a_scenario_or_no_words_at_all_are_those_of_an_eval_set(case: dict[str, Any]) -> None:
    assert word_of({"eval_cases": [case]}) == "evalset"
    assert word_of([case]) == "evalset"


def of_dataset(case: dict[str, Any]) -> Conversion:
    return converted({"eval_cases": [case]}, EVALUATION_DATASET, EVAL_SET)


def test_a_dataset_with_eval_ids_keeps_its_words() -> None:
    (case,) = of_dataset(CASE).documents[0]["eval_cases"]
    assert case["eval_id"] == "x"
    assert case["conversation"][0]["user_content"] == HELLO
    assert case["rubrics"][0]["rubric_content"] == {"text_property": "is kind"}


def test_the_id_that_does_not_count_is_reported() -> None:
    losses = of_dataset({**CASE, "eval_case_id": "y"}).losses
    assert [each.reason for each in losses if each.pointer.endswith("/eval_id")] == [
        "the case also has an eval_case_id, which is used as its id"
    ]


def test_such_cases_are_pasted_as_cases_of_a_dataset() -> None:
    into_set = rows_in_text(json.dumps(CASE))
    assert json.loads(into_set[0][0].source)["conversation"][0]["user_content"] == HELLO
    assert "converted from EvaluationDataset" in into_set[1]
    into_dataset = rows_in_text(json.dumps([CASE]), of_dataset=True)
    assert json.loads(into_dataset[0][0].source) == CASE


def test_members_of_a_dataset_in_a_case_with_turns_are_reported() -> None:
    names = ("prompt", "reference", "agent_data", "responses", "rubric_groups", "intermediate_events")
    extras = {name: {"a": name} for name in (*names, "user_scenario", "conversationHistory")}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "x", "conversation": [TURN], **extras}]}
    made = converted(value, EVAL_SET, EVAL_SET)
    assert {each.pointer: each.kind for each in made.losses} == {f"/eval_cases/0/{name}": "changed" for name in extras}
    assert made.documents[0] == value
