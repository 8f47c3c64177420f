"""Reviews as the JSON document of `evaltui review --format json` (docs/cli.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.document.document import Document
from evaltui.report.json_text import json_text
from evaltui.report.review_sentences import kind_counts
from evaltui.report.run_json import reported_conversation, set_as_data
from evaltui.review.set_review import SetReview, explained_items

_VERSION = 1
_MOST_INDENTED = 100
"""The most items for which JSON is indented, so that people can read it."""


def review_json(reviews: Sequence[SetReview], documents: Mapping[str, Document]) -> str:
    """The JSON text of a set; for several sets, one document with the documents of all.

    `documents` has the sets as they were scored, by their names.
    """
    data = [_review(review, documents[review.run.subject.name]) for review in reviews]
    whole = data[0] if len(data) == 1 else {"version": _VERSION, "reviews": data, "summary": _summary(reviews)}
    is_short = sum(len(review.items) for review in reviews) <= _MOST_INDENTED
    return json_text(whole, indent=2 if is_short else None) + "\n"


def _review(review: SetReview, document: Document) -> dict[str, Any]:
    run = review.run
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "items": [item.as_dict() for item in explained_items(review, document)],
        "accepted": [decision.to_json() for decision in review.acceptances],
        "unmatched_recordings": [reported_conversation(unmatched).as_dict() for unmatched in run.unmatched],
        "summary": _summary([review]),
    }


def _summary(reviews: Sequence[SetReview]) -> dict[str, Any]:
    cases = [case for review in reviews for case in review.run.cases]
    return {
        "items": sum(len(review.items) for review in reviews),
        "changes": kind_counts(reviews),
        "cases": len(cases),
        "not_evaluated": sum(case.status == "not_evaluated" for case in cases),
    }
