"""Results under other criteria, with the same recordings: another match type, `ignore_args`, threshold or metric.

No file is read again. If only options of metrics that evaltui computes differ, only these metrics are computed again,
from the turns of a result. If only a threshold differs, its scores are judged again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from evaltui.evalset.expected_set import read_case
from evaltui.printable import printable
from evaltui.scoring.case_scores import judge_case, result_of_runs, score_case, score_without_turns, scored_run
from evaltui.scoring.criteria import Criteria, CriteriaError, read_criterion
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import CaseScores, Criterion, OfflineCriterion
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import NAME, MatchType, ToolTrajectory, raw_with_options
from evaltui.scoring.results import CaseResult, CaseRun, TurnScores


def criteria_on_trial(
    criteria: Criteria,
    *,
    match_type: MatchType | None = None,
    ignore_args: bool | None = None,
    thresholds: Mapping[str, float] = MappingProxyType({}),
) -> Criteria:
    """The criteria with other options; `criteria` itself if the options are already in force.

    None keeps an option; `thresholds` are by the name of the metric. Raises CriteriaError for options of a metric that
    is not a criterion, or that evaltui does not compute.
    """
    changed = {name: _criterion_on_trial(criteria, name, threshold) for name, threshold in thresholds.items()}
    if match_type is not None or ignore_args is not None:
        changed[NAME] = _criterion_on_trial(criteria, NAME, thresholds.get(NAME), match_type, ignore_args)
    judged = tuple(changed.get(criterion.name, criterion) for criterion in criteria.judged)
    return criteria if judged == criteria.judged else criteria._replace(judged=judged, is_default=False)


def _criterion_on_trial(
    criteria: Criteria,
    name: str,
    threshold: float | None,
    match_type: MatchType | None = None,
    ignore_args: bool | None = None,
) -> Criterion:
    criterion = criteria.of(name)
    metric = (adk_rs.METRICS if criteria.profile == "adk-rs" else METRICS).get(name)
    if criterion is None:
        raise CriteriaError(f"{printable(name)} is not among the criteria")
    if metric is None or metric.offline is None or criterion.may_be_recorded:
        raise CriteriaError(f"{printable(name)} is not computed by evaltui, so you cannot try other options")
    if threshold is not None and not math.isfinite(threshold):
        raise CriteriaError(f"the threshold of {name} must be a finite number")
    threshold = threshold if threshold is not None else criterion.threshold
    if criteria.profile == "adk-rs" and (match_type, ignore_args) != (None, None):
        raise CriteriaError("adk-rs has no match types: it compares call by call")
    raw = criterion.raw
    if threshold != criterion.threshold and raw is not None:  # an object stays an object, a number a number
        raw = {**raw, "threshold": threshold} if isinstance(raw, dict) else threshold
    if isinstance(criterion, ToolTrajectory):  # a criterion whose options google-adk rejects has none in force
        match_type = match_type if match_type != criterion.match_type else None
        ignore_args = ignore_args if ignore_args != criterion.ignore_args else None
    if match_type is not None or ignore_args is not None:
        raw = raw_with_options(raw, threshold, match_type=match_type, ignore_args=ignore_args)
    elif isinstance(criterion, OfflineCriterion):
        return replace(criterion, threshold=threshold, raw=raw)
    return read_criterion(metric, threshold, raw)


# --- results ---------------------------------------------------------------------------------------------------------


def score_on_trial(result: CaseResult, old: Criteria, new: Criteria) -> CaseResult:
    """Judge a result under `new` that was scored under `old`.

    An unchanged result is the same object.
    """
    pairs = list(enumerate(zip(old.judged, new.judged, strict=False)))
    changes = {index: (ours, theirs) for index, (ours, theirs) in pairs if ours != theirs}
    has_same_metrics = (old.informational, len(old.judged)) == (new.informational, len(new.judged))
    # A score from the recording depends on the case, and a result does not hold all of it.
    has_all = has_same_metrics and all(
        ours.name == theirs.name and not theirs.may_be_recorded for ours, theirs in changes.values()
    )
    if has_all and not changes:
        return result
    if result.run is None:
        metrics = (score_without_turns(criterion, result.reason or "") for criterion in new.judged)
        return result._replace(metrics=tuple(metrics))
    runs = result.runs or (result.run,)
    if has_all:
        scored = [_rescore_run(run, changes, new) for run in runs]
        if result.runs is None and scored[0] is result.run:
            return result
    else:
        # A case with a run is valid for google-adk, so it is parsed without the slower check.
        case = read_case(result.source, result.number)
        data = case.data()
        scored = [score_case(case.turns, run.conversation, run.matched_by, new, data) for run in runs]
    judged = result_of_runs(result.eval_id, result.number, scored, new, all_runs=result.runs is not None)
    judged = judged.count_recordings(result.run_number, result.recordings)
    return judged._replace(seconds=result.seconds, source=result.source)


def _rescore_run(run: CaseRun, changes: dict[int, tuple[Criterion, Criterion]], criteria: Criteria) -> CaseRun:
    """`changes` has the criteria before and after by the index of the metric in the scores of a turn."""
    of_run, of_turns = list(run.metrics), [list(turn.metrics) for turn in run.turns]
    # A run that failed in the agent has only the scores of graders, as in google-adk.
    for index, (old, new) in changes.items() if run.conversation.failure is None else ():
        of_run[index], scores = _judge_again(run, index, old, new)
        for metrics, score in zip(of_turns, scores, strict=True):
            metrics[index] = score
    turns = tuple(TurnScores(*turn[:3], tuple(metrics)) for turn, metrics in zip(run.turns, of_turns, strict=True))
    if not turns:  # another object even if it is equal: what is told of its turns depends on the criteria
        return run._replace(metrics=tuple(of_run))
    if tuple(of_run) == run.metrics and turns == run.turns:
        return run
    return scored_run(run.conversation, run.matched_by, criteria, tuple(of_run), turns)


def _judge_again(run: CaseRun, index: int, old: Criterion, new: Criterion) -> CaseScores:
    """The scores of a run under `new`, in the metric with this index among all metrics of a turn."""
    if not run.turns:
        return score_without_turns(new, run.reason or "", fails=run.status == "failed"), ()
    if isinstance(new, OfflineCriterion) and new.threshold is not None and old.threshold is not None:
        # Comparing calls and words takes ten times as long as judging their scores by another threshold.
        has_new_threshold_only = replace(old, threshold=new.threshold, raw=new.raw) == new
        scores = [score for turn in run.turns if (score := turn.metrics[index].score) is not None]
        if has_new_threshold_only and len(scores) == len(run.turns):
            return new.judge_scores(scores)
    return judge_case(new, [(turn.expected, turn.actual) for turn in run.turns])
