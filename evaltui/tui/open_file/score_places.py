"""Search for the next or previous failing turn of the open set."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.case_file import turns_of
from evaltui.tui.open_file.set_scores import Scores, status_of


def first_failing_turn(scores: Scores, case: Node) -> Node | None:
    """The first failed turn of a case; None if the case failed as a whole, or did not fail."""
    first = failing_places(scores, case)[0]
    return first if first is not case else None


def place_of_why(scores: Scores, case: Node) -> Node:
    """Where the scores of a case are explained: at its first failing turn, or at the case if several runs count."""
    scored = scores.of(case)
    has_runs = scored is not None and len(scored.runs or ()) > 1
    # With several runs, the case itself says how many of them passed.
    return case if has_runs else first_failing_turn(scores, case) or case


def failing_places(scores: Scores, case: Node) -> list[Node]:
    """The failed turns of a case; the case itself if it failed as a whole."""
    turns = turns_of(case)
    return [turn for turn in turns if (verdict := scores.verdict(turn)) and verdict.status == "failed"] or [case]


def next_failing(scores: Scores, node: Node, step: int) -> tuple[Node, Node, str] | None:
    """The next (1) or previous (-1) failed turn from a value, or case that failed as a whole, wrapping around.

    Its case comes first, and last the words for it: `Failing turn 1 of 2 in failing case 3 of 4`.
    """
    case_numbers = {case: number for number, case in enumerate(scores.cases)}
    failing = [case for case in scores.cases if scores.has(case, "failed")]
    if not failing:
        return None
    around, nearest = (node, *node.ancestors()), 0 if step > 0 else -1
    own = next((outer for outer in around if outer in case_numbers), None)
    if own is not None and scores.has(own, "failed"):
        turns = {turn: number for number, turn in enumerate(turns_of(own))}
        number, places = next((turns[outer] for outer in around if outer in turns), -1), failing_places(scores, own)
        # Failing turns of the own case come first, but only those in the direction of the search.
        if ahead := [place for place in places if (turns.get(place, -1) - number) * step > 0]:
            return own, ahead[nearest], _words_for(own, ahead[nearest], failing, places)
    number = case_numbers[own] if own is not None else -1
    cases_ahead = [case for case in failing if (case_numbers[case] - number) * step > 0]
    case = (cases_ahead or failing)[nearest]
    places = failing_places(scores, case)
    if cases_ahead:
        return case, places[nearest], _words_for(case, places[nearest], failing, places)
    turn_count, whole_count = count_failing(scores)
    what = "turns" if not whole_count else "turns and cases" if turn_count else "cases"
    back = f"No more failing {what}. Back at the {'first' if step > 0 else 'last'}"
    return case, places[nearest], f"The only failing {what[:-1]}" if turn_count + whole_count == 1 else back


def _words_for(case: Node, place: Node, failing: list[Node], places: list[Node]) -> str:
    turns = f"Failing turn {places.index(place) + 1:,} of {len(places):,} in failing case" if len(places) > 1 else ""
    return f"{turns or 'Failing case'} {failing.index(case) + 1:,} of {len(failing):,}"


def count_failing(scores: Scores) -> tuple[int, int]:
    """The number of failed turns, and of cases that failed as a whole."""
    results = [scored for case in scores.cases if scores.has(case, "failed") and (scored := scores.of(case))]
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
    has_reason = scored is not None and bool(scored.reason)
    return not has_reason and node in turns_of(case) and scores.turn(node) is None
