"""The model of a result file: verdicts and scores of cases, and both sides of turns if the file has them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from evaltui.document.errors import InputError
from evaltui.evalset.turn import ALL_PARTS, Turn
from evaltui.scoring.call_equality import equal
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import MetricScore, Status, TurnScores, judge_score, plain
from evaltui.scoring.score_change import (
    REGRESSIONS_FIRST,
    ActualChange,
    ScoreChange,
    Standing,
    change_of,
    changes_of_turns,
    known_score,
)


class ResultError(InputError):
    """A file is not a result, or cannot be read. The message is a sentence with the file."""


NO_TURN = Turn("", (), "", unrecorded=ALL_PARTS)
"""The side of a turn that the file does not have."""


class JudgedCase(NamedTuple):
    """One case of a result. Several runs of a case are combined."""

    eval_id: str
    status: Status | None
    """None if the file has no verdicts."""
    metrics: tuple[MetricScore, ...] = ()
    """The metrics with a verdict. A score of agents-cli, which gives no verdict, is `informational`."""
    turns: tuple[TurnScores, ...] = ()
    """The turns of the last run. The reason of a score has the sentences of the file about it."""
    reason: str = ""
    criteria: Criteria | None = None
    """The criteria for explanations of the scores; None if the file has the sentences."""
    runs: int = 1

    def metric(self, name: str) -> MetricScore | None:
        """The metric of this name."""
        return next((metric for metric in self.metrics if metric.name == name), None)


def is_evaluated(judged: JudgedCase | MetricScore) -> bool:
    """Whether a case or metric has a verdict or, where the file has none, a score."""
    if isinstance(judged, JudgedCase):
        if judged.status is None:
            return any(map(is_evaluated, judged.metrics))
        return judged.status != "not_evaluated"
    return judged.score is not None if judged.status == "informational" else judged.status != "not_evaluated"


class JudgedResult(NamedTuple):
    """A result file."""

    name: str
    """The file, as named on the command line."""
    eval_set_id: str | None
    """The set that was judged; None if the file does not say."""
    cases: Mapping[str, JudgedCase]
    """The cases by eval_id, in the order of the file."""
    warnings: tuple[str, ...] = ()


def cases_by_id(cases: Sequence[JudgedCase]) -> dict[str, JudgedCase]:
    """The cases by eval_id. Several runs of a case get the means of its metrics, and google-adk's verdict."""
    runs_by_id: dict[str, list[JudgedCase]] = {}
    for case in cases:
        runs_by_id.setdefault(case.eval_id, []).append(case)
    combined = {eval_id: runs[-1] for eval_id, runs in runs_by_id.items()}
    for eval_id, runs in runs_by_id.items():
        if len(runs) == 1:
            continue
        names = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
        metrics = tuple(_metric_of_runs(name, runs) for name in names)
        # A run that failed without a score, such as one with another number of turns, is in no mean: it fails the case.
        has_scoreless_run = any(run.status == "failed" and not any(map(is_evaluated, run.metrics)) for run in runs)
        status = "failed" if has_scoreless_run else status_of_metrics(metrics)
        reason = next((run.reason for run in reversed(runs) if run.reason), "")
        combined[eval_id] = runs[-1]._replace(status=status, metrics=metrics, reason=reason, runs=len(runs))
    return combined


def status_of_metrics(metrics: Sequence[MetricScore]) -> Status | None:
    """failed if any metric failed, else passed if any passed, else not evaluated; None for scores without verdicts."""
    statuses = {metric.status for metric in metrics}
    if "failed" in statuses:
        return "failed"
    if "passed" in statuses:
        return "passed"
    return None if "informational" in statuses else "not_evaluated"


def _metric_of_runs(name: str, runs: Sequence[JudgedCase]) -> MetricScore:
    metrics = [metric for run in runs if (metric := run.metric(name)) is not None]
    evaluated = [*filter(is_evaluated, metrics)]
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


class ComparedCase(NamedTuple):
    """A case of the candidate, and the same case of the base."""

    eval_id: str
    change: ScoreChange
    metrics: Mapping[str, ScoreChange]
    """The changes by the names of the metrics that a side has."""
    base: JudgedCase | None
    """None for a case that is new."""
    candidate: JudgedCase
    actual_changes: tuple[ActualChange, ...] = ()
    """The differences between the actual sides, if both files have them."""

    def scores(self, name: str) -> tuple[MetricScore | None, MetricScore | None]:
        """The scores of the base and of the candidate in a metric; None for a side that does not have it."""
        return self.base.metric(name) if self.base is not None else None, self.candidate.metric(name)

    @property
    def is_lost(self) -> bool:
        """Whether the case, or a metric of it, was evaluated in the base and is not evaluated in the candidate."""
        if self.base is None or not is_evaluated(self.base):
            return False
        if not is_evaluated(self.candidate):
            return True
        # A run that failed without a score has no metrics, but it is a verdict.
        return bool(self.candidate.metrics) and any(
            base is not None and is_evaluated(base) and not (candidate is not None and is_evaluated(candidate))
            for base, candidate in map(self.scores, self.metrics)
        )


class ComparedResults(NamedTuple):
    """Two results of one set."""

    base: JudgedResult
    candidate: JudgedResult
    cases: tuple[ComparedCase, ...]
    """The cases of the candidate: regressions first, then by the other changes, then in the order of the file."""
    gone: tuple[str, ...]
    """The cases that only the base has, in the order of the base."""

    @property
    def counts(self) -> dict[ScoreChange, int]:
        """The number of cases with each change; all words are there, the regressions first."""
        counts = Counter(case.change for case in self.cases)
        return {change: counts[change] for change in REGRESSIONS_FIRST}

    @property
    def warnings(self) -> list[str]:
        """Warnings of both files, each once, with the name of the file."""
        results = (self.base, self.candidate)
        return list(dict.fromkeys(f"{result.name}: {text}" for result in results for text in result.warnings))

    @property
    def other_thresholds(self) -> list[str]:
        """Sentences about metrics with different thresholds on both sides, in the order of their names."""
        sentences: set[str] = set()
        for case in self.cases:
            for name in case.metrics:
                base, candidate = (score.threshold if score is not None else None for score in case.scores(name))
                if base is not None and candidate is not None and base != candidate:
                    sentences.add(f"the threshold of {name} was {base} and is {candidate} now")
        return sorted(sentences)

    def exit_code(self, fail_on: Literal["regression", "any", "never"]) -> int:
        """The exit code: 1, 3 or 0.

        1 for a regression, or with `any` also for a lower score or a failed case; never 1 or 3 with `never`. Else 3 if
        a case or metric is no longer evaluated, or nothing was compared.
        """
        if fail_on == "never":
            return 0
        changes = {case.change for case in self.cases}
        if "regressed" in changes:
            return 1
        if fail_on == "any" and ("lower" in changes or any(case.candidate.status == "failed" for case in self.cases)):
            return 1
        is_compared = any(case.base is not None and is_evaluated(case.candidate) for case in self.cases)
        return 3 if not is_compared or any(case.is_lost for case in self.cases) else 0


def compare_results(base: JudgedResult, candidate: JudgedResult) -> ComparedResults:
    """The changes from `base` to `candidate`. Raises `ResultError` for results of different sets."""
    if base.eval_set_id is not None and candidate.eval_set_id is not None:
        if base.eval_set_id != candidate.eval_set_id:
            sets = f'eval set "{candidate.eval_set_id}", but {base.name} is a result of "{base.eval_set_id}"'
            raise ResultError(f"{candidate.name}: this is a result of {sets}")
    # Files of agents-cli name no set: two of one set have cases in common.
    elif base.cases and candidate.cases and base.cases.keys().isdisjoint(candidate.cases):
        raise ResultError(f"{candidate.name}: no case in common with {base.name}; compare results of the same set")
    cases: list[ComparedCase] = []
    for eval_id, case in candidate.cases.items():
        earlier = base.cases.get(eval_id)
        is_edited = earlier is not None and _is_edited(earlier, case)
        changes: dict[str, ScoreChange] = {}
        for name in dict.fromkeys(metric.name for side in filter(None, (case, earlier)) for metric in side.metrics):
            metric, earlier_metric = case.metric(name), earlier.metric(name) if earlier is not None else None
            changes[name] = "edited" if is_edited else "not_evaluated"
            if metric is not None and not is_edited:
                changes[name] = _change_between(earlier_metric, metric)
        change = "edited" if is_edited else _change_between(earlier, case)
        earlier_turns, turns = _actual_turns(earlier) if earlier is not None else [], _actual_turns(case)
        actual_changes = changes_of_turns(earlier_turns, turns) if earlier_turns and turns else ()
        cases.append(ComparedCase(eval_id, change, changes, earlier, case, actual_changes))
    cases.sort(key=lambda case: REGRESSIONS_FIRST.index(case.change))
    gone = tuple(eval_id for eval_id in base.cases if eval_id not in candidate.cases)
    return ComparedResults(base, candidate, tuple(cases), gone)


def _change_between(base: JudgedCase | MetricScore | None, candidate: JudgedCase | MetricScore) -> ScoreChange:
    """The change of a case, or of one metric."""
    # If a side has no verdict, only scores are compared, as between two passed cases.
    without_verdict = None if isinstance(candidate, JudgedCase) else "informational"
    has_verdicts = all(judged is None or judged.status != without_verdict for judged in (base, candidate))

    def standing(judged: JudgedCase | MetricScore) -> Standing:
        if not is_evaluated(judged):
            return "not_evaluated", {}
        status: Status = judged.status if has_verdicts and judged.status is not None else "passed"
        metrics = judged.metrics if isinstance(judged, JudgedCase) else (judged,)
        return status, {metric.name: known_score(metric.score) for metric in metrics if is_evaluated(metric)}

    return change_of(standing(base) if base is not None else None, standing(candidate))


def _is_edited(base: JudgedCase, candidate: JudgedCase) -> bool:
    """Whether both files have the expected side, and it differs."""
    sides = []
    for case in (base, candidate):
        turns = [turn.expected for turn in case.turns if turn.expected is not NO_TURN]
        if not turns or len(turns) < len(case.turns):
            return False
        # Calls and responses only: every file with an expected side has these. NaN on both sides counts as equal
        # here, so `plain` replaces it with a string.
        sides.append(plain([[[[call.name, call.args] for call in turn.calls], turn.response] for turn in turns]))
    return not equal(*sides)


def _actual_turns(case: JudgedCase) -> Sequence[Turn]:
    """The turns of the agent; none if the file does not have all of them."""
    turns = [turn.actual for turn in case.turns]
    return turns if NO_TURN not in turns else []
