"""The reports of `evaltui validate`: lines as compilers print them, annotations of GitHub, or JSON (docs/cli.md).

`evaltui.api` returns the records of the JSON.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import Any

from evaltui.document.patch import operations_of
from evaltui.evalset.titles import STEP
from evaltui.printable import one_line, printable, write_line
from evaltui.report.json_text import items_of, json_pieces, json_text
from evaltui.scoring.explained_case import JsonRecord
from evaltui.validation.file_check import FileReport
from evaltui.validation.rule_types import Diagnostic, Group, Severity
from evaltui.validation.rules.rule_registry import RULES
from evaltui.workflow_commands import Level, annotated_path, annotation, commanding

_IN_MEMORY = 4 << 20
"""Bytes that stay in memory."""
_SEVERITIES = ("error", "warning", "info")
_COLOURS = {"error": "31", "warning": "33", "info": "36"}
_LEVELS: dict[str, Level] = {"error": "error", "warning": "warning", "info": "notice"}


@dataclass(frozen=True)
class ShownFix(JsonRecord):
    """An edit that solves a problem."""

    absent_if_empty = frozenset({"patch"})

    title: str
    safe: bool
    """Whether the edit changes no meaning, so that `evaltui validate --fix` applies it."""
    patch: tuple[Mapping[str, Any], ...] | None = field(default=None, repr=False, hash=False)
    """The operations of a JSON Patch (RFC 6902); None if JSON Patch cannot express the edit."""


@dataclass(frozen=True)
class ShownProblem(JsonRecord):
    """A problem in a file, with its place. Lines and columns count from 1, and the end is exclusive."""

    not_in_json = frozenset({"path"})

    path: str
    code: str
    """The rule that found it; `evaltui rule CODE` explains it."""
    group: Group
    severity: Severity
    message: str
    pointer: str = field(repr=False)
    """The value with the problem (RFC 6901)."""
    line: int
    column: int
    end_line: int = field(repr=False)
    end_column: int = field(repr=False)
    eval_id: str | None
    turn: int | None
    """The number of the turn, from 1; None outside of turns."""
    fix: ShownFix | None = field(repr=False)

    def as_row(self) -> dict[str, Any]:
        """The problem as a row of a table, without the end of its place and without its fix."""
        names = ("path", "line", "column", "severity", "code", "eval_id", "turn", "message")
        return {name: getattr(self, name) for name in names}


def shown_problem(diagnostic: Diagnostic, path: str) -> ShownProblem:
    """A located problem in the file of this path."""
    fix = None
    if diagnostic.fix is not None:
        operations = operations_of(diagnostic.fix.edits) if diagnostic.fix.edits else None
        patch = tuple(operations) if operations is not None else None
        fix = ShownFix(diagnostic.fix.title, diagnostic.fix.safe, patch)
    return ShownProblem(
        path,
        diagnostic.code,
        RULES[diagnostic.code].group,
        diagnostic.severity,
        diagnostic.message,
        diagnostic.pointer,
        *diagnostic.place,
        diagnostic.eval_id,
        diagnostic.turn,
        fix,
    )


class ReportSpool:
    """Reports of files, kept until all files were checked: if one cannot be read, nothing is printed.

    More than a few MB wait in a temporary file, until it is closed.
    """

    def __init__(self, form: str, *, colour: bool) -> None:
        """`form` is text, json or github."""
        self._form = form
        self._colour = colour
        self._diffs, self._reports = SpooledTemporaryFile(_IN_MEMORY), SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._counts: Counter[str] = Counter()
        self._files = self._safe = self._fixed = 0

    def close(self) -> None:
        """Delete the temporary files."""
        self._diffs.close()
        self._reports.close()

    def add_diff(self, lines: Iterable[str]) -> None:
        """Add the lines of a diff; the diffs of all files are in front of the problems."""
        for line in lines if self._form == "text" else ():
            self._diffs.write(_line_bytes(printable(line, keep_lines=True)))

    def add(self, report: FileReport) -> Counter[str]:
        """Add the problems of a file; returns their number by severity."""
        counts: Counter[str] = Counter()
        problems = self._counted(report, counts)
        if self._form == "json":
            self._add_json(report, problems)
        else:
            for problem in problems:
                line = self._text_line(report.path, problem) if self._form == "text" else _github_line(report, problem)
                self._reports.write(_line_bytes(line))
        self._files += 1
        self._fixed += len(report.fixed or ())
        self._counts.update(counts)
        return counts

    def _counted(self, report: FileReport, counts: Counter[str]) -> Iterator[Diagnostic]:
        # On the way, because the problems of a large file can be read only once, and may not fit into memory.
        for problem in report.diagnostics:
            counts[problem.severity] += 1
            self._safe += problem.fix is not None and problem.fix.safe
            yield problem

    def _add_json(self, report: FileReport, problems: Iterable[Diagnostic]) -> None:
        document = {
            "path": report.path,
            "format": report.format,
            "accepted_by_adk": report.accepted_by_adk,
            "cases": report.cases,
            "diagnostics": items_of(shown_problem(problem, report.path).as_dict() for problem in problems),
            **({"fixed": list(report.fixed)} if report.fixed is not None else {}),
        }
        # The items are written before their number is known, so this is a list of `json_text` by hand.
        self._reports.write(b",\n    " if self._files else b"\n    ")
        for piece in json_pieces(document, 2):
            self._reports.write(piece.replace("\n", "\n    ").encode())

    def _text_line(self, path: str, problem: Diagnostic) -> str:
        """`trips.json:14:9: error[missing-field] book_flight › turn 2: user_content is required`."""
        place, kind = problem.place, f"{problem.severity}[{problem.code}]"
        if self._colour:
            kind = f"\x1b[1;{_COLOURS[problem.severity]}m{kind}\x1b[0m"
        turn = f" {name}" if (name := _turn_name(problem)) else ""
        return f"{printable(path)}:{place.line}:{place.column}: {kind}{turn}: {problem.message}"

    def print(self) -> None:
        """Write all to stdout. Raises `OSError`."""
        if self._form == "json":
            totals = {"files": self._files, **{f"{severity}s": self._counts[severity] for severity in _SEVERITIES}}
            summary = json_text(totals).replace("\n", "\n  ")
            closing = "\n  ]" if self._files else "]"
            self._reports.write(f'{closing},\n  "summary": {summary}\n}}\n'.encode())
            self._reports.seek(0)
            sys.stdout.flush()
            sys.stdout.buffer.write(b'{\n  "version": 1,\n  "files": [')
            shutil.copyfileobj(self._reports, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        with commanding(sys.stdout) if self._form == "github" else nullcontext():
            for spool in (self._diffs, self._reports):
                spool.seek(0)
                for line in spool:
                    write_line("stdout", line[:-1].decode("utf-8", "surrogatepass"), is_safe=True)

    def summary(self, *, is_preview: bool) -> str:
        """`2 errors, 1 warning in 3 files`, and the problems that were, would be (preview) or can be fixed."""
        counts = (
            f"{count} {severity}{'s' * (count != 1)}" for severity in _SEVERITIES if (count := self._counts[severity])
        )
        text = f"{', '.join(counts) or 'no problems'} in {self._files} file{'s' * (self._files != 1)}"
        if self._fixed:
            problems = f"{self._fixed} problem{'s' * (self._fixed != 1)}"
            return f"would fix {problems} · after that: {text}" if is_preview else f"fixed {problems} · now: {text}"
        return f"{text} · --fix fixes {self._safe}" if self._safe else text


def _github_line(report: FileReport, problem: Diagnostic) -> str:
    place = problem.place
    is_one_line = place.end_line == place.line  # GitHub takes columns only for one line
    properties = {
        "file": printable(annotated_path(report.path)),
        "line": place.line,
        "endLine": place.end_line,
        "col": place.column if is_one_line else None,
        "endColumn": place.end_column if is_one_line else None,
        "title": problem.code,
    }
    turn = f"{name}: " if (name := _turn_name(problem)) else ""
    return annotation(_LEVELS[problem.severity], turn + problem.message, properties)


def _turn_name(problem: Diagnostic) -> str:
    """`book_flight › turn 2`; "" outside of cases."""
    names = [one_line(problem.eval_id, 60)] if problem.eval_id else []
    return STEP.join([*names, f"turn {problem.turn}"] if problem.turn else names)


def _line_bytes(line: str) -> bytes:
    # Messages may have lone surrogates, which are replaced when the line is printed.
    return line.encode("utf-8", "surrogatepass") + b"\n"
