"""Reports of files as the JSON document of `evaltui validate --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaltui.report.json_text import json_text
from evaltui.report.shown_problem import shown_problem
from evaltui.validation.file_report import FileReport
from evaltui.validation.locations import Located

_VERSION = 1


def head_text() -> str:
    """The document up to its first file."""
    return f'{{\n  "version": {_VERSION},\n  "files": ['


def file_text(report: FileReport, diagnostics: Iterable[Located], *, is_first: bool) -> Iterator[str]:
    """The part of the document for a file, piece by piece: a file can have very many diagnostics."""
    said = {
        "path": report.path,
        "format": report.format,
        "accepted_by_adk": report.accepted_by_adk,
        "cases": report.cases,
    }
    members = ",".join(f"\n      {json_text(key)}: {json_text(value)}" for key, value in said.items())
    yield f'{"" if is_first else ","}\n    {{{members},\n      "diagnostics": ['
    following = ""
    for each in diagnostics:
        yield f"{following}\n{' ' * 8}{_indented(shown_problem(each, report.path).as_dict(), 8)}"
        following = ","
    yield "\n      ]" if following else "]"
    if report.fixed is not None:
        yield f',\n      "fixed": {_indented(list(report.fixed), 6)}'
    yield "\n    }"


def tail_text(files: int, counts: Mapping[str, int]) -> str:
    """The document after its last file; `counts` has the number of diagnostics by severity."""
    totals = {f"{severity}s": counts[severity] for severity in ("error", "warning", "info")}
    closing = "\n  ]" if files else "]"
    return f'{closing},\n  "summary": {_indented({"files": files, **totals}, 2)}\n}}\n'


def _indented(value: Any, columns: int) -> str:
    """A value as text inside a document. No string has a newline, so that each one begins a line of the layout."""
    return json_text(value).replace("\n", "\n" + " " * columns)
