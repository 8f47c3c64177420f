"""An entry of the queue of a review, and the orders in which entries can stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaltui.document.node import Node
from evaltui.recordings.case_matches import Unmatched
from evaltui.review.decisions import DecisionKind

Order = Literal["file", "loss", "kind"]
ORDERS: tuple[Order, ...] = ("file", "loss", "kind")
"""As the file has them · the greatest distance from its threshold first · fills, then texts, arguments, sequences."""


@dataclass(eq=False, slots=True)
class QueueEntry:
    """A turn in the queue, turns that come or go, a case that failed as one, or a recording without a case."""

    case: Node | None
    """None for a recording without a case."""
    turn: int | None = None
    """The number of the turn, from 1, of its `ReviewItem`."""
    unmatched: Unmatched | None = None
    decision: DecisionKind | None = None
    """The last decision that was taken here; None while it is open."""

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided; who skipped has not."""
        return self.decision is None
