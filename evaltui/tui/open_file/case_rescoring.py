"""Rescoring of one case without a run, against the same recordings as before.

Its imports are the scoring modules, so it is loaded when it is first used, after the first frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.expected_set import ExpectedCase, read_case
from evaltui.recordings.conversation import MatchedBy
from evaltui.recordings.matching import CaseMatch
from evaltui.runs.set_reader import expected_case
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.score_change import ScoredCase

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument

_LARGE = 100_000
"""Size, in bytes, from which a case is not scored while the user types in it."""


def score_case(file: EditedDocument, case: Node) -> None:
    """Score the current text of a case. Call `Scores.arrange` afterwards to update the order."""
    scores, root = file.scores, file.document.root
    scored, facts = scores.of(case), scores.facts
    if scored is None or scored.result.run is None or root is None or not case.is_in(root):
        return
    if facts is None or facts.criteria is None:
        return
    source = case.source()
    _put(file, case, source, expected_case(source, case.index(), file.dataset is not None), scored, facts.criteria)


def score_edited(file: EditedDocument, case: Node) -> bool:
    """Score an edited case at once. False if it needs a run: another recording may match now, or it is large."""
    scores, source = file.scores, case.source()
    scored, facts = scores.of(case), scores.facts
    if scored is None or scored.result.run is None or facts is None or facts.criteria is None or len(source) > _LARGE:
        return False
    expected = expected_case(source, case.index(), file.dataset is not None)
    if not _keeps_recording(read_case(scored.source, expected.number), expected, scored.result.run.matched_by):
        return False
    _put(file, case, source, expected, scored, facts.criteria)
    return True


def _keeps_recording(scored: ExpectedCase, edited: ExpectedCase, matched_by: MatchedBy) -> bool:
    """Whether an edited case keeps its recording: the facts it was matched by did not change."""
    counts = {(len(case.given_turns), len(case.turns)) for case in (scored, edited)}
    if scored.eval_id != edited.eval_id or len(counts) > 1:
        return False
    if matched_by == "invocation_id":
        ids = [[turn.invocation_id for turn in case.turns] for case in (scored, edited)]
        return ids[0] == ids[1]
    return matched_by in ("attribute", "eval_id", "by_hand") or scored.first_user_text == edited.first_user_text


def _put(
    file: EditedDocument, case: Node, source: bytes, expected: ExpectedCase, scored: ScoredCase, criteria: Criteria
) -> None:
    previous = scored.result
    assert previous.run is not None
    # The matches of the last run: another recording would need the whole set.
    matches = [CaseMatch(run.conversation, run.matched_by) for run in previous.runs or [previous.run]]
    result = score_expected(expected, matches, criteria, None, all_runs=previous.runs is not None)
    if result.run is not None:
        result = result.count_recordings(previous.run_number, previous.recordings)
    file.scores.put_one(case, source, result)
    file.scores.note_text()
