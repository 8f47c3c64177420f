"""Alignment of expected and actual tool calls in rows: matched, arguments differ, missing, extra or moved.

Calls are paired in four steps: as many equal calls as possible in the order of both sides; equal calls at other places;
between these, calls of the same tool with other arguments; calls of the same tool at other places.

So the rows agree with the match types. EXACT passes exactly if all rows are `matched`. IN_ORDER passes exactly if each
expected call is `matched`. ANY_ORDER passes exactly if each expected call is `matched`, or is `moved` with equal
arguments.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.argument_differences import ArgumentDifference, argument_differences
from evaltui.scoring.equality import Kinds, fingerprint, same_call

Marked = tuple[str | None, frozenset[tuple[str, int | None]]]
RowState = Literal["matched", "arguments_differ", "missing", "extra", "moved"]
Calls = Sequence[TurnCall]
Pairs = list[tuple[int, int]]
"""Indexes of paired expected and actual calls."""

_ROWS = 256
"""The rows of the table of a common subsequence that are in memory at once."""
_CELLS = 4096
"""The most combinations of calls that are paired by similar arguments (quadratic time); beyond, by order only."""


class Row(NamedTuple):
    """An expected call, an actual call, or both."""

    state: RowState
    expected: int | None = None
    actual: int | None = None
    """Their indexes among the calls of their side."""
    arguments: tuple[ArgumentDifference, ...] | None = None
    """The arguments compared, where they differ; None if those of the actual call are not recorded."""

    @property
    def said(self) -> str:
        """A few words about the row for people; "" if it needs none."""
        if self.state == "moved" and self.expected is not None and self.actual is not None:
            return f"call {self.actual + 1} instead of {self.expected + 1}"
        return {"missing": "not called", "extra": "not expected"}.get(self.state, "")

    def to_json(self) -> dict[str, Any]:
        """The row for reports. A side that is absent has no key."""
        shown: dict[str, Any] = {"state": self.state, "expected": self.expected, "actual": self.actual}
        shown = {key: value for key, value in shown.items() if value is not None}
        if self.arguments is not None:
            shown["arguments"] = [each.to_json() for each in self.arguments]
        return shown


def align(expected: Calls, actual: Calls) -> tuple[Row, ...]:
    """Align the calls of both sides. Each call is in one row.

    Rows are in the order of the expected calls. Extra calls are where the agent made them.
    """
    in_order, elsewhere = _paired_with_equal(expected, actual)
    paired = [*in_order, *elsewhere]
    left, right = _without(range(len(expected)), paired, 0), _without(range(len(actual)), paired, 1)
    if left and right:
        between = _of_same_tool(expected, actual, in_order, left, right)
        left, right = _without(left, between, 0), _without(right, between, 1)
        names = Kinds(ignore_args=True)
        elsewhere += _equal_elsewhere(left, right, names.of(expected), names.of(actual))
        in_order = sorted([*in_order, *between])
    return tuple(_rows(expected, actual, in_order, dict(elsewhere)))


def _paired_with_equal(expected: Calls, actual: Calls) -> tuple[Pairs, Pairs]:
    """The pairs of equal calls: pairs in the order of both sides, and pairs at other places."""
    first, end = 0, 0
    shorter = min(len(expected), len(actual))
    while first < shorter and same_call(expected[first], actual[first]):
        first += 1
    while end < shorter - first and same_call(expected[-1 - end], actual[-1 - end]):
        end += 1
    kinds, count, other_count = Kinds(), len(expected), len(actual)
    ours, theirs = expected[first : count - end], actual[first : other_count - end]
    in_order, elsewhere = [], []
    if ours and theirs:
        of_ours, of_theirs = kinds.of(ours), kinds.of(theirs)
        in_order = common_subsequence(of_ours, of_theirs)
        left, right = _without(range(len(ours)), in_order, 0), _without(range(len(theirs)), in_order, 1)
        elsewhere = _equal_elsewhere(left, right, of_ours, of_theirs)
    beginning = [(place, place) for place in range(first)]
    ending = [(count - place, other_count - place) for place in range(end, 0, -1)]
    between = ((first + one, first + other) for one, other in in_order)
    return [*beginning, *between, *ending], [(first + one, first + other) for one, other in elsewhere]


def _without(places: Iterable[int], pairs: Pairs, side: int) -> list[int]:
    gone = {pair[side] for pair in pairs}
    return [place for place in places if place not in gone]


def _equal_elsewhere(left: list[int], right: list[int], expected: list[int], actual: list[int]) -> Pairs:
    """Pairs of equal calls at different places. Each call is in one pair, the first with the first."""
    waiting: defaultdict[int, deque[int]] = defaultdict(deque)
    for place in right:
        waiting[actual[place]].append(place)
    return [(place, waiting[kind].popleft()) for place in left if waiting[kind := expected[place]]]


def _of_same_tool(expected: Calls, actual: Calls, in_order: Pairs, left: list[int], right: list[int]) -> Pairs:
    """Calls of one tool in the order of both sides, between the pairs that are in order already."""
    found: Pairs = []
    ours, theirs = deque(left), deque(right)
    for end in [*in_order, (len(expected), len(actual))]:
        gap, other_gap = _taken_before(ours, end[0]), _taken_before(theirs, end[1])
        if gap and other_gap:
            found += _paired(expected, actual, gap, other_gap)
    return found


def _taken_before(places: deque[int], end: int) -> list[int]:
    taken = []
    while places and places[0] < end:
        taken.append(places.popleft())
    return taken


def _paired(expected: Calls, actual: Calls, gap: list[int], other_gap: list[int]) -> Pairs:
    if len(gap) * len(other_gap) > _CELLS:
        names = Kinds(ignore_args=True)
        pairs = common_subsequence(
            names.of(expected[place] for place in gap), names.of(actual[place] for place in other_gap)
        )
        return [(gap[one], other_gap[other]) for one, other in pairs]
    # Pair as many equal names as possible; among these pairings, prefer the most equal arguments.
    ours, theirs = [_marked(expected[one]) for one in gap], [_marked(actual[other]) for other in other_gap]
    weights = [[_likeness(one, other) for other in theirs] for one in ours]
    best = [[0.0] * (len(other_gap) + 1) for _ in range(len(gap) + 1)]
    for row in range(len(gap) - 1, -1, -1):
        for column in range(len(other_gap) - 1, -1, -1):
            skipped = max(best[row + 1][column], best[row][column + 1])
            weight = weights[row][column]
            best[row][column] = max(skipped, weight + best[row + 1][column + 1]) if weight else skipped
    found, row, column = [], 0, 0
    while row < len(gap) and column < len(other_gap):
        # Exact comparison of floats is safe: the table has this very sum if the pair was the better choice.
        here, weight = best[row][column], weights[row][column]
        if weight and here == weight + best[row + 1][column + 1]:
            found.append((gap[row], other_gap[column]))
            row, column = row + 1, column + 1
        elif here == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return found


def _marked(call: TurnCall) -> Marked:
    """The name of a call, and a set of its arguments with hashes of their values."""
    return call.name, frozenset((key, fingerprint(value)) for key, value in (call.args or {}).items())


def _likeness(one: Marked, other: Marked) -> float:
    """0 for calls of different tools; else a large number plus the share of equal arguments."""
    if one[0] != other[0]:
        return 0.0
    return _CELLS + len(one[1] & other[1]) / max(len(one[1]), len(other[1]), 1)


def _rows(expected: Calls, actual: Calls, in_order: Pairs, elsewhere: dict[int, int]) -> Iterable[Row]:
    moved = set(elsewhere.values())
    next_expected, next_actual = 0, 0
    for one, other in [*in_order, (len(expected), len(actual))]:
        for place in range(next_expected, one):
            if place in elsewhere:
                yield _pair("moved", expected, actual, place, elsewhere[place])
            else:
                yield Row("missing", expected=place)
        yield from (Row("extra", actual=place) for place in range(next_actual, other) if place not in moved)
        if one < len(expected):
            yield _pair("matched", expected, actual, one, other)
        next_expected, next_actual = one + 1, other + 1


def _pair(state: RowState, expected: Calls, actual: Calls, one: int, other: int) -> Row:
    ours, theirs = expected[one], actual[other]
    if same_call(ours, theirs):
        return Row(state, one, other)
    state = "arguments_differ" if state == "matched" else state
    if not theirs.has_args:
        return Row(state, one, other)
    return Row(state, one, other, argument_differences(ours.args, theirs.args))


def common_subsequence(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """The longest common subsequence of two lists, as pairs of indexes.

    A row of the usual table is the bits of one integer (H. Hyyrö, "Bit-parallel LCS-length computation revisited",
    2004), so 10,000 items a side take a fraction of a second. Equal beginnings and ends are cut off first.
    """
    # A plain table would save ten lines, but takes 0.9 s for 2,000 items a side. difflib does not find the longest
    # subsequence: in one of 25 lists that pass IN_ORDER, the rows would wrongly show a missing call.
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
    """Search from the end: of equally long subsequences, this finds the one with the earliest items of `one`."""
    pairs = _of_reversed(one[::-1], other[::-1])
    return [(len(one) - 1 - left, len(other) - 1 - right) for left, right in pairs]


def _of_reversed(one: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    places: defaultdict[int, int] = defaultdict(int)
    for place, item in enumerate(other):
        places[item] |= 1 << place
    full = (1 << len(other)) - 1

    def next_row(row: int, item: int) -> int:
        here = row & places.get(item, 0)
        return (row + here | row - here) & full

    # Only each `_ROWS`th row is kept, and those between are made again: all rows of 80,000 items take 800 MB.
    kept, rows, first = [full], [full], 0
    for start in range(0, len(one), _ROWS):
        first, rows = start, [*accumulate(one[start : start + _ROWS], next_row, initial=kept[-1])]
        kept.append(rows[-1])
    # A 0 bit in row i at place j means: one[:i] shares one item more with other[:j + 1] than with other[:j].
    found, left, right = [], len(one), len(other)
    while left and right:
        if left == first:
            first = left - _ROWS
            rows = [*accumulate(one[first:left], next_row, initial=kept[first // _ROWS])]
        bit = 1 << (right - 1)
        if rows[left - first] & bit:
            right -= 1
        elif not rows[left - 1 - first] & bit:
            left -= 1
        else:
            left, right = left - 1, right - 1
            found.append((left, right))
    return found
