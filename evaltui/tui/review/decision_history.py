"""All decisions since the file was opened, in the order in which they were made: undo, redo, and lines in the sidecar.

One history serves the editor and all reviews. Whatever undoes an edit withdraws the decisions that were made with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.printable import printable
from evaltui.review.acceptance import acceptance
from evaltui.review.decisions import (
    Decision,
    DecisionKind,
    ReviewDecisions,
    Sidecar,
    SidecarError,
    again,
    author_in,
    decision_on,
)
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem, hash_after
from evaltui.tui.commands import key_of
from evaltui.tui.lines import counted
from evaltui.tui.open_file.case_rescoring import score_case

if TYPE_CHECKING:
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.scoring.results import Status
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.review.review_queue import QueueEntry


@dataclass(slots=True, eq=False, repr=False)
class DecisionStep:
    """The effect of one key: an acceptance, another edit in a review, or decisions that edit nothing."""

    label: str
    point: UndoStep | None
    """The last undo step of the document afterwards: that of the edit, if there is one."""
    cases: Sequence[Node] = ()
    """The cases whose expected values were accepted; none for other steps."""
    decisions: Sequence[Decision] = ()
    """The lines that it added to the sidecar."""
    entry: QueueEntry | None = None
    """The entry of the review whose value was edited; None if a recording was added as a case."""
    row: str | None = None
    """The key of the row that was selected in the review."""
    entries: dict[QueueEntry, tuple[DecisionKind | None, DecisionKind | None]] = field(default_factory=dict)
    """The decision about each entry of the review before and after."""
    followers: Sequence[DecisionStep] = ()
    """If it is undone: the steps that were made after it. Their decisions are about values that it made."""
    verdict: tuple[int | None, Status, Status] | None = None
    """If one entry was accepted in a review: its turn (None for the case as a whole), the verdicts before and after."""
    is_edit: bool = True
    """Whether it changed the document."""

    def decide(self, entry: QueueEntry, decision: DecisionKind | None) -> None:
        """Give an entry a decision, as a part of this step."""
        self.entries[entry] = entry.decision, decision
        entry.decision = decision


class DecisionHistory:
    """Makes, undoes and redoes decisions, and keeps the sidecar up to date."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        file.decisions_in_use = self
        # Entries stay for good: undo restores a deleted case, and the steps refer to its entries.
        self.entries: dict[tuple[Node, int | None] | ConversationKey, QueueEntry] = {}
        """The entries of all reviews, by case and turn or by recording."""
        self._done: list[DecisionStep] = []
        self._undone: list[DecisionStep] = []
        """The undone steps, the latest at the end."""
        self.saved = frozenset[UndoStep]()
        """The undo steps that accepted something and whose result the last save wrote."""
        self.standing = ReviewDecisions()
        """The decisions of the sidecar that were not undone, with those made here."""
        self._sidecars: dict[Path, Sidecar] = {}
        """One of each for the session: it knows whether it made the file, and deletes it if all is undone."""
        self.trouble = ""
        """Why the lines of the last change could not be written into the sidecar; "" if they could."""
        self.made = ""
        """` Decisions go to FILE.` if the last decision made the sidecar: the set itself waits for a key. Else ""."""

    @property
    def sidecar(self) -> Sidecar | None:
        """The review sidecar of the set; None for a set without a file."""
        path = self._file.document.path
        return self._sidecars.setdefault(path, Sidecar(path)) if path is not None else None

    @property
    def _folder(self) -> Path:
        path = self._file.document.path
        return path.parent if path is not None else Path()

    @property
    def author(self) -> str:
        """The author of decisions that are made here. Asking git starts processes."""
        return author_in(self._folder)

    def read(self) -> str:
        """Read the decisions of the sidecar. Returns a sentence about its trouble, or ""."""
        if self.sidecar is None:
            return ""
        try:
            self.standing = self.sidecar.read()
        except DocumentError as error:
            return str(error)
        lines = self.standing.unread
        return f"{self.sidecar.path.name}: line {lines[0]} is not a decision" if lines else ""

    # --- deciding ----------------------------------------------------------------------------------------------

    def accept(
        self, accepted: Sequence[tuple[Node, ReviewItem, Sequence[ReviewChange]]], label: str, row: str | None = None
    ) -> DecisionStep:
        """Write changes of cases as one step, which undo shows at `row`, and score them. Raises `DocumentError`."""
        case_file, document = self._file.case_file, self._file.document
        assert case_file is not None
        change = document.apply(acceptance(case_file, [(item, changes) for _, item, changes in accepted]), label)
        document.history.seal()  # what is typed next must not join this undo step
        lines = []
        for case, item, changes in accepted:
            became, ids = hash_after(item, case.source()), [change.id for change in changes]
            lines.append(decision_on(item, self._folder, "accepted", changes=ids, became=became))
        cases = [*dict.fromkeys(case for case, _, _ in accepted)]
        step = DecisionStep(label, change.step, cases, lines, row=row)
        self._add(step)  # before the change is told: `follow` scores the cases of known steps
        self._file.changed(change)
        return step

    def add_edit(self, change: Change, entry: QueueEntry | None = None, row: str | None = None) -> None:
        """Add another edit of a review, which was just made; undo selects `entry` and `row` again."""
        self._file.document.history.seal()
        self._add(DecisionStep(change.label, change.step, entry=entry, row=row))
        self._file.changed(change)

    def decide(self, entry: QueueEntry, item: ReviewItem | None, verdict: DecisionKind | None, note: str = "") -> None:
        """Keep the expected side of an entry, skip it, or add a note to it. A recording without a case has no item."""
        # A turn that is skipped again is a step, so that undo goes back to it, but the sidecar has it already.
        is_known = verdict == entry.decision == "skipped"
        lines = [decision_on(item, self._folder, verdict, note=note)] if item is not None and not is_known else []
        point = self._file.document.history.point()
        step = DecisionStep(verdict or "note", point, decisions=lines, is_edit=False)
        step.decide(entry, verdict or entry.decision)
        self._add(step)

    def _add(self, step: DecisionStep) -> None:
        """Add a step that was just made, and write its lines. `trouble` says if that failed."""
        self._undone = [] if step.is_edit else [undone for undone in self._undone if undone.is_edit]
        self._done.append(step)
        self._write(step.decisions)

    def parts(self, case: Node | None, turn: int | None) -> int:
        """Number of steps that accepted something of a turn and are not undone."""
        of_case = (step for step in self._done if case in step.cases)
        return sum(any(decision.turn == turn for decision in step.decisions) for step in of_case)

    # --- undo --------------------------------------------------------------------------------------------------

    @property
    def next_undo(self) -> DecisionStep | None:
        """The step that can be undone; None if the editor has edited the document since, or if there is none."""
        step, history = self._done[-1] if self._done else None, self._file.document.history
        if step is None or step.point is history.point():
            return step
        # A decision without an edit can still be undone after a reload, or after undo of the edits before it.
        is_first = not history.has_done(step.point) or not history.has_edited_since(step.point)
        return step if is_first and not step.is_edit else None

    def step(self, way: Literal["undo", "redo"]) -> DecisionStep | str:
        """Undo the last step or redo the one undone last, with its edit; a sentence if that is impossible here."""
        document, is_undo = self._file.document, way == "undo"
        history, step = document.history, self.next_undo
        if not is_undo:
            # An edit in the editor drops the undone edits of the document. Their steps stay here, but cannot be redone.
            undone = (step for step in reversed(self._undone) if not step.is_edit or history.has_undone(step.point))
            step = next(undone, None)
            if step is not None and step.is_edit and step.point is not history.redo_point():
                step = None  # the editor has undone something since
        if step is None:
            edit = history.point() if is_undo else history.redo_point()
            if edit is None:
                return f"Nothing to {way}."
            in_editor = f"Press {key_of('review.editor')} to {way} in the editor: {edit.label}"
            return f"Nothing to {way} in this review. {in_editor}"
        if step.is_edit and (change := document.undo() if is_undo else document.redo()) is not None:
            self._file.changed(change)
        else:
            self._move(step, is_undone=is_undo)
        return step

    def follow(self, change: Change) -> Sequence[Node]:
        """Withdraw the decisions of an undone edit, or restore those of a redone one. Returns the scored cases."""
        steps = (step for step in (*self._done, *self._undone) if step.is_edit and step.point is change.step)
        if (step := next(steps, None)) is None:
            self.trouble = self.made = ""  # else the trouble of an earlier decision would be told after this undo
            return ()
        if change.is_undone or step in self._undone:
            self._move(step, is_undone=change.is_undone)
        for case in step.cases:
            score_case(self._file, case)
        return step.cases

    def _move(self, step: DecisionStep, *, is_undone: bool) -> None:
        """Take back the decisions of a step that is undone, or make those of one that is redone again."""
        if is_undone:
            place = self._done.index(step)
            step.followers = self._done[place + 1 :]
            self._undone.append(self._done.pop(place))
            for entry, (earlier, _) in step.entries.items():
                entry.decision = earlier
            self._write(step.decisions, takes_back=True)
            return
        undone_after = set(step.followers)
        followers = [done for done in self._done if done in undone_after]
        self._undone.remove(step)
        self._done = [*(done for done in self._done if done not in undone_after), step, *followers]
        for moved in (step, *followers):  # the followers edit nothing: the editor undid the edits after this one first
            moved.point = self._file.document.history.point()
        for entry, (_, later) in step.entries.items():
            step.entries[entry] = entry.decision, later
            decided = [follower.entries[entry][1] for follower in followers if entry in follower.entries]
            entry.decision = [later, *decided][-1]
        self._write_again(step, step.decisions)
        turns = {(decision.eval_id, decision.turn) for decision in step.decisions}
        for follower in followers:  # of the lines about a turn, the last one counts
            if decisions := [line for line in follower.decisions if (line.eval_id, line.turn) in turns]:
                self._write(decisions, takes_back=True)
                self._write_again(follower, decisions)

    def _write_again(self, step: DecisionStep, decisions: Sequence[Decision]) -> None:
        """Write lines of a step that were taken back."""
        # With new ids: in an append-only file, a later line takes back an earlier one by its id for good.
        copies = {decision.id: again(decision) for decision in decisions}
        step.decisions = [copies.get(decision.id, decision) for decision in step.decisions]
        self._write([*copies.values()])

    # --- saves -------------------------------------------------------------------------------------------------

    def accepted(self) -> frozenset[UndoStep]:
        """The undo steps that accepted something and are not undone now."""
        return frozenset(step.point for step in self._done if step.cases and step.point is not None)

    @property
    def unsaved(self) -> Sequence[DecisionStep]:
        """The steps that accepted values which no save wrote."""
        return [step for step in self._done if step.cases and step.point not in self.saved]

    def carry_over(self, previous: Path | None) -> str:
        """After *Save as*: copy the decisions to the sidecar of the new file. Returns a clause about it, or "".

        The sidecar of the `previous` file loses acceptances that only the new file has.
        """
        sidecar = self.sidecar
        if previous is None or sidecar is None or previous == self._file.document.path:
            return ""
        old = self._sidecars.setdefault(previous, Sidecar(previous))
        try:
            # From the files, not from memory: other people may have written to both.
            decisions = old.read().every
            present = {decision.id for decision in sidecar.read().every}
            copied = [decision for decision in decisions if decision.id not in present]
            sidecar.add(copied)
            old.take_back([decision for step in self.unsaved for decision in step.decisions])
        except SidecarError as error:
            return f"the review decisions are not all in {printable(sidecar.path.name)}: {error.reason}"
        return f"{counted(len(copied), 'review decision')} copied to {printable(sidecar.path.name)}" if copied else ""

    # --- the sidecar -------------------------------------------------------------------------------------------

    def _write(self, decisions: Sequence[Decision], *, takes_back: bool = False) -> None:
        (self.standing.take_back if takes_back else self.standing.add)(decisions)
        # At once, not with the save of the set: a written line survives a kill of the process.
        self.trouble = self.made = ""
        sidecar = self.sidecar
        try:
            if sidecar is not None and takes_back:
                sidecar.take_back(decisions)
            elif sidecar is not None:
                self.made = f" Decisions go to {sidecar.path.name}." if sidecar.add(decisions) else ""
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
                are_not = f"{counted(count, 'decision')} {'are' if count > 1 else 'is'} not saved"
                return f"{are_not}: {printable(sidecar.path.name)} cannot be written."
        return ""
