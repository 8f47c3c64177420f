"""Eval sets that went to CX Agent Studio or cxas and back are equal but for the reported losses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaltui.document.node import read_document
from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError
from tests.interop.adk_meaning import meaning_of, without
from tests.interop.completeness import converted
from tests.interop.rich_set import RICH_SET


def _there_and_back(document: Any) -> tuple[Conversion, Any]:
    there = converted(document, EVAL_SET, CES)
    back = converted(list(there.documents), CES, EVAL_SET)
    return there, back.documents[0]


def test_a_set_with_all_fields_comes_back_from_ces() -> None:
    there, back = _there_and_back(RICH_SET)
    expected, found = meaning_of(without(RICH_SET, there.losses)), meaning_of(back)
    audio = expected[0]["turns"][0]["user"][3]["inline_data"]
    assert "mime_type" not in audio or audio["mime_type"] is None
    audio["mime_type"] = "audio/wav"  # invented, which is reported on the way back
    expected[2]["scenario"] = found[2]["scenario"]  # merged with the starting prompt, which is reported
    assert found == expected


def test_sets_of_the_corpus_come_back_from_ces(shared_folder: Path) -> None:
    compared = 0
    for path in sorted((shared_folder / "corpus").glob("*_adk_evalset__*.json")):
        body = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        if format_of_source(read_document(body), path.name) is not EVAL_SET:
            continue
        document = json.loads(body)
        try:
            there, back = _there_and_back(document)
        except ConversionError:
            continue
        expected, found = meaning_of(without(document, there.losses)), meaning_of(back)
        for was, now in zip(expected, found, strict=True):
            was["eval_id"] = now["eval_id"]  # ids that stand twice are changed, and missing ones invented
        assert found == expected, path.name
        compared += 1
    assert compared > 50
