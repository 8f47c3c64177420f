"""Cases and scores of a comparison as text for people."""

from __future__ import annotations

from evaltui.comparison.judged_result import JudgedMetric
from evaltui.comparison.result_changes import ComparedCase, ComparedResults
from evaltui.report.baseline_changes_text import counts_of_changes, gone_text, move_text
from evaltui.report.scores_text import score_text


def summary_text(compared: ComparedResults) -> str:
    """`1 regressed, 9 same, 1 gone (refund)`."""
    return ", ".join(filter(None, [counts_of_changes(compared.counts), gone_text(compared.gone)])) or "no cases"


def is_told(case: ComparedCase) -> bool:
    """Whether a report shows a case. A case that was never evaluated has nothing to lose."""
    if case.change == "not_evaluated":
        return case.is_lost
    return case.change != "same" or any(each.change != "same" for each in case.metrics)


def moved(base: JudgedMetric | None, candidate: JudgedMetric | None) -> tuple[str, str]:
    """Both scores, with as many digits as they need to look different; – for no score."""
    one, other = score_of(base), score_of(candidate)
    if one == other:
        return score_text(one), score_text(other)
    before, _, now = move_text(one, other).partition(" → ")
    return before, now


def score_of(metric: JudgedMetric | None) -> float | None:
    """The score; None for a side without it."""
    return metric.score if metric is not None else None
