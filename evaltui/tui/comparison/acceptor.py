"""The changes that a key accepts in the review, on a line of Why and beside the form, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from evaltui.review.compared_rows import ComparedRow, rows_of_item
from evaltui.review.review_changes import ReviewChange, changes_text
from evaltui.review.review_items import ReviewItem
from evaltui.tui.commands import key_of

Way = Literal["accept", "accept_turn", "accept_sequence"]
"""The keys: one row; all texts and arguments of the turn; added, deleted and moved calls and turns."""
Place = Literal["why", "review"]
NOTHING: Mapping[Way, str] = {
    "accept": "No difference on this line.",
    "accept_turn": "No difference in this turn.",
    "accept_sequence": "No tool call or turn to add, delete or move here.",
}


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
    """The changes of an item that a key accepts on a row, else a sentence that says why nothing is accepted.

    `ending` is the end of the sentence if neither the row nor another one of the turn has anything for the key.
    """
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
