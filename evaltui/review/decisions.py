"""Decisions of people about items of a review, and the check whether a decision still applies.

A decision has the hash of both sides. It no longer applies once the expected or the recorded side changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from evaltui.document.scanner import read_json
from evaltui.evalset.expected_set import ExpectedCase
from evaltui.review.review_items import ReviewItem, hash_of_conversation, hash_of_turn
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet

DecisionKind = Literal["accepted", "agent is wrong", "skipped"]
_MOST_UNREAD = 1_000
DECISION_KINDS: tuple[DecisionKind, ...] = ("accepted", "agent is wrong", "skipped")


class Decision(NamedTuple):
    """A decision or note of one person: one line of a sidecar."""

    id: str
    """Globally unique, because a later line can undo the decision by this id."""
    time: str
    """When, as `2026-11-22T21:04:00Z`."""
    author: str
    eval_id: str
    turn: int | None
    seen: str
    """The hash of both sides that the person saw (`ReviewItem.seen`)."""
    verdict: DecisionKind | None = None
    """None for a note alone."""
    changes: tuple[str, ...] = ()
    """The ids of the changes that were accepted."""
    became: str | None = None
    """The hash of both sides once the changes were accepted; None for other verdicts."""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of a sidecar; members without a value are left out."""
        members = {"decision" if name == "verdict" else name: value for name, value in self._asdict().items()}
        members["changes"] = [*self.changes]
        return {key: value for key, value in members.items() if value not in (None, [], "") or key == "turn"}


class ReviewDecisions:
    """The decisions of a sidecar that were not undone, in the order of its lines."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        """Read the lines of a sidecar. Raises `ValueError` if so many are no decisions that the file is no sidecar."""
        self.unread: list[int] = []
        """The numbers of lines that are not decisions, from 1."""
        self._index: tuple[list[Decision], defaultdict[str, list[Decision]]] | None = None
        every: list[Decision] = []
        taken_back: set[str] = set()
        for number, line in enumerate(lines, 1):
            # In a conflict of git both sides count, so its markers are skipped.
            if not line.strip() or line.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
                continue
            try:
                value = read_json(line)
            except ValueError:
                value = None
            if isinstance(value, dict) and isinstance(identifier := value.get("takes_back"), str):
                taken_back.add(identifier)  # a merge of git may put this line before its decision
            elif isinstance(value, dict) and (decision := _decision_of(value)) is not None:
                every.append(decision)
            else:
                self.unread.append(number)
                if len(self.unread) > _MOST_UNREAD:
                    raise ValueError(f"more than {_MOST_UNREAD:,} lines are not decisions")
        self.every = [*{decision.id: decision for decision in every if decision.id not in taken_back}.values()]

    def about(self, item: ReviewItem) -> list[Decision]:
        """The decisions and notes that apply to an item: neither side changed since, except by the acceptance itself.

        For each person, the last verdict and all notes count. Notes still apply once changes of the turn are accepted.
        """
        of_case, last, states = self._of_case(item.eval_id), self.verdicts(item), {item.seen}
        for decision in reversed(of_case):
            if decision.verdict == "accepted" and decision.became in states:
                states.add(decision.seen)
        applying = [
            decision
            for decision in of_case
            # Another verdict does not apply to values that replaced those it was about.
            if _state_after(decision) in (states if decision.verdict in (None, "accepted") else (item.seen,))
        ]
        return [
            decision
            for decision in applying
            if decision.verdict is None or decision.note or last.get(decision.author) is decision
        ]

    def add(self, decisions: Sequence[Decision]) -> None:
        """Add new decisions."""
        self.every = [*self.every, *decisions]

    def take_back(self, decisions: Sequence[Decision]) -> None:
        """Remove decisions that were undone."""
        gone = {decision.id for decision in decisions}
        self.every = [decision for decision in self.every if decision.id not in gone]

    def _of_case(self, eval_id: str) -> list[Decision]:
        """The decisions about one case."""
        # By identity: each method that changes `every` makes another list.
        if self._index is None or self._index[0] is not self.every:
            by_case: defaultdict[str, list[Decision]] = defaultdict(list)
            for decision in self.every:
                by_case[decision.eval_id].append(decision)
            self._index = self.every, by_case
        return self._index[1].get(eval_id, [])

    def verdicts(self, item: ReviewItem) -> dict[str, Decision]:
        """The last verdict of each person on an item, by author.

        Who accepted the item later, without saving the set, gave up an earlier verdict: there is none then.
        """
        last: dict[str, Decision] = {}
        for decision in self._of_case(item.eval_id):
            if decision.verdict is not None and _state_after(decision) == item.seen:
                last[decision.author] = decision
            elif (
                _is_unsaved(decision, item.seen)
                and decision.author in last
                and last[decision.author].verdict != "accepted"
            ):
                del last[decision.author]
        return last

    def is_acceptance_unsaved(self, item: ReviewItem) -> bool:
        """Whether somebody accepted changes of an item, last of all, and the set does not have the values."""
        about = [decision for decision in self._of_case(item.eval_id) if decision.verdict is not None]
        last = {
            decision.author: decision
            for decision in about
            if _state_after(decision) == item.seen or _is_unsaved(decision, item.seen)
        }
        return any(_is_unsaved(decision, item.seen) for decision in last.values())


def _state_after(decision: Decision) -> str | None:
    """The hash of both sides to which a decision applies."""
    return decision.became if decision.verdict == "accepted" else decision.seen


def _is_unsaved(decision: Decision, seen: str) -> bool:
    """Whether an acceptance began at this state, and did not change it."""
    return decision.verdict == "accepted" and decision.seen == seen != decision.became


def contradict(verdicts: Iterable[Decision]) -> bool:
    """Whether people decided differently. Skipping is not a decision."""
    return len({decision.verdict for decision in verdicts if decision.verdict != "skipped"}) > 1


def _decision_of(value: dict[str, Any]) -> Decision | None:
    texts = [value.get(name) for name in ("id", "time", "author", "eval_id", "seen")]
    turn, verdict, changes = value.get("turn"), value.get("decision"), value.get("changes", [])
    became, note = value.get("became"), value.get("note", "")
    if not isinstance(changes, list) or not isinstance(turn, int | None) or not isinstance(became, str | None):
        return None
    if not all(isinstance(text, str) for text in (*texts, note, *changes)) or verdict not in (None, *DECISION_KINDS):
        return None
    identifier, time, author, eval_id, seen = map(str, texts)
    return Decision(identifier, time, author, eval_id, turn, seen, verdict, tuple(changes), became, note)


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
        hashes = (_hashes(decision, result, cases[result.number]) for result in results[decision.eval_id])
        if any(_state_after(decision) in of_result for of_result in hashes):
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
