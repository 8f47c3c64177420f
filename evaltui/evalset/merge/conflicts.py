"""Conflicts of a merge, and the decisions about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from evaltui.document.edits import json_text
from evaltui.document.node import Node

ConflictChoice = Literal["base", "mine", "theirs", "both"] | bytes
"""One of the versions, or JSON text that the person wrote."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that differs on both sides; a version is None if the value is absent there."""

    place: str
    """Key of the decision; not always a pointer."""
    where: str
    """The place for people: `book_flight › turn 2 › user message`."""
    why: str
    """Reason for the conflict, as a clause."""
    base: bytes | None
    mine: bytes | None
    theirs: bytes | None
    both: bytes | None = None
    """Both versions in one value; None if they cannot be combined."""
    is_order: bool = False
    """Whether only the order of items differs; the versions are then lists of item names."""

    def version(self, choice: ConflictChoice) -> bytes | None:
        """The value of a choice; None for no value."""
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
        """The decision on a conflict; None if it is open, which also adds it to `open`."""
        choice = self.made.get(conflict.place)
        if choice is None or (choice == "both" and conflict.both is None):
            self.open.append(conflict)
            return None
        return choice


def both_of(base: Node | None, mine: Node | None, theirs: Node | None) -> bytes | None:
    """Both versions in one value: texts joined by a newline, lists with my items after theirs; None for other types."""
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
