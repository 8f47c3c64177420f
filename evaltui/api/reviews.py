"""Reviews: the turns that differ from their recordings, with changes that accept the actual values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaltui.api.case_scorer import CaseScorer
from evaltui.api.chosen_criteria import Criteria
from evaltui.api.errors import refusals
from evaltui.api.eval_sets import EvalSet, document_of, eval_set_of, expected_set
from evaltui.api.paths import AnyPath
from evaltui.api.recording_files import Recordings, recordings_of
from evaltui.api.results import MatchedRecording, MetricResult, ToolCall, TurnSide
from evaltui.api.scores import criteria_for
from evaltui.garbage import without_collecting
from evaltui.report.review_json import reviews_as_data
from evaltui.report.reviewed_set import ReviewedSet
from evaltui.review.set_review import SetReview
from evaltui.review.sidecar import Sidecar
from evaltui.scoring.results import Status

Patch = tuple[Mapping[str, Any], ...]
"""The operations of a JSON Patch (RFC 6902), which `evaltui patch` applies."""


@dataclass(frozen=True)
class ReviewMetric(MetricResult):
    """The score of a turn in a review."""

    explanation: Mapping[str, Any] | None = None
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
    kind: Literal["fill", "text", "args", "sequence"]
    summary: str
    pointer: str | None
    """The place of the first operation in the file."""
    patch: Patch | None
    """The change alone; None if JSON Patch cannot express it."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ReviewChange:
        """Make a change from its JSON."""
        return cls(data["id"], data["kind"], data["summary"], data["pointer"], _patch(data["patch"]))

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
    metrics: Mapping[str, ReviewMetric]
    """The scores by the name of the metric."""
    expected: TurnSide | None
    actual: TurnSide | None
    patch: Patch | None
    """All changes of the turn together; None if JSON Patch cannot express them."""
    changes: tuple[ReviewChange, ...]
    decisions: tuple[Mapping[str, Any], ...]
    """The decisions and notes of people in the file `SET.review.jsonl`."""
    contradiction: bool
    """Whether people decided differently."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ReviewItem:
        """Make an item from its JSON."""
        return cls(
            eval_id=data["eval_id"],
            turn=data["turn"],
            invocation_id=data["invocation_id"],
            status=data["status"],
            reason=data["reason"],
            recording=MatchedRecording(**data["recording"]),
            metrics={each["name"]: ReviewMetric(**each) for each in data["metrics"]},
            expected=_side(data["expected"]),
            actual=_side(data["actual"]),
            patch=_patch(data["patch"]),
            changes=tuple(map(ReviewChange.of, data["changes"])),
            decisions=tuple(data["decisions"]),
            contradiction=data["contradiction"],
        )

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


def review(
    eval_set: EvalSet | AnyPath,
    recordings: Recordings | AnyPath | Iterable[AnyPath] | None = None,
    criteria: Criteria | None = None,
    *,
    passing: bool = False,
) -> list[ReviewItem]:
    """List the turns to review, as `evaltui review` does.

    With `passing`, passing turns that differ are listed, too. For recordings and criteria, see `score`. Raises
    `EvaltuiError`.
    """
    subject = eval_set_of(eval_set)
    chosen = criteria_for(subject, criteria)
    found = recordings_of(recordings, expected_set(subject))
    with refusals(), without_collecting():
        run = CaseScorer(subject, found, chosen, "latest").scored_set()
        decisions = Sidecar(Path(subject.path)).read()
        reviewed = ReviewedSet(SetReview(run, passing=passing), document_of(subject), decisions)
        return list(map(ReviewItem.of, reviews_as_data([reviewed])["items"]))


def _side(data: Mapping[str, Any] | None) -> TurnSide | None:
    if data is None:
        return None
    return TurnSide(tuple(ToolCall(**call) for call in data["calls"]), data["response"])


def _patch(operations: Iterable[Mapping[str, Any]] | None) -> Patch | None:
    return tuple(operations) if operations is not None else None


def _operations(patch: Patch | None) -> list[dict[str, Any]] | None:
    return [dict(each) for each in patch] if patch is not None else None
