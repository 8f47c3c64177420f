"""Results of scoring as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaltui.evalset.turn import Turn
from evaltui.scoring import results
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseRun, MetricScore, TurnScores, plain
from evaltui.values.results import (
    CaseResult,
    MatchedRecording,
    MetricResult,
    RunResult,
    ToolCall,
    TurnMetric,
    TurnResult,
    TurnSide,
)


def shown_case(case: results.CaseResult, criteria: Criteria, why: Sequence[str] = ()) -> CaseResult:
    """The result of a case with its explanations. `why` has the sentences about it, for those who show them."""
    return CaseResult(
        case.eval_id,
        case.number,
        case.status,
        case.reason,
        tuple(why),
        shown_recording(case.run) if case.run is not None else None,
        case.recordings,
        _metrics(case.metrics),
        _turns(case.run, criteria) if case.run is not None else (),
        tuple(_run(run, criteria) for run in case.runs) if case.runs is not None else None,
    )


def shown_recording(run: CaseRun) -> MatchedRecording:
    """The conversation of a run."""
    return MatchedRecording(str(run.conversation.path), run.conversation.id, run.matched_by)


def shown_side(turn: Turn) -> TurnSide:
    """One side of a turn. Rows and words of an explanation refer to its calls and its response."""
    calls = tuple(ToolCall(each.name, plain(each.args)) for each in turn.calls)
    return TurnSide(calls, turn.response, tuple(sorted(turn.unrecorded)), tuple(sorted(turn.unstated)))


def _run(run: CaseRun, criteria: Criteria) -> RunResult:
    return RunResult(shown_recording(run), run.status, run.reason, _metrics(run.metrics), _turns(run, criteria))


def _metrics(metrics: Iterable[MetricScore]) -> dict[str, MetricResult]:
    return {
        each.name: MetricResult(each.name, each.score, each.threshold, each.status, each.reason, each.recorded_at)
        for each in metrics
    }


def _turns(run: CaseRun, criteria: Criteria) -> tuple[TurnResult, ...]:
    return tuple(_turn(turn, criteria) for turn in run.turns)


def _turn(turn: TurnScores, criteria: Criteria) -> TurnResult:
    metrics = {each.name: _metric(each, turn, criteria) for each in turn.metrics}
    return TurnResult(
        turn.number, turn.expected.invocation_id, shown_side(turn.expected), shown_side(turn.actual), metrics
    )


def _metric(metric: MetricScore, turn: TurnScores, criteria: Criteria) -> TurnMetric:
    explained = explain(turn, metric.name, criteria)
    explanation = explained.to_json() if explained is not None else None
    return TurnMetric(metric.name, metric.score, metric.status, explanation)
