"""Results of scoring as plain values."""

from __future__ import annotations

from collections.abc import Iterable

from evaltui.api.results import (
    CaseResult,
    MatchedRecording,
    MetricResult,
    RunResult,
    ToolCall,
    TurnMetric,
    TurnResult,
    TurnSide,
)
from evaltui.evalset.turn import Turn
from evaltui.report.why_text import why_lines
from evaltui.scoring import results
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseRun, MetricScore, TurnScores, plain


def shown_case(case: results.CaseResult, criteria: Criteria) -> CaseResult:
    """The result of a case with its explanations."""
    return CaseResult(
        case.eval_id,
        case.number,
        case.status,
        case.reason,
        tuple(why_lines(case, criteria)),
        _recording(case.run) if case.run is not None else None,
        case.recordings,
        _metrics(case.metrics),
        _turns(case.run, criteria) if case.run is not None else (),
        tuple(_run(run, criteria) for run in case.runs) if case.runs is not None else None,
    )


def _run(run: CaseRun, criteria: Criteria) -> RunResult:
    return RunResult(_recording(run), run.status, run.reason, _metrics(run.metrics), _turns(run, criteria))


def _recording(run: CaseRun) -> MatchedRecording:
    return MatchedRecording(str(run.conversation.path), run.conversation.id, run.matched_by)


def _metrics(metrics: Iterable[MetricScore]) -> dict[str, MetricResult]:
    return {
        each.name: MetricResult(each.name, each.score, each.threshold, each.status, each.reason, each.recorded_at)
        for each in metrics
    }


def _turns(run: CaseRun, criteria: Criteria) -> tuple[TurnResult, ...]:
    return tuple(_turn(turn, criteria) for turn in run.turns)


def _turn(turn: TurnScores, criteria: Criteria) -> TurnResult:
    metrics = {each.name: _metric(each, turn, criteria) for each in turn.metrics}
    return TurnResult(turn.number, turn.expected.invocation_id, _side(turn.expected), _side(turn.actual), metrics)


def _metric(metric: MetricScore, turn: TurnScores, criteria: Criteria) -> TurnMetric:
    explained = explain(turn, metric.name, criteria)
    explanation = explained.to_json() if explained is not None else None
    return TurnMetric(metric.name, metric.score, metric.status, explanation)


def _side(turn: Turn) -> TurnSide:
    return TurnSide(tuple(ToolCall(each.name, plain(each.args)) for each in turn.calls), turn.response)
