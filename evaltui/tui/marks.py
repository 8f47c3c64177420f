"""The marks of rows and lines: one table of signs, with the role that colours each.

A mark is a run: its sign with a blank behind it, to stand before a text, and its role.
"""

from __future__ import annotations

from evaltui.tui.lines import Run

ERROR: Run = ("✗ ", "error")
WARNING: Run = ("! ", "warning")
INFO: Run = ("· ", "dim")
DRAFT: Run = ("✎ ", "warning")
NO_MARK: Run = ("  ", "")
"""Room where other lines have a mark."""

PASSED: Run = ("✓ ", "ok")
NOT_EVALUATED: Run = ("– ", "dim")
STALE: Run = ("~ ", "dim")
"""Mark of a score that is outdated: the case was edited since it was scored."""

COUNTING: Run = ("● ", "accent")
"""Mark of the run that counts for its case."""
UNSAVED: Run = ("● ", "accent")
MARKED: Run = ("◆ ", "accent")
"""Mark of a row that the person marked, to act on several at once."""

OF_SEVERITY = {"": NO_MARK, "error": ERROR, "warning": WARNING, "info": INFO, "draft": DRAFT}
"""By the severity of a problem or remark; a draft is a problem, too."""

OF_STATUS = {"passed": PASSED, "failed": ERROR, "not_evaluated": NOT_EVALUATED, "informational": INFO}
"""By the status of a score."""

OF_CHANGE = {"improved": "ok", "regressed": "error", "not_evaluated": "warning"}
"""Roles of changes between two runs, where the verdict is another one."""

OF_STATE: dict[str, Run] = {
    "matched": ("= ", "ok"),
    "arguments_differ": ("~ ", "warning"),
    "missing": ("- ", "error"),
    "extra": ("+ ", "error"),
    "moved": ("↕ ", "warning"),
}
"""By what the comparison with a recording found of a tool call or a word."""


def sign(mark: Run) -> str:
    """The sign alone."""
    return mark[0].rstrip()


def behind(mark: Run) -> Run:
    """The mark as it stands behind a text, at the right end of a line."""
    return f" {sign(mark)}", mark[1]
