"""agentplatform's models read what counts as plain. Samples are plain, so short conversions need no pydantic."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from evaltui.evalset.schema import genai_models
from evaltui.evalset.schema.plain_check import is_plain_dataset
from evaltui.interop.conversion import text_of
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.agreement.mutator import mutations
from tests.interop.completeness import converted

SAMPLES = Path(__file__).parents[2] / "sample_sets"
MODEL: type[BaseModel] = genai_models.EvaluationDataset
CALL = {"function_call": {"name": "f", "args": {"a": [1, None, {}]}}}


def case_with(**members: Any) -> dict[str, Any]:
    return {"eval_cases": [{"eval_case_id": "a", **members}]}


@pytest.mark.parametrize("name", ["trip_planner", "support_desk", "mixed_case", "scenario_persona"])
def test_agentplatform_reads_every_dataset_that_is_plain(name: str) -> None:
    body = (SAMPLES / f"{name}.evalset.json").read_bytes()
    text, plain = text_of(converted(body, EVAL_SET, EVALUATION_DATASET)).decode(), 0
    assert is_plain_dataset(json.loads(text))
    for data in mutations(text, random.Random(name), 400):
        try:
            value = json.loads(data)
        except ValueError:
            continue
        if is_plain_dataset(value):
            plain += 1
            MODEL.model_validate_json(json.dumps(value))
    assert plain > 40


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"eval_cases": [None]},
        {"evalCases": []},
        {"eval_cases": [], "name": "a"},
        case_with(agentData={}),
        case_with(prompt="Hi"),
        case_with(prompt={"parts": [{"text": "Hi", "note": "a"}]}),
        case_with(prompt={"parts": [{"text": "\ud800"}]}),
        case_with(prompt={"parts": [{"text": 1}]}),
        case_with(prompt={"parts": [{"thought": "true"}]}),
        case_with(prompt={"parts": [{"inline_data": {"data": "!"}}]}),
        case_with(agent_data={"turns": [{"turn_index": True}]}),
        case_with(agent_data={"turns": [{"turn_index": 10**30}]}),
        case_with(agent_data={"turns": [{"turn_index": 1.0}]}),
        case_with(note=json.loads("[" * 180 + "]" * 180)),
    ],
)
def test_what_the_models_refuse_or_read_otherwise_is_not_plain(value: Any) -> None:
    assert not is_plain_dataset(value)
    assert is_plain_dataset(case_with(prompt={"parts": [CALL], "role": None}, note={"any": ["thing", None]}))
