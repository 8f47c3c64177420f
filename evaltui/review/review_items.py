"""The items of a review: what a run leaves for a person to look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.review.review_change import Place
from evaltui.review.review_item import ComparedTurn, ReviewItem
from evaltui.review.turn_pairs import differ_at_the_end_only, pair_turns
from evaltui.scoring.case_scores import score_turn, status_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, TurnScores

Passing = Literal["left out", "differing", "all"]
"""The turns that pass which are items: none, those that differ, or all."""


def items_of_case(
    case: ExpectedCase, result: CaseResult, criteria: Criteria, passing: Passing = "left out"
) -> list[ReviewItem]:
    """The items of one case: its failing turns; the turns beyond those of the other side; or the case as one.

    A case that was not scored has none: there is nothing to compare, or something could not be read.
    """
    run = result.run
    if run is None or case.fault is not None or case.is_scenario or run.conversation.unread is not None:
        return []
    items: list[ReviewItem] = []
    if run.turns:
        items = [*_items_of_turns(_Compared(case, result, run, criteria), run.turns, passing)]
    elif run.conversation.failure is None and case.dataset is None:  # a dataset's case expects one turn only
        items = [*_items_of_other_turns(_Compared(case, result, run, criteria), passing)]
    if not items and result.status == "failed":
        return [ReviewItem(case, result, "failed", result.metrics)]
    return items


class _Compared:
    """Makes the items of one case."""

    def __init__(self, case: ExpectedCase, result: CaseResult, run: CaseRun, criteria: Criteria) -> None:
        self.case, self.result, self.run, self.criteria = case, result, run, criteria
        self._tells_calls = case.tells_calls()

    def turn(self, scores: TurnScores, actual: int) -> ComparedTurn:
        """A scored turn beside the recorded one at the place `actual`."""
        at = scores.number - 1
        place = Place("response", at, actual)
        return ComparedTurn(scores, place, self.case.eval_id, self.criteria, self._tells_calls[at])

    def item_of(self, turn: ComparedTurn, passing: Passing) -> Iterator[ReviewItem]:
        """The item of a turn, if it fails or is asked for though it passes."""
        metrics = turn.scores.metrics
        status = status_of_case(metrics, self.criteria)
        if status == "failed" or passing == "all" or (passing == "differing" and turn.changes):
            yield ReviewItem(self.case, self.result, status, metrics, turn.scores.number, (turn,))


def _items_of_turns(compared: _Compared, turns: tuple[TurnScores, ...], passing: Passing) -> Iterator[ReviewItem]:
    for scores in turns:
        yield from compared.item_of(compared.turn(scores, scores.number - 1), passing)


def _items_of_other_turns(compared: _Compared, passing: Passing) -> Iterator[ReviewItem]:
    """The items where the recording has other turns than the case.

    If turns come or go only at the end, the others are items of their own. Otherwise all is one item: what goes moves
    those behind it, and the patches of items must hold together in any order.
    """
    case, run = compared.case, compared.run
    expected, actual = case.turns, run.conversation.turns
    pairs = pair_turns(expected, actual)
    turns = [
        compared.turn(score_turn(one + 1, expected[one], actual[other], compared.criteria), other)
        for one, other in pairs
        if one is not None and other is not None
    ]
    if differ_at_the_end_only(pairs):
        for each in turns:
            yield from compared.item_of(each, passing)
        turns = []
    added = tuple(other for one, other in pairs if one is None and other is not None)
    deleted = tuple(one for one, other in pairs if other is None and one is not None)
    if not added and not deleted:
        return
    first = min((*added, *deleted)) + 1
    result = compared.result
    yield ReviewItem(case, result, result.status, result.metrics, first, tuple(turns), added, deleted)
