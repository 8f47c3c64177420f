"""The runs of this session: changes of the last run, pass rates of earlier runs, and a baseline."""

from __future__ import annotations

import time

from evaltui.document.node import Node
from evaltui.runs.run_comparison import RunComparison, RunTotals
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import ScoredCase


class PastRuns:
    """Past results of cases. The key of a case is its node, so renaming, moving or restoring keeps its past."""

    def __init__(self) -> None:
        self.comparison: RunComparison[Node] = RunComparison()
        self.baseline_criteria: Criteria | None = None
        """The criteria of the baseline's scores; None without a baseline."""

    def note(self, case: Node, source: bytes, result: CaseResult) -> ScoredCase:
        """Store the result of a case."""
        now = ScoredCase(source, result)
        self.comparison.note(case, now)
        return now

    def finish_run(self) -> bool:
        """Finish a run. Returns whether any score changed since the previous run."""
        return self.comparison.finish_run()

    def add_point(self, totals: RunTotals, *, is_other: bool) -> None:
        """Add the pass rate of the finished run."""
        self.comparison.add_rate(totals.rate, is_other=is_other)

    @property
    def baseline_at(self) -> float | None:
        """When the baseline was set, in seconds since 1970; None without one."""
        return self.comparison.baseline_at

    def toggle_baseline(self, criteria: Criteria | None) -> None:
        """Make the current results, scored by `criteria`, the baseline; drop the baseline if there is one."""
        if self.comparison.baseline_at is None:
            self.comparison.keep_baseline(time.time())
            self.baseline_criteria = criteria
        else:
            self.comparison.drop_baseline()
            self.baseline_criteria = None
