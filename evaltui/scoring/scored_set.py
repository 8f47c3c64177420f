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
    from evaltui.scoring.score_change import BaselineChanges


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

    def worst_first(self) -> Iterator[CaseResult]:
        """The cases in reading order: failing first; within one verdict, regressions first."""
        return self._ranked(lambda case: (STATUS_RANKS[case.status], self._rank_of_change(case)))

    def regressions_first(self) -> Iterator[CaseResult]:
        """The cases by their change since the baseline."""
        return self._ranked(lambda case: (self._rank_of_change(case), 0))

    def _rank_of_change(self, case: CaseResult) -> int:
        if self.changes is None:
            return 0
        from evaltui.scoring.score_change import REGRESSIONS_FIRST  # noqa: PLC0415 - few runs have a baseline

        return REGRESSIONS_FIRST.index(self.changes.of(case).change)

    def _ranked(self, rank: Callable[[CaseResult], tuple[int, int]]) -> Iterator[CaseResult]:
        """The cases by rank, one after another: they may lie on disk."""
        numbers: defaultdict[tuple[int, int], array[int]] = defaultdict(lambda: array("I"))
        for number, case in enumerate(self.cases):
            numbers[rank(case)].append(number)
        return (self.cases[number] for _, its_own in sorted(numbers.items()) for number in its_own)
