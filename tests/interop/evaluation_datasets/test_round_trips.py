"""No leaf vanishes without a word, and eval sets come back from datasets as google-adk sees them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.evalset.file_formats import format_of_document, is_eval_set
from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError, SetField
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, assert_holdings, converted
from tests.interop.mutations import mutated
from tests.interop.plain_sets import accepted_set, seen_cases
from tests.interop.random_datasets import random_dataset
from tests.interop.random_sets import random_set
from tests.sampling import Extent, sampled

SEEDS = sampled(range(int(os.environ.get("EVALTUI_MUTATIONS", "10")) * 6), 20)
PAIRS = [
    (random_set, EVAL_SET, EVALUATION_DATASET),
    (random_dataset, EVALUATION_DATASET, EVAL_SET),
    (random_set, EVAL_SET, EVAL_SET),
    (random_dataset, EVALUATION_DATASET, EVALUATION_DATASET),
]
SAMPLES = sorted((Path(__file__).parents[3] / "sample_sets").glob("*.evalset.json"))
LOST = ("user_persona", "usage_metadata", "model_version")
"""Members of google-adk that a dataset has no place for; the losses name them."""


def there_and_back(document: Any) -> Any:
    dataset = converted(document, EVAL_SET, EVALUATION_DATASET).documents[0]
    return converted(dataset, EVALUATION_DATASET, EVAL_SET).documents[0]


def without_lost(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_lost(each) for name, each in value.items() if name not in LOST}
    return [without_lost(each) for each in value] if isinstance(value, list) else value


def conversions(make: Any, source: FormatType, target: FormatType) -> Iterator[tuple[Any, Conversion]]:
    """The documents of all seeds with their conversions. A few have no case with turns, and are refused."""
    for seed in SEEDS:
        document = make(seed)
        try:
            conversion = converted(document, source, target)
        except ConversionError as error:
            assert "no case has a conversation, a scenario or a prompt" in str(error)
        else:
            yield document, conversion


@pytest.mark.parametrize(("make", "source", "target"), PAIRS)
def test_every_leaf_of_a_random_document_is_kept_or_reported(make: Any, source: FormatType, target: FormatType) -> None:
    for document, conversion in conversions(make, source, target):
        assert_complete(document, conversion)


@pytest.mark.parametrize(("make", "source", "target"), PAIRS)
def test_every_leaf_of_a_damaged_document_is_kept_or_reported(
    make: Any, source: FormatType, target: FormatType
) -> None:
    complete = 0
    for seed in SEEDS:
        document = mutated(make(seed), random.Random(seed))
        try:
            conversion = converted(document, source, target)
        except ConversionError:
            continue
        assert_complete(document, conversion)
        complete += 1
    assert complete > len(SEEDS) / 2


def test_every_leaf_of_a_damaged_dataset_of_evaltui_is_kept_or_reported() -> None:
    for seed in SEEDS:
        dataset = converted(random_set(seed), EVAL_SET, EVALUATION_DATASET).documents[0]
        document = mutated(dataset, random.Random(seed))
        with suppress(ConversionError):
            assert_complete(document, converted(document, EVALUATION_DATASET, EVAL_SET))


def test_random_sets_come_back() -> None:
    for seed in SEEDS:
        document = random_set(seed)
        assert without_lost(seen_cases(there_and_back(document))) == without_lost(seen_cases(document)), seed


def test_losses_are_those_that_the_holdings_announce() -> None:
    """State is an exception: of a case without a message it has no event. A dataset may have both, a plan and turns."""
    for _, conversion in conversions(random_set, EVAL_SET, EVALUATION_DATASET):
        assert_holdings(conversion, but=[SetField.STATE])
    for _, conversion in conversions(random_dataset, EVALUATION_DATASET, EVAL_SET):
        assert_holdings(conversion, but=[SetField.SCENARIO_PROMPT, SetField.SCENARIO_PLAN])


def test_google_adk_accepts_what_random_datasets_become() -> None:
    for _, conversion in conversions(random_dataset, EVALUATION_DATASET, EVAL_SET):
        assert accepted_set(conversion.documents[0])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_sets_come_back(path: Path) -> None:
    data = path.read_bytes()
    assert_complete(data, converted(data, EVAL_SET, EVALUATION_DATASET))
    if accepted_set(json.loads(data)) is not None:
        expected = without_lost(seen_cases(json.loads(data)))
        assert without_lost(seen_cases(there_and_back(json.loads(data)))) == expected


def test_public_sets_come_back(shared_folder: Path) -> None:
    compared = 0
    for path in sampled(sorted((shared_folder / "corpus").glob("*.json")), 25):
        data = path.read_bytes()
        if not is_eval_set(Document(data).root):
            continue
        conversion = converted(data, EVAL_SET, EVALUATION_DATASET)
        assert_complete(data, conversion)
        dataset = conversion.documents[0]
        assert_complete(dataset, converted(dataset, EVALUATION_DATASET, EVAL_SET))
        document = json.loads(data)
        if accepted_set(document) is not None:
            compared += 1
            assert seen_cases(there_and_back(document)) == seen_cases(document), path.name
    assert compared > (60 if Extent.is_thorough else 5)


def test_public_datasets_become_sets_without_a_silent_loss(shared_folder: Path) -> None:
    found = 0
    for path in sorted((shared_folder / "corpus").glob("*.json")):
        data = path.read_bytes()
        if format_of_document(Document(data).root) == "evaluation_dataset":
            found += 1
            conversion = converted(data, EVALUATION_DATASET, EVAL_SET)
            assert_complete(data, conversion)
            assert accepted_set(conversion.documents[0])
            assert_complete(data, converted(data, EVALUATION_DATASET, EVALUATION_DATASET))
    assert found > 10
