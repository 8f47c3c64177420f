"""Search for the scores of a turn in the results of its case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.keys import text_of

if TYPE_CHECKING:
    from evaltui.scoring.results import TurnScores


def scores_at(turns: Sequence[TurnScores], node: Node, *, was_edited: bool) -> TurnScores | None:
    """The scores of the turn `node` of a conversation, among those of its case; None if it was not scored.

    If the case `was_edited` since, a turn is matched by invocation_id, else by position among as many turns.
    """
    if was_edited:
        identifier = text_of(node, "invocation_id")
        named = [turn for turn in turns if identifier and turn.expected.invocation_id == identifier]
        if len(named) == 1:
            return named[0]
        if node.parent is None or len(turns) != len(node.parent.items):
            return None
    index = node.index()
    return turns[index] if index < len(turns) else None
