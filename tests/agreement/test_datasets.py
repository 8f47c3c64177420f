"""The models accept the datasets that agentplatform accepts: its recorded verdicts, and thousands of changed files."""

import json
import random
from pathlib import Path

from pydantic import ValidationError

from evaltui.evalset.schema.genai_models import EvaluationDataset
from tests.agreement.dataset_words import OF_DATASETS
from tests.agreement.mutator import mutations
from tests.agreement.oracle import objections
from tests.agreement.test_agreement import EACH, SEED, assert_agreement, bytes_of

PROBES = json.loads((Path(__file__).parent.parent / "data" / "dataset_probes.json").read_bytes())["probes"]


def objection(data: bytes) -> str:
    """What our models have against a dataset."""
    try:
        EvaluationDataset.model_validate_json(data)
    except ValidationError as error:
        return str(error)
    return ""


def test_the_verdict_on_each_probe_is_that_of_agentplatform() -> None:
    assert [probe["name"] for probe in PROBES if (not objection(bytes_of(probe))) != probe["accepted"]] == []


def test_the_recorded_verdicts_are_still_those_of_agentplatform(agentplatform_python: str) -> None:
    theirs = objections(agentplatform_python, "dataset", [bytes_of(probe) for probe in PROBES])
    assert [not said for said in theirs] == [probe["accepted"] for probe in PROBES]


def test_the_verdicts_on_public_files_are_those_of_agentplatform(
    agentplatform_python: str, shared_folder: Path
) -> None:
    files = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*.json"))]
    assert_agreement(agentplatform_python, files, "dataset", objection)


def test_the_verdicts_on_changed_probes_are_those_of_agentplatform(agentplatform_python: str) -> None:
    files = [data for probe in PROBES if probe["accepted"] for data in changed(probe["name"], probe["text"], EACH)]
    assert len(files) >= 30 * EACH
    assert_agreement(agentplatform_python, files, "dataset", objection)


def test_the_verdicts_on_changed_public_datasets_are_those_of_agentplatform(
    agentplatform_python: str, shared_folder: Path
) -> None:
    paths = sorted((shared_folder / "corpus").glob("*platform_dataset*.json"))
    files = [data for path in paths for data in changed(path.name, path.read_text("utf-8"), 5 * EACH)]
    assert len(files) >= 50 * EACH
    assert_agreement(agentplatform_python, files, "dataset", objection)


def changed(name: str, text: str, count: int) -> list[bytes]:
    return [*mutations(text, random.Random(name + SEED), count, OF_DATASETS)]
