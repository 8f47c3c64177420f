"""A run as the JSON document of `evaltui run --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaltui.report.json_document import JsonItems, items_of
from evaltui.report.json_text import json_text
from evaltui.scoring.baseline_changes import BaselineChanges
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, MetricSummary, ScoreTotals
from evaltui.scoring.scored_set import ScoredSet
from evaltui.values.inputs import shown_file, shown_unmatched
from evaltui.values.shown_results import shown_case

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
        "recordings": items_of(shown_file(each).as_dict() for each in run.recordings),
        **({"baseline": _baseline(run.changes)} if run.changes is not None else {}),
        "cases": JsonItems(lambda indent: (_case_text(each, run, indent) for each in run.cases)),
        "unmatched_recordings": items_of(shown_unmatched(each).as_dict() for each in run.unmatched),
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


def case_as_data(case: CaseResult, criteria: Criteria, change: str | None = None) -> dict[str, Any]:
    """A case with its scores and their explanations; `change` is its change since a baseline."""
    said = shown_case(case, criteria).as_dict()
    if change is None:
        return said
    first = {name: said.pop(name) for name in ("eval_id", "status")}
    return {**first, "change": change, **said}


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
