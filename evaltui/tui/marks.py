"""The marks of rows and lines: all signs in one place, each with the role that colours it.

A mark is a run of a line: the sign and a space, to put before a text, and the role.
"""

from __future__ import annotations

from evaltui.tui.lines import Run

ERROR: Run = ("✗ ", "error")
WARNING: Run = ("! ", "warning")
INFO: Run = ("· ", "dim")
DRAFT: Run = ("✎ ", "warning")
NO_MARK: Run = ("  ", "")
"""Spaces in place of a mark, so that texts align."""

PASSED: Run = ("✓ ", "ok")
NOT_EVALUATED: Run = ("– ", "dim")
STALE: Run = ("~ ", "dim")
"""Mark of an outdated score: the case was edited after it was scored."""

COUNTING: Run = ("● ", "accent")
"""Mark of the run that counts for its case."""
UNSAVED: Run = ("● ", "accent")
MARKED: Run = ("◆ ", "accent")
"""Mark of a row that the user marked for commands on several rows."""

OF_SEVERITY = {"": NO_MARK, "error": ERROR, "warning": WARNING, "info": INFO, "draft": DRAFT}
"""Marks by severity of a problem or remark; drafts count as problems."""

OF_STATUS = {"passed": PASSED, "failed": ERROR, "not_evaluated": NOT_EVALUATED, "informational": INFO}
"""Marks by status of a score."""

OF_CHANGE = {"improved": "ok", "regressed": "error", "not_evaluated": "warning"}
"""Roles of changes between two runs in which the verdict changed."""

OF_STATE: dict[str, Run] = {
    "matched": ("= ", "ok"),
    "arguments_differ": ("~ ", "warning"),
    "missing": ("- ", "error"),
    "extra": ("+ ", "error"),
    "moved": ("↕ ", "warning"),
}
"""Marks by the result of comparing a tool call or word with the recording."""


def sign(mark: Run) -> str:
    """The sign of a mark without its space."""
    return mark[0].rstrip()


def behind(mark: Run) -> Run:
    """The mark in the form that follows a text at the right end of a line."""
    return f" {sign(mark)}", mark[1]
