"""One case scored again at once, against the recordings that it was scored against before."""

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
    before, source = scored.result, case.source()
    all_runs = before.runs is not None
    matches = [CaseMatch(run.conversation, run.matched_by) for run in before.runs or [scored.result.run]]
    result = score_expected(expected_case(source, case.index()), matches, criteria, None, all_runs=all_runs)
    if result.run is not None:
        result = result.counting(before.run_number, before.recordings)
    scores.put(case, source, result)
