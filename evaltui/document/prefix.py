"""How far two sequences agree, at C speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def shared_length(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many items both begin with; by bisection, for slices compare fast."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
