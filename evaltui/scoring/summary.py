"""Sums over the scores of many cases: means, counts, and the exit code of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evaltui.scoring.results import CaseResult, MetricScore, Status


@dataclass(slots=True)
class MetricSummary:
    """The scores of many cases in one metric."""

    name: str
    scores: list[float] = field(default_factory=list)
    """The scores of the cases that were evaluated."""
    counts: Counter[Status] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    """Why it was not evaluated, and how often."""

    @property
    def mean(self) -> float | None:
        """Over the cases evaluated; None for none."""
        return math.fsum(self.scores) / len(self.scores) if self.scores else None

    def add(self, metric: MetricScore) -> None:
        """Count what it says of one more case."""
        self.counts[metric.status] += 1
        if metric.status == "not_evaluated":
            self.reasons[metric.reason or "no score"] += 1
        elif metric.score is not None:
            self.scores.append(metric.score)


def summary_of(cases: Iterable[CaseResult]) -> list[MetricSummary]:
    """A summary of each metric, in the order in which they first appear."""
    found: dict[str, MetricSummary] = {}
    for case in cases:
        for metric in case.metrics:
            found.setdefault(metric.name, MetricSummary(metric.name)).add(metric)
    return list(found.values())


def exit_code(cases: Sequence[CaseResult], *, is_open: bool = False, allow_not_evaluated: bool = False) -> int:
    """1 where a case failed; else 3 where something that should be was not evaluated, or there is nothing; else 0.

    `is_open` tells that something besides the cases is not evaluated, or counts for nothing: google-adk rejects a set.
    With `allow_not_evaluated`, 0 in place of 3 where at least one case was evaluated.
    """
    if any(case.status == "failed" for case in cases):
        return 1
    is_open = is_open or not cases or any(map(has_open_metric, cases))
    if is_open and allow_not_evaluated and any(case.status == "passed" for case in cases):
        return 0
    return 3 if is_open else 0


def has_open_metric(case: CaseResult) -> bool:
    """Whether something of a case, or of one of its runs, should be evaluated and is not."""
    runs = [(case.status, case.metrics), *((run.status, run.metrics) for run in case.runs or ())]
    return any(
        status == "not_evaluated" or any(metric.status == "not_evaluated" for metric in metrics)
        for status, metrics in runs
    )
