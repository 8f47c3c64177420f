"""Reviews: the turns that differ from their recordings, with changes that accept the actual values."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evaltui.api.case_scorer import CaseScorer
from evaltui.api.chosen_criteria import Criteria
from evaltui.api.errors import refusals
from evaltui.api.eval_sets import EvalSet, document_of, eval_set_of, expected_set
from evaltui.api.paths import AnyPath, check_flag
from evaltui.api.recording_files import Recordings, recordings_of
from evaltui.api.scores import criteria_for
from evaltui.garbage import without_collecting
from evaltui.report.reviewed_set import ReviewedSet
from evaltui.review.explained_item import ExplainedItem
from evaltui.review.set_review import SetReview
from evaltui.review.sidecar import Sidecar


def review(
    eval_set: EvalSet | AnyPath,
    recordings: Recordings | AnyPath | Iterable[AnyPath] | None = None,
    criteria: Criteria | None = None,
    *,
    passing: bool = False,
) -> list[ExplainedItem]:
    """List the turns to review, as `evaltui review` does.

    With `passing`, passing turns that differ are listed, too. For recordings and criteria, see `score`. Raises
    `EvaltuiError`.
    """
    check_flag("passing", passing)
    subject = eval_set_of(eval_set)
    chosen = criteria_for(subject, criteria)
    expected = expected_set(subject)
    loaded = recordings_of(recordings, expected)
    with refusals(), without_collecting():
        run = CaseScorer(subject, loaded, chosen, "latest").scored_set()
        decisions = Sidecar(expected.path or Path(subject.path)).read()
        reviewed = ReviewedSet(SetReview(run, passing=passing), document_of(subject), decisions)
        return reviewed.explained_items()
