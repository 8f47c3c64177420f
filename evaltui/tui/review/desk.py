"""The decisions of a review: accepted changes, which are edits of the document, and lines in the sidecar of the set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.keys import cases_of, text_of
from evaltui.recordings.matching import unmatched_of_set
from evaltui.review.acceptance import Accepted, acceptance
from evaltui.review.decisions import Decision, DecisionKind
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem, hash_after
from evaltui.review.sidecar import Sidecar, author_in, decision_on
from evaltui.tui.commands import key_of
from evaltui.tui.lines import cut_in_the_middle
from evaltui.tui.messages import redone_said, undone_said
from evaltui.tui.open_file.case_rescoring import score_again
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.review.decision_history import DecisionStep, Stepped
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.verdict_change import VerdictChange, is_one_turn, verdict_of

_NAME = 20
"""The most cells of the name of a turn in the name of a step."""


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
        session: EditedDocument,
        queue: ReviewQueue,
        show_change: Callable[[Change], object],
    ) -> None:
        """`show_change` tells the screens of the document."""
        self._session = session
        self._queue = queue
        self._show_change = show_change
        self._history = session.decisions

    @property
    def sidecar(self) -> Sidecar | None:
        """The sidecar of the set; None for a set without a file."""
        return self._history.sidecar

    @property
    def trouble(self) -> str:
        """Why the last decision could not be written into the sidecar, a sentence; "" if it could."""
        return f"Not saved yet: {self._history.trouble}" if self._history.trouble else ""

    @property
    def made(self) -> str:
        """The name of the sidecar if the last decision made the file; else ""."""
        return self._history.made

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
        step = DecisionStep(label, "accept", document.history.point(), [*cases], row=row)
        after = verdict_of(self._queue, session.scores, single, is_turn=is_turn) if single is not None else None
        if single is not None and before is not None and after is not None:
            step.verdict = VerdictChange(single.turn if is_turn else None, before, after)
        for entry, item, changes in accepted:  # after scoring: a decision tells whether the turn still needs one
            self._note_accepted(step, entry, item, changes)
        self._add(step)
        self._queue.refresh(cases)
        return Done(label, verdict=step.verdict)

    def _note_accepted(
        self, step: DecisionStep, entry: QueueEntry, item: ReviewItem, changes: Sequence[ReviewChange]
    ) -> None:
        assert entry.case is not None
        is_over = not self._queue.needs_person(entry)
        step.entries[entry] = entry.decision, "accepted" if is_over else entry.decision
        became = hash_after(item, entry.case.source())
        ids = [change.id for change in changes]
        step.decisions = [*step.decisions, *self._decision(item, "accepted", ids, became)]

    def decide(self, entry: QueueEntry, decision: DecisionKind) -> Done:
        """Keep the expected side, or skip the entry."""
        item = self._queue.item(entry)
        lines = self._decision(item, decision) if item is not None else []
        self._decide(decision, lines, entry, decision)
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
        self._decide("note", self._decision(item, None, note=text), entry, entry.decision)
        return Done("noted")

    def _decide(self, label: str, lines: list[Decision], entry: QueueEntry, now: DecisionKind | None) -> None:
        point, entries = self._session.document.history.point(), {entry: (entry.decision, now)}
        self._add(DecisionStep(label, "decide", point, decisions=lines, entries=entries))

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

    def _add(self, step: DecisionStep) -> None:
        self._history.add(step)
        self._queue.decisions.add(step.decisions)
        self._queue.are_kept = not self._history.trouble

    # --- undo --------------------------------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision or an edit of a review to undo. Edits of the editor are undone there."""
        return self._history.next_undo is not None

    def undoes(self, entry: QueueEntry) -> bool:
        """Whether undo takes back a step about this entry next."""
        return self._history.next_undo is not None and entry in self._history.next_undo.entries

    @property
    def next_undo(self) -> str:
        """The step that undo takes next, with its turn; "" if there is none."""
        step = self._history.next_undo
        if step is not None and (entry := next(iter(step.entries), None)) is not None:
            return f"{step.label} ({cut_in_the_middle(self._queue.name(entry), _NAME)})"
        return step.label if step is not None else ""

    def edited(self, change: Change, row: str | None = None) -> None:
        """Note an edit of the expected side, or a new case, as a step of the review. `row` is as for `accept`."""
        self._history.add(DecisionStep(change.label, "edit", self._session.document.history.point(), row=row))

    def undo(self) -> tuple[Done, QueueEntry | None]:
        """Undo the last decision, with its edit, or the last edit of a review. Returns the entry that it is about."""
        stepped = self._history.undo()
        if stepped is None:
            return Done(self._why_not_undone(), False), None
        self._queue.decisions.take_back(stepped.step.decisions)
        return self._stepped(stepped, undone_said(stepped.step.label))

    def redo(self) -> tuple[Done, QueueEntry | None]:
        """Redo the decision or the edit that was undone last."""
        stepped = self._history.redo()
        if stepped is None:
            return Done(self._why_not_redone(), False), None
        self._queue.decisions.add(stepped.step.decisions)
        return self._stepped(stepped, redone_said(stepped.step.label))

    def _stepped(self, stepped: Stepped, said: str) -> tuple[Done, QueueEntry | None]:
        step, change = stepped
        self._queue.are_kept = not self._history.trouble
        self._show_step(change)
        self._queue.refresh({entry.case: None for entry in step.entries if entry.case is not None})
        entry = next((entry for entry in step.entries if entry in self._queue.entries), None)
        return Done(said, verdict=step.verdict, row=step.row), entry or self._entry_of(change)

    def _why_not_undone(self) -> str:
        last = self._session.document.history.next_undo
        if not last:
            return "Nothing to undo."
        return f"Nothing to undo in this review. Press {key_of('review.editor')} to undo in the editor: {last}"

    def _why_not_redone(self) -> str:
        following = self._session.document.history.next_redo
        if not following:
            return "Nothing to redo."
        return f"Nothing to redo in this review. Press {key_of('review.editor')} to redo in the editor: {following}"

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
