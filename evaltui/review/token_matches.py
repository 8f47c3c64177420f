"""Runs in which two stretches of tokens differ that share no landmark, in linear time.

A window of either side is aligned with as many shared tokens as possible, then the next one behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.diff.sequence_diff import DifferingRun, shared_length
from evaltui.scoring.alignment import common_subsequence

_WINDOW = 512
"""Tokens of a side that are aligned at once: what is shifted by more than that is not found again."""

_Pair = tuple[int, int]


def differing_tokens(old: Sequence[int], new: Sequence[int]) -> list[DifferingRun]:
    """The runs in which two lists of numbers of tokens differ; between them both are the same."""
    found: list[DifferingRun] = []
    at, new_at = 0, 0
    for place, new_place in [*_shared_tokens(old, new), (len(old), len(new))]:
        if at < place or new_at < new_place:
            found.append(DifferingRun(at, place, new_at, new_place))
        at, new_at = place + 1, new_place + 1
    return found


def _shared_tokens(old: Sequence[int], new: Sequence[int]) -> Iterator[_Pair]:
    """The places of shared tokens in both, in order."""
    at, new_at = 0, 0
    while at < len(old) and new_at < len(new):
        ours, theirs = old[at : at + _WINDOW], new[new_at : new_at + _WINDOW]
        if (same := shared_length(ours, theirs)) > _WINDOW // 2:
            pairs, after = [(place, place) for place in range(same)], (same, same)
        else:
            pairs = common_subsequence(ours, theirs)
            is_last = at + len(ours) == len(old) and new_at + len(theirs) == len(new)
            pairs, after = (pairs, (len(ours), len(theirs))) if is_last else _certain(pairs)
        yield from ((at + one, new_at + other) for one, other in pairs)
        at, new_at = at + after[0], new_at + after[1]


def _certain(pairs: list[_Pair]) -> tuple[list[_Pair], _Pair]:
    """The pairs of a window that what follows it cannot change for the better, and where the next window begins."""
    half = _WINDOW // 2
    kept = [pair for pair in pairs if min(pair) < half]
    if len(kept) < len(pairs):
        return kept, pairs[len(kept)]
    last, new_last = kept[-1] if kept else (-1, -1)
    return kept, (max(last + 1, half), max(new_last + 1, half))
