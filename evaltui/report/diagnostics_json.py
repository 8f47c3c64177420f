"""Reports of files as the JSON document of `evaltui validate --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaltui.document.patch import operations_of
from evaltui.validation.file_report import FileReport
from evaltui.validation.locations import Located
from evaltui.validation.rule import Fix
from evaltui.validation.rules.registry import RULES

_VERSION = 1


def reports_as_data(reports: Sequence[FileReport]) -> dict[str, Any]:
    """The document for all files."""
    totals = {
        f"{severity}s": sum(each.count(severity) for each in reports) for severity in ("error", "warning", "info")
    }
    return {
        "version": _VERSION,
        "files": [_file(report) for report in reports],
        "summary": {"files": len(reports), **totals},
    }


def _file(report: FileReport) -> dict[str, Any]:
    said: dict[str, Any] = {
        "path": report.path,
        "format": report.format,
        "accepted_by_adk": report.accepted_by_adk,
        "cases": report.cases,
        "diagnostics": [_diagnostic(each) for each in report.diagnostics],
    }
    return said if report.fixed is None else {**said, "fixed": list(report.fixed)}


def _diagnostic(found: Located) -> dict[str, Any]:
    each, place = found.diagnostic, found.place
    return {
        "code": each.code,
        "group": RULES[each.code].group,
        "severity": each.severity,
        "message": each.message,
        "pointer": each.pointer,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "eval_id": found.eval_id,
        "turn": found.turn,
        "fix": _fix(each.fix) if each.fix is not None else None,
    }


def _fix(fix: Fix) -> dict[str, Any]:
    said: dict[str, Any] = {"title": fix.title, "safe": fix.safe}
    patch = operations_of(fix.edits) if fix.edits else None
    return said if patch is None else {**said, "patch": patch}
