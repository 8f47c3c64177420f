"""The changes that a line of Why is about, for the keys that accept recorded values in the editor."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.expected_set import read_case
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem, items_of_case
from evaltui.scoring.results import CaseResult
from evaltui.tui.forms.form import WhySubject
from evaltui.tui.open_file.case_rescoring import score_case
from evaltui.tui.open_file.edited_document import EditedDocument


class TurnReview:
    """Compares turns with their recordings."""

    def __init__(self, file: EditedDocument) -> None:
        self._file = file
        self._made: tuple[CaseResult, list[ReviewItem]] | None = None
        """The items of the last case, valid while its result is the same."""

    # --- items and changes -----------------------------------------------------------------------------------

    def item(self, case: Node, turn: Node | None) -> ReviewItem | None:
        """The item of a scored turn; without a turn, the item about added or deleted turns."""
        scores = self._file.scores
        scored, criteria = scores.of(case), scores.criteria
        if scored is None or criteria is None:
            return None
        if self._made is None or self._made[0] is not scored.result:
            # Not the index in the result: cases before this one may have been added or deleted since.
            expected = read_case(scored.source, case.index())
            self._made = scored.result, items_of_case(expected, scored.result, criteria, "all")
        turn_scores = scores.turn(turn) if turn is not None else None
        number = turn_scores.number if turn_scores is not None else None
        return next(
            (
                item
                for item in self._made[1]
                if (item.turn == number and item.compared if turn is not None else item.added or item.deleted)
            ),
            None,
        )

    def forget(self) -> None:
        """Drop cached items: cases may have moved, and a change names its case by its place."""
        self._made = None

    def is_outdated(self, case: Node) -> bool:
        """Whether a case was edited since it was scored."""
        return case in self._file.scores.stale

    def score(self, case: Node) -> None:
        """Score the current text of a case."""
        score_case(self._file, case)
        self.forget()
        self._file.scores.arrange()

    def reason(self, case: Node) -> str:
        """Why a case cannot be scored, possibly because of an accepted value; "" if it can."""
        scored = self._file.scores.of(case)
        is_scored = scored is None or scored.result.status != "not_evaluated"
        return "" if scored is None or is_scored else scored.result.reason or ""


def changes_on(subject: WhySubject, item: ReviewItem) -> list[ReviewChange]:
    """The changes of an item that a line of Why is about."""
    if subject.turn is not None:
        return list(item.changes)
    if subject.is_response:
        return [change for change in item.changes if change.place.action == "response"]
    if subject.actual_call is None:
        return _deleting(subject, item)
    return [
        change
        for change in item.changes
        if change.place.actual_call == subject.actual_call and _writes(change, subject.pointer)
    ]


def _writes(change: ReviewChange, pointer: str) -> bool:
    """Whether a change writes the argument at a pointer or a part of it; without a pointer, any change of the call."""
    if not pointer or change.place.action == "arguments":
        return True
    if change.place.action != "argument":
        return False
    one, other = f"{pointer}/", f"{change.place.pointer}/"
    return one.startswith(other) or other.startswith(one)


def _deleting(subject: WhySubject, item: ReviewItem) -> list[ReviewChange]:
    """The change that deletes an expected call that was not made: at its old place, else the first equal call."""
    gone = subject.call
    if item.compared is None or gone is None:
        return []
    calls = item.compared.scores.expected.calls
    found = [
        change
        for change in item.changes
        if change.place.action == "delete_call"
        and change.place.call is not None
        and (calls[change.place.call].name, calls[change.place.call].args) == (gone.name, gone.args)
    ]
    in_place = [change for change in found if change.place.call == subject.expected_call]
    return (in_place or found)[:1]
