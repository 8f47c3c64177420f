"""An entry of the queue of a review, and the orders in which entries can stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaltui.document.node import Node
from evaltui.recordings.matching import Unmatched
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
    passes_now: bool = False
    """Whether its turn passes since an edit."""
    came_again: bool = False
    """Whether it was shown again after a skip."""

    @property
    def is_settled(self) -> bool:
        """Whether it needs no decision, because an edit made its turn pass."""
        return self.passes_now and self.decision is None

    @property
    def is_open(self) -> bool:
        """Whether a decision is still needed, and it was not skipped."""
        return self.decision is None and not self.passes_now

    @property
    def comes_again(self) -> bool:
        """Whether it was skipped and is to be shown once more."""
        return self.decision == "skipped" and not self.came_again
