"""What was accepted in this session, so that undo takes a decision back wherever it is pressed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaltui.document.history import UndoStep
    from evaltui.document.node import Node
    from evaltui.review.decisions import Decision


class Acceptance(NamedTuple):
    """A step of the document that accepted something."""

    point: UndoStep
    cases: tuple[Node, ...]
    decisions: Sequence[Decision]
    """The lines of the sidecar that say so."""


class Acceptances:
    """The steps that accepted something, done or undone."""

    def __init__(self) -> None:
        self._made: list[Acceptance] = []

    def add(self, point: UndoStep | None, cases: Iterable[Node], decisions: Sequence[Decision]) -> None:
        """Remember a step, or that its decisions are others now."""
        if point is not None:
            self._made = [each for each in self._made if each.point is not point]
            self._made.append(Acceptance(point, tuple(cases), decisions))

    def undo(self, point: UndoStep | None, path: Path | None) -> tuple[Node, ...]:
        """Take back the decisions of a step that was undone; returns the cases to score again."""
        found = self._of(point)
        if found is None:
            return ()
        if path is not None and found.decisions:
            from evaltui.review.sidecar import Sidecar

            Sidecar(path).take_back(found.decisions)
        return found.cases

    def redo(self, point: UndoStep | None, path: Path | None) -> tuple[Node, ...]:
        """Take the decisions of a step again that was redone; returns the cases to score again."""
        found = self._of(point)
        if found is None:
            return ()
        if path is not None and found.decisions:
            from evaltui.review.sidecar import Sidecar, again

            decisions = [again(each) for each in found.decisions]
            self.add(found.point, found.cases, decisions)
            Sidecar(path).add(decisions)
        return found.cases

    def _of(self, point: UndoStep | None) -> Acceptance | None:
        return next((each for each in self._made if each.point is point), None)
