"""Problems as text lines in the style of compilers, and as annotations of GitHub workflows."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.evalset.titles import STEP
from evaltui.printable import one_line, printable
from evaltui.validation.locations import Located

_COLOURS = {"error": "31", "warning": "33", "info": "36"}
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_ESCAPES_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def text_line(path: str, found: Located, *, colour: bool) -> str:
    """A line for a problem: `trips.json:14:9: error[missing-field] book_flight › turn 2: user_content is required`."""
    each = found.diagnostic
    kind = f"{each.severity}[{each.code}]"
    if colour:
        kind = f"\x1b[1;{_COLOURS[each.severity]}m{kind}\x1b[0m"
    where = f" {who}" if (who := _who(found)) else ""
    return f"{printable(path)}:{found.place.line}:{found.place.column}: {kind}{where}: {each.message}"


def github_line(path: str, found: Located) -> str:
    """A workflow command. GitHub shows it at the lines of a pull request."""
    each, place = found.diagnostic, found.place
    properties = {
        "file": printable(path),
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
    return f"::{_GITHUB[each.severity]} {told}::{(who + each.message).translate(_ESCAPES)}"


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
