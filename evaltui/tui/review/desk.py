"""The decisions of a review: accepted changes, which are edits of the document, and lines in the sidecar of the set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_views import cases_of
from evaltui.recordings.case_matches import unmatched_of_set
from evaltui.review.acceptance import Accepted, acceptance
from evaltui.review.decisions import Decision, DecisionKind
from evaltui.review.review_change import ReviewChange
from evaltui.review.review_item import ReviewItem, hash_after
from evaltui.review.sidecar import Sidecar, SidecarError, again, author_in, decision_on
from evaltui.tui.commands import key_of
from evaltui.tui.messages import redone_said, undone_said
from evaltui.tui.panes.score_lines import cut_in_the_middle
from evaltui.tui.review.verdict_change import VerdictChange, is_one_turn, verdict_of
from evaltui.tui.session.case_rescoring import score_again
from evaltui.tui.session.queue_entry import QueueEntry
from evaltui.tui.session.review_queue import ReviewQueue
from evaltui.tui.session.session import Session

_NAME = 20
"""The most cells of the name of a turn in the name of a step."""


@dataclass(slots=True)
class Act:
    """The effect of one key: an edit of the document, decisions about entries, or both."""

    label: str
    entries: dict[QueueEntry, tuple[DecisionKind | None, DecisionKind | None]]
    """The decision about each entry before and after."""
    decisions: list[Decision]
    """The lines that were added to the sidecar."""
    point: UndoStep | None
    """The last undo step of the document after the act. If there are later steps, undo takes those first."""
    is_edit: bool = False
    """Whether the act made that undo step itself."""
    verdict: VerdictChange | None = None
    """The change of the verdict, if the act is an acceptance in one entry."""
    row: str | None = None
    """The key of the row that was selected."""


class Done(NamedTuple):
    """The result of an act: the sentence to show, and whether anything was done."""

    said: str
    is_done: bool = True
    verdict: VerdictChange | None = None
    """The change of the verdict, if the act is an acceptance in one entry."""
    row: str | None = None
    """The key of the row that was selected when an undone act was done."""


class ReviewDesk:
    """Makes the decisions of a review, undoes and redoes them, and keeps the sidecar up to date."""

    def __init__(
        self,
        session: Session,
        queue: ReviewQueue,
        show_change: Callable[[Change], object],
    ) -> None:
        """`show_change` tells the screens of the document."""
        self._session = session
        self._queue = queue
        self._show_change = show_change
        self.trouble = ""
        """Why the last decision could not be written into the sidecar, a sentence; "" if it could."""
        self.made = ""
        """The name of the sidecar if the last decision made the file; else ""."""
        path = session.document.path
        self.sidecar = session.acceptances.sidecar(path) if path is not None else None
        self._acts: list[Act] = []
        self._undone: list[Act | None] = []
        """The undone acts, the latest at the end; None for an undo step of the document that no act made."""

    # --- what there is -----------------------------------------------------------------------------------------

    def read_sidecar(self) -> str:
        """Load earlier decisions from the sidecar. Returns a sentence about its trouble, or ""."""
        if self.sidecar is None:
            return ""
        try:
            self._queue.decisions = self.sidecar.read()
        except DocumentError as error:
            return str(error)
        lines = self._queue.decisions.unread
        return f"{self.sidecar.path.name}: line {lines[0]} is not a decision" if lines else ""

    def take_up_scores(self) -> None:
        """Build the queue from the present scores of the session."""
        session = self._session
        for case in [*session.scores.stale]:
            self.score(case)
        root, facts = session.document.root, session.scores.facts
        if root is None or facts is None:
            self._queue.build([], ())
            return
        self._queue.build(cases_of(root), unmatched_of_set(facts.unmatched, text_of(root, "eval_set_id")))

    # --- decisions ---------------------------------------------------------------------------------------------

    def accept(
        self,
        accepted: Sequence[tuple[QueueEntry, ReviewItem, Sequence[ReviewChange]]],
        label: str,
        row: str | None = None,
    ) -> Done:
        """Write changes into the document as one step, score their cases again, and note the decisions.

        `row` is the key of the selected row, which undo selects again.
        """
        session, document = self._session, self._session.document
        if session.readonly:
            return Done(session.refusal, False)
        case_file = session.case_file
        chosen: list[Accepted] = [(item, changes) for _, item, changes in accepted]
        single = accepted[0][0] if len(accepted) == 1 else None
        is_turn = single is not None and is_one_turn(self._queue, single)
        before = verdict_of(self._queue, session.scores, single, is_turn=is_turn) if single is not None else None
        if case_file is None or not any(changes for _, changes in chosen):
            return Done("Nothing to accept here.", False)
        try:
            change = document.apply(acceptance(case_file, chosen), label)
        except DocumentError as error:
            return Done(f"Not accepted: {error}", False)
        document.history.seal()  # what is typed next must not join this undo step
        self._show_change(change)
        cases = {entry.case: None for entry, _, _ in accepted if entry.case is not None}
        for case in cases:
            self.score(case)
        act = Act(label, {}, [], document.history.point(), is_edit=True, row=row)
        after = verdict_of(self._queue, session.scores, single, is_turn=is_turn) if single is not None else None
        if single is not None and before is not None and after is not None:
            act.verdict = VerdictChange(single.turn if is_turn else None, before, after)
        for entry, item, changes in accepted:  # after scoring: a decision tells whether the turn still needs one
            self._note_accepted(act, entry, item, changes)
        self._took(act)
        session.acceptances.add(act.point, cases, act.decisions)
        self._queue.refresh(cases)
        return Done(label, verdict=act.verdict)

    def _note_accepted(self, act: Act, entry: QueueEntry, item: ReviewItem, changes: Sequence[ReviewChange]) -> None:
        assert entry.case is not None
        is_over = not self._queue.needs_person(entry)
        act.entries[entry] = entry.decision, "accepted" if is_over else entry.decision
        became = hash_after(item, entry.case.source())
        act.decisions += self._decision(item, "accepted", [each.id for each in changes], became)

    def decide(self, entry: QueueEntry, decision: DecisionKind) -> Done:
        """Keep the expected side, or skip the entry."""
        item = self._queue.item(entry)
        lines = self._decision(item, decision) if item is not None else []
        point = self._session.document.history.point()
        self._took(Act(decision, {entry: (entry.decision, decision)}, lines, point))
        return Done(decision)

    def has_kept(self, entry: QueueEntry) -> bool:
        """Whether this person kept the expected side already, and it was written."""
        item = self._queue.item(entry)
        if entry.decision != "agent is wrong" or item is None or self.trouble:
            return False
        if self.sidecar is None:
            return True
        mine = self._queue.decisions.verdicts(item).get(author_in(self._folder))
        return mine is not None and mine.verdict == "agent is wrong"

    def note(self, entry: QueueEntry, text: str) -> Done:
        """Add a note about an entry."""
        item = self._queue.item(entry)
        if item is None:
            return Done("Only a turn of the set can have a note.", False)
        point = self._session.document.history.point()
        lines = self._decision(item, None, note=text)
        self._took(Act("note", {entry: (entry.decision, entry.decision)}, lines, point))
        return Done("noted")

    def _decision(
        self,
        item: ReviewItem,
        verdict: DecisionKind | None,
        changes: Sequence[str] = (),
        became: str | None = None,
        note: str = "",
    ) -> list[Decision]:
        if self.sidecar is None:
            return []
        return [decision_on(item, self._folder, verdict, changes=changes, became=became, note=note)]

    @property
    def _folder(self) -> Path:
        assert self.sidecar is not None
        return self.sidecar.path.parent

    def _took(self, act: Act) -> None:
        self._acts.append(act)
        self._undone.clear()
        for entry, (_, now) in act.entries.items():
            entry.decision = now
        self._keep(act)

    def _keep(self, act: Act) -> None:
        """Write the lines of an act, if it has any."""
        self._queue.decisions.add(act.decisions)
        self._write(lambda sidecar: sidecar.add(act.decisions))

    def _take_back(self, act: Act) -> None:
        self._queue.decisions.take_back(act.decisions)
        self._write(lambda sidecar: sidecar.take_back(act.decisions))

    def _write(self, write: Callable[[Sidecar], bool | None]) -> None:
        """Write to the sidecar at once: a written line survives a kill of the process."""
        self.trouble = self.made = ""
        try:
            if self.sidecar is not None:
                self.made = self.sidecar.path.name if write(self.sidecar) else ""
                self._queue.are_kept = True
        except SidecarError as error:
            self._queue.are_kept = False
            self.trouble = f"Not saved yet: {error.reason}"

    # --- undo --------------------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is an act or an edit of the review to undo. Edits of the editor are undone there."""
        return self._last_act is not None or self._session.acceptances.has(self._session.document.history.point())

    @property
    def _last_act(self) -> Act | None:
        """The act that undo takes next; None if an edit came after it, or if there is none."""
        act = self._acts[-1] if self._acts else None
        # By identity: only if no edit came after the act is its own step the one that undo takes.
        return act if act is not None and act.point is self._session.document.history.point() else None

    def undoes(self, entry: QueueEntry) -> bool:
        """Whether undo takes back an act about this entry next."""
        return self._last_act is not None and entry in self._last_act.entries

    @property
    def next_undo(self) -> str:
        """The step that undo takes next, with its turn; "" if there is none."""
        act = self._last_act
        if act is not None and (entry := next(iter(act.entries), None)) is not None:
            return f"{act.label} ({cut_in_the_middle(self._queue.name(entry), _NAME)})"
        return (self._session.document.history.next_undo or "") if self.can_undo else ""

    def edited(self) -> None:
        """Note an edit of the expected side as a step of the review. Undone acts cannot be redone after it."""
        self._session.acceptances.add_edit(self._session.document.history.point())
        self._undone.clear()

    def undo(self) -> tuple[Done, QueueEntry | None]:
        """Undo the last act with its edit, or the last edit of a review. Returns the entry of the act, if any."""
        document = self._session.document
        act = self._last_act
        if act is not None:
            self._acts.pop()
            for entry, (before, _) in act.entries.items():
                entry.decision = before
            if act.is_edit:
                self._session.acceptances.mark_undone(act.point)
                self._show_step(document.undo())
            self._undone.append(act)
            self._take_back(act)
            return Done(undone_said(act.label), verdict=act.verdict, row=act.row), next(iter(act.entries), None)
        if not self.can_undo:
            return Done(self._why_not_undone(), False), None
        point = document.history.point()
        change = document.undo()
        self._step_elsewhere(lambda: self._session.acceptances.undo(point, document.path))
        self._undone.append(None)
        self._show_step(change)
        return Done(undone_said(change.label) if change is not None else "Nothing to undo."), self._entry_of(change)

    def _why_not_undone(self) -> str:
        last = self._session.document.history.next_undo
        if not last:
            return "Nothing to undo."
        return f"Nothing to undo in this review. Press {key_of('review.editor')} to undo in the editor: {last}"

    def redo(self) -> tuple[Done, QueueEntry | None]:
        """Redo the act or the edit that was undone last in this review."""
        document = self._session.document
        if not self._undone:
            return Done("Nothing to redo.", False), None
        act = self._undone.pop()
        if act is None or act.is_edit:
            change = document.redo()
            if change is None:
                return Done("Nothing to redo.", False), None
            if act is None:
                point = document.history.point()
                self._step_elsewhere(lambda: self._session.acceptances.redo(point, document.path))
            self._show_step(change)
            if act is None:
                return Done(redone_said(change.label)), self._entry_of(change)
        act.point = document.history.point()
        act.decisions = [again(each) for each in act.decisions]
        if act.is_edit:
            cases = [entry.case for entry in act.entries if entry.case is not None]
            self._session.acceptances.add(act.point, cases, act.decisions)
        self._acts.append(act)
        for entry, (_, now) in act.entries.items():
            entry.decision = now
        self._keep(act)
        return Done(redone_said(act.label), verdict=act.verdict), next(iter(act.entries), None)

    def _entry_of(self, change: Change | None) -> QueueEntry | None:
        """The entry of the turn that a step changed, else the first of its case; None if there is none."""
        case_file = self._session.case_file
        if case_file is None or change is None:
            return None
        nodes = [each for each in (*change.added, change.beside, *change.nodes) if each is not None]
        node = next((each for each in nodes if each.is_in(change.root)), None)
        if node is None:
            return None
        case, turn = case_file.enclosing(node, "case"), case_file.enclosing(node, "turn")
        of_case = [each for each in self._queue.entries if each.case is case and case is not None]
        number = turn.index() + 1 if turn is not None else None
        return next((each for each in of_case if each.turn == number), next(iter(of_case), None))

    def _step_elsewhere(self, step: Callable[[], object]) -> None:
        """Undo or redo a decision that was made in the editor or in an earlier review."""
        self.trouble = ""
        try:
            step()
        except SidecarError as error:
            self.trouble = f"The saved decision was not updated: {error}"

    def _show_step(self, change: Change | None) -> None:
        if change is not None:
            self._session.scores.changed(change)
            self._show_change(change)
            cases = [*self._session.scores.stale]
            for case in cases:
                self.score(case)
            self._queue.refresh(cases)

    # --- scores ------------------------------------------------------------------------------------------------

    def score(self, case: Node) -> None:
        """Score the present text of a case against the same recording as before."""
        score_again(self._session, case, self._queue.items.criteria)
