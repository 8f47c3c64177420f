"""`tool_trajectory_avg_score` of a turn: whether the expected calls were made (google-adk's `TrajectoryEvaluator`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, cast, get_args

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.equality import Kinds, same_call

MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
"""The same calls and no others · the expected ones in order, others between them · the expected ones in any order."""
MATCH_TYPES = cast("tuple[MatchType, ...]", get_args(MatchType))

Calls = Sequence[TurnCall]


def trajectory_matches(expected: Calls, actual: Calls, match_type: MatchType, *, ignore_args: bool = False) -> bool:
    """Whether the actual calls match the expected ones; the score of the turn is 1.0 then, else 0.0."""
    if match_type == "EXACT":
        return len(expected) == len(actual) and all(
            same_call(one, other, ignore_args=ignore_args) for one, other in zip(expected, actual, strict=True)
        )
    # Each search goes on behind the call that was found last.
    left = iter(actual)
    is_in_order = all(any(same_call(call, other, ignore_args=ignore_args) for other in left) for call in expected)
    if is_in_order or match_type == "IN_ORDER":
        return is_in_order
    if Counter(call.name for call in expected) - Counter(call.name for call in actual):
        return False
    kinds = Kinds(ignore_args=ignore_args)
    return Counter(kinds.of(expected)) <= Counter(kinds.of(actual))


def passes(expected: Calls, actual: Calls, *, ignore_args: bool = False) -> dict[MatchType, bool]:
    """Which match types the actual calls would pass; each one implies the next."""
    found: dict[MatchType, bool] = {}
    does = False
    for match_type in MATCH_TYPES:
        does = does or trajectory_matches(expected, actual, match_type, ignore_args=ignore_args)
        found[match_type] = does
    return found
