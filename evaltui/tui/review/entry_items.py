"""The review items of cases, made on demand under the criteria of the shown scores."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.expected_set import read_case
from evaltui.review.review_items import ReviewItem, items_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.review.entry_facts import UNKNOWN, EntryFacts, facts_of
from evaltui.tui.review.queue_entry import QueueEntry


class EntryItems:
    """Makes the items of entries from the scores of the session, and caches them while the scores stay the same."""

    def __init__(self, scores: Scores) -> None:
        self._scores = scores
        self._made: dict[Node, tuple[CaseResult, list[ReviewItem]]] = {}
        self._facts: dict[QueueEntry, tuple[CaseResult | None, EntryFacts]] = {}
        """The result from which the facts of each entry were made."""

    @property
    def criteria(self) -> Criteria | None:
        """The criteria that the cases were judged by."""
        return self._scores.facts.criteria if self._scores.facts is not None else None

    @property
    def is_trial(self) -> bool:
        """Whether a trial is active."""
        return self._scores.trial.criteria is not None

    @property
    def shown_criteria(self) -> Criteria | None:
        """The criteria of the shown scores: those on trial, else those in force."""
        return self._scores.criteria

    def forget(self) -> None:
        """Drop cached items: the scores changed."""
        self._made.clear()

    # --- items -------------------------------------------------------------------------------------------------

    def of_entry(self, entry: QueueEntry) -> ReviewItem | None:
        """The item of an entry, passed or not; None if its turn is gone."""
        if entry.case is None:
            return None
        return next((item for item in self._of_case(entry.case) if item.turn == entry.turn), None)

    def in_force(self, case: Node) -> list[ReviewItem]:
        """The items of a case under the criteria in force."""
        if not self.is_trial:
            return self._of_case(case)
        scored, criteria = self._scores.by_config(case), self.criteria
        if scored is None or criteria is None:
            return []
        return items_of_case(read_case(scored.source, case.index()), scored.result, criteria, "all")

    def _of_case(self, case: Node) -> list[ReviewItem]:
        scored = self._scores.of(case)
        criteria = self.shown_criteria
        if scored is None or criteria is None:
            return []
        made = self._made.get(case)
        if made is None or made[0] is not scored.result:
            # Not the index in the result: cases before this one may have been added or deleted since.
            expected = read_case(scored.source, case.index())
            made = self._made[case] = scored.result, items_of_case(expected, scored.result, criteria, "all")
        return made[1]

    # --- facts -------------------------------------------------------------------------------------------------

    def facts(self, entry: QueueEntry) -> EntryFacts:
        """The facts of an entry under the last scores. The item itself is not cached."""
        if self.has_facts(entry):
            return self._facts[entry][1]
        was_made = entry.case in self._made
        found = facts_of(self.of_entry(entry))
        self._facts[entry] = self._result(entry), found
        if not was_made and entry.case is not None:
            self._made.pop(entry.case, None)
        return found

    def has_facts(self, entry: QueueEntry) -> bool:
        """Whether the facts of an entry are known."""
        known = self._facts.get(entry)
        return known is not None and known[0] is self._result(entry)

    def last_facts(self, entry: QueueEntry) -> EntryFacts:
        """The facts of the last call of `facts`."""
        known = self._facts.get(entry)
        return known[1] if known is not None else UNKNOWN

    def _result(self, entry: QueueEntry) -> CaseResult | None:
        scored = self._scores.of(entry.case) if entry.case is not None else None
        return scored.result if scored is not None else None
