"""Agents are a map by key, and their names are members of them."""

from typing import Any

import pytest

from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted

AGENTS = {
    "k1": {"name": "n1", "instructions": "first"},
    "k2": {"name": "n1", "instructions": "second"},
    "n3": {"name": "n3", "instructions": "third"},
}
TURN = {"user_content": {"role": "user", "parts": [{"text": "hi"}]}, "app_details": {"agent_details": AGENTS}}


def value_of(*turns: Any) -> dict[str, Any]:
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": list(turns)}]}


def test_two_agents_of_one_name_stay_two() -> None:
    made = converted(value_of(TURN), EVAL_SET, EVAL_SET)
    assert made.losses == []
    assert made.documents[0] == value_of(TURN)


@pytest.mark.parametrize("turns", [(TURN,), (TURN, TURN)])
def test_a_dataset_has_them_by_the_same_keys_and_they_come_back(turns: tuple[Any, ...]) -> None:
    (dataset,) = converted(value_of(*turns), EVAL_SET, EVALUATION_DATASET).documents
    (case,) = dataset["eval_cases"]
    agents = (case.get("agent_info") or case["agent_data"])["agents"]
    assert {key: (each["agent_id"], each["instruction"]) for key, each in agents.items()} == {
        "k1": ("n1", "first"),
        "k2": ("n1", "second"),
        "n3": ("n3", "third"),
    }
    (back,) = converted(dataset, EVALUATION_DATASET, EVAL_SET).documents
    for turn in back["eval_cases"][0]["conversation"]:
        assert turn["app_details"]["agent_details"] == AGENTS


def test_instructions_that_differ_from_turn_to_turn_are_reported_with_the_reason() -> None:
    def turn(instructions: str) -> dict[str, Any]:
        return {**TURN, "app_details": {"agent_details": {"root": {"name": "root", "instructions": instructions}}}}

    made = converted(value_of(turn("one"), turn("two"), turn("one")), EVAL_SET, EVALUATION_DATASET)
    (case,) = made.documents[0]["eval_cases"]
    assert case["agent_data"]["agents"]["root"]["instruction"] == "one"
    (loss,) = [each for each in made.losses if each.pointer.endswith("/instructions")]
    assert (loss.pointer.split("/")[4], loss.value) == ("1", "two")
    assert loss.reason == "a dataset has agents for a case, not for single turns"
