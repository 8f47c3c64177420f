"""The JSON Schema for editors: it says of files what google-adk says, in either spelling of keys."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.validation.json_schema import schema_of
from tests.agreement.test_agreement import PROBES, SAMPLES
from tests.validation.findings import json_of

SCHEMA = schema_of(EvalSet, "Eval set")
VALIDATOR = Draft202012Validator(SCHEMA)
STRICTER = {"creation_timestamp numeric string '1.5'", "creation_timestamp true"}
"""Probes of values that google-adk turns into numbers."""
BEYOND = {
    "part inline_data not base64",
    "lone surrogate escape \\ud800",
    "args nested 195 deep",
    "args nested 250 deep",
}
"""Probes of what a schema cannot say."""


def test_it_is_a_schema() -> None:
    assert list(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(SCHEMA)) == []


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_sample_sets_fit_it_and_the_broken_one_does_not(path: Path) -> None:
    assert VALIDATOR.is_valid(json.loads(path.read_text("utf-8"))) == ("broken" not in path.name)


@pytest.mark.parametrize(
    ("name", "data", "accepted"), json_of(PROBES, BEYOND), ids=[name for name, *_ in json_of(PROBES, BEYOND)]
)
def test_it_says_what_google_adk_says_of_what_is_in_the_json(name: str, data: Any, accepted: bool) -> None:
    assert VALIDATOR.is_valid(data) == (accepted and name not in STRICTER)
