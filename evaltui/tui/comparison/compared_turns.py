"""The turns of scored cases beside their recordings: review items, made on demand from the shown scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.expected_set import read_case
from evaltui.review.review_changes import KINDS
from evaltui.review.review_items import ReviewItem, items_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult

if TYPE_CHECKING:
    from evaltui.tui.open_file.set_scores import Scores
    from evaltui.tui.review.review_queue import QueueEntry

_MOST_KEPT = 100
"""The most cases whose items are kept; each holds the parsed case and its recording."""


class ComparedTurns:
    """Makes the items of cases, and keeps them while result, criteria and place of their case stay the same."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self._items: dict[Node, tuple[CaseResult, Criteria, int, list[ReviewItem]]] = {}

    def items(self, case: Node, *, is_by_config: bool = False) -> list[ReviewItem]:
        """The items of a case under the shown scores, for passing turns too; none if it was not scored.

        With `is_by_config`, under the criteria in force, even during a trial.
        """
        scored, criteria = self.scores.of(case), self.scores.criteria
        if is_by_config and self.scores.trial.criteria is not None:
            facts = self.scores.facts
            scored, criteria = self.scores.by_config(case), facts.criteria if facts is not None else None
        if scored is None or criteria is None:
            return []
        # Not the index in the result: cases before this one may have been added or deleted since, and a change names
        # its case by its place.
        index = case.index()
        result, known_criteria, known_index, items = self._items.get(case, (None, None, -1, []))
        if result is not scored or known_criteria is not criteria or known_index != index:
            while len(self._items) >= _MOST_KEPT:
                del self._items[next(iter(self._items))]
            items = items_of_case(read_case(scored.source, index), scored, criteria, "all")
            self._items[case] = scored, criteria, index, items
        return items

    def item(self, case: Node | None, turn: int | None) -> ReviewItem | None:
        """The item whose (first) turn has this number; None if there is none."""
        return next((item for item in self.items(case) if item.turn == turn), None) if case is not None else None

    # --- facts of the queue --------------------------------------------------------------------------------------

    def find_facts(self, entry: QueueEntry) -> None:
        """Give an entry its facts under the last scores."""
        if self.has_facts(entry):
            return
        item = self.item(entry.case, entry.turn)
        missed = [
            metric.threshold - metric.score if metric.score is not None and metric.threshold is not None else math.inf
            for metric in (item.metrics if item is not None else ())
            if metric.status == "failed"
        ]
        kinds = [KINDS.index(change.kind) for change in item.changes] if item is not None else []
        entry.facts_of = self.scores.of(entry.case) if entry.case is not None else None
        entry.loss = max(missed, default=0.0) if item is not None else -math.inf
        entry.kind, entry.fills = max(kinds, default=len(KINDS)), kinds.count(KINDS.index("fill"))

    def has_facts(self, entry: QueueEntry) -> bool:
        """Whether the facts of an entry are known for its last scores."""
        return entry.facts_of is (self.scores.of(entry.case) if entry.case is not None else None)
