"""The scenarios file of `adk eval_set add_eval_case` as a source: each scenario becomes a case."""

from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.eval_sets.writer import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted
from tests.interop.plain_sets import accepted_set

PERSONA = {
    "id": "hasty",
    "description": "Has no time.",
    "behaviors": [{"name": "n", "description": "d", "behavior_instructions": ["i"], "violation_rubrics": ["v"]}],
}
FIRST = {"starting_prompt": "What can you do?", "conversation_plan": "Ask for a price.", "user_persona": PERSONA}
SECOND = {"starting_prompt": "Hi", "conversation_plan": "Thank the agent."}
FILE: dict[str, Any] = {"scenarios": [FIRST, SECOND]}


def test_each_scenario_becomes_a_case_that_google_adk_accepts() -> None:
    made = converted(FILE, SCENARIOS, EVAL_SET)
    cases = made.documents[0]["eval_cases"]
    assert [case["conversation_scenario"] for case in cases] == [FIRST, SECOND]
    assert [(loss.kind, loss.pointer) for loss in made.losses] == [
        ("invented", "/eval_set_id"),
        ("invented", "/scenarios/0/eval_id"),
        ("invented", "/scenarios/1/eval_id"),
    ]
    assert accepted_set(made.documents[0])


@pytest.mark.parametrize("target", [EVALUATION_DATASET, CES], ids=lambda item: item.option)
def test_other_formats_get_the_prompt_and_the_plan(target: Any) -> None:
    texts = str(list(converted(FILE, SCENARIOS, target).documents))
    assert all(text in texts for text in ("What can you do?", "Ask for a price.", "Thank the agent."))


def test_values_of_other_kinds_are_reported() -> None:
    losses = converted({"scenarios": [{**SECOND, "max_turns": 3}, "text"], "note": "n"}, SCENARIOS, EVAL_SET).losses
    assert [item.pointer for item in losses if item.kind != "invented"] == ["/scenarios/0/max_turns", "/scenarios/1"]
