"""The runs in which two sequences differ, in about linear time however long they are, and unified diffs."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

# The most pairs of items that difflib matches; its time grows with their number or faster.
_WORTH_MATCHING = 40_000
_PHRASE = 8  # items in a row that are searched for as one unit if no single item is unique
_DEEPEST = 20  # levels of landmarks between landmarks; without a limit, a crafted text needs one level per item
_FEW, _NEAR = 200, 400
"""The most differences that are searched for one by one, and the items in which each search looks for a landmark."""


class DifferingRun(NamedTuple):
    """A run of items that was replaced: `start` to `stop` in the old sequence, `new_start` to `new_stop` in the new."""

    start: int
    stop: int
    new_start: int
    new_stop: int


_Item = TypeVar("_Item", bound=Hashable)
RunMatcher = Callable[[Sequence[_Item], Sequence[_Item]], list[DifferingRun]]
"""Finds the runs in which two sequences without landmarks differ."""

_Landmark = tuple[int, int]
"""The places, in the old and the new sequence, of one item."""


def shared_length(first: Sequence[Any], second: Sequence[Any]) -> int:
    """The number of equal items at the start of both."""
    # By bisection: comparing two slices is C code, comparing items one by one is not.
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def differing_runs(
    old: Sequence[_Item], new: Sequence[_Item], match: RunMatcher[_Item] | None = None
) -> list[DifferingRun]:
    """The runs in which both sequences differ, in order. Between these runs they are equal.

    A landmark is an item that occurs once in each sequence, in the same order. Between two landmarks the search starts
    again. In a long stretch without landmarks, phrases of `_PHRASE` items serve as landmarks. `match` compares the
    stretches that remain; by default, long stretches are compared by position. Needs no recursion.
    """
    match = match or _matched
    runs: list[DifferingRun] = []
    pending = [(run, 0) for run in reversed(_nearby(old, new))]
    while pending:
        outer, depth = pending.pop()
        run = _trimmed(old, new, outer)
        if run.start == run.stop or run.new_start == run.new_stop:
            runs += [run] if run.start < run.stop or run.new_start < run.new_stop else []
            continue
        old_items, new_items = old[run.start : run.stop], new[run.new_start : run.new_stop]
        landmarks = _landmarks(old_items, new_items) if depth < _DEEPEST else []
        if not landmarks and len(old_items) * len(new_items) > _WORTH_MATCHING and depth < _DEEPEST:
            landmarks = _landmarks(_phrases(old_items), _phrases(new_items))
        if landmarks:
            pending += [(gap, depth + 1) for gap in reversed(list(_gaps(run, landmarks)))]
        else:
            for start, stop, new_start, new_stop in match(old_items, new_items):
                new_places = run.new_start + new_start, run.new_start + new_stop
                runs.append(DifferingRun(run.start + start, run.start + stop, *new_places))
    return runs


def _nearby(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[DifferingRun]:
    """Runs that contain all differences; the last one is the rest.

    After a difference, only the next items are searched for a landmark.
    """
    # If little differs in a long sequence, this saves counting all of its items.
    trimmed = _trimmed(old, new, DifferingRun(0, len(old), 0, len(new)))
    runs: list[DifferingRun] = []
    start, new_start = trimmed.start, trimmed.new_start
    while len(runs) < _FEW and min(trimmed.stop - start, trimmed.new_stop - new_start) > _NEAR:
        shared = _landmarks(_phrases(old[start : start + _NEAR]), _phrases(new[new_start : new_start + _NEAR]))
        if not shared:
            break
        place, new_place = shared[0]
        runs.append(DifferingRun(start, start + place, new_start, new_start + new_place))
        most = min(trimmed.stop - start - place, trimmed.new_stop - new_start - new_place)
        same = shared_from(old, new, start + place, new_start + new_place, most)
        start, new_start = start + place + same, new_start + new_place + same
    return [*runs, DifferingRun(start, trimmed.stop, new_start, trimmed.new_stop)]


def shared_from(old: Sequence[Hashable], new: Sequence[Hashable], start: int, new_start: int, most: int) -> int:
    """The number of equal items from these places on, up to `most`."""
    # Slices that grow: they compare in C, and most differences are near.
    same, step = 0, _NEAR
    while same < most:
        step = min(step, most - same)
        old_place, new_place = start + same, new_start + same
        shared = shared_length(old[old_place : old_place + step], new[new_place : new_place + step])
        same += shared
        if shared < step:
            break
        step *= 2
    return same


def _trimmed(old: Sequence[Hashable], new: Sequence[Hashable], run: DifferingRun) -> DifferingRun:
    """`run` without the equal items at its start and end."""
    old_items, new_items = old[run.start : run.stop], new[run.new_start : run.new_stop]
    head = shared_length(old_items, new_items)
    tail = shared_length(old_items[head:][::-1], new_items[head:][::-1])
    return DifferingRun(run.start + head, run.stop - tail, run.new_start + head, run.new_stop - tail)


def _landmarks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[_Landmark]:
    """The longest series of items that occur once in each sequence and in the same order."""
    once = _once(old) & _once(new)
    if not once:
        return []
    new_places = {item: place for place, item in enumerate(new) if item in once}
    shared = [(place, new_places[item]) for place, item in enumerate(old) if item in once]
    return _longest_rise(shared)


def _once(items: Sequence[Hashable]) -> set[Hashable]:
    return {item for item, count in Counter(items).items() if count == 1}


def _phrases(items: Sequence[Hashable]) -> list[tuple[Hashable, ...]]:
    """For each item: it and those that follow."""
    return list(zip(*(items[shift:] for shift in range(_PHRASE)), strict=False))


def _longest_rise(shared: list[_Landmark]) -> list[_Landmark]:
    """The longest part of `shared` with rising new places; its old places already rise."""
    # Longest increasing subsequence: for each length, the landmark that ends the lowest series, and its new place.
    last: list[int] = []
    last_places: list[int] = []
    previous: list[int] = []  # for each landmark: the landmark before it in its series
    for number, (_, place) in enumerate(shared):
        length = bisect_left(last_places, place)
        previous.append(last[length - 1] if length else -1)
        last_places[length : length + 1] = [place]
        last[length : length + 1] = [number]
    chosen: list[_Landmark] = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(shared[number])
        number = previous[number]
    return chosen[::-1]


def _gaps(run: DifferingRun, landmarks: list[_Landmark]) -> Iterator[DifferingRun]:
    """The runs between the landmarks, without empty ones."""
    start, new_start = run.start, run.new_start
    for place, new_place in [*landmarks, (run.stop - run.start, run.new_stop - run.new_start)]:
        stop, new_stop = run.start + place, run.new_start + new_place
        if start < stop or new_start < new_stop:
            yield DifferingRun(start, stop, new_start, new_stop)
        start, new_start = stop + 1, new_stop + 1


def _matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[DifferingRun]:
    """The runs of a stretch without landmarks. A long stretch of unchanged length is compared by position."""
    if len(old) * len(new) <= _WORTH_MATCHING:
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return [DifferingRun(*places) for tag, *places in codes if tag != "equal"]
    if len(old) != len(new):
        return [DifferingRun(0, len(old), 0, len(new))]
    stretches = groupby(range(len(old)), lambda place: old[place] != new[place])
    differing = [list(places) for differs, places in stretches if differs]
    return [DifferingRun(places[0], places[-1] + 1, places[0], places[-1] + 1) for places in differing]


_CONTEXT = 3
_NO_NEWLINE = b"\n\\ No newline at end of file"


def unified_diff(old: bytes, new: bytes, name: str) -> Iterator[str]:
    """The diff of two UTF-8 texts of the file `name`, a line each and without line ends; none where both are equal.

    Only `\\n` ends a line. What is not UTF-8 is shown as �.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    hunks: list[list[DifferingRun]] = []
    for run in differing_runs(old_lines, new_lines):
        # Runs are shown together if the lines between them are context of both.
        if hunks and run.start - hunks[-1][-1].stop <= 2 * _CONTEXT:
            hunks[-1].append(run)
        else:
            hunks.append([run])
    if hunks:
        yield from (f"--- a/{name}", f"+++ b/{name}")
    for hunk in hunks:
        for line in _hunk_lines(hunk, old_lines, new_lines):
            yield from line.decode("utf-8", "replace").split("\n")


def _lines(text: bytes) -> list[bytes]:
    """The lines without their line ends. A last line without one gets the remark of `diff -u`."""
    lines = text.split(b"\n")
    last = lines.pop()
    return [*lines, last + _NO_NEWLINE] if last else lines


def _hunk_lines(hunk: list[DifferingRun], old_lines: list[bytes], new_lines: list[bytes]) -> Iterator[bytes]:
    first, last = hunk[0], hunk[-1]
    lead = min(_CONTEXT, first.start)
    trail = min(_CONTEXT, len(old_lines) - last.stop)
    start, stop = first.start - lead, last.stop + trail
    yield f"@@ -{_range(start, stop)} +{_range(first.new_start - lead, last.new_stop + trail)} @@".encode()
    for run in hunk:
        yield from (b" " + line for line in old_lines[start : run.start])
        yield from (b"-" + line for line in old_lines[run.start : run.stop])
        yield from (b"+" + line for line in new_lines[run.new_start : run.new_stop])
        start = run.stop
    yield from (b" " + line for line in old_lines[start:stop])


def _range(start: int, stop: int) -> str:
    """Lines as a hunk's head has them: counted from 1, an empty range by the line before it, a length of 1 left out."""
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
