"""Problems in files as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltui.document.patch import operations_of
from evaltui.validation import rule
from evaltui.validation.locations import Located
from evaltui.validation.rule import Group, Severity
from evaltui.validation.rules.registry import RULES


@dataclass(frozen=True)
class Fix:
    """An edit that solves a problem."""

    title: str
    safe: bool
    """Whether the edit changes no meaning, so that `evaltui validate --fix` applies it."""
    patch: tuple[Mapping[str, Any], ...] | None = field(default=None, repr=False, hash=False)
    """The operations of a JSON Patch (RFC 6902); None if JSON Patch cannot express the edit."""

    def as_dict(self) -> dict[str, Any]:
        """The field `fix` of a diagnostic."""
        said: dict[str, Any] = {"title": self.title, "safe": self.safe}
        return said if self.patch is None else {**said, "patch": [dict(each) for each in self.patch]}


@dataclass(frozen=True)
class Diagnostic:
    """A problem in a file, with its place. Lines and columns count from 1, and the end is exclusive."""

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
    fix: Fix | None = field(repr=False)

    def as_row(self) -> dict[str, Any]:
        """The problem as a row of a table, without the end of its place and without its fix."""
        names = ("path", "line", "column", "severity", "code", "eval_id", "turn", "message")
        return {name: getattr(self, name) for name in names}

    def as_dict(self) -> dict[str, Any]:
        """An item of `diagnostics` in the JSON of `evaltui validate`."""
        fix = self.fix.as_dict() if self.fix is not None else None
        return {**{name: value for name, value in vars(self).items() if name != "path"}, "fix": fix}


def shown_diagnostic(found: Located, path: str) -> Diagnostic:
    """A problem with its place in the file of this path."""
    each = found.diagnostic
    return Diagnostic(
        path,
        each.code,
        RULES[each.code].group,
        each.severity,
        each.message,
        each.pointer,
        *found.place,
        found.eval_id,
        found.turn,
        _fix(each.fix) if each.fix is not None else None,
    )


def _fix(fix: rule.Fix) -> Fix:
    operations = operations_of(fix.edits) if fix.edits else None
    return Fix(fix.title, fix.safe, tuple(operations) if operations is not None else None)
