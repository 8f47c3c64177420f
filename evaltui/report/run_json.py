"""A run as the JSON document of `evaltui run --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaltui.evalset.turn import Turn
from evaltui.recordings.case_matches import Unmatched
from evaltui.recordings.conversation import Recording
from evaltui.report.json_document import JsonItems, items_of
from evaltui.report.json_text import json_text
from evaltui.scoring.baseline_changes import BaselineChanges
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, MetricSummary, ScoreTotals, TurnScores, plain
from evaltui.scoring.scored_set import ScoredSet

_VERSION = 1


def runs_document(runs: Sequence[ScoredSet]) -> dict[str, Any]:
    """The JSON document of a set; for several sets, one document with the documents of all.

    Its long lists are `JsonItems`; `json_pieces` gives the text.
    """
    documents = [_run(run) for run in runs]
    if len(documents) == 1:
        return documents[0]
    return {"version": _VERSION, "runs": documents, "summary": _summary(_totals_of_all(runs))}


def _totals_of_all(runs: Sequence[ScoredSet]) -> ScoreTotals:
    totals = ScoreTotals()
    for run in runs:
        totals.joined(run.totals)
    return totals


def _run(run: ScoredSet) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "config": {
            "path": str(run.criteria.path) if run.criteria.path is not None else None,
            "criteria": run.criteria.to_json(),
        },
        "recordings": items_of(map(_recording, run.recordings)),
        **({"baseline": _baseline(run.changes)} if run.changes is not None else {}),
        "cases": JsonItems(lambda indent: (_case_text(each, run, indent) for each in run.cases)),
        "unmatched_recordings": items_of(map(unmatched_as_data, run.unmatched)),
        "summary": _summary(run.totals),
    }


def _case_text(case: CaseResult, run: ScoredSet, indent: int | None) -> str:
    change = run.changes.of(case).change if run.changes is not None else None
    if run.prepared is not None:
        return run.prepared.json_text(case, change)
    return json_text(case_as_data(case, run.criteria, change), indent=indent)


def _baseline(changes: BaselineChanges) -> dict[str, Any]:
    return {"path": changes.name, "gone": list(changes.gone), "counts": changes.counts}


def set_as_data(run: ScoredSet) -> dict[str, Any]:
    """The set that was scored."""
    return {"path": run.subject.name, "eval_set_id": run.subject.eval_set_id, "rejected": run.subject.fault}


def unmatched_as_data(unmatched: Unmatched) -> dict[str, Any]:
    """A conversation that belongs to no case."""
    conversation = unmatched.conversation
    return {"path": str(conversation.path), "id": conversation.id, "reason": unmatched.reason}


def _recording(recording: Recording) -> dict[str, Any]:
    return {
        "path": str(recording.path),
        "format": recording.format,
        "conversations": len(recording.conversations),
        "warnings": list(recording.warnings),
    }


def case_as_data(case: CaseResult, criteria: Criteria, change: str | None = None) -> dict[str, Any]:
    """A case with its scores and their explanations; `change` is its change since a baseline."""
    said: dict[str, Any] = {
        "eval_id": case.eval_id,
        "status": case.status,
        **({"change": change} if change is not None else {}),
        "reason": case.reason,
        "recording": recording_used(case.run) if case.run is not None else None,
        "recordings": case.recordings,
        "metrics": [metric_as_data(each) for each in case.metrics],
        "turns": [_turn(each, criteria) for each in case.run.turns] if case.run is not None else [],
    }
    if case.runs is not None:
        said["runs"] = [
            {
                "recording": recording_used(each),
                "status": each.status,
                "reason": each.reason,
                "metrics": [metric_as_data(metric) for metric in each.metrics],
                "turns": [_turn(turn, criteria) for turn in each.turns],
            }
            for each in case.runs
        ]
        said["passed_runs"] = case.passed_runs
    return said


def recording_used(run: CaseRun) -> dict[str, Any]:
    """The recording of a case, and how it was matched."""
    return {"path": str(run.conversation.path), "id": run.conversation.id, "matched_by": run.matched_by}


def metric_as_data(metric: MetricScore) -> dict[str, Any]:
    """A score against its threshold."""
    said: dict[str, Any] = {
        "name": metric.name,
        "score": metric.score,
        "threshold": metric.threshold,
        "status": metric.status,
        "reason": metric.reason,
    }
    return said if metric.recorded_at is None else {**said, "recorded_at": metric.recorded_at}


def _turn(turn: TurnScores, criteria: Criteria) -> dict[str, Any]:
    metrics = []
    for each in turn.metrics:
        explanation = explain(turn, each.name, criteria)
        metrics.append(
            {
                "name": each.name,
                "score": each.score,
                "status": each.status,
                "explanation": explanation.to_json() if explanation is not None else None,
            }
        )
    return {
        "turn": turn.number,
        "invocation_id": turn.expected.invocation_id,
        "expected": side_as_data(turn.expected),
        "actual": side_as_data(turn.actual),
        "metrics": metrics,
    }


def side_as_data(turn: Turn) -> dict[str, Any]:
    """The calls and the response. Rows and words of an explanation refer to them."""
    return {"calls": [{"name": each.name, "args": plain(each.args)} for each in turn.calls], "response": turn.response}


def _summary(totals: ScoreTotals) -> dict[str, Any]:
    return {
        "cases": totals.cases,
        "passed": totals.counts["passed"],
        "failed": totals.counts["failed"],
        "not_evaluated": totals.counts["not_evaluated"],
        "metrics": [_of_metric(each) for each in totals.metrics],
    }


def _of_metric(summary: MetricSummary) -> dict[str, Any]:
    return {
        "name": summary.name,
        "mean": summary.mean,
        "passed": summary.counts["passed"],
        "failed": summary.counts["failed"],
        "not_evaluated": summary.counts["not_evaluated"],
    }
