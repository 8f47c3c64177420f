"""The review of a scored set: its items, its decisions, and ids of changes that are unique in the set."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from evaltui.printable import printable
from evaltui.review.decisions import Decision, ReviewDecisions, standing_acceptances
from evaltui.review.review_changes import ReviewChange, case_step
from evaltui.review.review_items import ReviewItem, items_of_case
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet


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
        results = [result for result in self.run.cases if result.eval_id == eval_id]
        return [item for result in results for item in self._items_of(result, passing=self._passing)]

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
        """Acceptances that still apply, also of turns that are no longer items."""
        return standing_acceptances(self.decisions, self.run)

    @cached_property
    def shared_ids(self) -> frozenset[str]:
        """Ids that several cases have."""
        # Not by the steps of `_by_step`: two long ids may begin alike.
        counts = Counter(case.eval_id for case in self.run.cases)
        return frozenset(eval_id for eval_id, count in counts.items() if count > 1)

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
