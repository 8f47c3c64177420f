"""The result of a case under other criteria, with the same recordings."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.evalset.expected_set import read_case
from evaltui.recordings.matching import CaseMatch
from evaltui.scoring.case_scores import score_without_turns
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import Criterion, OfflineCriterion
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import score_expected
from evaltui.scoring.what_if import rescored


def result_under(source: bytes, result: CaseResult, before: Criteria, after: Criteria) -> CaseResult:
    """Judge a result under `after` that was scored under `before`, when the text of the case was `source`.

    No recording is read again. If only options of metrics that evaltui computes differ, only these are computed again.
    """
    if after == before:
        return result
    if _may_keep_others(before, after):
        return next(rescored([result], before, after))
    if result.run is None:
        metrics = tuple(score_without_turns(asked, result.reason or "") for asked in after.judged)
        return result._replace(metrics=metrics)
    # A case with a run is valid for google-adk, so it is parsed without the slower check.
    case = read_case(source, result.number)
    matches = [CaseMatch(run.conversation, run.matched_by) for run in result.runs or (result.run,)]
    scored = score_expected(case, matches, after, None, all_runs=result.runs is not None)
    return scored.counting(result.run_number, result.recordings)


def _may_keep_others(before: Criteria, after: Criteria) -> bool:
    """Whether both have the same metrics, and only metrics that evaltui computes differ."""
    if (before.informational, len(before.judged)) != (after.informational, len(after.judged)):
        return False
    pairs = zip(before.judged, after.judged, strict=True)
    return all(one == other or _is_same_offline(one, other) for one, other in pairs)


def _is_same_offline(one: Criterion, other: Criterion) -> bool:
    return one.name == other.name and isinstance(one, OfflineCriterion) and isinstance(other, OfflineCriterion)


def silent_metrics(result: CaseResult) -> Iterator[tuple[str, str]]:
    """The metrics of a scored case that are not evaluated, with their reasons."""
    if result.reason is None:
        for metric in result.metrics:
            if metric.status == "not_evaluated":
                yield metric.name, metric.reason or "no score"
