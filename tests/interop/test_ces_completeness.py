"""No word of an eval set is lost on the way to CX Agent Studio or cxas without a line in the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError, SetField
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import assert_complete, assert_holdings, converted, missing_leaves
from tests.interop.rich_evaluations import RICH_CXAS, RICH_EVALUATIONS
from tests.interop.rich_set import RICH_SET, varied, varied_sets
from tests.sampling import Extent

_SAME = "/createTime"
"""A member that says the same in another form: seconds since 1970."""
MANY = 150 if Extent.is_thorough else 30
TARGETS = pytest.mark.parametrize("target", [CES, CXAS], ids=lambda each: each.option)


@TARGETS
def test_a_set_with_all_fields_arrives_or_is_reported(target: FormatType) -> None:
    conversion = converted(RICH_SET, EVAL_SET, target)
    assert_complete(RICH_SET, conversion)
    assert_holdings(conversion)


@TARGETS
def test_fields_without_a_place_are_reported_with_the_reason_of_the_format(target: FormatType) -> None:
    conversion = converted(RICH_SET, EVAL_SET, target)
    reported = {loss.field for loss in conversion.losses}
    of_the_set = {
        SetField.SET_NAME,
        SetField.SET_TIME,
        SetField.APP_NAME,
        SetField.TURN_ID,
        SetField.AUTHOR,
        SetField.THOUGHTS,
    }
    assert of_the_set <= reported
    assert all(loss.reason for loss in conversion.losses)
    assert not [loss for loss in conversion.losses if loss.reason.startswith("evaltui does not know")]


@TARGETS
def test_varied_sets_arrive_or_are_reported(target: FormatType) -> None:
    compared = 0
    for document in varied_sets(MANY):
        try:
            conversion = converted(document, EVAL_SET, target)
        except ConversionError:
            continue
        assert_complete(document, conversion)
        json.dumps(list(conversion.documents))
        compared += 1
    assert compared > MANY * 2 / 3


@TARGETS
def test_sets_of_the_corpus_arrive_or_are_reported(shared_folder: Path, target: FormatType) -> None:
    compared = 0
    for path in sorted((shared_folder / "corpus").glob("*_evalset_*.json")):
        body = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            conversion = converted(body, EVAL_SET, target)
        except ConversionError:
            continue
        assert_complete(body, conversion)
        compared += 1
    assert compared > 80


@pytest.mark.parametrize("source", [CES, CXAS], ids=lambda each: each.option)
def test_what_was_written_is_read_again_or_reported(source: FormatType) -> None:
    for document in [RICH_SET, *varied_sets(30, seed=7)]:
        try:
            written: Any = list(converted(document, EVAL_SET, source).documents)
            there = written if source is CES else written[0]
            back = converted(there, source, EVAL_SET)
        except ConversionError:
            continue
        assert not missing_leaves(there, back)


@pytest.mark.parametrize("target", [EVAL_SET, CXAS, CES], ids=lambda each: each.option)
@pytest.mark.parametrize(
    ("source", "document"), [(CES, RICH_EVALUATIONS), (CXAS, RICH_CXAS)], ids=lambda each: getattr(each, "option", "")
)
def test_varied_evaluations_arrive_or_are_reported(source: FormatType, document: Any, target: FormatType) -> None:
    compared = 0
    for each in [document, *varied(document, MANY)]:
        try:
            conversion = converted(each, source, target)
        except ConversionError:
            continue
        pointers = [pointer for pointer, _ in missing_leaves(each, conversion) if not pointer.endswith(_SAME)]
        assert not pointers, pointers
        compared += 1
    assert compared > MANY * 2 / 3
