"""The reason for a score, worked out when somebody asks."""

from __future__ import annotations

from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import Explanation, OfflineCriterion
from evaltui.scoring.metrics.response_match import distance
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, TurnScores


def explain(turn: TurnScores, name: str, criteria: Criteria) -> Explanation | None:
    """Why a turn has its score in the metric `name`; None for metrics that are not computed here."""
    asked = criteria.of(name)
    score = next((metric for metric in turn.metrics if metric.name == name), None)
    if not isinstance(asked, OfflineCriterion) or asked.threshold is None or score is None:
        return None
    return asked.explain(turn.expected, turn.actual, has_failed=score.status == "failed")


def why(run: CaseRun, criteria: Criteria) -> str:
    """The reason why a case does not pass, in one line, the worst turn first; "" where it passes."""
    if run.status == "passed":
        return ""
    if run.reason is not None:
        return run.reason
    failed = [metric for metric in run.metrics if metric.status == "failed"]
    names = {metric.name for metric in failed}
    failing = [
        (metric, turn)
        for turn in run.turns
        for metric in turn.metrics
        if metric.name in names and metric.status == "failed" and metric.reason is None
    ]
    if not failing:
        return _below(failed[0]) if failed else next(metric.reason or "" for metric in run.metrics if metric.reason)
    metric, turn = min(failing, key=lambda each: each[0].score or 0.0)
    explained = explain(turn, metric.name, criteria)
    said = "; ".join(explained.sentences) if explained and explained.sentences else _below(metric)
    place = f"turn {turn.number}: " if len(run.turns) > 1 else ""
    more = len({each.number for _, each in failing}) - 1
    others = "" if not more else "; 1 more turn fails" if more == 1 else f"; {more} more turns fail"
    return f"{place}{said}{others}"


def why_of_case(result: CaseResult, criteria: Criteria) -> str:
    """The reason why a case does not pass, in one line; of several runs, the reason of the newest that failed."""
    if result.status == "passed" or result.run is None:
        return "" if result.status == "passed" else result.reason or ""
    if result.runs is None or len(result.runs) == 1:
        return result.reason or why(result.run, criteria)
    newest = next((run for run in reversed(result.runs) if run.status == result.status), result.run)
    counted = f"{result.passed_runs} of {len(result.runs)} runs pass"
    return f"{counted}; {result.reason or why(newest, criteria)}"


def _below(metric: MetricScore) -> str:
    if metric.score is None or metric.threshold is None:
        return f"{metric.name}: {metric.reason}"
    short = distance(metric.threshold - metric.score)
    said = f"{metric.name} is {metric.score:.4g}, {short} {'above' if metric.score > metric.threshold else 'below'} "
    return f"{said}the threshold{f' ({metric.reason})' if metric.reason else ''}"
