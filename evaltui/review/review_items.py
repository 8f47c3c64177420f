"""The items of a review: the turns of a run that a person should look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, Literal

from evaltui.evalset.expected_set import ExpectedCase, read_case
from evaltui.evalset.turn import Turn
from evaltui.review.review_changes import Place, ReviewChange, changes_of_turn, digest, id_of, quote_text, remark_on
from evaltui.scoring.call_alignment import Row, align_calls, common_subsequence
from evaltui.scoring.case_scores import explain, score_turn, status_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import Explanation
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores, has_other_message

Passing = Literal["left out", "differing", "all"]
"""Which passing turns are items: none, turns that differ, or all."""

TurnPair = tuple[int | None, int | None]
"""The indexes of an expected turn, a recorded turn, or both."""


@dataclass(frozen=True, eq=False)
class ComparedTurn:
    """An expected turn beside the recorded one."""

    scores: TurnScores
    actual_turn: int
    """The place of the recorded turn in its conversation, from 0."""
    eval_id: str
    criteria: Criteria
    has_calls: bool
    """Whether the file specifies the expected calls; an empty list counts."""
    is_another: bool = False
    """Whether the recording lacks turns and this one has another user message, so it is no turn of the case."""

    @property
    def turn(self) -> int:
        """The place of the expected turn in its case, from 0."""
        return self.scores.number - 1

    @property
    def place(self) -> Place:
        """The places of both turns, for a change of the response."""
        return Place("response", self.turn, self.actual_turn)

    @cached_property
    def explanations(self) -> dict[str, Explanation]:
        """The explanations of the scores of the turn, by metric, for metrics that evaltui computes."""
        explanations = (
            (metric.name, explain(self.scores, metric.name, self.criteria)) for metric in self.scores.metrics
        )
        return {name: explanation for name, explanation in explanations if explanation is not None}

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The calls of both sides aligned."""
        # The explanation of a score has aligned the calls already.
        for explanation in self.explanations.values():
            if isinstance(explanation, CallsExplained):
                return explanation.rows
        return align_calls(self.scores.expected.calls, self.scores.actual.calls)

    @cached_property
    def changes(self) -> tuple[ReviewChange, ...]:
        """The changes that make the expected turn equal to the recorded one; none for another turn."""
        return tuple(changes_of_turn(self)) if not self.is_another else ()


@dataclass(frozen=True, eq=False)
class ReviewItem:
    """A turn to look at. If the recording has other turns, one item has all added and deleted turns."""

    case: ExpectedCase
    """The case as it was scored."""
    result: CaseResult
    status: Status
    metrics: tuple[MetricScore, ...]
    turn: int | None = None
    """The number of the (first) turn, from 1; None for a case that failed as a whole."""
    turns: tuple[ComparedTurn, ...] = ()
    """The turn on both sides; several if turns are added or deleted between them."""
    added: tuple[int, ...] = ()
    """Recorded turns that the case lacks, from 0."""
    deleted: tuple[int, ...] = ()
    """Turns of the case that the recording lacks, from 0."""

    @property
    def eval_id(self) -> str:
        """The id of its case."""
        return self.case.eval_id

    @property
    def run(self) -> CaseRun:
        """The recording that the case was scored against."""
        assert self.result.run is not None
        return self.result.run

    @property
    def compared(self) -> ComparedTurn | None:
        """The turn on both sides; None for added or deleted turns, and for a case that failed as a whole."""
        return self.turns[0] if len(self.turns) == 1 and not (self.added or self.deleted) else None

    @property
    def is_unscored_turn(self) -> bool:
        """Whether its turn is only compared: google-adk scores no turn if the recording has more or fewer turns."""
        return self.compared is not None and not self.run.turns

    @property
    def has_no_score(self) -> bool:
        """Whether no metric has a score of this turn that counts, and the case has the reason."""
        is_scored = any(metric.score is not None for metric in self.metrics if metric.status != "informational")
        return self.is_unscored_turn or (bool(self.result.reason) and not is_scored)

    @property
    def turns_name(self) -> str:
        """`turn 3`, `turns 3 and 4`, `turns 3–5`; "" for a case that failed as a whole."""
        if not (self.added or self.deleted):
            return f"turn {self.turn}" if self.turn is not None else ""
        compared = (turn.scores.number for turn in self.turns)
        numbers = sorted({*compared, *(index + 1 for index in (*self.added, *self.deleted))})
        first, last = numbers[0], numbers[-1]
        if first == last:
            return f"turn {first}"
        if len(numbers) > 2 and last - first == len(numbers) - 1:
            return f"turns {first}–{last}"
        return f"turns {', '.join(map(str, numbers[:-1]))} and {last}"

    def why_no_change(self, otherwise: str) -> str:
        """A sentence about why there is nothing to accept; `otherwise` if the recording holds all of its turns."""
        turns = self.run.conversation.turns
        recorded_turns = (*(turn.scores.actual for turn in self.turns), *(turns[index] for index in self.added))
        if failure := next((turn.failure for turn in recorded_turns if turn.failure), ""):
            return f"Nothing to accept: the agent failed with {failure}."
        if any(turn.is_another for turn in self.turns):
            return "Nothing to accept: this turn has another user message, and turns of the recording are missing."
        if any(turn.unrecorded for turn in recorded_turns):
            return "Nothing to accept: the recording does not hold all of this turn."
        return otherwise

    @cached_property
    def changes(self) -> tuple[ReviewChange, ...]:
        """All changes of the item, in display order. Their ids are unique within the item."""
        changes = [change for turn in self.turns for change in turn.changes]
        expected, actual = self.case.turns, self.run.conversation.turns
        # Without the user messages, nobody knows which turns the recording lacks.
        knows_turns = not any("user_text" in turn.unrecorded for turn in actual)
        for index in self.deleted if knows_turns and not self.run.conversation.lacks_turns else ():
            identifier = id_of(self.eval_id, f"-{index + 1}", sides=(_side(expected[index]), None))
            summary = f"delete turn {index + 1} (not in the recording): {quote_text(expected[index].user_text)}"
            changes.append(ReviewChange(identifier, "sequence", summary, Place("delete_turn", turn=index)))
        metrics = {metric.name for metric in self.metrics}
        for index in self.added:
            turn = actual[index]
            if not turn.unrecorded and not turn.failure:
                identifier = id_of(self.eval_id, f"+{index + 1}", sides=(None, _side(turn)))
                summary = f"add turn {index + 1} of the recording: {quote_text(turn.user_text)}"
                remark = remark_on(metrics, *turn.calls, response=turn.response)
                place = Place("add_turn", actual_turn=index)
                changes.append(ReviewChange(identifier, "sequence", summary, place, remark))
        return tuple(changes)

    @cached_property
    def seen(self) -> str:
        """A hash of both sides, to recognize later whether a decision still applies."""
        sides = [(_side(turn.scores.expected), _side(turn.scores.actual)) for turn in self.turns]
        expected, actual = self.case.turns, self.run.conversation.turns
        return digest(
            sides, [_side(expected[index]) for index in self.deleted], [_side(actual[index]) for index in self.added]
        )


def hash_after(item: ReviewItem, source: bytes) -> str:
    """The hash of both sides after the case of an item is changed to the text `source`.

    For one turn it is the hash of this turn; for added or deleted turns it is the hash of the whole conversation.
    """
    expected, actual = read_case(source, item.case.number).turns, item.run.conversation.turns
    if item.compared is not None and item.turn is not None and item.turn <= len(expected):
        return hash_of_turn(expected[item.turn - 1], item.compared.scores.actual)
    return hash_of_conversation(expected, actual)


def hash_of_conversation(expected: Sequence[Turn], actual: Sequence[Turn]) -> str:
    """The hash of all turns of a case, for items about added or deleted turns."""
    return digest([*map(_side, expected)], [*map(_side, actual)])


def hash_of_turn(expected: Turn, actual: Turn) -> str:
    """The hash of an item about one turn."""
    return digest([(_side(expected), _side(actual))], [], [])


def _side(turn: Turn) -> list[Any]:
    """The parts of a turn that metrics compare, and those that are not stated."""
    compared = [turn.user_text, [[call.name, call.args] for call in turn.calls], turn.response]
    return [*compared, sorted(turn.unstated)] if turn.unstated else compared


def items_of_case(
    case: ExpectedCase, result: CaseResult, criteria: Criteria, passing: Passing = "left out"
) -> list[ReviewItem]:
    """The items of one case: the turns that need a person, its added and deleted turns, or the case as a whole.

    A case that was not scored has no items: there is nothing to compare, or a file could not be read.
    """
    run = result.run
    if run is None or case.fault is not None or case.is_scenario or run.conversation.unread is not None:
        return []
    conversation = run.conversation
    pairs: list[TurnPair] = []
    scored: Iterable[tuple[TurnScores, int]] = ()
    if run.turns:
        scored = ((scores, scores.number - 1) for scores in run.turns)
    # A dataset's case expects one turn only.
    elif conversation.failure is None and conversation.turns and not case.is_of_dataset:
        pairs = pair_turns(case.turns, conversation.turns)
        scored = (
            (score_turn(index + 1, case.turns[index], conversation.turns[actual], criteria), actual)
            for index, actual in pairs
            if index is not None and actual is not None
        )
    tells_calls = case.tells_calls() if run.turns or pairs else ()
    turns = [
        ComparedTurn(
            scores,
            actual_turn,
            case.eval_id,
            criteria,
            tells_calls[scores.number - 1],
            conversation.lacks_turns and has_other_message(scores.expected, scores.actual),
        )
        for scores, actual_turn in scored
    ]
    added = tuple(actual for index, actual in pairs if index is None and actual is not None)
    deleted = tuple(index for index, actual in pairs if actual is None and index is not None)
    items: list[ReviewItem] = []
    # A deletion elsewhere moves the turns after it, and patches of items must work in any order.
    if not (added or deleted) or pairs[: len(turns)] == [(index, index) for index in range(len(turns))]:
        for turn in turns:
            metrics = turn.scores.metrics
            is_wanted = passing == "all" or (passing == "differing" and turn.changes)
            if is_wanted or needs_person(turn.scores, criteria):
                status = status_of_case(metrics, criteria)
                items.append(ReviewItem(case, result, status, metrics, turn.scores.number, (turn,)))
        turns = []
    if added or deleted:
        first = min((*added, *deleted)) + 1
        items.append(ReviewItem(case, result, result.status, result.metrics, first, tuple(turns), added, deleted))
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


def pair_turns(expected: Sequence[Turn], actual: Sequence[Turn]) -> list[TurnPair]:
    """Pair the turns of both sides in order. Each turn is in one pair.

    As many turns as possible are paired by equal user text. The turns between these are paired in order.
    """
    if len(expected) == len(actual):
        return [(index, index) for index in range(len(expected))]
    # Numbers instead of texts: equal texts are compared once.
    numbers: dict[str, int] = {}
    expected_numbers, actual_numbers = (
        [numbers.setdefault(turn.user_text, len(numbers)) for turn in side] for side in (expected, actual)
    )
    pairs: list[TurnPair] = []
    start, actual_start = 0, 0
    ends = len(expected), len(actual)
    for index, actual_index in [*common_subsequence(expected_numbers, actual_numbers), ends]:
        pairs += zip_longest(range(start, index), range(actual_start, actual_index))
        pairs.append((index, actual_index))
        start, actual_start = index + 1, actual_index + 1
    return pairs[:-1]  # without the pair of both ends
