"""Results of cases with the reasons of their scores, as frozen records for `evaltui.api` and JSON reports.

An explanation costs more than a score, so the records are made only of cases that somebody reads. `repr` is short, and
the hash leaves out mappings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import MatchedBy
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores, plain


class JsonRecord:
    """A frozen dataclass that is an object in JSON documents, with the fields as its keys, in their order."""

    not_in_json: ClassVar[frozenset[str]] = frozenset()
    """Fields that only Python sees."""
    absent_if_empty: ClassVar[frozenset[str]] = frozenset()
    """Fields that JSON has only if they have a value."""

    def as_dict(self) -> dict[str, Any]:
        """The record as JSON values. The mapping `metrics` becomes a list, because each metric has its name."""
        return {
            name: _json_value([*value.values()] if name == "metrics" else value)
            for name, value in vars(self).items()
            if name not in self.not_in_json and not (name in self.absent_if_empty and value in (None, ()))
        }


def _json_value(value: Any) -> Any:
    # A run over 10,000 cases comes here a million times, mostly with a text: so the exact type is looked at first.
    if value is None or type(value) in _SIMPLE:
        return value
    if isinstance(value, JsonRecord | MetricScore):
        return value.as_dict()
    if isinstance(value, list | tuple):
        return [_json_value(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else plain(value)


_SIMPLE = frozenset({str, int, bool})


@dataclass(frozen=True)
class ExplainedCall(JsonRecord):
    """A tool call, expected or actual."""

    name: str | None
    args: Mapping[str, Any] | None = field(repr=False, hash=False)
    """None for a call without arguments, which google-adk distinguishes from {}."""


@dataclass(frozen=True)
class TurnSide(JsonRecord):
    """The expected or the actual side of a turn. Rows and words of an explanation refer to its calls and response."""

    absent_if_empty = frozenset({"unrecorded", "unstated"})

    calls: tuple[ExplainedCall, ...]
    response: str = field(repr=False)
    unrecorded: tuple[str, ...] = ()
    """The parts that the recording does not hold: `arguments`, `calls`, `response`, `user_text`."""
    unstated: tuple[str, ...] = ()
    """The parts for which a case of a dataset states no expectation: `calls`, `response`."""


@dataclass(frozen=True)
class TurnMetric(JsonRecord):
    """The score of a turn in one metric."""

    name: str
    score: float | None
    status: Status
    explanation: Mapping[str, Any] | None = field(repr=False, hash=False)
    """The words or tool calls that differ, as in the JSON of `evaltui run`; None for metrics that are not computed."""


@dataclass(frozen=True)
class ExplainedTurn(JsonRecord):
    """A turn with its scores."""

    turn: int
    """The number of the turn, from 1."""
    invocation_id: str
    expected: TurnSide = field(repr=False)
    actual: TurnSide = field(repr=False)
    metrics: Mapping[str, TurnMetric] = field(repr=False, hash=False)
    """The scores by the name of the metric."""


@dataclass(frozen=True)
class MatchedRecording(JsonRecord):
    """The conversation that a case is scored with."""

    path: str
    id: str
    """The conversation, session, trace or case in its file."""
    matched_by: MatchedBy


@dataclass(frozen=True)
class ExplainedRun(JsonRecord):
    """One of several runs of a case."""

    recording: MatchedRecording
    status: Status
    reason: str | None
    metrics: Mapping[str, MetricScore] = field(repr=False, hash=False)
    turns: tuple[ExplainedTurn, ...] = field(repr=False)


@dataclass(frozen=True)
class ExplainedCase(JsonRecord):
    """The result of a case."""

    not_in_json = frozenset({"number", "why"})
    absent_if_empty = frozenset({"runs"})

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
    metrics: Mapping[str, MetricScore] = field(repr=False, hash=False)
    """The scores by the name of the metric."""
    turns: tuple[ExplainedTurn, ...] = field(repr=False)
    """The turns, if the recording has as many as the case."""
    runs: tuple[ExplainedRun, ...] | None = field(default=None, repr=False)
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
        sources = (self.metrics, *(run.metrics for run in self.runs or ()))
        metrics = (metric for source in sources for metric in source.values() if metric.status == "not_evaluated")
        return tuple(dict.fromkeys(f"{metric.name}: {metric.reason or 'no score'}" for metric in metrics))

    def as_row(self) -> dict[str, Any]:
        """The case as a row of a table, with a column for the score of each metric."""
        path = self.recording.path if self.recording is not None else None
        row: dict[str, Any] = {"eval_id": self.eval_id, "status": self.status, "recording": path}
        return row | {name: metric.score for name, metric in self.metrics.items() if name not in row}

    def as_dict(self) -> dict[str, Any]:
        """An item of `cases` in the JSON of `evaltui run`."""
        runs = {"passed_runs": self.passed_runs} if self.runs is not None else {}
        return {**super().as_dict(), **runs}


def explained_case(case: CaseResult, criteria: Criteria, why: Sequence[str] = ()) -> ExplainedCase:
    """The result of a case with its explanations. `why` has the sentences about it, for those who show them."""
    runs = []
    for run in case.runs or ():
        metrics, turns = {metric.name: metric for metric in run.metrics}, _explain_turns(run, criteria)
        runs.append(ExplainedRun(matched_recording(run), run.status, run.reason, metrics, turns))
    return ExplainedCase(
        case.eval_id,
        case.number,
        case.status,
        case.reason,
        tuple(why),
        matched_recording(case.run) if case.run is not None else None,
        case.recordings,
        {metric.name: metric for metric in case.metrics},
        _explain_turns(case.run, criteria) if case.run is not None else (),
        tuple(runs) if case.runs is not None else None,
    )


def matched_recording(run: CaseRun) -> MatchedRecording:
    """The conversation of a run."""
    return MatchedRecording(str(run.conversation.path), run.conversation.id, run.matched_by)


def turn_side(turn: Turn) -> TurnSide:
    """One side of a turn."""
    calls = tuple(ExplainedCall(call.name, plain(call.args)) for call in turn.calls)
    return TurnSide(calls, turn.response, tuple(sorted(turn.unrecorded)), tuple(sorted(turn.unstated)))


def _explain_turns(run: CaseRun, criteria: Criteria) -> tuple[ExplainedTurn, ...]:
    return tuple(
        ExplainedTurn(
            turn.number,
            turn.expected.invocation_id,
            turn_side(turn.expected),
            turn_side(turn.actual),
            {metric.name: _explain_metric(metric, turn, criteria) for metric in turn.metrics},
        )
        for turn in run.turns
    )


def _explain_metric(metric: MetricScore, turn: TurnScores, criteria: Criteria) -> TurnMetric:
    explanation = explain(turn, metric.name, criteria)
    data = explanation.to_json() if explanation is not None else None
    return TurnMetric(metric.name, metric.score, metric.status, data)
