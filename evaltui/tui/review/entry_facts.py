"""Facts about an entry of the review queue, by which it is ordered and fills are counted."""

from __future__ import annotations

import math
from typing import NamedTuple

from evaltui.review.review_changes import KINDS
from evaltui.review.review_items import ReviewItem


class EntryFacts(NamedTuple):
    """A few numbers about an entry, cheap to keep when its item is freed."""

    loss: float
    """The largest distance of a failing score from its threshold; infinite without a score."""
    kind: int
    """The place in `KINDS` of its last kind of change."""
    fills: int
    """Number of changes of kind `fill`."""


UNKNOWN = EntryFacts(-math.inf, len(KINDS), 0)
"""An entry that comes last in every order."""


def facts_of(item: ReviewItem | None) -> EntryFacts:
    """The facts of an item; None stands for a recording without a case, which comes last."""
    if item is None:
        return UNKNOWN
    missed = [
        each.threshold - each.score if each.score is not None and each.threshold is not None else math.inf
        for each in item.metrics
        if each.status == "failed"
    ]
    kinds = [KINDS.index(change.kind) for change in item.changes]
    return EntryFacts(max(missed, default=0.0), max(kinds, default=len(KINDS)), kinds.count(KINDS.index("fill")))
