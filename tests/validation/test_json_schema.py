"""The JSON Schema for editors: it says of files what google-adk says, in either spelling of keys."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from docs.json_schemas import STORED
from tests.agreement.test_agreement import PROBES, SAMPLES
from tests.validation.findings import json_of

STRICTER = {"creation_timestamp numeric string '1.5'", "creation_timestamp true"}
"""Probes of values that google-adk turns into numbers."""
BEYOND = {
    "part inline_data not base64",
    "lone surrogate escape \\ud800",
    "args nested 195 deep",
    "args nested 250 deep",
    "args nested 1000 deep",
}
"""Probes of what a schema cannot say."""


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(STORED["evalset"].read_bytes()))


def test_it_is_a_schema(validator: Draft202012Validator) -> None:
    assert list(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(validator.schema)) == []


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_sample_sets_fit_it_and_the_broken_one_does_not(path: Path, validator: Draft202012Validator) -> None:
    assert validator.is_valid(json.loads(path.read_text("utf-8"))) == ("broken" not in path.name)


def test_it_says_what_google_adk_says_of_what_is_in_the_json(validator: Draft202012Validator) -> None:
    probes = json_of(PROBES, BEYOND)
    valid = [name for name, data, _ in probes if validator.is_valid(data)]
    assert valid == [name for name, _, accepted in probes if accepted and name not in STRICTER]
