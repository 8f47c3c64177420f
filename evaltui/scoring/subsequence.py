"""The longest common subsequence of two lists of numbers, quickly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence


def common_subsequence(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """The places in both lists of as many equal items as possible, in the order of both.

    Rows of the usual table are bits of one integer (H. Hyyrö, "Bit-parallel LCS-length computation revisited", 2004),
    so 10,000 items a side take a fraction of a second. Equal beginnings and ends are taken off before.
    """
    first, end = 0, 0
    shorter = min(len(one), len(other))
    while first < shorter and one[first] == other[first]:
        first += 1
    while end < shorter - first and one[-1 - end] == other[-1 - end]:
        end += 1
    inner = _inner(one[first : len(one) - end], other[first : len(other) - end])
    return [
        *((place, place) for place in range(first)),
        *((first + left, first + right) for left, right in inner),
        *((len(one) - place, len(other) - place) for place in range(end, 0, -1)),
    ]


def _inner(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """Taken from the end, so that of equally long ones the one is found that keeps the first items of `one`."""
    pairs = _of_reversed(one[::-1], other[::-1])
    return [(len(one) - 1 - left, len(other) - 1 - right) for left, right in pairs]


def _of_reversed(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    places: defaultdict[int, int] = defaultdict(int)
    for place, item in enumerate(other):
        places[item] |= 1 << place
    full = (1 << len(other)) - 1
    row, rows = full, [full]
    for item in one:
        here = row & places.get(item, 0)
        row = (row + here | row - here) & full
        rows.append(row)
    # A 0 bit in row i at place j: one[:i] and other[:j + 1] have one item more in common than with other[:j].
    found, left, right = [], len(one), len(other)
    while left and right:
        bit = 1 << (right - 1)
        if rows[left] & bit:
            right -= 1
        elif not rows[left - 1] & bit:
            left -= 1
        else:
            left, right = left - 1, right - 1
            found.append((left, right))
    return found
