"""The scores of a run: of metrics, turns and cases.

A large set has hundreds of thousands of scores, so these are named tuples, which are made faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:  # the validator knows metrics, and needs no recordings
    from evaltui.evalset.turn import Turn
    from evaltui.recordings.conversation import Conversation, MatchedBy

Status = Literal["passed", "failed", "not_evaluated", "informational"]


class MetricScore(NamedTuple):
    """The score of a turn in one metric, or of a case, where it is the mean over its turns."""

    name: str
    status: Status
    score: float | None = None
    """An unrounded number; None where there is none."""
    threshold: float | None = None
    """The least score that passes; None for informational metrics, and where it is not known."""
    reason: str | None = None
    """A sentence, wherever it is not the score that decides."""
    recorded_at: float | None = None
    """When the score was recorded, in seconds since 1970, where it is one that a recording came with."""


class TurnScores(NamedTuple):
    """A turn expected and actual, with what each metric says of it. `case_scores.explain` tells why."""

    number: int
    """Counted from 1."""
    expected: Turn
    actual: Turn
    metrics: tuple[MetricScore, ...]


class CaseRun(NamedTuple):
    """A case scored against one conversation."""

    conversation: Conversation
    matched_by: MatchedBy
    status: Status
    metrics: tuple[MetricScore, ...]
    turns: tuple[TurnScores, ...]
    reason: str | None = None
    """A sentence, where it is not the scores that decide."""


class CaseResult(NamedTuple):
    """The result of one case in a run."""

    eval_id: str
    number: int
    """Its place in the set, from 0."""
    status: Status
    metrics: tuple[MetricScore, ...]
    """The scores of the run that counts, or the means of all runs where each is scored."""
    run: CaseRun | None
    """The run that counts; None where the case was not scored."""
    reason: str | None = None
    runs: tuple[CaseRun, ...] | None = None
    """Each run, where all were asked for."""
    recordings: int = 0
    """The number of recordings that belong to the case."""

    @property
    def passed_runs(self) -> int:
        """The number of runs that passed."""
        return sum(run.status == "passed" for run in self.runs or ())


def reached(score: float, threshold: float | None) -> Status:
    """Whether a score reaches a threshold; NaN is never reached."""
    return "passed" if threshold is not None and score >= threshold else "failed"
