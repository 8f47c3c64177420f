"""Problems as text lines in the style of compilers, and as annotations of GitHub workflows."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.evalset.titles import STEP
from evaltui.printable import one_line, printable
from evaltui.report.annotations import Level, annotated_path, annotation
from evaltui.validation.locations import Located

_COLOURS = {"error": "31", "warning": "33", "info": "36"}
_LEVELS: dict[str, Level] = {"error": "error", "warning": "warning", "info": "notice"}


def text_line(path: str, found: Located, *, colour: bool) -> str:
    """A line for a problem: `trips.json:14:9: error[missing-field] book_flight › turn 2: user_content is required`."""
    each = found.diagnostic
    kind = f"{each.severity}[{each.code}]"
    if colour:
        kind = f"\x1b[1;{_COLOURS[each.severity]}m{kind}\x1b[0m"
    where = f" {who}" if (who := _who(found)) else ""
    return f"{printable(path)}:{found.place.line}:{found.place.column}: {kind}{where}: {each.message}"


def github_line(path: str, found: Located) -> str:
    """The annotation of a problem."""
    each, place = found.diagnostic, found.place
    is_one_line = place.end_line == place.line  # GitHub takes columns only for one line
    properties = {
        "file": annotated_path(path),
        "line": place.line,
        "endLine": place.end_line,
        "col": place.column if is_one_line else None,
        "endColumn": place.end_column if is_one_line else None,
        "title": each.code,
    }
    who = f"{_who(found)}: " if _who(found) else ""
    return annotation(_LEVELS[each.severity], who + each.message, properties)


def summary(files: int, counts: Mapping[str, int], safe: int, fixed: int, *, is_preview: bool = False) -> str:
    """`2 errors, 1 warning in 3 files`, and the number of problems that were, would be (preview) or can be fixed.

    `counts` has the problems by severity, `safe` is the number of safe fixes, and `fixed` that of applied fixes.
    """
    told = [
        f"{count} {severity}{'s' * (count != 1)}"
        for severity in ("error", "warning", "info")
        if (count := counts[severity])
    ]
    said = f"{', '.join(told) or 'no problems'} in {files} file{'s' * (files != 1)}"
    if fixed:
        problems = f"{fixed} problem{'s' * (fixed != 1)}"
        return f"would fix {problems} · after that: {said}" if is_preview else f"fixed {problems} · now: {said}"
    return f"{said} · --fix fixes {safe}" if safe else said


def _who(found: Located) -> str:
    parts = [one_line(found.eval_id, 60)] if found.eval_id else []
    return STEP.join([*parts, f"turn {found.turn}"] if found.turn else parts)
