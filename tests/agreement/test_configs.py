"""The models accept the configs that google-adk accepts: its recorded verdicts, and thousands of files where it is."""

import json
import random
from pathlib import Path

from pydantic import ValidationError

from evaltui.document.document import Document
from evaltui.evalset.schema.config_models import EvalConfig
from evaltui.validation.file_check import check_file
from evaltui.validation.rules.config_rules import check_config
from tests.agreement.config_words import OF_CONFIGS
from tests.agreement.mutator import mutations
from tests.agreement.test_agreement import EACH, SEED, assert_agreement, bytes_of, refused_as

DATA = Path(__file__).parent.parent / "data"
PROBES = json.loads((DATA / "config_probes.json").read_bytes())["probes"]
SAMPLES = sorted((DATA / "configs").glob("*.json"))

KINDS = ("eval_config", "not_json")


def objection(data: bytes) -> str:
    """What our models have against a config."""
    try:
        EvalConfig.model_validate_json(data)
    except ValidationError as error:
        return str(error)
    return ""


def test_the_verdict_on_each_probe_is_that_of_google_adk() -> None:
    assert [probe["name"] for probe in PROBES if (not objection(bytes_of(probe))) != probe["accepted"]] == []


def test_the_verdicts_on_public_files_are_those_of_google_adk(adk_python: str, shared_folder: Path) -> None:
    files = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*.json"))]
    assert_agreement(adk_python, files, "config", objection)


def test_the_verdicts_on_changed_samples_are_those_of_google_adk(adk_python: str) -> None:
    files = changed(SAMPLES, 20 * EACH)
    assert_agreement(adk_python, files, "config", objection)
    configs = [data for data in files if check_file(Document(data), "test_config.json").format in KINDS]
    assert_agreement(adk_python, configs, "config", refused_as("test_config.json"))


def test_the_verdicts_on_changed_public_files_are_those_of_google_adk(adk_python: str, shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("*_eval_config__*.json"))
    assert_agreement(adk_python, changed(paths, EACH), "config", objection)


def test_the_criteria_of_changed_samples_are_refused_where_the_evaluators_of_google_adk_refuse_them(
    adk_python: str,
) -> None:
    refusing = {"bad-match-type", "misspelt-judge-option", "bad-judge-option", "criterion-refused"}

    def refused(data: bytes) -> str:
        said = objection(data)
        return said or ", ".join({each.code for each in check_config(json.loads(data))} & refusing)

    assert_agreement(adk_python, changed([DATA / "configs" / "judged.json"], 50 * EACH), "criteria", refused)


def changed(paths: list[Path], each: int) -> list[bytes]:
    """`each` files made of every one."""
    files: list[bytes] = []
    for path in paths:
        files += mutations(path.read_text(), random.Random(path.name + SEED), each, OF_CONFIGS)
    return files
