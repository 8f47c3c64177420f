"""The checks of the formats that are checked case by case: eval sets and EvaluationDatasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.document.document import Document
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts, NumberedDiagnostic
from evaltui.validation.diagnostics import CaseFindings, diagnostics, validate_case, validate_rest
from evaltui.validation.rule import Diagnostic

_Check = Callable[[bytes], CaseFindings]


class FormatChecks(NamedTuple):
    """The checks of one format; all formats have the same signatures."""

    reader: str
    """The program that reads the files."""
    check_case: _Check
    """Returns the findings of a case, given as its text."""
    check_rest: Callable[[bytes, Sequence[CaseFacts], LoadedConfig | None, Path | None], list[NumberedDiagnostic]]
    """Checks a file apart from its cases: its text without them, their facts, the config and the path."""
    check_document: Callable[[Document, LoadedConfig | None, _Check], Iterator[Diagnostic]]
    """Returns all diagnostics of a file; the last argument checks a case."""
    has_config: bool
    """Whether the config beside a file applies."""


def _whole_set(document: Document, config: LoadedConfig | None, check: _Check) -> Iterator[Diagnostic]:
    return diagnostics(document, config, check=check)


CHECKS_OF_SETS = FormatChecks("google-adk", validate_case, validate_rest, _whole_set, has_config=True)


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

    return FormatChecks("agents-cli", found.validate_dataset_case, rest, whole, has_config=False)
