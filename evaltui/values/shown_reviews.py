"""Items of a review as plain values."""

from __future__ import annotations

from evaltui.review.decisions import ReviewDecisions, contradict
from evaltui.review.patches import Patch, SetPatches
from evaltui.review.review_change import ReviewChange
from evaltui.review.review_item import ReviewItem
from evaltui.review.set_review import SetReview
from evaltui.values import reviews
from evaltui.values.reviews import ReviewMetric
from evaltui.values.shown_results import shown_recording, shown_side


def shown_item(
    item: ReviewItem, review: SetReview, patches: SetPatches, decisions: ReviewDecisions
) -> reviews.ReviewItem:
    """An item of a review with its scores, its changes and what people decided."""
    found, compared = patches.of_item(item), item.compared
    return reviews.ReviewItem(
        eval_id=item.eval_id,
        turn=item.turn,
        invocation_id=item.invocation_id,
        status=item.status,
        reason=item.result.reason,
        recording=shown_recording(item.run),
        metrics=_metrics(item),
        expected=shown_side(compared.scores.expected) if compared is not None else None,
        actual=shown_side(compared.scores.actual) if compared is not None else None,
        patch=_frozen(found.together),
        changes=tuple(_change(each, found.alone[each.id], review.id_of(item, each)) for each in item.changes),
        decisions=tuple(each.to_json() for each in decisions.about(item)),
        contradiction=contradict(decisions.verdicts(item).values()),
    )


def _change(change: ReviewChange, patch: Patch | None, identifier: str) -> reviews.ReviewChange:
    pointer = patch[0]["path"] if patch else None
    return reviews.ReviewChange(identifier, change.kind, change.told, pointer, _frozen(patch))


def _metrics(item: ReviewItem) -> dict[str, ReviewMetric]:
    explanations = item.compared.explanations if item.compared is not None else {}
    found = {}
    for each in item.metrics:
        explanation = explanations[each.name].to_json() if each.name in explanations else None
        found[each.name] = ReviewMetric(
            each.name, each.score, each.threshold, each.status, each.reason, each.recorded_at, explanation
        )
    return found


def _frozen(patch: Patch | None) -> reviews.Patch | None:
    return tuple(patch) if patch is not None else None
