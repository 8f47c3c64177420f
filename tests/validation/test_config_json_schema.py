"""The JSON Schema of configs: what it refuses google-adk rejects, or does not evaluate."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from docs.json_schemas import STORED
from evaltui.validation.rules.config_rules import check_config
from tests.agreement.test_configs import PROBES, SAMPLES
from tests.validation.findings import json_of

BEYOND = {
    *("nested 250 deep", "lone surrogate", "continuation_token not base64", "tools time range"),
    *("response_schema type number", "response_schema type list", "response_schema inner type list"),
    "response_schema unknown key beside type",
}
"""Probes of what a schema cannot say, or what its format words only hint at; neither does it look into templates."""


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(STORED["config"].read_bytes()))


JSON = [probe for probe in json_of(PROBES, BEYOND) if "instructions" not in probe[0]]


def test_it_is_a_schema_without_names_of_modules(validator: Draft202012Validator) -> None:
    validator.check_schema(validator.schema)
    assert not [name for name in validator.schema["$defs"] if "__" in name]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_fit_it(path: Path, validator: Draft202012Validator) -> None:
    assert not list(validator.iter_errors(json.loads(path.read_text())))


def test_what_google_adk_rejects_it_refuses(validator: Draft202012Validator) -> None:
    assert [name for name, data, accepted in JSON if not accepted and validator.is_valid(data)] == []


def test_what_it_refuses_beyond_that_is_not_evaluated_or_turned_into_what_was_meant(
    validator: Draft202012Validator,
) -> None:
    stricter = {name for name, data, accepted in JSON if accepted and not validator.is_valid(data)}
    found = {name for name, data, _ in JSON if check_config(data)}
    assert {name for name in stricter - found if "'" not in name and "True" not in name} == set()
