"""Scores of single cases without a run, against the same recordings; and the cases whose recordings may be others.

Its imports are the scoring modules, so it is loaded when it is first used, after the first frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.expected_set import ExpectedCase, read_case
from evaltui.recordings.conversation import MatchedBy
from evaltui.recordings.matching import Match
from evaltui.recordings.user_messages import MatchFacts
from evaltui.runs.set_reader import expected_case
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.results import CaseResult

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument

_LARGE = 100_000
"""Size, in bytes, from which a case is not scored while the user types in it."""
_CONTESTED = "fits this case and others"
"""The words of `Matching` for a case that has no recording because a conversation fits several cases."""


def score_case(file: EditedDocument, case: Node, *, is_asked: bool = True) -> bool:
    """Score the current text of a case; False if that needs a run. Call `Scores.arrange` to update the order.

    Unless the person `is_asked` for it, that is also so for a large case, and if another recording may match.
    """
    scores, root, source = file.scores, file.document.root, case.source()
    scored, facts = scores.of(case), scores.facts
    if scored is None or scored.run is None or facts is None or facts.criteria is None:
        return False
    if root is None or not case.is_in(root):
        return False
    expected = expected_case(source, case.index(), file.eval_set is None)
    if not is_asked:
        if len(source) > _LARGE or case in scores.rivals:
            return False
        if not _keeps_recording(read_case(scored.source, expected.number), expected, scored.run.matched_by):
            return False
    # The matches of the last run: another recording would need the whole set.
    matches = [Match(run.conversation, run.matched_by) for run in scored.runs or [scored.run]]
    result = score_expected(expected, matches, facts.criteria, None, all_runs=scored.runs is not None)
    if result.run is not None:
        result = result.count_recordings(scored.run_number, scored.recordings)
    scores.put_one(case, result)
    scores.note_text()
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


def cases_to_match_again(
    cases: Sequence[Node],
    of_run: Mapping[Node, MatchFacts],
    of_all_runs: Mapping[Node, MatchFacts],
    scored: Mapping[Node, CaseResult],
) -> set[Node]:
    """The cases that may have other recordings than in the last run, because others were added or deleted since.

    `of_run` are the cases of the last run. A case that was never scored takes nothing yet, but undo can bring back one
    of an earlier run (`of_all_runs`).
    """
    present = set(cases)
    restored = {case for case in of_all_runs.keys() - of_run.keys() if case in present and case in scored}
    is_only_changed = (len(of_run) == 1) != (len(cases) == 1)
    # A case that no conversation fits takes none from others.
    results = {case: scored[case] for case in restored | (of_run.keys() - present) if case in scored}
    involved = [case for case, result in results.items() if result.run or _CONTESTED in (result.reason or "")]
    if not (involved or is_only_changed):
        return set()
    # As `Matching` finds a case: by its id, by its first message, or as the only case.
    ids = {of_all_runs[case].eval_id for case in involved} - {""}
    texts = {of_all_runs[case].first_text for case in involved} - {""}
    # The conversation of a case that is gone goes to one that begins alike, also if that has another by its id.
    recorded = [of_all_runs[case].first_text for case in involved if scored[case].run is not None]
    # One pass over all cases without a call for each: a key waits for it, also in a set of 10,000.
    alike = [
        case
        for case, (eval_id, first_text, *_) in of_run.items()
        if (first_text in texts or eval_id in ids or is_only_changed) and case in present and case in scored
    ]
    to_match = {
        case
        for case in alike
        if of_run[case].eval_id in ids
        or (of_run[case].first_text in recorded and of_run[case].first_text)
        or not _is_named(scored[case])
    }
    ids, texts = {of_run[case].eval_id for case in alike}, {of_run[case].first_text for case in alike}
    for case in restored.intersection(involved):
        facts, is_named = of_all_runs[case], _is_named(scored[case])
        if facts.eval_id in ids or (not is_named and (facts.first_text in texts or is_only_changed)):
            to_match.add(case)
    return to_match


def _is_named(result: CaseResult) -> bool:
    """Whether the recording of a case names it, or has its turns."""
    return result.run is not None and result.run.matched_by not in ("user_text", "only_one")
