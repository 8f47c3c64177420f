"""Changes of a case between two runs: its score, the actual side, and whether the case was edited."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from evaltui.document.plain_values import plain_value
from evaltui.evalset.datasets.stated_case import stated_text
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import ActualChange, ScoreChange, Standing, actual_changes, change_of, standing_of

_LARGE = 200_000
"""From this size in bytes, cases with different text count as edited without parsing, which would be too slow."""

ChangeWord = ActualChange | Literal["case changed"]
"""A difference that is not a score: in the recording, or in the case."""


class ScoredCase(NamedTuple):
    """The text of a case when it was scored, and its result."""

    source: bytes
    result: CaseResult


class RunChange(NamedTuple):
    """The change of a case since another run."""

    change: ScoreChange
    difference: float | None = None
    """The largest fall of a score if the case got worse, else the largest rise; None if no score changed."""
    words: tuple[ChangeWord, ...] = ()
    metric: str = ""
    """The metric of the difference; "" where no score moved, or the case has one score only."""

    @property
    def is_any(self) -> bool:
        """Whether anything about the case is different."""
        return self.change != "same" or bool(self.words)

    @property
    def loss(self) -> float:
        """The difference for sorting; negative if a score fell. A lost verdict without a score counts as -1."""
        if self.change in ("regressed", "not_evaluated"):
            return self.difference if self.difference is not None else -1.0
        return self.difference or 0.0


def change_since(before: ScoredCase | None, now: ScoredCase) -> RunChange:
    """The change of a case since the previous run; `new` if the case was in no run or had no verdict."""
    if before is None:
        return RunChange("new")
    words: tuple[ChangeWord, ...] = actual_changes(before.result, now.result)
    if not is_same_golden(before.source, now.source):
        words = ("case changed", *words)
    one, other = standing_of(before.result), standing_of(now.result)
    if other.status == "not_evaluated" == one.status:
        return RunChange("same", None, words)
    change = change_of(one, other)
    difference, metric = difference_of(one, other, change)
    return RunChange(change, difference, words, metric)


def change_since_baseline(before: ScoredCase | None, now: ScoredCase) -> RunChange:
    """The change of a case since a baseline; `edited` if its expectations changed, so scores cannot be compared."""
    if before is not None and not is_same_golden(before.source, now.source):
        return RunChange("edited")
    return change_since(before, now)


def is_alike(before: ScoredCase, now: ScoredCase) -> bool:
    """Whether two runs scored the same text against the same recorded turns, with the same outcome."""
    one, other = before.result, now.result
    if (one.status, one.metrics, one.reason) != (other.status, other.metrics, other.reason):
        return False
    if before.source is not now.source and before.source != now.source:
        return False
    if one.run is None or other.run is None:
        return one.run is other.run
    mine, theirs = one.run.conversation, other.run.conversation
    return mine is theirs or mine.turns == theirs.turns


def is_same_golden(one: bytes, other: bytes) -> bool:
    """Whether two texts of a case have the same value; eval_id, spelling, order of keys and layout do not count.

    In a dataset, what an agent did does not count either.
    """
    if one == other:
        return True
    if max(len(one), len(other)) > _LARGE:
        return False
    try:
        return _golden(one) == _golden(other)
    except (ValueError, RecursionError):
        return False


def _golden(source: bytes) -> str:
    """The value of a case in one spelling."""
    value: Any = plain_value(stated_text(source))
    if isinstance(value, dict):
        value = {key: member for key, member in value.items() if key not in ("eval_id", "evalId")}
    return json.dumps(value, sort_keys=True)


def difference_of(before: Standing, now: Standing, change: ScoreChange) -> tuple[float | None, str]:
    """The change of the score that moved most, in the direction of the verdict, and its metric.

    None and "" where no score moved that way; the metric is "" also where there is only one.
    """
    pairs = [(before.scores.get(name), score, name) for name, score in now.scores.items()]
    moved = [(score - former, name) for former, score, name in pairs if former is not None and score is not None]
    is_fall = change in ("regressed", "lower")
    difference, metric = (min if is_fall else max)(moved, key=itemgetter(0), default=(0.0, ""))
    if difference >= 0 if is_fall else difference <= 0 or change not in ("improved", "higher"):
        return None, ""
    return difference, metric if len(now.scores) > 1 else ""
