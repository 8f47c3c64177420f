"""The decisions of this session in the order in which they were made: undo, redo, and their lines in the sidecar.

One history serves the editor and all reviews. Undo of an edit withdraws the decisions that were made with it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evaltui.document.document import Change
    from evaltui.document.history import UndoStep
    from evaltui.document.node import Node
    from evaltui.review.decisions import Decision, DecisionKind
    from evaltui.review.sidecar import Sidecar
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.tui.review.queue_entry import QueueEntry
    from evaltui.tui.review.verdict_change import VerdictChange


@dataclass(slots=True, eq=False, repr=False)
class DecisionStep:
    """The effect of one key: an acceptance, another edit in a review, or decisions that edit nothing."""

    label: str
    kind: Literal["accept", "edit", "decide"]
    point: UndoStep | None
    """The last undo step of the document afterwards; the step of the edit, unless the kind is `decide`."""
    cases: Sequence[Node] = ()
    """The cases whose expected values were accepted."""
    decisions: Sequence[Decision] = ()
    """The lines that it added to the sidecar."""
    entries: dict[QueueEntry, tuple[DecisionKind | None, DecisionKind | None]] = field(default_factory=dict)
    """The decision about each entry of the review before and after."""
    verdict: VerdictChange | None = None
    """The change of the verdict, if one entry was accepted in a review."""
    row: str | None = None
    """The key of the row that was selected in the review."""
    is_saved: bool = False
    """Whether the file had the accepted values at the last save."""

    @property
    def is_edit(self) -> bool:
        """Whether it changed the document."""
        return self.kind != "decide"


class Stepped(NamedTuple):
    """A step that was undone or redone, and the change that this made to the document."""

    step: DecisionStep
    change: Change | None


class DecisionHistory:
    """All decisions of a session, done and undone."""

    def __init__(self, owner: EditedDocument) -> None:
        self._owner = owner
        self._done: list[DecisionStep] = []
        self._undone: list[DecisionStep] = []
        """The undone steps, the latest at the end."""
        self._sidecars: dict[Path, Sidecar] = {}
        self.trouble = ""
        """Why the last lines could not be written into the sidecar; "" if they could."""
        self.made = ""
        """The name of the sidecar if the last decision made the file; else ""."""

    @property
    def sidecar(self) -> Sidecar | None:
        """The review sidecar of the set; None for a set without a file."""
        path = self._owner.document.path
        return self._sidecar_of(path) if path is not None else None

    def _sidecar_of(self, path: Path) -> Sidecar:
        """The sidecar of a set. One object serves the session: it knows whether it made the file."""
        from evaltui.review.sidecar import Sidecar

        return self._sidecars.setdefault(path, Sidecar(path))

    # --- steps -------------------------------------------------------------------------------------------------

    def add(self, step: DecisionStep) -> None:
        """Add a step that was just made, and write its lines. `trouble` says if that failed."""
        self._undone = [] if step.is_edit else [undone for undone in self._undone if undone.is_edit]
        self._done.append(step)
        for entry, (_, now) in step.entries.items():
            entry.decision = now
        self._write(lambda sidecar: sidecar.add(step.decisions))

    @property
    def next_undo(self) -> DecisionStep | None:
        """The step that `undo` takes; None if the editor has edited the document since, or if there is none."""
        step, history = self._done[-1] if self._done else None, self._owner.document.history
        if step is None or step.point is history.point():
            return step
        return None if step.is_edit or history.has_done(step.point) else step

    @property
    def next_redo(self) -> DecisionStep | None:
        """The step that `redo` takes; None if the editor has undone something since, or if there is none."""
        history = self._owner.document.history
        reachable = (step for step in reversed(self._undone) if not step.is_edit or history.has_undone(step.point))
        step = next(reachable, None)
        return step if step is None or not step.is_edit or step.point is history.redo_point() else None

    def undo(self) -> Stepped | None:
        """Undo the last step, with its edit; None if there is none that can be undone now."""
        step = self.next_undo
        if step is None:
            return None
        change = self._owner.document.undo() if step.is_edit else None
        self._withdraw(step)
        return Stepped(step, change)

    def redo(self) -> Stepped | None:
        """Redo the step that was undone last, with its edit; None if there is none that can be redone now."""
        step = self.next_redo
        if step is None:
            return None
        change = self._owner.document.redo() if step.is_edit else None
        self._restore(step)
        return Stepped(step, change)

    def follow_undo(self, point: UndoStep | None) -> Sequence[Node]:
        """Withdraw the decisions of an edit that the editor has undone; returns the cases to score again."""
        step = next((step for step in self._done if step.is_edit and step.point is point), None)
        if step is None:
            return ()
        self._withdraw(step)
        return step.cases

    def follow_redo(self, point: UndoStep | None) -> Sequence[Node]:
        """Make the decisions of an edit again that the editor has redone; returns the cases to score again."""
        step = next((step for step in self._undone if step.is_edit and step.point is point), None)
        if step is None:
            return ()
        self._restore(step)
        return step.cases

    def _withdraw(self, step: DecisionStep) -> None:
        self._done.remove(step)
        self._undone.append(step)
        for entry, (before, _) in step.entries.items():
            entry.decision = before
        self._write(lambda sidecar: sidecar.take_back(step.decisions))

    def _restore(self, step: DecisionStep) -> None:
        from evaltui.review.sidecar import again

        self._undone.remove(step)
        self._done.append(step)
        step.point = self._owner.document.history.point()
        step.decisions = [again(decision) for decision in step.decisions]
        for entry, (_, now) in step.entries.items():
            entry.decision = now
        self._write(lambda sidecar: sidecar.add(step.decisions))

    def parts(self, case: Node | None, turn: int | None) -> int:
        """Number of steps that accepted something of a turn and are not undone."""
        of_case = (step for step in self._done if step.kind == "accept" and case in step.cases)
        return sum(any(decision.turn == turn for decision in step.decisions) for step in of_case)

    # --- saves -------------------------------------------------------------------------------------------------

    def accepted(self) -> frozenset[UndoStep]:
        """The undo steps that accepted something and are not undone now."""
        return frozenset(step.point for step in self._done if step.kind == "accept" and step.point is not None)

    def mark_saved(self, accepted: frozenset[UndoStep]) -> None:
        """Note that a save wrote the result of these steps."""
        for step in [*self._done, *self._undone]:
            step.is_saved = step.point in accepted

    @property
    def unsaved(self) -> int:
        """The number of steps that accepted values which no save wrote."""
        return len(self._unsaved())

    def _unsaved(self) -> list[DecisionStep]:
        return [step for step in self._done if step.kind == "accept" and not step.is_saved]

    def carry_over(self, before: Path | None) -> str:
        """After *Save as*: copy the decisions to the sidecar of the new file. Returns a clause about it, or "".

        The sidecar of the file `before` loses acceptances that only the new file has.
        """
        from evaltui.review.sidecar import SidecarError

        now = self.sidecar
        if before is None or now is None or before == self._owner.document.path:
            return ""
        old = self._sidecar_of(before)
        try:
            decisions = old.read().every
            known = {decision.id for decision in now.read().every}
            copied = [decision for decision in decisions if decision.id not in known]
            now.add(copied)
            old.take_back([decision for step in self._unsaved() for decision in step.decisions])
        except SidecarError as error:
            return f"the review decisions are not all in {printable(now.path.name)}: {error.reason}"
        several = "1 review decision" if len(copied) == 1 else f"{len(copied):,} review decisions"
        return f"{several} copied to {printable(now.path.name)}" if copied else ""

    # --- the sidecar -------------------------------------------------------------------------------------------

    def _write(self, write: Callable[[Sidecar], bool | None]) -> None:
        """Write to the sidecar at once: a written line survives a kill of the process."""
        from evaltui.review.sidecar import SidecarError

        self.trouble = self.made = ""
        sidecar = self.sidecar
        try:
            if sidecar is not None:
                self.made = sidecar.path.name if write(sidecar) else ""
        except SidecarError as error:
            self.trouble = error.reason

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
