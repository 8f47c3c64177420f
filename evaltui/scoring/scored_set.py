"""Scoring of a whole set: cases are matched with recordings, and judged in one run or in several."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import NO_RECORDING, CaseMatch, Unmatched
from evaltui.scoring.baseline_changes import BaselineChanges
from evaltui.scoring.case_scores import score_case, status_of_case, why_nothing_is_expected, why_nothing_stated
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import (
    STATUS_RANKS,
    CaseResult,
    CaseRun,
    MetricScore,
    ScoreTotals,
    Status,
    reached,
    totals_of,
)
from evaltui.scoring.score_change import REGRESSIONS_FIRST

_LONGEST = 1e9
"""Seconds from which on the duration of a turn is an error of the recorder."""


@dataclass(frozen=True)
class ScoredSet:
    """A set with the scores of all its cases. The sequences may lie on disk."""

    subject: ExpectedSet
    criteria: Criteria
    recordings: Sequence[Recording]
    cases: Sequence[CaseResult]
    """In the order of the set."""
    unmatched: Sequence[Unmatched]
    warnings: Sequence[str] = ()
    changes: BaselineChanges | None = None
    """The changes since a baseline; None without a baseline."""
    prepared: Callable[[CaseResult], Any] | None = None
    """Gives the parts of reports that were made when a case was scored. Present if the results have no turns."""
    known_totals: ScoreTotals | None = None
    """The totals, if somebody counted already."""

    @cached_property
    def totals(self) -> ScoreTotals:
        """The counts and means of the cases."""
        return self.known_totals or totals_of(self.cases)

    def worst_first(self) -> Iterator[CaseResult]:
        """The cases in reading order: failing first; within one verdict, regressions first."""
        return self._ranked(lambda case: (STATUS_RANKS[case.status], self._rank_of_change(case)))

    def regressions_first(self) -> Iterator[CaseResult]:
        """The cases by their change since the baseline."""
        return self._ranked(lambda case: (self._rank_of_change(case), 0))

    def _rank_of_change(self, case: CaseResult) -> int:
        return REGRESSIONS_FIRST.index(self.changes.of(case).change) if self.changes is not None else 0

    def _ranked(self, rank: Callable[[CaseResult], tuple[int, int]]) -> Iterator[CaseResult]:
        """The cases by rank, one after another: they may lie on disk."""
        numbers: defaultdict[tuple[int, int], array[int]] = defaultdict(lambda: array("L"))
        for number, case in enumerate(self.cases):
            numbers[rank(case)].append(number)
        return (self.cases[number] for _, its_own in sorted(numbers.items()) for number in its_own)


def score_expected(
    case: ExpectedCase,
    matches: Sequence[CaseMatch],
    criteria: Criteria,
    why_none: str | None,
    *,
    all_runs: bool = False,
    counts: int = -1,
) -> CaseResult:
    """Score one case. `why_none` is the reason if there are no matches.

    `counts` is the index of the match that counts. Only this one is scored, unless `all_runs` is set.
    """
    if case.refusal is not None:
        return _not_evaluated(case, criteria, case.refusal)
    if not matches and case.is_scenario:
        return _not_evaluated(case, criteria, why_nothing_is_expected(is_scenario=True))
    if not matches:
        return _not_evaluated(case, criteria, why_nothing_stated(case.turns) or why_none or NO_RECORDING)
    at = range(len(matches))[counts]
    used = matches if all_runs else [matches[at]]
    if all_runs:
        runs = [_scored(case, each, criteria) for each in matches]
        result = result_of_runs(case.eval_id, case.number, runs, criteria)
    else:
        result = result_of_run(case.eval_id, case.number, _scored(case, matches[at], criteria))
    return result.counting(at + 1, len(matches))._replace(seconds=_recorded_seconds(used))


def _recorded_seconds(matches: Sequence[CaseMatch]) -> float | None:
    """The recorded time of all turns; None if it is unknown for a turn, or impossible."""
    durations = [turn.durations for each in matches for turn in each.conversation.turns]
    seconds = [each.total for each in durations if each is not None and each.total is not None]
    is_known = len(seconds) == len(durations) > 0 and all(0 <= each <= _LONGEST for each in seconds)
    return sum(seconds) if is_known else None


def _scored(case: ExpectedCase, found: CaseMatch, criteria: Criteria) -> CaseRun:
    data = case.data() if found.conversation.stored is not None or not case.turns else None
    return score_case(case.turns, found.conversation, found.matched_by, criteria, data)


def _not_evaluated(case: ExpectedCase, criteria: Criteria, reason: str) -> CaseResult:
    metrics = tuple(
        MetricScore(asked.name, "not_evaluated", None, asked.threshold, reason) for asked in criteria.judged
    )
    return CaseResult(case.eval_id, case.number, "not_evaluated", metrics, None, reason)


def result_of_run(eval_id: str, number: int, run: CaseRun) -> CaseResult:
    """The result of a case with one run; `number` is its place in the set, from 0."""
    return CaseResult(eval_id, number, run.status, run.metrics, run, run.reason)


def result_of_runs(eval_id: str, number: int, runs: Sequence[CaseRun], criteria: Criteria) -> CaseResult:
    """The result of a case with several runs, the newest last.

    Its metrics are the means over all turns of all runs. A run that failed without scores fails the case.
    """
    metrics = mean_of_runs(runs, criteria)
    scoreless = [run for run in runs if run.status == "failed" and not run.turns]
    status, reason = status_of_case(metrics, criteria), None
    if scoreless:
        status = "failed"
        reason = _of_runs(len(scoreless), runs, "failed and has no score", "failed and have no score")
        reason = f"{reason}{scoreless[-1].reason}"
    elif status == "not_evaluated":
        reason = runs[-1].reason
    elif silent := [run.reason for run in runs if run.status == "not_evaluated"]:
        reason = _runs_not_evaluated(silent, runs)
    return CaseResult(eval_id, number, status, metrics, runs[-1], reason, tuple(runs))


def mean_of_runs(runs: Sequence[CaseRun], criteria: Criteria) -> tuple[MetricScore, ...]:
    """The mean of each metric over all turns of all runs (`_process_metrics_and_get_failures`)."""
    names = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    return tuple(_mean_of_metric(name, runs, criteria) for name in names)


def _mean_of_metric(name: str, runs: Sequence[CaseRun], criteria: Criteria) -> MetricScore:
    overall = [metric for run in runs for metric in run.metrics if metric.name == name]
    turns = [metric for run in runs for turn in run.turns for metric in turn.metrics if metric.name == name]
    scored = [metric for metric in turns if metric.score is not None]
    first = overall[0]
    is_grade = first.status == "informational" and not turns and name not in criteria.informational
    if is_grade:  # graders score whole cases
        scored = [metric for metric in overall if metric.score is not None]
    if not scored:  # each run says why
        return next((metric for metric in overall if metric.status == "failed"), first)
    from statistics import mean  # noqa: PLC0415 - its fractions take a while to load

    score = float(mean(metric.score for metric in scored if metric.score is not None))
    if first.status == "informational":
        return MetricScore(name, "informational", score, reason=scored[0].reason if is_grade else None)
    status = _status_of_mean(score, first.threshold, scored, criteria)
    silent = [metric.reason for metric in overall if metric.status == "not_evaluated"]
    reason = (
        _runs_not_evaluated(silent, runs) if silent else next((each.reason for each in scored if each.reason), None)
    )
    return MetricScore(name, status, score, first.threshold, reason)


def _runs_not_evaluated(reasons: Sequence[str | None], runs: Sequence[CaseRun]) -> str:
    return f"{_of_runs(len(reasons), runs, 'is not evaluated', 'are not evaluated')}{reasons[-1]}"


def _of_runs(count: int, runs: Sequence[CaseRun], of_one: str, of_several: str) -> str:
    """`2 of 3 runs are not evaluated: `; "" for a case with a single run."""
    return f"{count} of {len(runs)} runs {of_one if count == 1 else of_several}: " if len(runs) > 1 else ""


def _status_of_mean(score: float, threshold: float | None, scored: Sequence[MetricScore], criteria: Criteria) -> Status:
    """The verdict on a mean. If all turns passed below the threshold and failed above it, low scores pass."""
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
