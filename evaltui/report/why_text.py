"""Sentences why a case failed or is not evaluated: its own reason, then failing metrics, then metrics not evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, mean_text, short_name
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores
from evaltui.scoring.scored_set import ScoredSet

_MOST = 8
"""The most sentences on one case."""


def why_lines(case: CaseResult, criteria: Criteria, most: int = _MOST, *, all_runs: str = "--runs all") -> list[str]:
    """The sentences for one case, each with its turn: at most `most`, the last of them with the number of the others.

    If the case has several recordings, the first sentence names the one that was scored. `all_runs` is the option that
    scores all of them.
    """
    lines = [*_recording(case, all_runs), *_all(case, criteria)]
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"… {len(lines) - most + 1} more"]


def why_in(run: ScoredSet, case: CaseResult) -> list[str]:
    """The sentences for one case of a run, whether its turns were kept or not."""
    return run.prepared(case).why if run.prepared is not None else why_lines(case, run.criteria)


def _recording(case: CaseResult, all_runs: str) -> Iterator[str]:
    if case.run is not None and case.runs is None and case.recordings > 1:
        latest = f"the latest of {case.recordings} recordings"
        yield f"scored with {_name(case.run)}, {latest}. Use {all_runs} for the mean of all recordings."


def _name(run: CaseRun) -> str:
    return printable(run.conversation.path.name)


def _all(case: CaseResult, criteria: Criteria) -> Iterator[str]:
    if case.reason:
        yield printable(case.reason)
    reasons: set[str] = set()
    runs = case.runs or ([case.run] if case.run is not None else [])
    named = [
        (run, f"run {number} in {_name(run)} · " if case.runs is not None else "") for number, run in enumerate(runs, 1)
    ]
    for run, whose in named:
        yield from _reasons(run, "failed", whose, reasons, case)
        if run.status == "failed" and not run.turns:
            yield from (f"{whose}{line}" for line in _recorded_turns(run))
        if run.status == "failed":
            yield from (f"{whose}{line}" for line in _of_turns(run, criteria))
    for run, whose in named:
        yield from _reasons(run, "not_evaluated", whose, reasons, case)


def _reasons(run: CaseRun, status: Status, whose: str, reasons: set[str], case: CaseResult) -> Iterator[str]:
    """The reasons of the metrics with this status that are not in `reasons`, which gets them."""
    for metric in run.metrics:
        reason = metric.reason
        if metric.status == status and reason and reason not in reasons and reason not in (case.reason or ""):
            reasons.add(reason)
            yield f"{whose}{printable(metric.name)}: {printable(reason)}"


def _recorded_turns(run: CaseRun) -> Iterator[str]:
    """The user messages of a recording with other turns than the case."""
    messages = [
        f"{number} {one_line(turn.user_text, 40) or 'no user message'}"
        for number, turn in enumerate(run.conversation.turns, 1)
    ]
    if messages:
        yield f"recorded turns: {' · '.join(messages[:_MOST])}{' · …' if len(messages) > _MOST else ''}"


def _of_turns(run: CaseRun, criteria: Criteria) -> Iterator[str]:
    """Sentences for failed turns, those of metrics that fail the case first."""
    failed = {metric.name for metric in run.metrics if metric.status == "failed"}
    failures = [
        (turn, metric)
        for turn in run.turns
        for metric in turn.metrics
        if metric.status == "failed" and metric.score is not None
    ]
    # A turn may fail in a metric whose mean over the case passes: that did not fail the case.
    for turn, metric in sorted(failures, key=lambda failure: failure[1].name not in failed):
        means = (
            mean_text(judged.status, judged.score, judged.threshold)
            for judged in run.metrics
            if judged.name == metric.name
        )
        yield _why(turn, metric, next(means, ""), criteria)


def _why(turn: TurnScores, metric: MetricScore, mean: str, criteria: Criteria) -> str:
    explained = explain(turn, metric.name, criteria)
    sentences = "; ".join(explained.sentences) if explained is not None else ""
    score = f"turn {turn.number} · {short_name(metric.name)} {against_text(metric)}{mean}"
    return f"{score}: {sentences}" if sentences else score
