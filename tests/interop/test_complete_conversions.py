"""Every value of a source is in the target or reported: in sources with everything, in mutated ones, in the corpus."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.node import read_document
from evaltui.evalset.schema.genai_models import EvaluationDataset
from evaltui.interop.conversion import convert
from evaltui.interop.conversion_formats import FORMATS, format_of_source
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError, SetField
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, assert_holdings, converted
from tests.interop.full_sets import FULL_DIALECT, FULL_LIST, FULL_SCENARIOS, FULL_SET, mutated
from tests.sampling import Extent, sampled

SOURCES: dict[str, Any] = {
    "evalset": FULL_SET,
    "adk-rs": json.loads(json.dumps(FULL_SET).replace('"eval_id"', '"id"').replace('"eval_set_id"', '"id"')),
    "legacy_cases": FULL_LIST,
    "legacy_turns": FULL_LIST[0]["data"],
    "trpc-agent-go": FULL_DIALECT,
    "scenarios": FULL_SCENARIOS,
}
TARGETS = [each for each in FORMATS if each.write is not None]


def source_of(value: Any) -> FormatType | None:
    return format_of_source(read_document(json.dumps(value).encode()))


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: str(each.option))
@pytest.mark.parametrize("word", SOURCES)
def test_a_source_with_everything_is_converted_completely(word: str, target: FormatType) -> None:
    source = source_of(SOURCES[word])
    assert source is not None
    assert source.source_word == word
    conversion = converted(SOURCES[word], source, target)
    assert_complete(SOURCES[word], conversion)
    if target.option in ("evalset", "legacy-cases", "adk-rs"):
        # A legacy argument that is no object is changed for every target; pictures of a dialect have no counterpart.
        assert_holdings(conversion, but={SetField.CALL_ARGS, SetField.USER_PARTS})


@pytest.mark.parametrize("target", TARGETS, ids=lambda each: str(each.option))
@pytest.mark.parametrize("word", SOURCES)
def test_mutated_sources_are_converted_completely(word: str, target: FormatType) -> None:
    chance = random.Random(f"{word} {target.option}")
    for _ in range(60 if Extent.is_thorough else 12):
        value = mutated(SOURCES[word], chance)
        source = source_of(value)
        if source is None:
            continue
        try:
            conversion = converted(value, source, target)
        except ConversionError:
            continue
        assert_complete(value, conversion)


def test_all_files_of_the_corpus_are_converted_completely_into_every_format(shared_folder: Path) -> None:
    count = 0
    for path in sampled(sorted((shared_folder / "corpus").glob("*.json")), 5, kind=lambda path: path.name[4:12]):
        root = Document(path.read_bytes()).root
        source = format_of_source(root, path.name) if root is not None else None
        if root is None or source is None:
            continue
        for target in TARGETS:
            count += 1
            assert_complete(path.read_bytes(), convert(root, source, target, "the_set"))
    assert count >= (115 if Extent.is_thorough else 10) * len(TARGETS)


@pytest.mark.parametrize("word", SOURCES)
def test_a_dataset_of_a_source_with_everything_is_one_that_agentplatform_accepts(word: str) -> None:
    source = source_of(SOURCES[word])
    assert source is not None
    (document,) = converted(SOURCES[word], source, EVALUATION_DATASET).documents
    assert len(EvaluationDataset.model_validate(document).eval_cases or ()) > 0


def test_all_datasets_made_of_the_corpus_are_accepted_by_agentplatform(shared_folder: Path) -> None:
    count = 0
    for path in sorted((shared_folder / "corpus").glob("*.json")):
        root = Document(path.read_bytes()).root
        source = format_of_source(root, path.name) if root is not None else None
        if root is None or source is None:
            continue
        (document,) = convert(root, source, EVALUATION_DATASET, "the_set").documents
        cases = EvaluationDataset.model_validate(document).eval_cases
        assert len(cases or ()) == len(document["eval_cases"]), path.name
        count += 1
    assert count >= 115


def test_fields_that_a_format_does_not_hold_are_always_reported() -> None:
    for target in TARGETS:
        conversion = converted(FULL_SET, source_of(FULL_SET) or FORMATS[0], target)
        lost = {loss.field for loss in conversion.losses}
        for field in (SetField.CALL_ID, SetField.TOOL_RESPONSE, SetField.CASE_RUBRICS, SetField.FINAL_STATE):
            kind = target.holdings[field].kind
            assert field in lost or kind != "no_place", (target.option, field)
            assert field not in lost or kind is not None, (target.option, field)
