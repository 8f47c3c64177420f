"""The model of a result file: verdicts and scores of cases, and both sides of turns if the file has them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from evaltui.evalset.turn import Turn
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import Status, TurnScores, judge_score
from evaltui.scoring.score_change import known_score

ResultKind = Literal["adk_result", "agents_cli_result", "run_document"]
"""The kinds of result files."""


class ResultError(ValueError):
    """A file is not a result, or cannot be read. The message is a sentence with the file."""


class JudgedMetric(NamedTuple):
    """The score of a case in one metric."""

    name: str
    status: Status | None
    """None if the file has a score but no verdict, as in files of agents-cli."""
    score: float | None = None
    threshold: float | None = None
    note: str = ""
    """The explanation of a judge, or an error message; "" for none."""

    @property
    def is_evaluated(self) -> bool:
        """Whether there is a verdict or, where the file has none, a score."""
        return self.status in ("passed", "failed") if self.status is not None else self.score is not None


class JudgedTurn(NamedTuple):
    """A judged turn of a case."""

    actual: Turn | None = None
    expected: Turn | None = None
    scores: TurnScores | None = None
    """The scores of the turn, where the file has both sides."""
    sentences: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The faults by the name of the metric, where the file has them."""


class JudgedCase(NamedTuple):
    """One case of a result. Several runs of a case are combined."""

    eval_id: str
    status: Status | None
    """None if the file has no verdicts."""
    metrics: tuple[JudgedMetric, ...] = ()
    """The metrics, without informational ones."""
    turns: tuple[JudgedTurn, ...] = ()
    """The turns of the last run."""
    reason: str = ""
    criteria: Criteria | None = None
    """The criteria for explanations of the scores; None if the file has the sentences."""
    runs: int = 1

    @property
    def is_evaluated(self) -> bool:
        """Whether the case has a verdict or, where the file has none, a score."""
        if self.status is not None:
            return self.status != "not_evaluated"
        return any(metric.is_evaluated for metric in self.metrics)

    def metric(self, name: str) -> JudgedMetric | None:
        """The metric of this name."""
        return next((metric for metric in self.metrics if metric.name == name), None)


class JudgedResult(NamedTuple):
    """A result file."""

    name: str
    """The file, as named on the command line."""
    kind: ResultKind
    eval_set_id: str | None
    """The set that was judged; None if the file does not say."""
    cases: Mapping[str, JudgedCase]
    """The cases by eval_id, in the order of the file."""
    warnings: tuple[str, ...] = ()


def cases_by_id(cases: Sequence[JudgedCase]) -> dict[str, JudgedCase]:
    """The cases by eval_id. The metrics of several runs of a case are means."""
    runs_by_id: dict[str, list[JudgedCase]] = {}
    for case in cases:
        runs_by_id.setdefault(case.eval_id, []).append(case)
    return {eval_id: runs[0] if len(runs) == 1 else _case_of_runs(runs) for eval_id, runs in runs_by_id.items()}


def _case_of_runs(runs: Sequence[JudgedCase]) -> JudgedCase:
    """Combine several runs of one case: the mean of each metric, and the verdict by google-adk's rule."""
    names = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    metrics = tuple(_metric_of_runs(name, runs) for name in names)
    # A run that failed without a score, such as one with another number of turns, is in no mean: it fails the case.
    has_scoreless_run = any(
        run.status == "failed" and not any(metric.is_evaluated for metric in run.metrics) for run in runs
    )
    reasons = [run.reason for run in runs if run.reason]
    status = "failed" if has_scoreless_run else status_of_metrics(metrics)
    return runs[-1]._replace(status=status, metrics=metrics, reason=reasons[-1] if reasons else "", runs=len(runs))


def status_of_metrics(metrics: Sequence[JudgedMetric]) -> Status | None:
    """failed if any metric failed, else passed if any passed, else not evaluated; None for scores without verdicts."""
    statuses = {metric.status for metric in metrics}
    if "failed" in statuses:
        return "failed"
    if "passed" in statuses:
        return "passed"
    return None if None in statuses else "not_evaluated"


def _metric_of_runs(name: str, runs: Sequence[JudgedCase]) -> JudgedMetric:
    metrics = [metric for run in runs if (metric := run.metric(name)) is not None]
    evaluated = [metric for metric in metrics if metric.is_evaluated]
    if not evaluated:
        return metrics[-1]
    # AgentEvaluator takes the mean over all turns of all runs; runs of one case have the same number of turns.
    scores = [score for metric in evaluated if (score := known_score(metric.score)) is not None]
    mean = math.fsum(scores) / len(scores) if scores else None
    status, threshold = evaluated[-1].status, evaluated[-1].threshold
    # Where the runs agree, the verdict of the file stands: not every file has the threshold.
    if len({metric.status for metric in evaluated}) > 1:
        status = judge_score(mean, threshold) if mean is not None and threshold is not None else "failed"
    return evaluated[-1]._replace(score=mean, status=status)
