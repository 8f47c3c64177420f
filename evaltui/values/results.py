"""Results of cases as plain values. Each class has `as_dict`: the same values as in the JSON of `evaltui run`.

The values never change, so they have a hash. It leaves out mappings, which have none. `repr` is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltui.recordings.conversation import MatchedBy
from evaltui.scoring.results import Status, plain


@dataclass(frozen=True)
class ToolCall:
    """A tool call, expected or actual."""

    name: str | None
    args: Mapping[str, Any] | None = field(repr=False, hash=False)
    """None for a call without arguments, which google-adk distinguishes from {}."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `calls`."""
        return {"name": self.name, "args": self.args}


@dataclass(frozen=True)
class TurnSide:
    """The expected or the actual side of a turn."""

    calls: tuple[ToolCall, ...]
    response: str = field(repr=False)
    unrecorded: tuple[str, ...] = ()
    """The parts that the recording does not hold: `arguments`, `calls`, `response`, `user_text`."""
    unstated: tuple[str, ...] = ()
    """The parts for which a case of a dataset states no expectation: `calls`, `response`."""

    def as_dict(self) -> dict[str, Any]:
        """The field `expected` or `actual` of a turn; `unrecorded` and `unstated` only if they name a part."""
        said: dict[str, Any] = {"calls": [call.as_dict() for call in self.calls], "response": self.response}
        lacking = {"unrecorded": list(self.unrecorded), "unstated": list(self.unstated)}
        return {**said, **{name: parts for name, parts in lacking.items() if parts}}


@dataclass(frozen=True)
class MetricResult:
    """The score of a case in one metric: the mean over its turns."""

    name: str
    score: float | None
    """A number that is not rounded; None if there is no score."""
    threshold: float | None
    """The lowest score that passes; None for a metric that only informs."""
    status: Status
    reason: str | None
    """A sentence, if the status does not follow from the score."""
    recorded_at: float | None = None
    """For a score from the recording: its time, in seconds since 1970. None for a computed score."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `metrics` of a case."""
        said = {
            "name": self.name,
            "score": plain(self.score),
            "threshold": plain(self.threshold),
            "status": self.status,
            "reason": self.reason,
        }
        return said if self.recorded_at is None else {**said, "recorded_at": plain(self.recorded_at)}


@dataclass(frozen=True)
class TurnMetric:
    """The score of a turn in one metric."""

    name: str
    score: float | None
    status: Status
    explanation: Mapping[str, Any] | None = field(repr=False, hash=False)
    """The words or tool calls that differ, as in the JSON of `evaltui run`; None for metrics that are not computed."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `metrics` of a turn."""
        explanation = dict(self.explanation) if self.explanation is not None else None
        return {"name": self.name, "score": plain(self.score), "status": self.status, "explanation": explanation}


@dataclass(frozen=True)
class TurnResult:
    """A turn with its scores."""

    turn: int
    """The number of the turn, from 1."""
    invocation_id: str
    expected: TurnSide = field(repr=False)
    actual: TurnSide = field(repr=False)
    metrics: Mapping[str, TurnMetric] = field(repr=False, hash=False)
    """The scores by the name of the metric."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `turns`."""
        return {
            "turn": self.turn,
            "invocation_id": self.invocation_id,
            "expected": self.expected.as_dict(),
            "actual": self.actual.as_dict(),
            "metrics": [metric.as_dict() for metric in self.metrics.values()],
        }


@dataclass(frozen=True)
class MatchedRecording:
    """The conversation that a case is scored with."""

    path: str
    id: str
    """The conversation, session, trace or case in its file."""
    matched_by: MatchedBy

    def as_dict(self) -> dict[str, Any]:
        """The field `recording` of a case."""
        return {"path": self.path, "id": self.id, "matched_by": self.matched_by}


@dataclass(frozen=True)
class RunResult:
    """One of several runs of a case."""

    recording: MatchedRecording
    status: Status
    reason: str | None
    metrics: Mapping[str, MetricResult] = field(repr=False, hash=False)
    turns: tuple[TurnResult, ...] = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """An item of `runs` of a case."""
        return {
            "recording": self.recording.as_dict(),
            "status": self.status,
            "reason": self.reason,
            "metrics": [metric.as_dict() for metric in self.metrics.values()],
            "turns": [turn.as_dict() for turn in self.turns],
        }


@dataclass(frozen=True)
class CaseResult:
    """The result of a case."""

    eval_id: str
    number: int
    """The place of the case in the set, from 0."""
    status: Status
    """`passed`, `failed` or `not_evaluated`."""
    reason: str | None
    """A sentence, if the status does not follow from the scores."""
    why: tuple[str, ...] = field(repr=False)
    """The sentences of the table of `evaltui run`: the reasons why the case failed or is not evaluated."""
    recording: MatchedRecording | None
    """None if there is no recording of the case."""
    recordings: int
    """The number of recordings of the case."""
    metrics: Mapping[str, MetricResult] = field(repr=False, hash=False)
    """The scores by the name of the metric."""
    turns: tuple[TurnResult, ...] = field(repr=False)
    """The turns, if the recording has as many as the case."""
    runs: tuple[RunResult, ...] | None = field(default=None, repr=False)
    """All runs of the case with `runs="all"`, the newest last; else None."""

    @property
    def passed_runs(self) -> int:
        """The number of runs that passed, with `runs="all"`."""
        return sum(run.status == "passed" for run in self.runs or ())

    @property
    def open_reasons(self) -> tuple[str, ...]:
        """Why the case, or a metric of it, is not evaluated. Empty if all was evaluated."""
        if self.status == "not_evaluated":
            return (self.reason or "the case is not evaluated",)
        every = (self.metrics, *(run.metrics for run in self.runs or ()))
        return tuple(dict.fromkeys(reason for metrics in every for reason in _open_metrics(metrics)))

    def as_row(self) -> dict[str, Any]:
        """The case as a row of a table, with a column for the score of each metric."""
        path = self.recording.path if self.recording is not None else None
        row: dict[str, Any] = {"eval_id": self.eval_id, "status": self.status, "recording": path}
        return row | {name: metric.score for name, metric in self.metrics.items() if name not in row}

    def as_dict(self) -> dict[str, Any]:
        """An item of `cases` in the JSON of `evaltui run`."""
        said: dict[str, Any] = {
            "eval_id": self.eval_id,
            "status": self.status,
            "reason": self.reason,
            "recording": self.recording.as_dict() if self.recording is not None else None,
            "recordings": self.recordings,
            "metrics": [metric.as_dict() for metric in self.metrics.values()],
            "turns": [turn.as_dict() for turn in self.turns],
        }
        if self.runs is not None:
            said |= {"runs": [run.as_dict() for run in self.runs], "passed_runs": self.passed_runs}
        return said


def _open_metrics(metrics: Mapping[str, MetricResult]) -> Iterator[str]:
    """The metrics that are not evaluated, with their reasons."""
    for each in metrics.values():
        if each.status == "not_evaluated":
            yield f"{each.name}: {each.reason or 'no score'}"
