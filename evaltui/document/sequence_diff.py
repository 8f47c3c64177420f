"""The runs in which two sequences differ, in about linear time however long they are, and unified diffs."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any, TypeVar

# The most pairs of items that difflib matches; its time grows with their number or faster.
_WORTH_MATCHING = 40_000
_PHRASE = 8  # items in a row that are searched for as one unit if no single item is unique
_DEEPEST = 20  # levels of landmarks between landmarks; without a limit, a crafted text needs one level per item
_FEW, _NEAR = 200, 400
"""The most differences that are searched for one by one, and the items in which each search looks for a landmark."""


DifferingRun = tuple[slice, slice]
"""A run of items that was replaced: its place in the old sequence, and the place of its successor in the new one."""
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
        place, new_place = run = _trimmed(old, new, outer)
        old_items, new_items = old[place], new[new_place]
        if not old_items or not new_items:
            runs += [run] if old_items or new_items else []
            continue
        landmarks = _landmarks(old_items, new_items) if depth < _DEEPEST else []
        if not landmarks and len(old_items) * len(new_items) > _WORTH_MATCHING and depth < _DEEPEST:
            landmarks = _landmarks(_phrases(old_items), _phrases(new_items))
        if landmarks:
            pending += [(gap, depth + 1) for gap in reversed(list(_gaps(run, landmarks)))]
        else:
            matched = match(old_items, new_items)
            runs += [(_moved(part, place.start), _moved(new_part, new_place.start)) for part, new_part in matched]
    return runs


def _moved(place: slice, distance: int) -> slice:
    return slice(place.start + distance, place.stop + distance)


def _nearby(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[DifferingRun]:
    """Runs that contain all differences; the last one is the rest.

    After a difference, only the next items are searched for a landmark.
    """
    # If little differs in a long sequence, this saves counting all of its items.
    place, new_place = _trimmed(old, new, (slice(0, len(old)), slice(0, len(new))))
    runs: list[DifferingRun] = []
    start, new_start = place.start, new_place.start
    while len(runs) < _FEW and min(place.stop - start, new_place.stop - new_start) > _NEAR:
        shared = _landmarks(_phrases(old[start : start + _NEAR]), _phrases(new[new_start : new_start + _NEAR]))
        if not shared:
            break
        stop, new_stop = start + shared[0][0], new_start + shared[0][1]
        runs.append((slice(start, stop), slice(new_start, new_stop)))
        same = shared_from(old, new, stop, new_stop, min(place.stop - stop, new_place.stop - new_stop))
        start, new_start = stop + same, new_stop + same
    return [*runs, (slice(start, place.stop), slice(new_start, new_place.stop))]


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
    old_items, new_items = old[run[0]], new[run[1]]
    head = shared_length(old_items, new_items)
    tail = shared_length(old_items[head:][::-1], new_items[head:][::-1])
    place, new_place = (slice(place.start + head, place.stop - tail) for place in run)
    return place, new_place


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
    (first, last), (new_first, new_last) = ((place.start, place.stop) for place in run)
    start, new_start = first, new_first
    for place, new_place in [*landmarks, (last - first, new_last - new_first)]:
        stop, new_stop = first + place, new_first + new_place
        if start < stop or new_start < new_stop:
            yield slice(start, stop), slice(new_start, new_stop)
        start, new_start = stop + 1, new_stop + 1


def _matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[DifferingRun]:
    """The runs of a stretch without landmarks. A long stretch of unchanged length is compared by position."""
    if len(old) * len(new) <= _WORTH_MATCHING:
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return [(slice(*places[:2]), slice(*places[2:])) for tag, *places in codes if tag != "equal"]
    if len(old) != len(new):
        return [(slice(0, len(old)), slice(0, len(new)))]
    stretches = groupby(range(len(old)), lambda place: old[place] != new[place])
    stretches_apart = (list(places) for differs, places in stretches if differs)
    return [(place, place) for places in stretches_apart for place in [slice(places[0], places[-1] + 1)]]


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
        if hunks and run[0].start - hunks[-1][-1][0].stop <= 2 * _CONTEXT:
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
    (first, new_first), (last, new_last) = hunk[0], hunk[-1]
    lead = min(_CONTEXT, first.start)
    trail = min(_CONTEXT, len(old_lines) - last.stop)
    start, stop = first.start - lead, last.stop + trail
    yield f"@@ -{_range(start, stop)} +{_range(new_first.start - lead, new_last.stop + trail)} @@".encode()
    for place, new_place in hunk:
        yield from (b" " + line for line in old_lines[start : place.start])
        yield from (b"-" + line for line in old_lines[place])
        yield from (b"+" + line for line in new_lines[new_place])
        start = place.stop
    yield from (b" " + line for line in old_lines[start:stop])


def _range(start: int, stop: int) -> str:
    """Lines as a hunk's head has them: counted from 1, an empty range by the line before it, a length of 1 left out."""
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
