"""Differing runs of two stretches of words without common landmarks, in linear time.

A window of each side is aligned for as many shared words as possible, then the next window follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.diff.sequence_diff import DifferingRun, shared_length
from evaltui.scoring.alignment import common_subsequence

_WINDOW = 512
"""The most words of a side that are aligned at once. Text that moved further counts as different."""
_HALF = _WINDOW // 2

_Pair = tuple[int, int]


def differing_words(old: Sequence[int], new: Sequence[int]) -> list[DifferingRun]:
    """The runs in which two lists of word numbers differ. Between the runs both lists are equal."""
    found: list[DifferingRun] = []
    at, new_at = 0, 0
    for place, new_place, count in (*_shared_stretches(old, new), (len(old), len(new), 0)):
        if at < place or new_at < new_place:
            found.append(DifferingRun(at, place, new_at, new_place))
        at, new_at = place + count, new_place + count
    return found


def _shared_stretches(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The stretches of shared words, in order: index in both lists, and length."""
    at, new_at, size = 0, 0, _WINDOW
    while at < len(old) and new_at < len(new):
        ours, theirs = old[at : at + size], new[new_at : new_at + size]
        if (same := shared_length(ours, theirs)) > _HALF:
            yield at, new_at, same
            after, size = (same, same), 2 * size
        else:
            size = _WINDOW
            pairs = common_subsequence(ours[:size], theirs[:size])
            is_last = at + size >= len(old) and new_at + size >= len(new)
            pairs, after = (pairs, (size, size)) if is_last else _certain(pairs)
            yield from ((at + one, new_at + other, 1) for one, other in pairs)
        at, new_at = at + after[0], new_at + after[1]


def _certain(pairs: list[_Pair]) -> tuple[list[_Pair], _Pair]:
    """The pairs of a window that later words cannot improve, and the start of the next window."""
    kept = [pair for pair in pairs if min(pair) < _HALF]
    if len(kept) < len(pairs):
        return kept, pairs[len(kept)]
    last, new_last = kept[-1] if kept else (-1, -1)
    return kept, (max(last + 1, _HALF), max(new_last + 1, _HALF))
