"""Scores, verdicts and counts as text for people. Text of files is made printable."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from evaltui.printable import printable
from evaltui.scoring.results import STATUS_RANKS

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseResult, MetricScore, ScoreTotals, Status

MARKS: dict[Status, str] = {"passed": "✓", "failed": "✗", "not_evaluated": "–", "informational": "·"}
"""Each status as a shape."""
_Judged = TypeVar("_Judged", "CaseResult", "MetricScore")
_ENDINGS = ("_avg_score", "_score", "_v1", "_v2")


def failing_first(judged: Sequence[_Judged]) -> list[_Judged]:
    """Cases or scores in reading order: failed, not evaluated, passed; each group in its own order."""
    return sorted(judged, key=lambda item: STATUS_RANKS[item.status])


def counts_text(totals: ScoreTotals) -> str:
    """`12 cases: 9 passed, 2 failed, 1 not evaluated`."""
    counts = totals.counts
    words: dict[Status, str] = {"passed": "passed", "failed": "failed", "not_evaluated": "not evaluated"}
    parts = ", ".join(f"{counts[status]} {word}" for status, word in words.items() if counts[status])
    number = f"{totals.cases} case{'s' * (totals.cases != 1)}"
    return f"{number}: {parts}" if parts else number


def score_text(score: float | None, threshold: float | None = None) -> str:
    """A score with at least two digits, and as many as show on which side of its threshold it is; – for no score."""
    if score is None:
        return "–"
    if threshold is None:
        return f"{score:.2f}" if abs(score) < 1000 else f"{score:,.0f}"
    # Rounded to 0.80, a failing 0.798 would seem to reach its threshold. 16 digits tell all floats apart.
    for digits in range(2, 17):
        text = f"{score:.{digits}f}"
        if (float(text) >= threshold) == (score >= threshold):
            return text
    return repr(score)


def against_text(metric: MetricScore) -> str:
    """`0.57 < 0.80`, `1.00 ≥ 1.00`, or the status in words if there is no score."""
    if metric.score is None:
        return metric.status.replace("_", " ")
    if metric.threshold is None:
        return score_text(metric.score)
    sign = "≥" if metric.score >= metric.threshold else "<"
    return f"{score_text(metric.score, metric.threshold)} {sign} {score_text(metric.threshold)}"


def mean_text(status: Status | None, mean: float | None, threshold: float | None) -> str:
    """` (the mean of the case passes: 0.83 ≥ 0.80)` behind the failing score of a turn; "" unless the case passes."""
    if status != "passed" or mean is None:
        return ""
    against = f" {'≥' if mean >= threshold else '<'} {score_text(threshold)}" if threshold is not None else ""
    return f" (the mean of the case passes: {score_text(mean, threshold)}{against})"


def short_name(metric: str) -> str:
    """The name of a metric without common endings such as `_score`."""
    for ending in _ENDINGS:
        if metric.endswith(ending) and len(metric) > len(ending):
            return printable(metric.removesuffix(ending))
    return printable(metric)


def case_name(case: CaseResult) -> str:
    """The whole id of a case; its place in the set if it has no id."""
    return printable(case.eval_id) if case.eval_id else f"case {case.number + 1}"


def passed_of(case: CaseResult) -> str:
    """`passed 2 of 3` runs; "" without `--runs all`."""
    return f"passed {case.passed_runs} of {len(case.runs)}" if case.runs is not None else ""


def date_text(seconds: float) -> str:
    """A time as `2026-02-23 14:05 UTC`."""
    time = utc_time(seconds)
    return f"{time[:16].replace('T', ' ')} UTC" if time is not None else f"{seconds:g} s after 1970"


def utc_time(seconds: float | None) -> str | None:
    """A time in ISO 8601; None for an unknown or impossible time, which a recording may have."""
    try:
        time = datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
    return time.isoformat(timespec="seconds").replace("+00:00", "Z") if time is not None else None
