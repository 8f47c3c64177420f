"""The runs of this session: the cases that the last one changed, pass rates of the last ones, and a baseline."""

from __future__ import annotations

import time

from evaltui.document.node import Node
from evaltui.runs.run_comparison import RunComparison
from evaltui.runs.run_history import RunHistory
from evaltui.runs.run_rows import RunTotals
from evaltui.scoring.case_change import ScoredCase
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult


class PastRuns:
    """Cases are told apart by their nodes, so that they keep their past when they are renamed, moved or restored."""

    def __init__(self) -> None:
        self.comparison: RunComparison[Node] = RunComparison()
        self.history = RunHistory()
        self.baseline_criteria: Criteria | None = None
        """The criteria by which the baseline was scored; None without one."""

    def note(self, case: Node, source: bytes, result: CaseResult) -> ScoredCase:
        """Take in the result of a case."""
        now = ScoredCase(source, result)
        self.comparison.note(case, now)
        return now

    def finish_run(self) -> bool:
        """Note that a run is over. Returns whether it changed anything since the one before."""
        return self.comparison.finish_run()

    def add_point(self, totals: RunTotals, *, is_other: bool) -> None:
        """Remember the counts of the run that is over."""
        self.history.add(time.time(), totals, is_other=is_other)

    @property
    def baseline_at(self) -> float | None:
        """When the baseline was kept; None without one."""
        baseline = self.comparison.baseline
        return baseline.at if baseline is not None else None

    def toggle_baseline(self, criteria: Criteria | None) -> None:
        """Keep the present results, which were scored by `criteria`, as the baseline, or drop it."""
        if self.comparison.baseline is None:
            self.comparison.keep_baseline(time.time())
            self.baseline_criteria = criteria
        else:
            self.comparison.drop_baseline()
            self.baseline_criteria = None
