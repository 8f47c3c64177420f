"""`invocation_details` of a case: details that evaltui keeps for each turn, found by turn id, else by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.evaluation_datasets.dataset_names import TURN_DETAILS
from evaltui.interop.output_tree import Tree, Value, text_in
from evaltui.interop.portable_set import PortableTurn
from evaltui.interop.source_fields import SourceFields

_KEY = "turn_id"


class TurnDetails:
    """The objects of a case that belong to its turns. A turn may have been deleted or moved since they were written."""

    def __init__(self, case: Node, fields: SourceFields) -> None:
        self._fields = fields
        self._listed = items_of(case, TURN_DETAILS)
        self._by_id = {identifier: each for each in self._listed if (identifier := text_of(each, _KEY))}

    def of(self, turn_id: Value | None, index: int) -> Node | None:
        """The object of a turn; None if it has none. One that names a turn belongs to no other."""
        found = self._by_id.get(text_in(turn_id))
        if found is not None:
            self._fields.pass_over(filled(found, _KEY))
            return found
        positioned = self._listed[index] if index < len(self._listed) else None
        return positioned if positioned is not None and not text_of(positioned, _KEY) else None


def keyed_details(turns: Sequence[PortableTurn], details: Sequence[dict[str, Tree]]) -> Tree:
    """The list to write. An object names its turn if the turn id is unique; empty objects keep the positions."""
    if not any(details):
        return None
    counts = Counter(text_in(turn.id) for turn in turns)
    return [
        {_KEY: text_in(turn.id), **each} if each and text_in(turn.id) and counts[text_in(turn.id)] == 1 else each
        for turn, each in zip(turns, details, strict=True)
    ]
