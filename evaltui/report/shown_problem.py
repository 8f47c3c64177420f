"""Problems in files as frozen records, with their places: `evaltui.api` returns them, JSON reports hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltui.document.patch import operations_of
from evaltui.scoring.explained_case import JsonRecord
from evaltui.validation.rule_types import Diagnostic, Group, Severity
from evaltui.validation.rules.rule_registry import RULES


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
