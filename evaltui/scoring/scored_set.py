"""A set with the scores of its cases, in the orders of reports."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import Unmatched
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import STATUS_RANKS, CaseResult, ScoreTotals, totals_of

if TYPE_CHECKING:  # few runs have a baseline
    from evaltui.scoring.baseline_changes import BaselineChanges


@dataclass(frozen=True)
class ScoredSet:
    """A set with the scores of all its cases. The sequences may lie on disk."""

    subject: ExpectedSet
    criteria: Criteria
    recordings: Sequence[Recording]
    cases: Sequence[CaseResult]
    """In the order of the set."""
    unmatched: Sequence[Unmatched]
    warnings: Sequence[str] = ()
    changes: BaselineChanges | None = None
    """The changes since a baseline; None without a baseline."""
    prepared: Callable[[CaseResult], Any] | None = None
    """Gives the parts of reports that were made when a case was scored. Present if the results have no turns."""
    known_totals: ScoreTotals | None = None
    """The totals, if somebody counted already."""

    @cached_property
    def totals(self) -> ScoreTotals:
        """The counts and means of the cases."""
        return self.known_totals or totals_of(self.cases)

    def worst_first(self, *, by_change: bool = False) -> Iterator[CaseResult]:
        """The cases in reading order: failing first; within one verdict, regressions first.

        `by_change`: only the change since the baseline counts. The cases may lie on disk, so they come one by one.
        """
        order: Sequence[str] = ()
        if self.changes is not None:
            from evaltui.scoring.score_change import REGRESSIONS_FIRST  # noqa: PLC0415 - few runs have a baseline

            order = REGRESSIONS_FIRST
        numbers: defaultdict[tuple[int, int], array[int]] = defaultdict(lambda: array("I"))
        for number, case in enumerate(self.cases):
            rank = order.index(self.changes.of(case).change) if self.changes is not None else 0
            numbers[0 if by_change else STATUS_RANKS[case.status], rank].append(number)
        return (self.cases[number] for _, its_own in sorted(numbers.items()) for number in its_own)
