"""The verdict of an entry before and after a decision, as a sentence for the status line."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.scoring.results import Status
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_queue import ReviewQueue

_WORDS: dict[Status, str] = {
    "passed": "passes",
    "failed": "fails",
    "not_evaluated": "is not evaluated",
    "informational": "is informational",
}
_AS_BEFORE: dict[Status, str] = {
    "passed": "still passes",
    "failed": "still fails",
    "not_evaluated": "is still not evaluated",
    "informational": "is informational",
}


class VerdictChange(NamedTuple):
    """The verdicts of a turn, or of a case whose turns were added or deleted, on both sides of an acceptance."""

    turn: int | None
    """The number of the turn; None for the case as a whole."""
    before: Status
    after: Status

    def said(self, of_case: str = "") -> str:
        """`Turn 2 passes now (was: fails)`. `of_case` names the case where the screen shows another one."""
        if self.before == self.after:
            return f"{self._subject(of_case)} {_AS_BEFORE[self.after]}"
        return f"{self._subject(of_case)} {_WORDS[self.after]} now (was: {_WORDS[self.before]})"

    def said_undone(self) -> str:
        """`Turn 2 fails again`."""
        changed = f"{_WORDS[self.before]} again"
        return f"{self._subject('')} {changed if self.before != self.after else _AS_BEFORE[self.before]}"

    def _subject(self, of_case: str) -> str:
        if self.turn is None:
            return f"Case {of_case}" if of_case else "The case"
        return f"Turn {self.turn} of {of_case}" if of_case else f"Turn {self.turn}"


def is_one_turn(queue: ReviewQueue, entry: QueueEntry) -> bool:
    """Whether an entry is one turn with scores, not added or deleted turns or a whole case."""
    item = queue.item(entry)
    return item is not None and item.compared is not None and not item.is_unscored_turn


def verdict_of(queue: ReviewQueue, scores: Scores, entry: QueueEntry, *, is_turn: bool) -> Status | None:
    """The present verdict of the turn of an entry, or of its case; None without a score."""
    if is_turn:
        item = queue.item(entry)
        return item.status if item is not None else None
    scored = scores.of(entry.case) if entry.case is not None else None
    return scored.result.status if scored is not None else None
