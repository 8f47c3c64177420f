"""Differing runs of two stretches of words without common landmarks, in linear time.

A window of each side is aligned for as many shared words as possible, then the next window follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.sequence_diff import DifferingRun, shared_length
from evaltui.scoring.call_alignment import common_subsequence

_WINDOW = 512
"""The most words of a side that are aligned at once. Text that moved further counts as different."""
_HALF = _WINDOW // 2

_Pair = tuple[int, int]


def differing_words(old: Sequence[int], new: Sequence[int]) -> list[DifferingRun]:
    """The runs in which two lists of word numbers differ. Between the runs both lists are equal."""
    runs: list[DifferingRun] = []
    end, new_end = 0, 0
    for place, new_place, count in (*_shared_stretches(old, new), (len(old), len(new), 0)):
        if end < place or new_end < new_place:
            runs.append(DifferingRun(end, place, new_end, new_place))
        end, new_end = place + count, new_place + count
    return runs


def _shared_stretches(old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The stretches of shared words, in order: index in both lists, and length."""
    start, new_start, size = 0, 0, _WINDOW
    while start < len(old) and new_start < len(new):
        old_window, new_window = old[start : start + size], new[new_start : new_start + size]
        if (same := shared_length(old_window, new_window)) > _HALF:
            yield start, new_start, same
            step, size = (same, same), 2 * size
        else:
            size = _WINDOW
            pairs = common_subsequence(old_window[:size], new_window[:size])
            is_last = start + size >= len(old) and new_start + size >= len(new)
            pairs, step = (pairs, (size, size)) if is_last else _certain(pairs)
            yield from ((start + offset, new_start + new_offset, 1) for offset, new_offset in pairs)
        start, new_start = start + step[0], new_start + step[1]


def _certain(pairs: list[_Pair]) -> tuple[list[_Pair], _Pair]:
    """The pairs of a window that later words cannot improve, and the start of the next window."""
    certain = [pair for pair in pairs if min(pair) < _HALF]
    if len(certain) < len(pairs):
        return certain, pairs[len(certain)]
    last, new_last = certain[-1] if certain else (-1, -1)
    return certain, (max(last + 1, _HALF), max(new_last + 1, _HALF))
