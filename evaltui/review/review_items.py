"""The items of a review: the turns of a run that a person should look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.review.review_change import Place
from evaltui.review.review_item import ComparedTurn, ReviewItem
from evaltui.review.turn_pairs import differ_at_the_end_only, pair_turns
from evaltui.scoring.case_scores import score_turn, status_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, TurnScores, has_other_message

Passing = Literal["left out", "differing", "all"]
"""Which passing turns are items: none, turns that differ, or all."""


def items_of_case(
    case: ExpectedCase, result: CaseResult, criteria: Criteria, passing: Passing = "left out"
) -> list[ReviewItem]:
    """The items of one case: the turns that need a person, its added and deleted turns, or the case as a whole.

    A case that was not scored has no items: there is nothing to compare, or a file could not be read.
    """
    run = result.run
    if run is None or case.fault is not None or case.is_scenario or run.conversation.unread is not None:
        return []
    items: list[ReviewItem] = []
    if run.turns:
        items = [*_items_of_turns(_Compared(case, result, run, criteria), run.turns, passing)]
    elif run.conversation.failure is None and run.conversation.turns and not case.is_of_dataset:
        # A dataset's case expects one turn only.
        items = [*_items_of_other_turns(_Compared(case, result, run, criteria), passing)]
    if not items and result.status == "failed":
        return [ReviewItem(case, result, "failed", result.metrics)]
    return items


def needs_person(turn: TurnScores, criteria: Criteria) -> bool:
    """Whether a turn fails, or is not evaluated for lack of an expectation that its recording can fill."""
    if status_of_case(turn.metrics, criteria) == "failed":
        return True
    actual, lacking = turn.actual, turn.expected.unstated - turn.actual.unrecorded
    fills_calls = "calls" in lacking and (not actual.calls or any(call.has_args for call in actual.calls))
    fills_response = "response" in lacking and bool(actual.response)
    is_open = any(metric.status == "not_evaluated" for metric in turn.metrics)
    return is_open and (fills_calls or fills_response) and not actual.failure


class _Compared:
    """Makes the items of one case."""

    def __init__(self, case: ExpectedCase, result: CaseResult, run: CaseRun, criteria: Criteria) -> None:
        self.case, self.result, self.run, self.criteria = case, result, run, criteria
        self._tells_calls = case.tells_calls()

    def turn(self, scores: TurnScores, actual: int) -> ComparedTurn:
        """A scored turn beside the recorded turn with the index `actual`."""
        index = scores.number - 1
        place = Place("response", index, actual)
        is_another = self.run.conversation.lacks_turns and has_other_message(scores.expected, scores.actual)
        return ComparedTurn(scores, place, self.case.eval_id, self.criteria, self._tells_calls[index], is_another)

    def item_of(self, turn: ComparedTurn, passing: Passing) -> Iterator[ReviewItem]:
        """The item of a turn, if it needs a person or if `passing` includes it."""
        metrics = turn.scores.metrics
        status = status_of_case(metrics, self.criteria)
        if needs_person(turn.scores, self.criteria) or passing == "all" or (passing == "differing" and turn.changes):
            yield ReviewItem(self.case, self.result, status, metrics, turn.scores.number, (turn,))


def _items_of_turns(compared: _Compared, turns: tuple[TurnScores, ...], passing: Passing) -> Iterator[ReviewItem]:
    for scores in turns:
        yield from compared.item_of(compared.turn(scores, scores.number - 1), passing)


def _items_of_other_turns(compared: _Compared, passing: Passing) -> Iterator[ReviewItem]:
    """The items of a case whose recording has other turns.

    If turns are added or deleted only at the end, the other turns are items of their own. Otherwise all turns are one
    item.
    """
    case, run = compared.case, compared.run
    expected, actual = case.turns, run.conversation.turns
    pairs = pair_turns(expected, actual)
    turns = [
        compared.turn(
            score_turn(expected_index + 1, expected[expected_index], actual[actual_index], compared.criteria),
            actual_index,
        )
        for expected_index, actual_index in pairs
        if expected_index is not None and actual_index is not None
    ]
    # A deletion elsewhere moves the turns after it, and patches of items must work in any order.
    if differ_at_the_end_only(pairs):
        for turn in turns:
            yield from compared.item_of(turn, passing)
        turns = []
    added = tuple(
        actual_index for expected_index, actual_index in pairs if expected_index is None and actual_index is not None
    )
    deleted = tuple(
        expected_index for expected_index, actual_index in pairs if actual_index is None and expected_index is not None
    )
    if not added and not deleted:
        return
    first = min((*added, *deleted)) + 1
    result = compared.result
    yield ReviewItem(case, result, result.status, result.metrics, first, tuple(turns), added, deleted)
