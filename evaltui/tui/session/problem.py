"""One thing that is wrong, as the screens show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltui.document import Node
from evaltui.document.pointer import parse
from evaltui.tui.lines import preview
from evaltui.tui.session.drafts import DraftPlace, FieldDraft

if TYPE_CHECKING:
    from evaltui.validation.diagnostic import Diagnostic, Fix

SEVERITIES = ("error", "warning", "info")
"""Worst first."""

DRAFT = "draft"
"""What stands in place of a severity for a draft, which no rule found."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, in the case or document `owner`, which its pointers are relative to."""

    severity: str
    message: str
    owner: Node | None = None
    code: str = ""
    """That of the rule; "" for what opening the file found."""
    pointer: str = ""
    at_key: bool = False
    fix: Fix | None = None
    draft: DraftPlace | None = None
    """Where the draft is that this stands for, which `severity` calls so."""
    line: int = 0
    """Where it was when the file was opened; 0 for what a rule found."""

    @classmethod
    def of(cls, found: Diagnostic, owner: Node) -> Problem:
        """The finding of a rule in `owner`."""
        return cls(found.severity, found.message, owner, found.code, found.pointer, found.at_key, found.fix)

    @classmethod
    def of_draft(cls, at: DraftPlace, draft: FieldDraft) -> Problem:
        """What is typed and no value yet."""
        message = f"{preview(draft.text, 40) or 'nothing'}: {draft.problem}; a save leaves it out"
        return cls(DRAFT, f"{draft.where}  {message}", at.node, draft=at)

    def locate(self) -> tuple[Node | None, str]:
        """The value that it is about; of a missing member the nearest value around it, and the missing name."""
        at = self.owner
        for token in parse(self.pointer) if at is not None else ():
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
    """The worst of error and warning at each value of a case, and at those around it."""
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
