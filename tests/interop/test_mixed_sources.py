"""Conversions of files with the keys of one format or two: values arrive in their places, and reasons are true."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from evaltui.document import pointer as pointers
from evaltui.document.node import read_document
from evaltui.evalset.keys import camel
from evaltui.interop.conversion import Conversion
from evaltui.interop.conversion_formats import FORMATS, format_of_source
from evaltui.interop.fields import ConversionError
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, converted, format_called
from tests.interop.full_sets import FULL_DIALECT, FULL_LIST, FULL_SCENARIOS, FULL_SET
from tests.interop.mixed_sources import foreign_source, mixed_source, numbered
from tests.interop.mutations import mutated
from tests.interop.random_datasets import random_dataset
from tests.interop.random_sets import random_set
from tests.interop.reader_places import misplaced_values, unseen_leaves
from tests.interop.rich_evaluations import RICH_CXAS, RICH_EVALUATIONS
from tests.interop.rich_set import RICH_SET
from tests.sampling import Extent

TARGETS = pytest.mark.parametrize(
    "target", [item for item in FORMATS if item.write is not None], ids=lambda item: item.option
)
MANY = 100 if Extent.is_thorough else 6
MIXED = range(MANY) if Extent.is_thorough else (*range(MANY), 12, 27, 40)
WHOLE: list[tuple[str, Any]] = [
    ("evalset", FULL_SET),
    ("evalset", RICH_SET),
    ("legacy_cases", FULL_LIST),
    ("legacy_turns", FULL_LIST[0]["data"]),
    ("trpc-agent-go", FULL_DIALECT),
    ("scenarios", FULL_SCENARIOS),
    ("ces_evaluation", RICH_EVALUATIONS),
    ("cxas-yaml", RICH_CXAS),
]


def of_one_format() -> Iterator[tuple[str, Any]]:
    """Documents with the words of their formats."""
    yield from ((word, numbered(value)) for word, value in WHOLE)
    for seed in range(MANY):
        yield "evalset", numbered(random_set(seed))
        yield "evaluation_dataset", numbered(random_dataset(seed))


def of_two_formats() -> Iterator[tuple[str, Any]]:
    """Mixed documents, read as the format that they are taken for, as eval sets and as datasets."""
    for seed in MIXED:
        value = mixed_source(seed)
        found = format_of_source(read_document(json.dumps(value).encode()))
        words = {found.source_word} if found is not None else set()
        if isinstance(value, dict) and "eval_cases" in value:
            words |= {"evalset", "evaluation_dataset"}
        yield from ((word, value) for word in sorted(words))


def of_foreign_keys() -> Iterator[tuple[str, Any]]:
    """Documents whose cases have content under keys of other formats, read as the format that they are taken for."""
    for seed in range(5 * MANY):
        value = foreign_source(seed)
        found = format_of_source(read_document(json.dumps(value).encode()))
        if found is not None:
            yield found.source_word, value


def conversions(sources: Iterator[tuple[str, Any]], target: FormatType) -> Iterator[tuple[Any, Conversion]]:
    count = 0
    for word, value in sources:
        source = format_called(word)
        assert source is not None
        try:
            conversion = converted(value, source, target)
        except ConversionError:
            continue
        count += 1
        yield value, conversion
    assert count > MANY / 2


@TARGETS
@pytest.mark.parametrize("sources", [of_one_format, of_two_formats, of_foreign_keys])
def test_values_arrive_where_readers_look_or_are_reported(sources: Any, target: FormatType) -> None:
    for value, conversion in conversions(sources(), target):
        assert_complete(value, conversion)
        assert not unseen_leaves(value, conversion)
        assert not misplaced_values(value, conversion)


@TARGETS
@pytest.mark.parametrize("sources", [of_one_format, of_two_formats, of_foreign_keys])
def test_reasons_are_true(sources: Any, target: FormatType) -> None:
    for value, conversion in conversions(sources(), target):
        assert_true_reasons(value, conversion)
    dice = random.Random(target.option)
    damaged = ((word, numbered(mutated(value, dice))) for word, value in sources())
    for value, conversion in conversions(damaged, target):
        assert_true_reasons(value, conversion)


def assert_true_reasons(value: Any, conversion: Conversion) -> None:
    """No value of the source is missing in the source, and no field of the target has no field there."""
    for loss in conversion.losses:
        if loss.kind == "invented":
            assert "missing in the source" not in loss.reason or value_at(value, loss.pointer) is None, loss
        elif loss.kind == "no_place" and loss.field is not None:
            has_field = conversion.target.holdings[loss.field].kind is None
            assert not has_field or not loss.reason.endswith("has no field for this"), loss
            assert not has_field or not loss.reason.startswith("kept "), loss


def value_at(value: Any, pointer: str) -> Any:
    """The value at a pointer in either spelling; None if there is none."""
    for token in pointers.parse_pointer(pointer):
        if isinstance(value, dict):
            value = value.get(token, value.get(camel(token)))
        else:
            value = value[int(token)] if isinstance(value, list) and token.isdecimal() else None
    return value
