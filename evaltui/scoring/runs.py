"""What a run says of a case, and what several runs of one case say together (google-adk's `AgentEvaluator`)."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.scoring.case_scores import reached, status_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status


def result_of_run(eval_id: str, number: int, run: CaseRun) -> CaseResult:
    """The result of a case that was scored once; `number` is its place in the set, from 0."""
    return CaseResult(eval_id, number, run.status, run.metrics, run, run.reason)


def result_of_runs(eval_id: str, number: int, runs: Sequence[CaseRun], criteria: Criteria) -> CaseResult:
    """The result of a case that was scored several times, in the order of `runs`, the newest last.

    Its metrics are the means over all turns of all runs; a run that failed without scores fails the case.
    """
    metrics = mean_of_runs(runs, criteria)
    scoreless = [run for run in runs if run.status == "failed" and not run.turns]
    status, reason = status_of_case(metrics, criteria), None
    if scoreless:
        status = "failed"
        reason = f"{len(scoreless)} of {len(runs)} runs failed without a score: {scoreless[-1].reason}"
    elif status == "not_evaluated":
        reason = runs[-1].reason
    elif silent := [run.reason for run in runs if run.status == "not_evaluated"]:
        reason = _not_evaluated(silent, runs)
    return CaseResult(eval_id, number, status, metrics, runs[-1], reason, tuple(runs))


def mean_of_runs(runs: Sequence[CaseRun], criteria: Criteria) -> tuple[MetricScore, ...]:
    """The mean of each metric over all turns of all runs (`_process_metrics_and_get_failures`)."""
    names = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    return tuple(_mean(name, runs, criteria) for name in names)


def _mean(name: str, runs: Sequence[CaseRun], criteria: Criteria) -> MetricScore:
    overall = [metric for run in runs for metric in run.metrics if metric.name == name]
    turns = [metric for run in runs for turn in run.turns for metric in turn.metrics if metric.name == name]
    scored = [metric for metric in turns if metric.score is not None]
    first = overall[0]
    if not scored:  # each run says why
        return next((metric for metric in overall if metric.status == "failed"), first)
    from statistics import mean  # noqa: PLC0415 - its fractions take a while to load

    score = float(mean(metric.score for metric in scored if metric.score is not None))
    if first.status == "informational":
        return MetricScore(name, "informational", score)
    status = _status(score, first.threshold, scored, criteria)
    silent = [metric.reason for metric in overall if metric.status == "not_evaluated"]
    reason = _not_evaluated(silent, runs) if silent else next((each.reason for each in scored if each.reason), None)
    return MetricScore(name, status, score, first.threshold, reason)


def _not_evaluated(reasons: Sequence[str | None], runs: Sequence[CaseRun]) -> str:
    return f"{len(reasons)} of {len(runs)} runs not evaluated: {reasons[-1]}"


def _status(score: float, threshold: float | None, scored: Sequence[MetricScore], criteria: Criteria) -> Status:
    """Whether a mean passes: in the direction in which its turns did, where they all agree on one."""
    if criteria.profile == "adk-rs":
        return "passed" if all(metric.status == "passed" for metric in scored) else "failed"
    directions = {
        (metric.score > threshold) == (metric.status == "passed")
        for metric in scored
        if metric.score is not None and threshold is not None and metric.score != threshold
        if metric.status in ("passed", "failed")
    }
    if directions == {False} and threshold is not None:
        return "passed" if score <= threshold else "failed"
    return reached(score, threshold)
