"""The runs of a case: every recorded conversation that matches it, with its scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.open_file.set_scores import Scores

if TYPE_CHECKING:
    from evaltui.recordings.matching import CaseMatch
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.results import CaseRun


def runs_of(scores: Scores, case: Node) -> Sequence[CaseMatch]:
    """The conversations that matched a case when the set was last scored, newest last."""
    scored, facts = scores.of(case), scores.facts
    if scored is None or facts is None or facts.matching is None:
        return ()
    matches = facts.matching.cases
    return matches[scored.result.number] if scored.result.number < len(matches) else ()


def scores_of_runs(source: bytes, number: int, matches: Sequence[CaseMatch], criteria: Criteria) -> Sequence[CaseRun]:
    """The scores of each run of a case, given its text and its place in the set. Safe in any thread.

    Empty if the case cannot be scored.
    """
    from evaltui.evalset.expected_set import read_case
    from evaltui.runs.set_reader import expected_case
    from evaltui.scoring.case_scores import score_expected

    case = expected_case(source, number, read_case(source, number).is_of_dataset)
    return score_expected(case, matches, criteria, None, all_runs=True).runs or ()
