"""Scores under other criteria: another match type, another `ignore_args`, another threshold.

No file is read again. Only metrics with a changed criterion are computed again, from the turns of a result. If only
the threshold changed, its scores are judged again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from evaltui.printable import printable
from evaltui.scoring.case_scores import judge_case, score_without_turns, scored_run
from evaltui.scoring.criteria import Criteria, CriteriaError, read_criterion
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import CaseScores, Criterion, Metric, OfflineCriterion
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import NAME, MatchType, ToolTrajectory, with_options
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, TurnScores
from evaltui.scoring.scored_set import result_of_run, result_of_runs


class WhatIf(NamedTuple):
    """Options that replace options of the criteria in force; None keeps the option."""

    match_type: MatchType | None = None
    ignore_args: bool | None = None
    thresholds: Mapping[str, float] = MappingProxyType({})
    """By the name of the metric."""


def criteria_if(criteria: Criteria, options: WhatIf) -> Criteria:
    """The criteria with other options; `criteria` itself if the options are already in force.

    Raises CriteriaError for options of a metric that is not a criterion, or that evaltui does not compute.
    """
    names = dict.fromkeys(options.thresholds)
    if options.match_type is not None or options.ignore_args is not None:
        names[NAME] = None
    changed = {name: _changed(criteria, name, options) for name in names}
    judged = tuple(changed.get(each.name, each) for each in criteria.judged)
    return criteria if judged == criteria.judged else criteria._replace(judged=judged, is_default=False)


def _changed(criteria: Criteria, name: str, options: WhatIf) -> Criterion:
    asked = criteria.of(name)
    metric = (adk_rs.METRICS if criteria.profile == "adk-rs" else METRICS).get(name)
    if asked is None:
        raise CriteriaError(f"{printable(name)} is not among the criteria")
    if metric is None or metric.offline is None or asked.may_be_recorded:
        raise CriteriaError(f"{printable(name)} is not computed by evaltui, so you cannot try other options")
    if (threshold := options.thresholds.get(name)) is not None and not math.isfinite(threshold):
        raise CriteriaError(f"the threshold of {name} must be a finite number")
    if name == NAME and criteria.profile == "adk-rs" and options != WhatIf(thresholds=options.thresholds):
        raise CriteriaError("adk-rs has no match types: it compares call by call")
    return _with_options(asked, metric, options)


def _with_options(asked: Criterion, metric: Metric, options: WhatIf) -> Criterion:
    threshold = options.thresholds.get(asked.name, asked.threshold)
    raw = raw_with_threshold(asked.raw, threshold) if threshold != asked.threshold else asked.raw
    wanted, ignore_args = needed_options(asked, options)
    if wanted is not None or ignore_args is not None:
        raw = with_options(raw, threshold, wanted=wanted, ignore_args=ignore_args)
    if isinstance(asked, OfflineCriterion) and wanted is None and ignore_args is None:
        return replace(asked, threshold=threshold, raw=raw)
    return read_criterion(metric, threshold, raw)


def raw_with_threshold(raw: Any, threshold: float | None) -> Any:
    """The config value of a criterion with another threshold. An object stays an object, a number a number."""
    if isinstance(raw, dict):
        return {**raw, "threshold": threshold}
    return threshold if raw is not None else None


def needed_options(asked: Criterion, options: WhatIf) -> tuple[MatchType | None, bool | None]:
    """The match type and `ignore_args` of the options, each None if the criterion already has it."""
    if asked.name != NAME:
        return None, None
    if not isinstance(asked, ToolTrajectory):
        return options.match_type, options.ignore_args
    wanted = options.match_type if options.match_type != asked.match_type else None
    return wanted, options.ignore_args if options.ignore_args != asked.ignore_args else None


# --- results ---------------------------------------------------------------------------------------------------------


def rescored(results: Iterable[CaseResult], before: Criteria, after: Criteria) -> Iterator[CaseResult]:
    """Judge results under `after` that were judged under `before`. Both have the same metrics in the same order.

    An unchanged result is the same object. `after` comes from `criteria_if(before, …)`.
    """
    judges = [
        _Judge(place, one, other)
        for place, (one, other) in enumerate(zip(before.judged, after.judged, strict=True))
        if one != other
    ]
    for result in results:
        yield _result_under(result, after, judges) if judges else result


class _Judge:
    """Computes one metric again, whose criterion changed."""

    def __init__(self, place: int, before: Criterion, after: Criterion) -> None:
        """`place` is the index of the metric among all metrics of a turn."""
        self.place, self.asked = place, after
        self._has_scores = (
            isinstance(before, OfflineCriterion)
            and before.threshold is not None
            and isinstance(after, OfflineCriterion)
            and replace(before, threshold=after.threshold, raw=after.raw) == after
        )
        """Whether the scores stay the same, because only the threshold changed."""

    def scores(self, run: CaseRun) -> CaseScores:
        """The scores of a run that has turns."""
        if self._has_scores and isinstance(self.asked, OfflineCriterion) and self.asked.threshold is not None:
            scores = [score for turn in run.turns if (score := turn.metrics[self.place].score) is not None]
            if len(scores) == len(run.turns):
                return self.asked.judge_scores(scores)
        return judge_case(self.asked, [(turn.expected, turn.actual) for turn in run.turns], run.conversation)


def _result_under(result: CaseResult, criteria: Criteria, judges: Sequence[_Judge]) -> CaseResult:
    if result.run is None:
        return result._replace(metrics=_without_turns(result, judges, fails=False))
    if result.runs is None:
        run = _run_under(result.run, criteria, judges)
        if run is result.run:
            return result
        return result_of_run(result.eval_id, result.number, run).counting(result.run_number, result.recordings)
    runs = [_run_under(run, criteria, judges) for run in result.runs]
    scored = result_of_runs(result.eval_id, result.number, runs, criteria)
    return scored.counting(result.run_number, result.recordings)


def _run_under(run: CaseRun, criteria: Criteria, judges: Sequence[_Judge]) -> CaseRun:
    if not run.turns:
        return run._replace(metrics=_without_turns(run, judges, fails=run.status == "failed")) if run.metrics else run
    overall = list(run.metrics)
    of_turns = [list(turn.metrics) for turn in run.turns]
    for judge in judges:
        overall[judge.place], scores = judge.scores(run)
        for own, score in zip(of_turns, scores, strict=True):
            own[judge.place] = score
    metrics = tuple(overall)
    turns = tuple([TurnScores(*turn[:3], tuple(own)) for turn, own in zip(run.turns, of_turns, strict=True)])
    if metrics == run.metrics and turns == run.turns:
        return run
    return scored_run(run.conversation, run.matched_by, criteria, metrics, turns)


def _without_turns(scored: CaseResult | CaseRun, judges: Sequence[_Judge], *, fails: bool) -> tuple[MetricScore, ...]:
    """The metrics of a case whose turns were not compared, with changed criteria applied."""
    metrics = list(scored.metrics)
    for judge in judges:
        metrics[judge.place] = score_without_turns(judge.asked, scored.reason or "", fails=fails)
    return tuple(metrics)
