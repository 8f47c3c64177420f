"""Decisions of a sidecar that still apply, also to turns that no longer need a review."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.review.decisions import Decision, ReviewDecisions
from evaltui.review.review_item import hash_of_conversation, hash_of_turn
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet


def standing_acceptances(decisions: ReviewDecisions, run: ScoredSet) -> list[Decision]:
    """The acceptances after which neither side changed, in the order of the sidecar.

    For each person, the last verdict on a turn counts. Notes alone are not acceptances.
    """
    cases = {case.number: case for case in run.subject.cases}
    results: defaultdict[str, list[CaseResult]] = defaultdict(list)
    for result in run.cases:
        results[result.eval_id].append(result)
    last: dict[tuple[str, int | None, str], Decision] = {}
    for decision in decisions.every:
        if decision.verdict is None:
            continue
        state = decision.became if decision.verdict == "accepted" else decision.seen
        if any(state in _hashes(decision, result, cases[result.number]) for result in results[decision.eval_id]):
            last[decision.eval_id, decision.turn, decision.author] = decision
    standing = {decision.id for decision in last.values() if decision.verdict == "accepted"}
    return [decision for decision in decisions.every if decision.id in standing]


def _hashes(decision: Decision, result: CaseResult, case: ExpectedCase) -> Iterator[str | None]:
    """The hashes that an applicable decision about a turn of this case may have (see `hash_after`)."""
    if result.run is None:
        return
    expected, actual = case.turns, result.run.conversation.turns
    index = (decision.turn or 0) - 1
    if 0 <= index < min(len(expected), len(actual)):
        yield hash_of_turn(expected[index], actual[index])
    yield hash_of_conversation(expected, actual)
