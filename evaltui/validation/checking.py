"""A file checked, and fixed where that is asked for."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from evaltui.document import Document
from evaltui.validation.collecting import without_collecting
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.file_report import FileReport
from evaltui.validation.fixing import compatible, edits_of
from evaltui.validation.locating import located
from evaltui.validation.validating import cases_of, diagnostics

_ROUNDS = 50
"""Fixes can lay open what others hide; so many rounds are made at most."""


def check_file(document: Document, name: str, path: Path | None) -> FileReport:
    """Check a document that came from `name`, which is at `path` unless it came from elsewhere."""
    with without_collecting():
        found = _findings(document)
        return FileReport(
            name,
            "eval_set",
            accepted_by_adk=not any(each.severity == "error" for each in found),
            cases=len(cases_of(document.root)) if document.root is not None else None,
            diagnostics=located(document, found),
        )


def fix_file(document: Document, wanted: Container[str]) -> tuple[Document, list[str]]:
    """Apply all safe fixes of the wanted rules, until none is left; the document and the codes of what was fixed.

    The document is another one where the text was no JSON before.
    """
    fixed: list[str] = []
    with without_collecting():
        for _ in range(_ROUNDS):
            safe = compatible(
                each for each in _findings(document) if each.fix is not None and each.fix.safe and each.code in wanted
            )
            if not safe:
                break
            document.apply(edits_of(safe), "fix")
            fixed += [each.code for each in safe]
    return document, fixed


def _findings(document: Document) -> list[Diagnostic]:
    return list(diagnostics(document))
