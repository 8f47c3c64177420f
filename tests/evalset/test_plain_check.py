"""google-adk's models read what counts as plain. Samples are plain, so short commands need no pydantic."""

import random
from pathlib import Path

import pytest

from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.evalset.schema.plain_check import is_plain
from tests.agreement.mutator import mutations

SAMPLES = Path(__file__).parents[2] / "sample_sets"
PLAIN = ("trip_planner", "support_desk", "mixed_case", "scenario_persona")
CASE = b'{"eval_id":"a","conversation":[]%s}'


@pytest.mark.parametrize("name", PLAIN)
def test_google_adk_reads_every_set_that_is_plain(name: str) -> None:
    text, plain = (SAMPLES / f"{name}.evalset.json").read_text("utf-8"), 0
    assert is_plain(text.encode(), "EvalSet")
    for data in mutations(text, random.Random(name), 400):
        if is_plain(data, "EvalSet"):
            plain += 1
            EvalSet.model_validate_json(data)
    assert plain > 40


@pytest.mark.parametrize(
    "case",
    [
        b'{"eval_id":"a","conversation":null}',
        b'{"eval_id":"a","conversation":null,"conversation_scenario":null}',
        CASE % b',"conversation_scenario":{"starting_prompt":"","conversation_plan":""}',
        CASE % b',"session_input":{"app_name":"a"}',
        CASE % b',"rubrics":[{"rubric_id":"r","rubricId":"r","rubric_content":{}}]',
        CASE % b',"creation_timestamp":true',
        CASE % b',"note":"\\ud800"',
        CASE % b',"note":"\xed\xa0\x80"',
        CASE % b',"note":%s' % (b"[" * 180 + b"]" * 180),
        CASE % b"," + b"]",
    ],
)
def test_what_the_models_refuse_or_read_otherwise_is_not_plain(case: bytes) -> None:
    assert not is_plain(case, "EvalCase")
    assert is_plain(CASE % b',"note":{"any":["thing",null]},"creationTimestamp":1', "EvalCase")
