"""One case scored again at once, against the recording that it was scored against before."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.recordings.case_matches import CaseMatch
from evaltui.runs.inputs import expected_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.scored_set import score_expected
from evaltui.tui.session.session import Session


def score_again(session: Session, case: Node, criteria: Criteria | None) -> None:
    """Score a case as its text is now. `Scores.arrange` then brings counts and order up to date."""
    scores, root = session.scores, session.document.root
    scored = scores.of(case)
    if scored is None or scored.result.run is None or criteria is None or root is None or not case.is_in(root):
        return
    run, source = scored.result.run, case.source()
    match = CaseMatch(run.conversation, run.matched_by)
    result = score_expected(expected_case(source, case.index()), [match], criteria, None)
    scores.put(case, source, result._replace(recordings=scored.result.recordings))
