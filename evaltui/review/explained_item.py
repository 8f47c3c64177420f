"""Items of a review with their scores, changes and decisions, as frozen records for `evaltui.api` and JSON reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaltui.document.document import Document
from evaltui.review.acceptance import SetPatches
from evaltui.review.decisions import contradict
from evaltui.review.review_changes import ChangeKind
from evaltui.review.review_items import ReviewItem
from evaltui.review.set_review import SetReview
from evaltui.scoring.explained_case import JsonRecord, MatchedRecording, TurnSide, matched_recording, turn_side
from evaltui.scoring.results import Status

Patch = tuple[Mapping[str, Any], ...]
"""The operations of a JSON Patch (RFC 6902), which `evaltui patch` applies."""


@dataclass(frozen=True)
class ReviewMetric(JsonRecord):
    """The score of a turn in a review."""

    absent_if_empty = frozenset({"recorded_at"})

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
    explanation: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    """The words or tool calls that differ; None for metrics that are not computed."""


@dataclass(frozen=True)
class ExplainedChange(JsonRecord):
    """A change that makes one part of the expectation equal to the recording."""

    id: str
    """The id that `evaltui accept --change` takes. It changes with either side."""
    kind: ChangeKind
    summary: str
    pointer: str | None = field(repr=False)
    """The place of the first operation in the file."""
    patch: Patch | None = field(repr=False, hash=False)
    """The change alone; None if JSON Patch cannot express it."""


@dataclass(frozen=True)
class ExplainedItem(JsonRecord):
    """A turn to review, or the turns that only one side has."""

    eval_id: str
    turn: int | None
    """The number of the turn, from 1; None for the case as a whole."""
    invocation_id: str | None
    status: Status
    reason: str | None
    recording: MatchedRecording
    metrics: Mapping[str, ReviewMetric] = field(repr=False, hash=False)
    """The scores by the name of the metric."""
    expected: TurnSide | None = field(repr=False)
    actual: TurnSide | None = field(repr=False)
    patch: Patch | None = field(repr=False, hash=False)
    """All changes of the turn together; None if JSON Patch cannot express them."""
    changes: tuple[ExplainedChange, ...] = field(repr=False)
    decisions: tuple[Mapping[str, Any], ...] = field(repr=False, hash=False)
    """The decisions and notes of people in the file `SET.review.jsonl`."""
    contradiction: bool
    """Whether people decided differently."""


def explained_items(review: SetReview, document: Document) -> list[ExplainedItem]:
    """The items of a review with their scores, their changes and what people decided.

    `document` is the set as it was scored.
    """
    patches = SetPatches(document)
    return [_explain(item, review, patches) for item in review.items]


def _explain(item: ReviewItem, review: SetReview, set_patches: SetPatches) -> ExplainedItem:
    together, alone = set_patches.of_item(item)
    compared = item.compared
    explanations = compared.explanations if compared is not None else {}
    metrics = {}
    for metric in item.metrics:
        explanation = explanations[metric.name].to_json() if metric.name in explanations else None
        parts = (metric.score, metric.threshold, metric.status, metric.reason, metric.recorded_at)
        metrics[metric.name] = ReviewMetric(metric.name, *parts, explanation)
    return ExplainedItem(
        eval_id=item.eval_id,
        turn=item.turn,
        invocation_id=item.invocation_id,
        status=item.status,
        reason=item.result.reason,
        recording=matched_recording(item.run),
        metrics=metrics,
        expected=turn_side(compared.scores.expected) if compared is not None else None,
        actual=turn_side(compared.scores.actual) if compared is not None else None,
        patch=_frozen(together),
        changes=tuple(
            ExplainedChange(
                review.id_of(item, change),
                change.kind,
                change.sentence,
                patch[0]["path"] if (patch := alone[change.id]) else None,
                _frozen(patch),
            )
            for change in item.changes
        ),
        decisions=tuple(decision.to_json() for decision in review.decisions.about(item)),
        contradiction=contradict(review.decisions.verdicts(item).values()),
    )


def _frozen(patch: Sequence[Mapping[str, Any]] | None) -> Patch | None:
    return tuple(patch) if patch is not None else None
