"""The results of a set with the parts of their reports, in memory or in files, and the totals of all."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.files.spool import LazySequence, Spool
from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import Matching
from evaltui.runs.score_blocks import PackedBlock, PreparedResult, ScoreSettings, kept_result
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, ScoreTotals
from evaltui.scoring.scored_set import ScoredSet

_RESULT = 1000
"""The usual bytes of a result without turns."""
_PREPARED = 4000
"""The usual bytes of the parts of reports for a case."""


class ResultSpool:
    """The results of the chosen cases of a set, in order, with the parts of reports and the totals."""

    def __init__(self, numbers: Sequence[int], *, has_prepared: bool) -> None:
        self._numbers, self._has_prepared = numbers, has_prepared
        # Apart from the results, because ranking and totals must not read 4 kB of JSON for each case.
        self._results: Spool[CaseResult] = Spool()
        self._prepared: Spool[Any] = Spool()
        self.totals = ScoreTotals()
        """The counts and means of all cases."""
        self._joined = 0
        """The number of blocks in `totals`."""
        self._waiting: dict[int, ScoreTotals] = {}
        """Totals of blocks that came before an earlier one, by the number of the block."""
        self._places = array("I")
        """The place of each result in the spools, if the blocks came in another order than the cases."""

    @property
    def blocks(self) -> int:
        """The number of blocks that were added."""
        return self._joined + len(self._waiting)

    def scored_set(
        self, subject: ExpectedSet, criteria: Criteria, recordings: Sequence[Recording], matching: Matching
    ) -> ScoredSet:
        """The set with these results, in its order."""
        cases: Sequence[CaseResult] = self._results
        if self._places:
            cases = LazySequence(len(self._results), lambda position: self._results[self._places[position]])
        return ScoredSet(
            subject,
            criteria,
            tuple(recordings),
            cases,
            matching.unmatched,
            matching.warnings,
            prepared=self.prepared_for if self._has_prepared else None,
            known_totals=self.totals,
        )

    def extend(self, settings: ScoreSettings, outcomes: Iterable[PreparedResult]) -> None:
        """Add the outcomes of the next cases."""
        for result, prepared in outcomes:
            self.totals.add(result)
            self._results.append(kept_result(settings, result), _RESULT)
            if self._has_prepared:
                self._prepared.append(prepared, _PREPARED)

    def add_block(self, block: PackedBlock, number: int, first: int | None = None) -> bool:
        """Add the outcomes of a block, which another process has scored; false if they were added before.

        `first` is the position of its first case, if blocks come in another order; None if they come in order.
        """
        if number < self._joined or number in self._waiting:
            return False
        outcomes, totals = block
        if first is not None:
            if not self._places:
                self._places = array("I", bytes(array("I").itemsize * len(self._numbers)))
            for position in range(len(outcomes)):
                self._places[first + position] = len(self._results) + position
        self._waiting[number] = totals
        # In the order of the set: the order decides how a mean is rounded, and runs must give the same bytes.
        while self._joined in self._waiting:
            self.totals.add_totals(self._waiting.pop(self._joined))
            self._joined += 1
        # Reports open them one by one; all at once, they would not fit into memory.
        for result, prepared in outcomes:
            self._results.append_pickled(result)
            if self._has_prepared:
                self._prepared.append_pickled(prepared)
        return True

    def prepared_for(self, case: CaseResult) -> Any:
        """The parts of reports that were prepared for a case."""
        position = bisect_left(self._numbers, case.number)
        return self._prepared[self._places[position] if self._places else position]
