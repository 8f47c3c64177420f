"""The undo steps that reviews of this session made. Undo of an acceptance also withdraws its review decisions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaltui.document.history import UndoStep
    from evaltui.document.node import Node
    from evaltui.review.decisions import Decision
    from evaltui.review.sidecar import Sidecar


@dataclass(slots=True, eq=False, repr=False)
class Acceptance:
    """An undo step that accepted recorded values."""

    point: UndoStep
    cases: tuple[Node, ...]
    decisions: Sequence[Decision]
    """The decisions about it in the review sidecar."""
    is_done: bool = True
    """False while the step is undone."""
    is_saved: bool = False
    """Whether the file had the accepted values at a save."""


class Acceptances:
    """All steps that accepted something, done or undone, and the other edits of the review."""

    def __init__(self) -> None:
        self._made: list[Acceptance] = []
        self._edits: set[UndoStep] = set()
        self._sidecars: dict[Path, Sidecar] = {}

    def sidecar(self, path: Path) -> Sidecar:
        """The review sidecar of the set at `path`. One object serves the session: it knows whether it made the file."""
        from evaltui.review.sidecar import Sidecar

        return self._sidecars.setdefault(path, Sidecar(path))

    def add(self, point: UndoStep | None, cases: Iterable[Node], decisions: Sequence[Decision]) -> None:
        """Remember a step, or its new decisions after a redo."""
        if point is not None:
            before = self._of(point)
            self._made = [each for each in self._made if each is not before]
            is_saved = before is not None and before.is_saved
            self._made.append(Acceptance(point, tuple(cases), decisions, is_saved=is_saved))

    def add_edit(self, point: UndoStep | None) -> None:
        """Remember a step that edited the expected side in a review."""
        if point is not None:
            self._edits.add(point)

    def has(self, point: UndoStep | None) -> bool:
        """Whether a review made this step, or the step accepted something in the editor."""
        return point in self._edits or self._of(point) is not None

    def mark_undone(self, point: UndoStep | None) -> Acceptance | None:
        """Mark a step as undone and return its acceptance; None if it accepted nothing."""
        found = self._of(point)
        if found is not None:
            found.is_done = False
        return found

    def parts(self, case: Node | None, turn: int | None) -> int:
        """Number of steps that accepted something of a turn and are not undone."""
        done = (each for each in self._made if each.is_done and case in each.cases)
        return sum(any(decision.turn == turn for decision in each.decisions) for each in done)

    # --- with saves --------------------------------------------------------------------------------------------

    def done(self) -> frozenset[UndoStep]:
        """The steps that are not undone now."""
        return frozenset(each.point for each in self._made if each.is_done)

    def mark_saved(self, steps: frozenset[UndoStep]) -> None:
        """Note that a save wrote the result of these steps."""
        for each in self._made:
            each.is_saved = each.point in steps

    @property
    def unsaved(self) -> int:
        """The number of steps that accepted values which no save wrote."""
        return sum(each.is_done and not each.is_saved for each in self._made)

    # --- with the sidecar --------------------------------------------------------------------------------------

    def undo(self, point: UndoStep | None, path: Path | None) -> tuple[Node, ...]:
        """Withdraw the decisions of an undone step; returns the cases to score again.

        Raises `SidecarError` if the sidecar of the set at `path` cannot be written.
        """
        found = self.mark_undone(point)
        if found is None:
            return ()
        if path is not None and found.decisions:
            self.sidecar(path).take_back(found.decisions)
        return found.cases

    def redo(self, point: UndoStep | None, path: Path | None) -> tuple[Node, ...]:
        """Restore the decisions of a redone step; returns the cases to score again.

        Raises `SidecarError` if the sidecar of the set at `path` cannot be written.
        """
        found = self._of(point)
        if found is None:
            return ()
        found.is_done = True
        if path is not None and found.decisions:
            from evaltui.review.sidecar import again

            found.decisions = [again(each) for each in found.decisions]
            self.sidecar(path).add(found.decisions)
        return found.cases

    def write_rest(self) -> None:
        """Try again to write the decisions that could not be written."""
        for sidecar in self._sidecars.values():
            with suppress(DocumentError):
                sidecar.write_rest()

    def unwritten(self) -> str:
        """A sentence that names the decisions that could not be written; "" if there are none."""
        for sidecar in self._sidecars.values():
            if count := sidecar.unwritten:
                several = f"{count:,} decisions are" if count > 1 else "1 decision is"
                return f"{several} not saved: {printable(sidecar.path.name)} cannot be written."
        return ""

    def _of(self, point: UndoStep | None) -> Acceptance | None:
        return next((each for each in self._made if each.point is point), None)
