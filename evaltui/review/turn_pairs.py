"""Pairs of expected and recorded turns of a conversation, also if one side has more turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltui.evalset.turn import Turn
from evaltui.scoring.alignment import common_subsequence


class TurnPair(NamedTuple):
    """The indexes of an expected turn, a recorded turn, or both."""

    expected: int | None
    actual: int | None


def pair_turns(expected: Sequence[Turn], actual: Sequence[Turn]) -> list[TurnPair]:
    """Pair the turns of both sides in order. Each turn is in one pair.

    As many turns as possible are paired by equal user text. The turns between these are paired in order.
    """
    if len(expected) == len(actual):
        return [TurnPair(place, place) for place in range(len(expected))]
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(turn.user_text, len(numbers)) for turn in side] for side in (expected, actual))
    found: list[TurnPair] = []
    first, other_first = 0, 0
    for one, other in [*common_subsequence(ours, theirs), (len(ours), len(theirs))]:
        found += _between(range(first, one), range(other_first, other))
        if one < len(ours):
            found.append(TurnPair(one, other))
        first, other_first = one + 1, other + 1
    return found


def _between(ours: range, theirs: range) -> Iterator[TurnPair]:
    both = min(len(ours), len(theirs))
    yield from map(TurnPair, ours[:both], theirs[:both])
    yield from (TurnPair(place, None) for place in ours[both:])
    yield from (TurnPair(None, place) for place in theirs[both:])


def differ_at_the_end_only(pairs: Sequence[TurnPair]) -> bool:
    """Whether all pairs have equal indexes, so that one side only has more turns at the end."""
    paired = [pair for pair in pairs if pair.expected is not None and pair.actual is not None]
    return all(pair.expected == pair.actual for pair in paired) and paired == [*pairs[: len(paired)]]
