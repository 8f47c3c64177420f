"""The last runs of a session: time and counts of each."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from evaltui.runs.run_rows import RunTotals

_MOST = 24
"""Runs that are remembered."""


class RunPoint(NamedTuple):
    """The counts of one run."""

    at: float
    """When it ended, in seconds since 1970."""
    passed: int
    failed: int
    not_evaluated: int

    @property
    def rate(self) -> float:
        """The share of cases that passed; 0.0 without cases."""
        cases = self.passed + self.failed + self.not_evaluated
        return self.passed / cases if cases else 0.0


class RunHistory:
    """The runs that changed something, the last at the end."""

    def __init__(self) -> None:
        self.points: deque[RunPoint] = deque(maxlen=_MOST)

    def add(self, at: float, totals: RunTotals, *, is_other: bool) -> None:
        """Add a run. A run that changed nothing replaces the previous one."""
        if self.points and not is_other:
            self.points.pop()
        self.points.append(RunPoint(at, totals.passed, totals.failed, totals.not_evaluated))

    @property
    def rates(self) -> list[float]:
        """The share of cases that passed in each run, the last at the end."""
        return [point.rate for point in self.points]
