"""The turns of scored cases beside their recordings, as review items, and the changes that a key accepts on a row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from evaltui.document.node import Node
from evaltui.evalset.expected_set import read_case
from evaltui.review.compared_rows import ComparedRow, rows_of_item
from evaltui.review.review_changes import KINDS, ReviewChange, changes_text
from evaltui.review.review_items import ReviewItem, items_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.tui.commands import key_of

if TYPE_CHECKING:
    from evaltui.tui.open_file.set_scores import Scores
    from evaltui.tui.review.review_queue import QueueEntry

Way = Literal["accept", "accept_turn", "accept_sequence"]
"""The keys: one row; all texts and arguments of the turn; added, deleted and moved calls and turns."""
Place = Literal["why", "review"]
NOTHING: Mapping[Way, str] = {
    "accept": "No difference on this line.",
    "accept_turn": "No difference in this turn.",
    "accept_sequence": "No tool call or turn to add, delete or move here.",
}
_MOST_KEPT = 100
"""The most cases whose items are kept; each holds the parsed case and its recording."""


class ComparedTurns:
    """Makes the items of cases, and keeps them while result, criteria and place of their case stay the same."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self._items: dict[Node, tuple[CaseResult, Criteria, int, list[ReviewItem]]] = {}

    def items(self, case: Node, *, is_by_config: bool = False) -> list[ReviewItem]:
        """The items of a scored case, also of passing turns: under the shown criteria, or by config those in force."""
        scored, criteria = self.scores.of(case), self.scores.criteria
        if is_by_config and self.scores.trial.criteria is not None:
            facts = self.scores.facts
            scored, criteria = self.scores.by_config(case), facts.criteria if facts is not None else None
        if scored is None or criteria is None:
            return []
        # Not the index in the result: cases before this one may have been added or deleted since, and a change names
        # its case by its place.
        try:
            index = case.index()
        except ValueError:  # another program deleted the case, and it has a result until the others are scored again
            return []
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


# --- what a key accepts ----------------------------------------------------------------------------------------------


def changes_on(item: ReviewItem, row: ComparedRow | None) -> list[ReviewChange]:
    """The changes of an item that a row is about, by its key: the row may be older than the item."""
    if row is None:
        return []
    if row.kind == "turn" and item.compared is not None:  # a line of Why about the whole turn
        return [*item.changes]
    # The row of a call or of an object in the column stands for all values in it.
    own = (other for other in rows_of_item(item) if other.key == row.key or other.key.startswith(f"{row.key}/"))
    return [*dict.fromkeys(change for other in own for change in other.changes)]


def changes_to_accept(
    item: ReviewItem, row: ComparedRow | None, way: Way, place: Place, *, ending: str = ""
) -> Sequence[ReviewChange] | str:
    """The changes that a key accepts on a row, else a sentence why none, with `ending` if no row has any for it."""
    is_why = place == "why"
    # The review draws its rows anew after each change, and its view of the whole conversation has no changes.
    on_row = changes_on(item, row) if is_why else row.changes if row is not None else ()
    values, sequence = parted(on_row)
    item_values, item_sequence = parted(item.changes)
    if is_why and item.compared is None:
        # Below the form of a case, nobody sees the texts and calls of its turns.
        item_values = []
        sequence, item_sequence = (
            [change for change in changes if change.place.action in ("add_turn", "delete_turn")]
            for changes in (sequence, item_sequence)
        )
    others = f"press {key_of(f'{place}.accept_sequence')} to accept it."
    if way == "accept_sequence":
        return sequence or item_sequence or (NOTHING[way] if is_why else item.why_no_change(NOTHING[way]))
    if way == "accept_turn":
        if not item_values and not item_sequence:
            return item.why_no_change(NOTHING[way])
        return item_values or f"{changes_text(item_sequence)}: {others}"
    turn_advice = f"Press {key_of(f'{place}.accept_turn')} to accept the turn."
    if is_why and row is not None and row.kind == "turn":
        return f"This line shows a whole turn. {turn_advice}"
    if not on_row:
        is_bare = is_why and row is None
        nothing = item.why_no_change("Nothing to accept on this line." if is_bare else NOTHING[way])
        return f"{nothing} {turn_advice}" if is_why and item_values else f"{nothing}{ending}"
    return values or f"{changes_text(sequence)}: {others}"


def parted(changes: Sequence[ReviewChange]) -> tuple[list[ReviewChange], list[ReviewChange]]:
    """The changes of texts and arguments; then those that add, delete or move calls and turns."""
    values = [change for change in changes if change.kind != "sequence"]
    return values, [change for change in changes if change.kind == "sequence"]
