"""Reviews as the JSON document of `evaltui review --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaltui.report.reviewed_set import ReviewedSet, kind_counts
from evaltui.report.run_json import metric_as_data, recording_used, set_as_data, side_as_data, unmatched_as_data
from evaltui.review.decisions import contradict
from evaltui.review.patches import Patch
from evaltui.review.review_change import ReviewChange
from evaltui.review.review_item import ReviewItem

_VERSION = 1


def reviews_as_data(reviewed: Sequence[ReviewedSet]) -> dict[str, Any]:
    """The JSON document of a set; for several sets, one document with the documents of all."""
    documents = [_review(each) for each in reviewed]
    if len(documents) == 1:
        return documents[0]
    return {"version": _VERSION, "reviews": documents, "summary": _summary(reviewed)}


def _review(reviewed: ReviewedSet) -> dict[str, Any]:
    run = reviewed.review.run
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "items": [_item(item, reviewed) for item in reviewed.review.items],
        "accepted": [each.to_json() for each in reviewed.acceptances],
        "unmatched_recordings": [unmatched_as_data(each) for each in run.unmatched],
        "summary": _summary([reviewed]),
    }


def _item(item: ReviewItem, reviewed: ReviewedSet) -> dict[str, Any]:
    compared = item.compared
    patches = reviewed.patches.of_item(item)
    verdicts = reviewed.decisions.verdicts(item)
    return {
        "eval_id": item.eval_id,
        "turn": item.turn,
        "invocation_id": item.invocation_id,
        "status": item.status,
        "reason": item.result.reason,
        "recording": recording_used(item.run),
        "metrics": _metrics(item),
        "expected": side_as_data(compared.scores.expected) if compared is not None else None,
        "actual": side_as_data(compared.scores.actual) if compared is not None else None,
        "patch": patches.together,
        "changes": [
            _change(change, patches.alone[change.id], reviewed.review.id_of(item, change)) for change in item.changes
        ],
        "decisions": [each.to_json() for each in reviewed.decisions.about(item)],
        "contradiction": contradict(verdicts.values()),
    }


def _change(change: ReviewChange, patch: Patch | None, identifier: str) -> dict[str, Any]:
    return {
        "id": identifier,
        "kind": change.kind,
        "summary": change.summary,
        "pointer": patch[0]["path"] if patch else None,
        "patch": patch,
    }


def _metrics(item: ReviewItem) -> list[dict[str, Any]]:
    explanations = item.compared.explanations if item.compared is not None else {}
    return [
        {
            **metric_as_data(each),
            "explanation": explanations[each.name].to_json() if each.name in explanations else None,
        }
        for each in item.metrics
    ]


def _summary(reviewed: Sequence[ReviewedSet]) -> dict[str, Any]:
    cases = [case for each in reviewed for case in each.review.run.cases]
    return {
        "items": sum(len(each.review.items) for each in reviewed),
        "changes": kind_counts(reviewed),
        "cases": len(cases),
        "not_evaluated": sum(case.status == "not_evaluated" for case in cases),
    }
