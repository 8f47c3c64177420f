"""An entry of the queue of a review, and the orders in which entries can stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaltui.document.node import Node
from evaltui.recordings.case_matches import Unmatched
from evaltui.review.decisions import DecisionKind

Order = Literal["file", "loss", "kind"]
ORDERS: tuple[Order, ...] = ("file", "loss", "kind")
"""File order · largest distance from a threshold first · fills, then texts, arguments, sequences."""


@dataclass(eq=False, slots=True)
class QueueEntry:
    """A queue entry: a turn, added or deleted turns, a case that failed as a whole, or an unmatched recording."""

    case: Node | None
    """None for a recording without a case."""
    turn: int | None = None
    """The number of the turn, from 1, as in its `ReviewItem`."""
    unmatched: Unmatched | None = None
    decision: DecisionKind | None = None
    """The last decision about the entry; None while it is open."""

    @property
    def is_open(self) -> bool:
        """Whether there is no decision yet; a skip is none."""
        return self.decision is None
