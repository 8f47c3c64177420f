"""What google-adk's model has against a config: said once, at its place, for what was evidently meant."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.validation.case_checks import config_diagnostics, errors_in_config
from evaltui.validation.rule_types import Diagnostic
from tests.agreement.config_words import OF_CONFIGS
from tests.agreement.mutator import mutations
from tests.agreement.test_agreement import bytes_of
from tests.agreement.test_configs import PROBES, SAMPLES, objection
from tests.sampling import Extent

CHANGES = 60 if Extent.is_thorough else 20
MODEL = "/user_simulator_config/model_configuration"


def said(value: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each.code, each.pointer, each.message) for each in errors_in_config(json.dumps(value).encode())]


def criterion(value: Any) -> dict[str, Any]:
    return {"criteria": {"safety_v1": value}}


def model(**members: Any) -> dict[str, Any]:
    return {"user_simulator_config": {"model_configuration": members}}


def errors(document: Document) -> list[Diagnostic]:
    return [each for each in config_diagnostics(document) if each.severity == "error"]


def test_there_is_an_error_exactly_where_google_adk_objects() -> None:
    documents = [(probe, Document(bytes_of(probe))) for probe in PROBES]
    accepted = [probe["name"] for probe, document in documents if document.root is not None and not errors(document)]
    assert accepted == [probe["name"] for probe in PROBES if probe["accepted"]]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_of_changed_configs_each_that_is_rejected_has_an_error(path: Path) -> None:
    rejected = 0
    for data in mutations(path.read_text(), random.Random(path.stem), CHANGES, OF_CONFIGS):
        document = Document(data)
        if document.root is not None:
            found = errors(document)
            assert bool(found) == bool(objection(data)), data
            rejected += bool(found)
    assert rejected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (criterion({}), ("missing-field", "/criteria/safety_v1/threshold", "threshold is required")),
        (
            criterion({"treshold": 1}),
            ("misspelt-key", "/criteria/safety_v1/treshold", "treshold should be threshold"),
        ),
        (
            criterion(None),
            ("wrong-type", "/criteria/safety_v1", "safety_v1 must be a number or an object, not null"),
        ),
        (
            criterion({"threshold": "high"}),
            ("wrong-type", "/criteria/safety_v1/threshold", 'threshold must be a number, not the string "high"'),
        ),
        (
            {"user_simulator_config": {"type": "voice"}},
            ("bad-value", "/user_simulator_config/type", "type must be llm_backed or llm_audio"),
        ),
        (
            {"user_simulator_config": {"type": "llm_audio", "audio_model": None}},
            ("wrong-type", "/user_simulator_config/audio_model", "audio_model must be a string, not null"),
        ),
        (
            {"live_model_config": {"timeout_seconds": 1.5}},
            (
                "wrong-type",
                "/live_model_config/timeout_seconds",
                "timeout_seconds must be an integer, not 1.5",
            ),
        ),
        (
            model(system_instruction={"parts": [{"txt": "Hi"}]}),
            ("misspelt-key", f"{MODEL}/system_instruction/parts/0/txt", "txt should be text"),
        ),
        (
            model(system_instruction=["Hi", {"txt": "Hi"}]),
            ("misspelt-key", f"{MODEL}/system_instruction/1/txt", "txt should be text"),
        ),
        (
            model(speech_config=[]),
            ("wrong-type", f"{MODEL}/speech_config", "speech_config must be a string or an object, not a list"),
        ),
        (
            model(tools=["f", {"google_serch": {}}]),
            ("misspelt-key", f"{MODEL}/tools/1/google_serch", "google_serch should be google_search"),
        ),
        (
            model(response_schema={"properties": {"a": {"type": ["string", "null"]}}}),
            ("wrong-type", f"{MODEL}/response_schema/properties/a/type", "type must be a string, not a list"),
        ),
    ],
)
def test_each_fault_is_said_once_for_what_was_meant(value: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert said(value) == [expected]


def test_instructions_without_a_placeholder_are_named_with_what_they_need() -> None:
    ((code, pointer, message),) = said({"userSimulatorConfig": {"customInstructions": "{conversation_plan}"}})
    assert (code, pointer) == ("custom-instructions", "/userSimulatorConfig/customInstructions")
    assert "{{ stop_signal }}" in message


def test_who_checks_eval_sets_does_not_load_the_models_of_configs() -> None:
    program = """
import sys
import evaltui.scoring.eval_config, evaltui.evalset.file_formats
import evaltui.validation.rules.other_formats, evaltui.validation.case_checks
models = [name for name in sys.modules if name.startswith("evaltui.evalset.schema.")]
print(*sorted(models), *(name for name in ("jinja2",) if name in sys.modules))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = [name.rpartition(".")[2] for name in run.stdout.split()]
    assert names == ["eval_case", "genai_models"]


def test_a_simulated_user_is_read_as_its_type_says() -> None:
    found = said({"user_simulator_config": {"type": "llm_audio", "model": 3}})
    assert found == [("wrong-type", "/user_simulator_config/model", "model must be a string, not 3")]


def test_where_every_member_of_a_union_objects_something_is_said() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    found = said(model(system_instruction=["a", {"name": "files/1", "error": {"code": deep}}]))
    assert [(code, pointer) for code, pointer, _ in found] == [
        ("wrong-type", f"{MODEL}/system_instruction/1/error/code")
    ]
