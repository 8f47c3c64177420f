"""Eval sets as evaluations of CX Agent Studio, against google-cloud-ces in a Python of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaltui.interop.ces.writer import CES
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError
from tests.agreement.ces_oracle import ces_verdicts
from tests.interop.completeness import converted, leaves
from tests.interop.rich_set import RICH_SET, varied_sets


def _evaluations(document: bytes | Any) -> list[Any]:
    try:
        return list(converted(document, EVAL_SET, CES).documents)
    except ConversionError:
        return []


def _said(evaluation: Any) -> list[Any]:
    """All leaves but false and 0, which google-cloud-ces does not write."""
    return sorted((str(leaf) for _, leaf in leaves(evaluation) if leaf), key=str)


def _as_numbers(values: list[str]) -> list[str]:
    """Numbers of a Struct are doubles, and 2 comes back as 2.0."""
    return [each.removesuffix(".0") for each in values]


def test_google_cloud_ces_reads_all_of_a_set_with_all_fields(ces_python: str) -> None:
    evaluations = _evaluations(RICH_SET)
    for written, verdict in zip(evaluations, ces_verdicts(ces_python, evaluations), strict=True):
        assert verdict.objection == ""
        assert _as_numbers(_said(verdict.camel)) == _as_numbers(_said(written))


def test_google_cloud_ces_reads_the_corpus(ces_python: str, shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("*_adk_evalset__*.json"))
    evaluations = [each for path in paths for each in _evaluations(path.read_bytes())]
    assert len(evaluations) > 300
    objections = [each.objection for each in ces_verdicts(ces_python, evaluations)]
    assert not list(filter(None, objections))


def test_google_cloud_ces_reads_varied_sets(ces_python: str) -> None:
    evaluations = [each for document in varied_sets(300, seed=11) for each in _evaluations(document)]
    objections = [each.objection for each in ces_verdicts(ces_python, evaluations)]
    assert len(objections) > 500
    assert not list(filter(None, objections))


def test_evaluations_are_read_as_google_cloud_ces_writes_them(ces_python: str) -> None:
    evaluations = _evaluations(RICH_SET)
    verdicts = ces_verdicts(ces_python, evaluations)
    own = converted(evaluations, CES, EVAL_SET).documents[0]
    for written in ([each.camel for each in verdicts], [each.snake for each in verdicts]):
        assert converted(written, CES, EVAL_SET).documents[0] == own
