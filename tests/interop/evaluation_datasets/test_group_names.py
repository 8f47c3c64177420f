"""Names of rubric groups: configs select rubrics by them, so they are kept, or their loss is reported."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import SetField
from evaltui.interop.losses import Loss
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import converted

PROMPT = {"role": "user", "parts": [{"text": "hi"}]}


def rubric(identifier: str, **members: Any) -> dict[str, Any]:
    return {"rubric_id": identifier, "content": {"property": {"description": f"text of {identifier}"}}, **members}


def group_losses(groups: Any, target: FormatType = EVAL_SET, **members: Any) -> list[Loss]:
    case = {"eval_case_id": "a", **(members or {"prompt": PROMPT}), "rubric_groups": groups}
    losses = converted({"eval_cases": [case]}, EVALUATION_DATASET, target).losses
    return [item for item in losses if item.field is SetField.RUBRIC_DETAILS]


def test_the_name_of_a_group_is_reported_once_with_advice() -> None:
    groups = {"house_rules": {"rubrics": [rubric("r1"), rubric("r2", type="FINAL_RESPONSE_QUALITY")]}}
    (loss,) = group_losses(groups)
    assert (loss.pointer, loss.kind, loss.value) == (
        "/eval_cases/0/rubric_groups/house_rules",
        "changed",
        "house_rules",
    )
    assert "rubric_group_key" in loss.advice


@pytest.mark.parametrize(
    ("name", "members"),
    [("TONE", {"type": "TONE"}), ("adk_rubrics", {}), ("empty", None)],
)
def test_names_that_come_back_and_empty_groups_need_no_report(name: str, members: dict[str, Any] | None) -> None:
    assert group_losses({name: {"rubrics": [] if members is None else [rubric("r1", **members)]}}) == []


def test_a_group_whose_name_is_the_type_of_only_some_of_its_rubrics_is_reported() -> None:
    (loss,) = group_losses({"TONE": {"rubrics": [rubric("r1", type="TONE"), rubric("r2")]}})
    assert loss.value == "TONE"


def test_a_format_with_the_texts_of_rubrics_reports_the_name_and_one_without_rubrics_only_the_rubrics() -> None:
    groups = {"house_rules": {"rubrics": [rubric("r1")]}}
    scenario = {"user_scenario": {"starting_prompt": "hi", "conversation_plan": "ask"}}
    assert [item.value for item in group_losses(groups, CES, **scenario)] == ["house_rules"]
    assert [item.value for item in group_losses(groups, CXAS)] == ["house_rules"]
    assert group_losses(groups, ADK_RS) == []


def test_a_dataset_keeps_the_names_and_groups_of_turns_go_back_to_their_turns() -> None:
    groups = {"b": {"rubrics": [rubric("r1")]}, "a": {"rubrics": [rubric("r2", type="T")]}}
    assert group_losses(groups, EVALUATION_DATASET) == []
    turn = {"user_content": PROMPT, "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "t"}}]}
    eval_set = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    dataset = converted(eval_set, EVAL_SET, EVALUATION_DATASET).documents[0]
    back = converted(dataset, EVALUATION_DATASET, EVAL_SET)
    assert [item for item in back.losses if item.kind != "invented"] == []
