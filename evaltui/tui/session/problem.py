"""A problem of the open file, as the screens show it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.tui.lines import preview
from evaltui.tui.session.drafts import DraftPlace, FieldDraft

if TYPE_CHECKING:
    from evaltui.validation.rule_types import Diagnostic, Fix

SEVERITIES = ("error", "warning", "info")
"""Worst first."""

DRAFT = "draft"
"""The severity of a draft, which no rule found."""


class Problem(NamedTuple):
    """A problem in the case or document `owner`. Its pointer is relative to `owner`."""

    severity: str
    message: str
    owner: Node | None = None
    code: str = ""
    """The code of the rule; "" for a problem found while opening the file."""
    pointer: str = ""
    at_key: bool = False
    fix: Fix | None = None
    draft: DraftPlace | None = None
    """The place of the draft, if `severity` is `DRAFT`."""
    line: int = 0
    """The line number in the file as opened; 0 for a problem found by a rule."""

    @classmethod
    def of(cls, found: Diagnostic, owner: Node) -> Problem:
        """The problem that a rule found in `owner`."""
        return cls(found.severity, found.message, owner, found.code, found.pointer, found.at_key, found.fix)

    @classmethod
    def of_draft(cls, at: DraftPlace, draft: FieldDraft) -> Problem:
        """The problem of a draft: a typed text that is not a valid value yet."""
        message = f"{preview(draft.text, 40) or 'nothing'}: {draft.problem}; a save leaves the draft out"
        return cls(DRAFT, f"{draft.where}  {message}", at.node, draft=at)

    def locate(self) -> tuple[Node | None, str]:
        """The value with the problem and "". For a missing key: the nearest value around it, and the key."""
        at = self.owner
        for token in parse_pointer(self.pointer) if at is not None else ():
            below = _step(at, token) if at is not None else None
            if below is None:
                return at, token
            at = below
        return at, ""


def _step(node: Node, token: str) -> Node | None:
    if node.kind == "array":
        return node.items[int(token)] if token.isdecimal() and int(token) < len(node.items) else None
    return node.member(token)


def marks_in(owner: Node, problems: Iterable[Problem]) -> dict[Node, str]:
    """The worst severity (error or warning) of each value of a case, including the values inside it."""
    found: dict[Node, str] = {}
    for problem in problems:
        at, _ = problem.locate()
        if problem.severity == "info" or at is None:
            continue
        for node in (at, *at.ancestors()):
            if found.get(node) != "error":
                found[node] = problem.severity
            if node is owner:
                break
    return found
