"""Search for the next or previous failing turn of the open set."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.case_file import turns_of
from evaltui.tui.open_file.set_scores import Scores, status_of

if TYPE_CHECKING:
    from evaltui.tui.open_file.set_scores import Scores


class FailingPlace(NamedTuple):
    """A failed turn, or a case that failed as a whole, with its number. Numbers count from 1."""

    case: Node
    node: Node
    case_number: int
    cases: int
    turn_number: int
    """Its number among the failing turns of its case."""
    turns: int
    came_round: bool
    """Whether the search went past the end of the set to reach it."""


def first_failing_turn(scores: Scores, case: Node) -> Node | None:
    """The first failed turn of a case; None if the case failed as a whole, or did not fail."""
    first = failing_places(scores, case)[0]
    return first if first is not case else None


def place_of_why(scores: Scores, case: Node) -> Node:
    """Where the scores of a case are explained: at its first failing turn, or at the case if several runs count."""
    scored = scores.of(case)
    has_runs = scored is not None and len(scored.result.runs or ()) > 1
    # With several runs, the case itself says how many of them passed.
    return case if has_runs else first_failing_turn(scores, case) or case


def failing_places(scores: Scores, case: Node) -> list[Node]:
    """The failed turns of a case; the case itself if it failed as a whole."""
    turns = turns_of(case)
    return [turn for turn in turns if (verdict := scores.verdict(turn)) and verdict.status == "failed"] or [case]


def next_failing(scores: Scores, node: Node, step: int) -> FailingPlace | None:
    """The next (1) or previous (-1) failed turn from a value, or case that failed as a whole, wrapping around."""
    places = {case: place for place, case in enumerate(scores.cases)}
    failing = [case for case in scores.cases if scores.has(case, "failed")]
    if not failing:
        return None
    around, nearest = (node, *node.ancestors()), 0 if step > 0 else -1
    own = next((outer for outer in around if outer in places), None)
    if own is not None and scores.has(own, "failed"):
        turns = {turn: number for number, turn in enumerate(turns_of(own))}
        number = next((turns[outer] for outer in around if outer in turns), -1)
        # Failing turns of the own case come first, but only those in the direction of the search.
        ahead = [place for place in failing_places(scores, own) if (turns.get(place, -1) - number) * step > 0]
        if ahead:
            return _failing_place(scores, failing, own, ahead[nearest])
    number = places[own] if own is not None else -1
    cases_ahead = [case for case in failing if (places[case] - number) * step > 0]
    case = (cases_ahead or failing)[nearest]
    return _failing_place(scores, failing, case, failing_places(scores, case)[nearest], came_round=not cases_ahead)


def _failing_place(
    scores: Scores, failing: list[Node], case: Node, node: Node, *, came_round: bool = False
) -> FailingPlace:
    places = failing_places(scores, case)
    number, turn_number = failing.index(case) + 1, places.index(node) + 1
    return FailingPlace(case, node, number, len(failing), turn_number, len(places), came_round)


def count_failing(scores: Scores) -> tuple[int, int]:
    """The number of failed turns, and of cases that failed as a whole."""
    results = [scored.result for case in scores.cases if scores.has(case, "failed") and (scored := scores.of(case))]
    turns = [
        sum(status_of(turn.metrics) == "failed" for turn in result.run.turns) if result.run is not None else 0
        for result in results
    ]
    return sum(turns), turns.count(0)


def unscored_case(scores: Scores, node: Node) -> Node | None:
    """The case around a value, if it was added since the run; None without scores, and during a run."""
    case = scores.owner.case_around(node) if scores.has_any and not scores.is_running else None
    return case if case is not None and scores.by_config(case) is None else None


def is_unscored(scores: Scores, node: Node) -> bool:
    """Whether a case, or a turn of a case, was added since the run."""
    case = unscored_case(scores, node)
    if case is not None:
        return node is case or node in turns_of(case)
    case = scores.case_around(node)
    if scores.is_running or case is None or case not in scores.stale or node is case:
        return False
    scored = scores.by_config(case)
    has_reason = scored is not None and bool(scored.result.reason)
    return not has_reason and node in turns_of(case) and scores.turn(node) is None
