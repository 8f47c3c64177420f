"""The review of a scored set: items, decisions, ids and patches of changes; its records for `evaltui.api` and JSON."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.document.errors import DocumentError
from evaltui.document.patch import operations_of
from evaltui.evalset.case_file import CaseFile, case_file_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.printable import printable
from evaltui.review.acceptance import OWN_PLACE, Accepted, AcceptedItem, is_too_much
from evaltui.review.decisions import Decision, ReviewDecisions, contradict, state_after
from evaltui.review.review_changes import ChangeKind, ReviewChange, case_step
from evaltui.review.review_items import ReviewItem, hash_of_conversation, hash_of_turn, items_of_case
from evaltui.scoring.explained_case import JsonRecord, MatchedRecording, TurnSide, matched_recording, turn_side
from evaltui.scoring.results import CaseResult, Status, plain
from evaltui.scoring.scored_set import ScoredSet

Operations = list[dict[str, Any]]
"""The operations of a JSON Patch while it is made."""
Patch = tuple[Mapping[str, Any], ...]
"""The operations of a JSON Patch (RFC 6902), which `evaltui patch` applies."""


class SetReview:
    """The items of a scored set with the decisions of its sidecar, and the lookup of a change by its id."""

    def __init__(
        self,
        run: ScoredSet,
        decisions: ReviewDecisions | None = None,
        accept: Sequence[str] | None = None,
        *,
        passing: bool = False,
    ) -> None:
        """With `passing`, passing turns that differ are items, too.

        `accept` has the words of the accept command without the choice of changes; None if input came from standard
        input.
        """
        self.run, self._accept, self._passing = run, accept, passing
        self.decisions = decisions if decisions is not None else ReviewDecisions()
        self._by_id: dict[str, dict[str, tuple[ReviewItem, ReviewChange]]] = {}
        self._cases = {case.number: case for case in run.subject.cases}

    @cached_property
    def items(self) -> list[ReviewItem]:
        """The items in the order of the set."""
        return [item for result in self.run.cases for item in self._items_of(result, passing=self._passing)]

    def items_of(self, eval_id: str) -> list[ReviewItem]:
        """The items of the cases with this id."""
        return [item for result in self._results_of(eval_id) for item in self._items_of(result, passing=self._passing)]

    def id_of(self, item: ReviewItem, change: ReviewChange) -> str:
        """The id of a change. If cases share an eval_id, `~1`, `~2` at the end is the place of the case among them."""
        # The first case has a number, too: else its id would pass to the next case once its change is accepted.
        place = self._places.get(item.case.number)
        return change.id if place is None else f"{change.id}~{place}"

    @cached_property
    def _places(self) -> dict[int, int]:
        """For each case with a shared eval_id, by its number: its place among these cases, from 1."""
        several = (cases for cases in self._by_step.values() if len(cases) > 1)
        return {case.number: place for cases in several for place, case in enumerate(cases, 1)}

    def change(self, identifier: str) -> tuple[ReviewItem, ReviewChange] | None:
        """The change with this id, also of a passing turn; None if there is none."""
        step = identifier.partition("/")[0]
        if step not in self._by_id:
            items = (item for result in self._by_step[step] for item in self._items_of(result, passing=True))
            pairs = ((item, change) for item in items for change in item.changes)
            self._by_id[step] = {self.id_of(item, change): (item, change) for item, change in pairs}
        return self._by_id[step].get(identifier)

    @cached_property
    def acceptances(self) -> list[Decision]:
        """Acceptances after which neither side changed, also of turns that are no longer items.

        For each person, the last verdict on a turn counts. Notes alone are not acceptances.
        """
        verdicts = [decision for decision in self.decisions.every if decision.verdict is not None]
        last = {
            (decision.eval_id, decision.turn, decision.author): decision
            for decision in verdicts
            if state_after(decision) in self._hashes(decision)
        }
        standing = {decision.id for decision in last.values() if decision.verdict == "accepted"}
        return [decision for decision in verdicts if decision.id in standing]

    def _hashes(self, decision: Decision) -> Iterator[str | None]:
        """The hashes that an applicable decision about a turn of its cases may have (see `hash_after`)."""
        index = (decision.turn or 0) - 1
        for result in self._results_of(decision.eval_id):
            if result.run is not None:
                expected, actual = self._cases[result.number].turns, result.run.conversation.turns
                if 0 <= index < min(len(expected), len(actual)):
                    yield hash_of_turn(expected[index], actual[index])
                yield hash_of_conversation(expected, actual)

    def is_shared(self, eval_id: str) -> bool:
        """Whether several cases have this id."""
        return len(self._results_of(eval_id)) > 1

    def _results_of(self, eval_id: str) -> list[CaseResult]:
        return self._by_eval_id.get(eval_id, [])

    @cached_property
    def _by_eval_id(self) -> Mapping[str, list[CaseResult]]:
        # Not by the steps of `_by_step`: two long ids may begin alike.
        results: defaultdict[str, list[CaseResult]] = defaultdict(list)
        for result in self.run.cases:
            results[result.eval_id].append(result)
        return results

    def accept_command(self, *choice: str) -> str | None:
        """The command line that accepts a choice of changes, made printable; None if there is none."""
        return None if self._accept is None else printable(shlex.join([*self._accept, *choice]))

    @cached_property
    def _by_step(self) -> defaultdict[str, list[CaseResult]]:
        """The cases by the first step of the ids of their changes."""
        results: defaultdict[str, list[CaseResult]] = defaultdict(list)
        for result in self.run.cases:
            results[case_step(result.eval_id)].append(result)
        return results

    def _items_of(self, result: CaseResult, *, passing: bool) -> list[ReviewItem]:
        return items_of_case(
            self._cases[result.number], result, self.run.criteria, "differing" if passing else "left out"
        )


# --- patches ----------------------------------------------------------------------------------------------------------


class SetPatches:
    """Makes the patches of one document. Each method restores the document before it returns."""

    def __init__(self, document: Document) -> None:
        assert document.root is not None
        self._document, self._cases = document, case_file_of(document.root) or CaseFile(document.root, EVAL_SET)

    def of_item(self, item: ReviewItem) -> tuple[Operations | None, dict[str, Operations | None]]:
        """The patch of all changes of an item together, and that of each alone by `ReviewChange.id`.

        None if JSON Patch cannot express a patch, such as for NaN.
        """
        try:
            together = list(self._edits(item, item.changes))
        except (DocumentError, RecursionError):
            # A single change may be at fault, so each is tried alone, unless that takes too long.
            is_tried = not is_too_much(item, item.changes)
            return None, {change.id: self._alone(item, change) if is_tried else None for change in item.changes}
        edits_by_change: defaultdict[str, list[Edit]] = defaultdict(list)
        for change, edit in together:
            edits_by_change[change.id].append(edit)
        # Places and new ids of calls and turns depend on the changes before. All other changes write the same alone as
        # together, which saves a rehearsal for each.
        moving = {change.id for change in item.changes if change.place.action not in OWN_PLACE}
        alone = {
            change.id: self._alone(item, change)
            # A call that moves out of an event is written again, with its arguments at that moment.
            if change.place.action == "move_call" or (len(moving) > 1 and change.id in moving)
            else _patch_of(edits_by_change[change.id])
            for change in item.changes
        }
        return _patch_of(edit for _, edit in together), alone

    def edits(self, accepted: Iterable[Accepted]) -> list[Edit]:
        """The edits that accept changes. The edits of each item are computed as if no other item were accepted.

        Items never write to the same place, so the order does not matter. Raises `DocumentError`.
        """
        return [edit for item, changes in accepted for _, edit in self._edits(item, changes)]

    def _alone(self, item: ReviewItem, change: ReviewChange) -> Operations | None:
        with suppress(DocumentError, RecursionError):
            return _patch_of(edit for _, edit in self._edits(item, [change]))
        return None

    def _edits(self, item: ReviewItem, changes: Sequence[ReviewChange]) -> list[tuple[ReviewChange, Edit]]:
        pairs: list[tuple[ReviewChange, Edit]] = []

        def noted() -> Iterator[Edit]:
            for change, edit in AcceptedItem(self._cases, item, changes).edits():
                pairs.append((change, edit))
                yield edit

        self._document.rehearse(noted())
        return pairs


def _patch_of(edits: Iterable[Edit]) -> Operations | None:
    try:
        operations = operations_of(edits)
    except ValueError:  # a number is too long for Python, or a value is nested too deeply
        return None
    # Reports show NaN, Infinity and very deep values as something else.
    return operations if operations is not None and plain(operations) == operations else None


# --- records for other programs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReviewMetric(JsonRecord):
    """The score of a turn in a review."""

    absent_if_empty = frozenset({"recorded_at"})

    name: str
    score: float | None
    """A number that is not rounded; None if there is no score."""
    threshold: float | None
    """The lowest score that passes; None for a metric that only informs."""
    status: Status
    reason: str | None
    """A sentence, if the status does not follow from the score."""
    recorded_at: float | None = None
    """For a score from the recording: its time, in seconds since 1970. None for a computed score."""
    explanation: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    """The words or tool calls that differ; None for metrics that are not computed."""


@dataclass(frozen=True)
class ExplainedChange(JsonRecord):
    """A change that makes one part of the expectation equal to the recording."""

    id: str
    """The id that `evaltui accept --change` takes. It changes with either side."""
    kind: ChangeKind
    summary: str
    pointer: str | None = field(repr=False)
    """The place of the first operation in the file."""
    patch: Patch | None = field(repr=False, hash=False)
    """The change alone; None if JSON Patch cannot express it."""


@dataclass(frozen=True)
class ExplainedItem(JsonRecord):
    """A turn to review, or the turns that only one side has."""

    eval_id: str
    turn: int | None
    """The number of the turn, from 1; None for the case as a whole."""
    invocation_id: str | None
    status: Status
    reason: str | None
    recording: MatchedRecording
    metrics: Mapping[str, ReviewMetric] = field(repr=False, hash=False)
    """The scores by the name of the metric."""
    expected: TurnSide | None = field(repr=False)
    actual: TurnSide | None = field(repr=False)
    patch: Patch | None = field(repr=False, hash=False)
    """All changes of the turn together; None if JSON Patch cannot express them."""
    changes: tuple[ExplainedChange, ...] = field(repr=False)
    decisions: tuple[Mapping[str, Any], ...] = field(repr=False, hash=False)
    """The decisions and notes of people in the file `SET.review.jsonl`."""
    contradiction: bool
    """Whether people decided differently."""


def explained_items(review: SetReview, document: Document) -> list[ExplainedItem]:
    """The items of a review with their scores, their changes and what people decided.

    `document` is the set as it was scored.
    """
    patches = SetPatches(document)
    return [_explain(item, review, patches) for item in review.items]


def _explain(item: ReviewItem, review: SetReview, set_patches: SetPatches) -> ExplainedItem:
    together, alone = set_patches.of_item(item)
    compared = item.compared
    explanations = compared.explanations if compared is not None else {}
    metrics = {}
    for metric in item.metrics:
        explanation = explanations[metric.name].to_json() if metric.name in explanations else None
        parts = (metric.score, metric.threshold, metric.status, metric.reason, metric.recorded_at)
        metrics[metric.name] = ReviewMetric(metric.name, *parts, explanation)
    return ExplainedItem(
        eval_id=item.eval_id,
        turn=item.turn,
        invocation_id=compared.scores.expected.invocation_id if compared is not None else "",
        status=item.status,
        reason=item.result.reason,
        recording=matched_recording(item.run),
        metrics=metrics,
        expected=turn_side(compared.scores.expected) if compared is not None else None,
        actual=turn_side(compared.scores.actual) if compared is not None else None,
        patch=tuple(together) if together is not None else None,
        changes=tuple(
            ExplainedChange(
                review.id_of(item, change),
                change.kind,
                change.sentence,
                patch[0]["path"] if (patch := alone[change.id]) else None,
                tuple(patch) if patch is not None else None,
            )
            for change in item.changes
        ),
        decisions=tuple(decision.to_json() for decision in review.decisions.about(item)),
        contradiction=contradict(review.decisions.verdicts(item).values()),
    )
