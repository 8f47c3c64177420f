"""Conflicts of a merge, and the decisions of a person on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from evaltui.document.edits import json_text
from evaltui.document.node import Node

ConflictChoice = Literal["base", "mine", "theirs", "both"] | bytes
"""One of the versions, or JSON text of the person's own."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place where both sides have something else; a version that is None is not there."""

    place: str
    """Key of the decision; not always a pointer."""
    where: str
    """The place for people: `book_flight › turn 2 › user text`."""
    why: str
    """Reason for the conflict, as a clause."""
    base: bytes | None
    mine: bytes | None
    theirs: bytes | None
    both: bytes | None = None
    """Both versions in one value; None where that makes no sense."""
    is_order: bool = False
    """Whether only the order of items differs; the versions are then lists of their names."""

    def version(self, choice: ConflictChoice) -> bytes | None:
        """The value that a choice gives; None for no value."""
        if isinstance(choice, bytes):
            return choice
        found: bytes | None = getattr(self, choice)
        return found


@dataclass(slots=True)
class Decisions:
    """Decisions by place, and the conflicts that are still open."""

    made: dict[str, ConflictChoice]
    open: list[Conflict] = field(default_factory=list)

    def on(self, conflict: Conflict) -> ConflictChoice | None:
        """The decision on a conflict; None where it is open, and then it is listed."""
        choice = self.made.get(conflict.place)
        if choice is None or (choice == "both" and conflict.both is None):
            self.open.append(conflict)
            return None
        return choice


def both_of(base: Node | None, mine: Node | None, theirs: Node | None) -> bytes | None:
    """Both versions in one value: of texts one after the other, of lists mine behind theirs; None for others."""
    if mine is None or theirs is None or mine.kind != theirs.kind:
        return None
    if mine.kind == "string":
        return json_text(f"{theirs.text()}\n{mine.text()}")
    if mine.kind == "array":
        known = {item.source() for item in (*theirs.items, *(base.items if base is not None else ()))}
        items = [item.source() for item in theirs.items]
        items += [item.source() for item in mine.items if item.source() not in known]
        return b"[" + b",".join(items) + b"]"
    return None
