"""The metrics of adk-rs, the Rust relative of google-adk, by its own rules (`--profile adk-rs`).

From its guide to evaluation and `TrajectoryMatch` and `ResponseMatch` of its eval module: calls are compared place by
place, a response by the share of its expected words, and a metric passes only if every turn does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evaltui.evalset.turn import Turn
from evaltui.scoring.criterion import TRAJECTORY, Criterion
from evaltui.scoring.results import MetricScore, Status

_TOLERANCE = 1e-9
"""By how much a score may lie below its threshold."""

_WORDS = re.compile("[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""What blanks of Unicode part (White_Space, as Rust has it)."""


def judge(asked: Criterion, pairs: Sequence[tuple[Turn, Turn]]) -> tuple[MetricScore, list[MetricScore]]:
    """What a metric says of a case, given its turns expected and actual, and of each turn."""
    score_of = trajectory_score if asked.name == TRAJECTORY else response_score
    threshold = asked.threshold or 0.0
    turns = [_judged(asked, score_of(expected, actual), threshold) for expected, actual in pairs]
    mean = sum(turn.score or 0.0 for turn in turns) / len(turns)
    failing = [number for number, turn in enumerate(turns, 1) if turn.status != "passed"]
    reason = None
    if failing and mean + _TOLERANCE >= threshold:
        reason = f"turn {failing[0]} does not pass, and adk-rs wants every turn to pass"
    return MetricScore(asked.name, "failed" if failing else "passed", mean, asked.threshold, reason), turns


def trajectory_score(expected: Turn, actual: Turn) -> float:
    """The share of calls that match at their places, of the longer list; 0.0 where neither side has calls."""
    matched = sum(
        one.name == other.name and _equal(one.args, other.args)
        for one, other in zip(expected.calls, actual.calls, strict=False)
    )
    return matched / max(len(expected.calls), len(actual.calls), 1)


def response_score(expected: Turn, actual: Turn) -> float:
    """The share of the expected words that stand in the actual response; 1.0 where none is expected."""
    words = words_of(expected.response)
    present = set(words_of(actual.response))
    return sum(word in present for word in words) / len(words) if words else 1.0


def words_of(text: str) -> list[str]:
    """What stands between blanks, in lower case, punctuation included."""
    return _WORDS.findall(text.lower())


def _judged(asked: Criterion, score: float, threshold: float) -> MetricScore:
    status: Status = "passed" if score + _TOLERANCE >= threshold else "failed"
    return MetricScore(asked.name, status, score, asked.threshold)


def _equal(one: Any, other: Any) -> bool:
    """Whether two values of JSON are equal to Rust's serde_json, which tells 1 from 1.0 and from true."""
    left = [(one, other)]
    while left:
        one, other = left.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if one.keys() != other.keys():
                return False
            left += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            left += zip(one, other, strict=True)
        elif one != other:
            return False
    return True
