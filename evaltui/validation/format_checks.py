"""The checks of the formats that are checked case by case: eval sets and EvaluationDatasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.document.document import Document
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.diagnostics import (
    CaseFindings,
    check_rest,
    diagnostics,
    set_checks,
    validate_case,
    validate_rest,
)
from evaltui.validation.rule import Diagnostic
from evaltui.validation.set_check import FirstNumbers, SetCheck

_Check = Callable[[bytes], CaseFindings]


class FormatChecks(NamedTuple):
    """The checks of one format; all formats have the same signatures."""

    reader: str
    """The program that reads the files."""
    check_case: _Check
    """Returns the findings of a case, given as its text."""
    check_rest: Callable[[bytes, Sequence[CaseFacts], LoadedConfig | None, Path | None], list[NumberedDiagnostic]]
    """Checks a file apart from its cases: its text without them, their facts, the config and the path."""
    check_rest_alone: Callable[[bytes, int], list[Diagnostic]]
    """Checks a file apart from its cases, but not across them: its text without them, and their number."""
    set_checks: Callable[[bytes, LoadedConfig | None, Path | None, FirstNumbers], list[SetCheck]]
    """The checks across the cases: of the text without cases, the config, the path and an empty dictionary."""
    check_document: Callable[[Document, LoadedConfig | None, _Check], Iterator[Diagnostic]]
    """Returns all diagnostics of a file; the last argument checks a case."""
    has_config: bool
    """Whether the config beside a file applies."""


def _whole_set(document: Document, config: LoadedConfig | None, check: _Check) -> Iterator[Diagnostic]:
    return diagnostics(document, config, check=check)


def _across_set(_rest: bytes, config: LoadedConfig | None, path: Path | None, first: FirstNumbers) -> list[SetCheck]:
    return set_checks(config, path, first)


CHECKS_OF_SETS = FormatChecks(
    "google-adk", validate_case, validate_rest, check_rest, _across_set, _whole_set, has_config=True
)


def checks_of(kind: str) -> FormatChecks:
    """The checks of a format by its name; eval set checks for any format but a dataset."""
    return _checks_of_datasets() if kind == "evaluation_dataset" else CHECKS_OF_SETS


def _checks_of_datasets() -> FormatChecks:
    from evaltui.validation import dataset_diagnostics as found  # noqa: PLC0415 - eval sets do not need its models

    def rest(
        source: bytes, cases: Sequence[CaseFacts], config: LoadedConfig | None, path: Path | None
    ) -> list[NumberedDiagnostic]:
        return found.validate_dataset_rest(source, cases)

    def whole(document: Document, config: LoadedConfig | None, check: _Check) -> Iterator[Diagnostic]:
        return found.dataset_diagnostics(document, check=check)

    def across(source: bytes, config: LoadedConfig | None, path: Path | None, first: FirstNumbers) -> list[SetCheck]:
        return found.dataset_checks(source, first)

    return FormatChecks(
        "agents-cli",
        found.validate_dataset_case,
        rest,
        found.check_dataset_rest,
        across,
        whole,
        has_config=False,
    )
