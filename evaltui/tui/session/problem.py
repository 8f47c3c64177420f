"""A problem of the open file, as the screens show it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.tui.lines import preview
from evaltui.tui.session.drafts import DraftPlace, FieldDraft

if TYPE_CHECKING:
    from evaltui.validation.rule import Diagnostic, Fix

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
    """The code of the rule; "" for a finding of opening the file."""
    pointer: str = ""
    at_key: bool = False
    fix: Fix | None = None
    draft: DraftPlace | None = None
    """The place of the draft, if `severity` is `DRAFT`."""
    line: int = 0
    """The line when the file was opened; 0 for the finding of a rule."""

    @classmethod
    def of(cls, found: Diagnostic, owner: Node) -> Problem:
        """The finding of a rule in `owner`."""
        return cls(found.severity, found.message, owner, found.code, found.pointer, found.at_key, found.fix)

    @classmethod
    def of_draft(cls, at: DraftPlace, draft: FieldDraft) -> Problem:
        """A text that was typed and is no valid value yet."""
        message = f"{preview(draft.text, 40) or 'nothing'}: {draft.problem}; a save leaves it out"
        return cls(DRAFT, f"{draft.where}  {message}", at.node, draft=at)

    def locate(self) -> tuple[Node | None, str]:
        """The value with the problem. For a missing member: the nearest value around it, and the missing name."""
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
    """The worst severity, error or warning, at each value of a case and at the values around it."""
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
