"""A written file that its reader rejects: each rejected value is reported at its place in the source."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.pointer import PointerError
from evaltui.interop.conversion import Conversion, text_of
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.portable_set import FormatType
from evaltui.validation.file_check import check_format
from tests.interop.completeness import converted, format_called, is_under, leaves
from tests.interop.mixed_sources import numbered
from tests.interop.mutations import mutated
from tests.interop.test_mixed_sources import conversions, of_foreign_keys, of_one_format, of_two_formats
from tests.sampling import Extent

TARGETS = {"evalset": "eval_set", "adk-rs": "eval_set", "evaluation-dataset": "evaluation_dataset"}
"""The words of targets with a strict model, and of `evaltui validate` for their files."""
ASKED = {"role": "user", "parts": [{"text": "Price?"}]}
DAMAGED = 1 if Extent.is_thorough else 4
"""Damaged copies of each source; a thorough run has many more sources."""


def target_of(option: str) -> FormatType:
    return next(each for each in FORMATS if each.option == option)


def rejected_values(conversion: Conversion) -> Iterator[tuple[str, Any]]:
    """The values with errors of `evaltui validate` in a written file, and their pointers. A missing one is None."""
    document = Document(text_of(conversion))
    root = document.root
    assert root is not None
    for each in check_format(document, TARGETS[conversion.target.option]):
        if each.severity == "error" and each.pointer:
            try:
                yield each.pointer, root.at(each.pointer).value()
            except PointerError:
                yield each.pointer, None


def assert_rejections_are_reported(value: Any, conversion: Conversion) -> None:
    """Each scalar in a rejected value lies at or under a loss, if it occurs once in the source."""
    lost = {loss.pointer for loss in conversion.losses}
    places: dict[str, list[str]] = defaultdict(list)
    for pointer, leaf in leaves(value):
        places[json.dumps(leaf)].append(pointer)
    for pointer, rejected in rejected_values(conversion):
        assert lost, pointer
        for _, leaf in leaves(rejected):
            of_leaf = places[json.dumps(leaf)]
            assert len(of_leaf) != 1 or is_under(of_leaf[0], lost), (pointer, of_leaf)


def with_damaged(sources: Iterator[tuple[str, Any]], dice: random.Random) -> Iterator[tuple[str, Any]]:
    """The documents, and damaged copies of each."""
    for word, value in sources:
        yield word, value
        yield from ((word, numbered(mutated(value, dice))) for _ in range(DAMAGED))


@pytest.mark.parametrize("option", TARGETS)
@pytest.mark.parametrize("sources", [of_one_format, of_two_formats, of_foreign_keys])
def test_values_that_validate_rejects_are_reported(sources: Any, option: str) -> None:
    dice = random.Random(option)
    rejections = 0
    for value, conversion in conversions(with_damaged(sources(), dice), target_of(option)):
        assert_rejections_are_reported(value, conversion)
        rejections += sum(1 for _ in rejected_values(conversion))
    assert rejections


TALK = {"user_content": ASKED}


def dataset_of(**members: Any) -> Any:
    return {"eval_cases": [{"eval_case_id": "a", "prompt": ASKED, **members}]}


def set_of(turn: Any) -> Any:
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}


def list_of(**members: Any) -> Any:
    return [{"name": "a", "data": [{"query": "Price?", "expected_tool_use": [], "reference": "500", **members}]}]


@pytest.mark.parametrize(
    ("word", "value", "pointer"),
    [
        ("legacy_cases", list_of(reference=["500"]), "/0/data/0/reference"),
        ("legacy_cases", list_of(query=[{"type": "text", "text": "Price?"}]), "/0/data/0/query"),
        (
            "evaluation_dataset",
            dataset_of(reference={"response": {"parts": [{"text": ["500"]}]}}),
            "/eval_cases/0/reference/response/parts/0/text",
        ),
        (
            "evalset",
            set_of({**TALK, "intermediate_data": {"invocation_events": [
                {"author": "a", "content": {"parts": [{"function_call": [{"name": "t"}]}]}}
            ]}}),
            "/eval_cases/0/conversation/0/intermediate_data/invocation_events/0/content/parts/0/function_call",
        ),
        (
            "evalset",
            set_of({**TALK, "final_response": {"parts": [{"text": "half \ud800"}]}}),
            "/eval_cases/0/conversation/0/final_response/parts/0/text",
        ),
        (
            "evalset",
            set_of({**TALK, "final_response": {"parts": [{"inline_data": {"mime_type": "a/b", "data": "!"}}]}}),
            "/eval_cases/0/conversation/0/final_response/parts/0/inline_data/data",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("option", TARGETS)
def test_a_rejected_value_is_kept_and_reported(word: str, value: Any, pointer: str, option: str) -> None:
    source = format_called(word)
    assert source is not None
    conversion = converted(value, source, target_of(option))
    (loss,) = [each for each in conversion.losses if each.pointer == pointer]
    assert loss.kind == "changed"
    assert loss.reason.startswith("kept, but ")
    assert "rejects the file because of this value: " in loss.reason
    assert list(rejected_values(conversion))


def test_a_value_that_is_too_deep_for_google_adk_is_reported() -> None:
    value: Any = "deep"
    for _ in range(230):
        value = [value]
    turn = {**TALK, "intermediate_data": {"tool_uses": [{"name": "t", "args": {"to": value}}]}}
    source = format_called("evalset")
    assert source is not None
    (loss,) = converted(set_of(turn), source, target_of("evalset")).losses
    assert loss.pointer.startswith("/eval_cases/0/conversation/0/intermediate_data/tool_uses/0/args/to/0")
    assert loss.reason.endswith("it is nested deeper than 200 levels")


def test_an_empty_list_of_events_beside_calls_loses_no_call() -> None:
    call = {"name": "t", "args": {}}
    value = set_of({**TALK, "intermediate_data": {"invocation_events": [], "tool_uses": [call]}})
    source = format_called("evalset")
    assert source is not None
    conversion = converted(value, source, target_of("evalset"))
    assert not conversion.losses
    (document,) = conversion.documents
    assert document["eval_cases"][0]["conversation"][0]["intermediate_data"] == {"tool_uses": [call]}
