"""How a case ended for a CI system: by its verdict, or by its change where only regressions fail the run."""

from __future__ import annotations

from typing import Literal

from evaltui.printable import printable
from evaltui.report.changes_text import baseline_change_text, score_moves
from evaltui.report.scores_text import against_text
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet

CaseOutcome = Literal["passed", "failed", "not_evaluated", "as_before"]
"""`as_before`: the case fails or is not evaluated as in the baseline, and that does not count."""


def only_regressions_count(run: ScoredSet) -> bool:
    """Whether the changes since a baseline decide the outcomes of cases, and not their verdicts."""
    has_verdict = bool(run.totals.counts["passed"] or run.totals.counts["failed"])
    return run.changes is not None and run.changes.only_regressions and has_verdict


def outcome_of(case: CaseResult, run: ScoredSet) -> CaseOutcome:
    """The outcome of a case of a run."""
    failed, is_open = case.status == "failed", case.is_open
    if not failed and not is_open:
        return "passed"
    if run.changes is not None and only_regressions_count(run):
        change = run.changes.of(case)
        failed, is_open = change.change == "regressed", change.is_lost
    return "failed" if failed else "not_evaluated" if is_open else "as_before"


def verdict_text(case: CaseResult) -> str:
    """`response_match_score 0.57 < 0.80`: the scores that decide; if there are none, the reason of the case."""
    decisive = "failed" if case.status == "failed" else "not_evaluated"
    metrics = [metric for metric in case.metrics if metric.status == decisive]
    scores = "; ".join(f"{metric.name} {against_text(metric)}" for metric in metrics)
    has_score = any(metric.score is not None for metric in metrics)
    return scores if has_score or not case.reason else printable(case.reason)


def change_line(case: CaseResult, run: ScoredSet) -> list[str]:
    """`▼ regressed: response_match 0.91 → 0.57` as the only line; none for an unchanged case."""
    change, moves = baseline_change_text(case, run.changes), ", ".join(score_moves(case, run.changes))
    return [f"{change}: {moves}" if moves else change] if change else []
