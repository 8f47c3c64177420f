"""Pairs of expected and recorded turns of a conversation, also if one side has more turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltui.evalset.turn import Turn
from evaltui.scoring.call_alignment import common_subsequence


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
    # Numbers instead of texts: equal texts are compared once.
    numbers: dict[str, int] = {}
    expected_numbers, actual_numbers = (
        [numbers.setdefault(turn.user_text, len(numbers)) for turn in side] for side in (expected, actual)
    )
    pairs: list[TurnPair] = []
    first, other_first = 0, 0
    for position, other_position in [
        *common_subsequence(expected_numbers, actual_numbers),
        (len(expected_numbers), len(actual_numbers)),
    ]:
        pairs += _between(range(first, position), range(other_first, other_position))
        if position < len(expected_numbers):
            pairs.append(TurnPair(position, other_position))
        first, other_first = position + 1, other_position + 1
    return pairs


def _between(expected: range, actual: range) -> Iterator[TurnPair]:
    both = min(len(expected), len(actual))
    yield from map(TurnPair, expected[:both], actual[:both])
    yield from (TurnPair(place, None) for place in expected[both:])
    yield from (TurnPair(None, place) for place in actual[both:])


def differ_at_the_end_only(pairs: Sequence[TurnPair]) -> bool:
    """Whether all pairs have equal indexes, so that one side only has more turns at the end."""
    paired = [pair for pair in pairs if pair.expected is not None and pair.actual is not None]
    return all(pair.expected == pair.actual for pair in paired) and paired == [*pairs[: len(paired)]]
