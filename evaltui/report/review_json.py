"""Reviews as the JSON document of `evaltui review --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaltui.report.json_text import json_text
from evaltui.report.reviewed_set import ReviewedSet, kind_counts
from evaltui.report.run_json import reported_conversation, set_as_data

_VERSION = 1
_MOST_INDENTED = 100
"""The most items for which JSON is indented, so that people can read it."""


def review_json(reviewed: Sequence[ReviewedSet]) -> str:
    """The reviews as JSON text."""
    is_short = sum(len(reviewed_set.review.items) for reviewed_set in reviewed) <= _MOST_INDENTED
    return json_text(_reviews(reviewed), indent=2 if is_short else None) + "\n"


def _reviews(reviewed: Sequence[ReviewedSet]) -> dict[str, Any]:
    """The JSON document of a set; for several sets, one document with the documents of all."""
    documents = [_review(reviewed_set) for reviewed_set in reviewed]
    if len(documents) == 1:
        return documents[0]
    return {"version": _VERSION, "reviews": documents, "summary": _summary(reviewed)}


def _review(reviewed: ReviewedSet) -> dict[str, Any]:
    run = reviewed.review.run
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "items": [item.as_dict() for item in reviewed.explained_items()],
        "accepted": [decision.to_json() for decision in reviewed.acceptances],
        "unmatched_recordings": [reported_conversation(unmatched).as_dict() for unmatched in run.unmatched],
        "summary": _summary([reviewed]),
    }


def _summary(reviewed: Sequence[ReviewedSet]) -> dict[str, Any]:
    cases = [case for reviewed_set in reviewed for case in reviewed_set.review.run.cases]
    return {
        "items": sum(len(reviewed_set.review.items) for reviewed_set in reviewed),
        "changes": kind_counts(reviewed),
        "cases": len(cases),
        "not_evaluated": sum(case.status == "not_evaluated" for case in cases),
    }
