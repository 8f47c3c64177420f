"""Turns to review as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltui.review.review_change import ChangeKind
from evaltui.scoring.results import Status
from evaltui.values.results import MatchedRecording, MetricResult, TurnSide

Patch = tuple[Mapping[str, Any], ...]
"""The operations of a JSON Patch (RFC 6902), which `evaltui patch` applies."""


@dataclass(frozen=True)
class ReviewMetric(MetricResult):
    """The score of a turn in a review."""

    explanation: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    """The words or tool calls that differ; None for metrics that are not computed."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `metrics` of a review item."""
        explanation = dict(self.explanation) if self.explanation is not None else None
        return {**super().as_dict(), "explanation": explanation}


@dataclass(frozen=True)
class ReviewChange:
    """A change that makes one part of the expectation equal to the recording."""

    id: str
    """The id that `evaltui accept --change` takes. It changes with either side."""
    kind: ChangeKind
    summary: str
    pointer: str | None = field(repr=False)
    """The place of the first operation in the file."""
    patch: Patch | None = field(repr=False, hash=False)
    """The change alone; None if JSON Patch cannot express it."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `changes`."""
        said = {"id": self.id, "kind": self.kind, "summary": self.summary, "pointer": self.pointer}
        return {**said, "patch": _operations(self.patch)}


@dataclass(frozen=True)
class ReviewItem:
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
    changes: tuple[ReviewChange, ...] = field(repr=False)
    decisions: tuple[Mapping[str, Any], ...] = field(repr=False, hash=False)
    """The decisions and notes of people in the file `SET.review.jsonl`."""
    contradiction: bool
    """Whether people decided differently."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `items` in the JSON of `evaltui review`."""
        return {
            "eval_id": self.eval_id,
            "turn": self.turn,
            "invocation_id": self.invocation_id,
            "status": self.status,
            "reason": self.reason,
            "recording": self.recording.as_dict(),
            "metrics": [metric.as_dict() for metric in self.metrics.values()],
            "expected": self.expected.as_dict() if self.expected is not None else None,
            "actual": self.actual.as_dict() if self.actual is not None else None,
            "patch": _operations(self.patch),
            "changes": [change.as_dict() for change in self.changes],
            "decisions": [dict(each) for each in self.decisions],
            "contradiction": self.contradiction,
        }


def _operations(patch: Patch | None) -> list[dict[str, Any]] | None:
    return [dict(each) for each in patch] if patch is not None else None
