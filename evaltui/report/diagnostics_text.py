"""Problems as text lines in the style of compilers, and as annotations of GitHub workflows."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.evalset.titles import STEP
from evaltui.printable import one_line, printable
from evaltui.validation.file_report import FileReport
from evaltui.validation.locations import Located

_COLOURS = {"error": "31", "warning": "33", "info": "36"}
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_ESCAPES_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def text_lines(report: FileReport, *, colour: bool) -> Iterator[str]:
    """`trips.json:14:9: error[missing-field] book_flight › turn 2: user_content is required`, a line each."""
    for found in report.diagnostics:
        each = found.diagnostic
        kind = f"{each.severity}[{each.code}]"
        if colour:
            kind = f"\x1b[1;{_COLOURS[each.severity]}m{kind}\x1b[0m"
        where = f" {who}" if (who := _who(found)) else ""
        yield f"{printable(report.path)}:{found.place.line}:{found.place.column}: {kind}{where}: {each.message}"


def github_lines(report: FileReport) -> Iterator[str]:
    """Workflow commands. GitHub shows them at the lines of a pull request."""
    for found in report.diagnostics:
        each, place = found.diagnostic, found.place
        properties = {
            "file": printable(report.path),
            "line": place.line,
            "endLine": place.end_line,
            "col": place.column,
            "endColumn": place.end_column,
            "title": each.code,
        }
        if place.end_line != place.line:  # GitHub takes columns only for one line
            del properties["col"], properties["endColumn"]
        told = ",".join(f"{name}={str(value).translate(_ESCAPES_IN_PROPERTIES)}" for name, value in properties.items())
        who = f"{_who(found)}: " if _who(found) else ""
        yield f"::{_GITHUB[each.severity]} {told}::{(who + each.message).translate(_ESCAPES)}"


def summary(reports: list[FileReport], *, is_preview: bool = False) -> str:
    """`2 errors, 1 warning in 3 files`, and the number of problems that were, would be (preview) or can be fixed."""
    counts = [
        f"{count} {severity}{'s' * (count != 1)}"
        for severity in ("error", "warning", "info")
        if (count := sum(report.count(severity) for report in reports))
    ]
    files = f"{len(reports)} file{'s' * (len(reports) != 1)}"
    said = f"{', '.join(counts) or 'no problems'} in {files}"
    fixed = sum(len(report.fixed or ()) for report in reports)
    safe = sum(_is_safe(each) for report in reports for each in report.diagnostics)
    if fixed:
        problems = f"{fixed} problem{'s' * (fixed != 1)}"
        return f"would fix {problems} · after that: {said}" if is_preview else f"fixed {problems} · now: {said}"
    return f"{said} · --fix fixes {safe}" if safe else said


def _is_safe(found: Located) -> bool:
    return found.diagnostic.fix is not None and found.diagnostic.fix.safe


def _who(found: Located) -> str:
    parts = [one_line(found.eval_id, 60)] if found.eval_id else []
    return STEP.join([*parts, f"turn {found.turn}"] if found.turn else parts)
