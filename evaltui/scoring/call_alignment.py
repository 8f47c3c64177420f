"""Alignment of expected and actual tool calls in rows: matched, arguments differ, missing, extra or moved.

Calls are paired in four steps: as many equal calls as possible in the order of both sides; equal calls at other places;
between these, calls of the same tool with other arguments; calls of the same tool at other places.

So the rows agree with the match types. EXACT passes exactly if all rows are `matched`. IN_ORDER passes exactly if each
expected call is `matched`. ANY_ORDER passes exactly if each expected call is `matched`, or is `moved` with equal
arguments.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from typing import Any, Literal, NamedTuple

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.call_equality import ArgumentDifference, argument_differences, fingerprint, number_calls, same_call

RowState = Literal["matched", "arguments_differ", "missing", "extra", "moved"]
Calls = Sequence[TurnCall]
IndexPairs = list[tuple[int, int]]
"""Indexes of paired expected and actual calls."""

_TABLE_ROWS = 256
"""The rows of the table of a common subsequence that are in memory at once."""
_MOST_COMBINATIONS = 4096
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
    def remark(self) -> str:
        """A few words about the row for people; "" if it needs none."""
        if self.state == "moved" and self.expected is not None and self.actual is not None:
            return f"call {self.actual + 1} instead of {self.expected + 1}"
        return {"missing": "not called", "extra": "not expected"}.get(self.state, "")

    def to_json(self) -> dict[str, Any]:
        """The row for reports. A side that is absent has no key."""
        members: dict[str, Any] = {"state": self.state, "expected": self.expected, "actual": self.actual}
        members = {key: value for key, value in members.items() if value is not None}
        if self.arguments is not None:
            members["arguments"] = [difference.to_json() for difference in self.arguments]
        return members


def align_calls(expected: Calls, actual: Calls) -> tuple[Row, ...]:
    """Align the calls of both sides. Each call is in one row.

    Rows are in the order of the expected calls. Extra calls are where the agent made them.
    """
    # Most turns pass, and comparing their calls directly takes a quarter of the time of numbering them.
    if len(expected) == len(actual) and all(map(same_call, expected, actual)):
        return tuple(Row("matched", index, index) for index in range(len(expected)))
    numbers, other_numbers = number_calls(expected, actual)
    in_order = common_subsequence(numbers, other_numbers)
    moved = _pair_leftovers(numbers, other_numbers, in_order)
    in_order = sorted([*in_order, *_pair_between(expected, actual, in_order, moved)])
    tools, other_tools = number_calls(expected, actual, ignore_args=True)
    moved_to = dict([*moved, *_pair_leftovers(tools, other_tools, [*in_order, *moved])])
    moved_actual = set(moved_to.values())
    rows: list[Row] = []
    for (start, other_start), (end, other_end) in pairwise([(-1, -1), *in_order, (len(expected), len(actual))]):
        for index in range(start + 1, end):
            if index in moved_to:
                rows.append(_row("moved", expected, actual, index, moved_to[index]))
            else:
                rows.append(Row("missing", expected=index))
        extra = (index for index in range(other_start + 1, other_end) if index not in moved_actual)
        rows += (Row("extra", actual=index) for index in extra)
        if end < len(expected):
            rows.append(_row("matched", expected, actual, end, other_end))
    return tuple(rows)


def _pair_leftovers(expected: Sequence[int], actual: Sequence[int], pairs: IndexPairs) -> IndexPairs:
    """Pair the calls in no pair that have the same number, wherever they are, the first with the first."""
    free: defaultdict[int, deque[int]] = defaultdict(deque)
    for index in _unpaired(actual, pairs, 1):
        free[actual[index]].append(index)
    unpaired = _unpaired(expected, pairs, 0)
    return [(index, free[number].popleft()) for index in unpaired if free[number := expected[index]]]


def _unpaired(calls: Sequence[object], pairs: IndexPairs, side: int) -> list[int]:
    paired = {pair[side] for pair in pairs}
    return [index for index in range(len(calls)) if index not in paired]


def _pair_between(expected: Calls, actual: Calls, in_order: IndexPairs, moved: IndexPairs) -> IndexPairs:
    """Pair calls of one tool that are between the same two pairs on both sides."""
    ours, theirs = (_unpaired(calls, [*in_order, *moved], side) for side, calls in enumerate((expected, actual)))
    pairs: IndexPairs = []
    if not ours or not theirs:
        return pairs
    for (start, other_start), (end, other_end) in pairwise([(-1, -1), *in_order, (len(expected), len(actual))]):
        gap = ours[bisect(ours, start) : bisect(ours, end)]
        other_gap = theirs[bisect(theirs, other_start) : bisect(theirs, other_end)]
        if gap and other_gap:
            local = _pair_by_likeness([expected[index] for index in gap], [actual[index] for index in other_gap])
            pairs += [(gap[index], other_gap[other_index]) for index, other_index in local]
    return pairs


def _pair_by_likeness(expected: Calls, actual: Calls) -> IndexPairs:
    """Pair as many calls of one tool as possible in order; among these pairings, prefer the most equal arguments."""
    if len(expected) * len(actual) > _MOST_COMBINATIONS:
        return common_subsequence(*number_calls(expected, actual, ignore_args=True))
    # The arguments as a set: each name with the hash of its value.
    ours, theirs = (
        [frozenset((name, fingerprint(value)) for name, value in (call.args or {}).items()) for call in calls]
        for calls in (expected, actual)
    )
    rows, columns = range(len(expected)), range(len(actual))
    weights = [[0.0 for _ in columns] for _ in rows]
    for row, column in product(rows, columns):
        if expected[row].name == actual[column].name:
            args, other_args = ours[row], theirs[column]
            # The constant exceeds the sum of all shares of equal arguments, so the number of pairs decides first.
            share = len(args & other_args) / max(len(args), len(other_args), 1)
            weights[row][column] = _MOST_COMBINATIONS + share
    best = [[0.0] * (len(actual) + 1) for _ in range(len(expected) + 1)]
    for row in reversed(rows):
        for column in reversed(columns):
            skipped = max(best[row + 1][column], best[row][column + 1])
            own = weights[row][column]
            best[row][column] = max(skipped, own + best[row + 1][column + 1]) if own else skipped
    pairs, row, column = [], 0, 0
    while row in rows and column in columns:
        # Exact comparison of floats is safe: the table has this very sum if the pair was the better choice.
        total, own = best[row][column], weights[row][column]
        if own and total == own + best[row + 1][column + 1]:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif total == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _row(state: RowState, expected: Calls, actual: Calls, index: int, other_index: int) -> Row:
    call, other_call = expected[index], actual[other_index]
    if same_call(call, other_call):
        return Row(state, index, other_index)
    state = "arguments_differ" if state == "matched" else state
    differences = argument_differences(call.args, other_call.args) if other_call.has_args else None
    return Row(state, index, other_index, differences)


def common_subsequence(items: Sequence[int], other_items: Sequence[int]) -> IndexPairs:
    """The longest common subsequence of two lists, as pairs of indexes.

    A row of the usual table is the bits of one integer (H. Hyyrö, "Bit-parallel LCS-length computation revisited",
    2004), so 10,000 items a side take a fraction of a second. Equal beginnings and ends are cut off first.
    """
    # A plain table would save ten lines, but takes 0.9 s for 2,000 items a side. difflib does not find the longest
    # subsequence: in one of 25 lists that pass IN_ORDER, the rows would wrongly show a missing call.
    start, end, shorter = 0, 0, min(len(items), len(other_items))
    while start < shorter and items[start] == other_items[start]:
        start += 1
    while end < shorter - start and items[-1 - end] == other_items[-1 - end]:
        end += 1
    inner, other_inner = items[start : len(items) - end], other_items[start : len(other_items) - end]
    # The table is read from its end. Built from reversed lists, it is read from their beginning: of equally long
    # subsequences, this finds the one with the earliest pairs of `items`.
    pairs = _read_bit_table(inner[::-1], other_inner[::-1])
    return [
        *((index, index) for index in range(start)),
        *((len(items) - end - 1 - row, len(other_items) - end - 1 - column) for row, column in pairs),
        *((len(items) - index, len(other_items) - index) for index in range(end, 0, -1)),
    ]


def _read_bit_table(rows: Sequence[int], columns: Sequence[int]) -> IndexPairs:
    """The longest common subsequence of two lists, as pairs of indexes from the last to the first."""
    columns_with: defaultdict[int, int] = defaultdict(int)
    for column, item in enumerate(columns):
        columns_with[item] |= 1 << column
    full = (1 << len(columns)) - 1

    def next_bits(bits: int, item: int) -> int:
        same = bits & columns_with.get(item, 0)
        return (bits + same | bits - same) & full

    # Only each 256th row is kept, and those between are computed again: all rows of 80,000 items take 800 MB.
    saved, block, block_start = [full], [full], 0
    for block_start in range(0, len(rows), _TABLE_ROWS):
        block = [*accumulate(rows[block_start : block_start + _TABLE_ROWS], next_bits, initial=saved[-1])]
        saved.append(block[-1])
    # A 0 bit in row i at place j means: rows[:i] shares one item more with columns[:j + 1] than with columns[:j].
    pairs, row, column = [], len(rows), len(columns)
    while row and column:
        if row == block_start:
            block_start = row - _TABLE_ROWS
            block = [*accumulate(rows[block_start:row], next_bits, initial=saved[block_start // _TABLE_ROWS])]
        bit = 1 << (column - 1)
        if block[row - block_start] & bit:
            column -= 1
        elif not block[row - 1 - block_start] & bit:
            row -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    return pairs
