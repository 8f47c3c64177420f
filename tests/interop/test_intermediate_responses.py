"""Calls that are parts of an intermediate response stay apart from the calls of a turn, or are reported."""

from typing import Any

import pytest

from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, converted

INSIDE = {"name": "inside", "args": {"k": "v"}}
USES = [{"name": "t", "args": {"a": "b"}}]
MIXED = ["root", [{"text": "first"}, {"function_call": INSIDE}]]
ALONE = ["root", [{"function_call": INSIDE}]]
UNNAMED = ["agent", [{"function_call": INSIDE}]]
BELOW = "/eval_cases/0/conversation/0/intermediate_data/intermediate_responses/0/1"


def value_of(response: Any, count: int = 1) -> dict[str, Any]:
    data = {"tool_uses": USES, "intermediate_responses": [response]}
    user, final = ({"role": role, "parts": [{"text": role}]} for role in ("user", "model"))
    turn = {"user_content": user, "final_response": final, "intermediate_data": data}
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn] * count}]}


def made_of(response: Any, target: FormatType) -> Conversion:
    conversion = converted(value_of(response), EVAL_SET, target)
    assert_complete(value_of(response), conversion)
    return conversion


@pytest.mark.parametrize("response", [MIXED, ALONE, UNNAMED])
@pytest.mark.parametrize("target", [EVAL_SET, ADK_RS])
def test_eval_sets_keep_them_as_parts(response: Any, target: FormatType) -> None:
    made = made_of(response, target)
    data = made.documents[0]["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert data == {"tool_uses": USES, "intermediate_responses": [response]}
    assert made.losses == []


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("response", [MIXED, ALONE])
def test_they_come_back_from_a_dataset(response: Any, count: int) -> None:
    made = converted(value_of(response, count), EVAL_SET, EVALUATION_DATASET)
    back = converted(made.documents[0], EVALUATION_DATASET, EVAL_SET, "s")
    for turn in back.documents[0]["eval_cases"][0]["conversation"]:
        assert turn["intermediate_data"] == {"tool_uses": USES, "intermediate_responses": [response]}


def test_a_dataset_tells_none_from_a_call_of_the_turn_without_words_and_author() -> None:
    losses = made_of(UNNAMED, EVALUATION_DATASET).losses
    assert [(each.pointer, each.kind) for each in losses[1:]] == [(f"{BELOW}/0/function_call", "changed")]


def test_a_legacy_list_has_them_among_the_calls_and_says_so() -> None:
    made = made_of(MIXED, LEGACY_CASES)
    (turn,) = made.documents[0][0]["data"]
    assert [each["tool_name"] for each in turn["expected_tool_use"]] == ["inside", "t"]
    assert (f"{BELOW}/1/function_call", "changed") in [(each.pointer, each.kind) for each in made.losses]
