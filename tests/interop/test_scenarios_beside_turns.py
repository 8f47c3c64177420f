"""A case with turns and a scenario: most formats have one of the two, and the report says so."""

from __future__ import annotations

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, converted

TURN = {"user_content": {"role": "user", "parts": [{"text": "Hi"}]}}
SCENARIO = {"starting_prompt": "Hello", "conversation_plan": "Ask for a train."}
BOTH = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [TURN], "conversation_scenario": SCENARIO}]}


@pytest.mark.parametrize("target", [CES, CXAS], ids=lambda each: each.option)
def test_the_scenario_is_lost_because_the_case_has_turns(target: FormatType) -> None:
    conversion = converted(BOTH, EVAL_SET, target)
    (lost,) = (loss for loss in conversion.losses if "scenario" in loss.pointer)
    assert (lost.pointer, lost.kind) == ("/eval_cases/0/conversation_scenario", "no_place")
    assert lost.reason.endswith("not both")
    assert_complete(BOTH, conversion)


def test_a_dataset_holds_both() -> None:
    conversion = converted(BOTH, EVAL_SET, EVALUATION_DATASET)
    assert [loss.pointer for loss in conversion.losses] == ["/eval_set_id"]
    assert_complete(BOTH, conversion)
