"""An item of a review: a turn to look at, with the changes that accept what the agent did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaltui.evalset.expected_set import ExpectedCase, read_case
from evaltui.evalset.turn import Turn
from evaltui.review.review_change import Place, ReviewChange, digest, id_of, remark_on
from evaltui.review.turn_changes import changes_of_turn, quoted
from evaltui.scoring.call_alignment import Row, align_calls
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import Explanation
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores


@dataclass(frozen=True, eq=False)
class ComparedTurn:
    """An expected turn beside the recorded one."""

    scores: TurnScores
    place: Place
    """The places of both turns in their conversations."""
    eval_id: str
    criteria: Criteria
    has_calls: bool
    """Whether the file specifies the expected calls; an empty list counts."""
    is_another: bool = False
    """Whether the recording lacks turns and this one has another user message, so it is no turn of the case."""

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
        if self.is_another:
            return ()
        turn, actual_turn = self.place.turn, self.place.actual_turn
        assert turn is not None
        assert actual_turn is not None
        return tuple(
            changes_of_turn(
                self.scores.expected,
                self.scores.actual,
                self.rows,
                eval_id=self.eval_id,
                turn=turn,
                actual_turn=actual_turn,
                has_calls=self.has_calls,
                metrics={metric.name for metric in self.scores.metrics},
            )
        )


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

    @property
    def invocation_id(self) -> str:
        """The id of the expected turn; "" where it has none."""
        return self.compared.scores.expected.invocation_id if self.compared is not None else ""

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
        every = [*(change for turn in self.turns for change in turn.changes), *self._of_turns()]
        return tuple(every)

    @cached_property
    def seen(self) -> str:
        """A hash of both sides, to recognize later whether a decision still applies."""
        sides = [(_side(turn.scores.expected), _side(turn.scores.actual)) for turn in self.turns]
        expected, actual = self.case.turns, self.run.conversation.turns
        return digest(
            sides, [_side(expected[index]) for index in self.deleted], [_side(actual[index]) for index in self.added]
        )

    def _of_turns(self) -> Iterator[ReviewChange]:
        actual = self.run.conversation.turns
        # Without the user messages, nobody knows which turns the recording lacks.
        lacks_turns = self.run.conversation.lacks_turns
        knows_turns = not lacks_turns and not any("user_text" in turn.unrecorded for turn in actual)
        for index in self.deleted if knows_turns else ():
            turn = self.case.turns[index]
            identifier = id_of(self.eval_id, f"-{index + 1}", sides=(_side(turn), None))
            summary = f"delete turn {index + 1} (not in the recording): {quoted(turn.user_text)}"
            yield ReviewChange(identifier, "sequence", summary, Place("delete_turn", turn=index))
        for index in self.added:
            turn = actual[index]
            if turn.unrecorded or turn.failure:
                continue
            identifier = id_of(self.eval_id, f"+{index + 1}", sides=(None, _side(turn)))
            summary = f"add turn {index + 1} of the recording: {quoted(turn.user_text)}"
            remark = remark_on({metric.name for metric in self.metrics}, *turn.calls, response=turn.response)
            yield ReviewChange(identifier, "sequence", summary, Place("add_turn", actual_turn=index), remark)


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
