"""The changes between two results of one set: a word for each case and each metric, in the words of baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from evaltui.comparison.judged_result import JudgedCase, JudgedMetric, JudgedResult, ResultError
from evaltui.evalset.turn import Turn
from evaltui.scoring.call_equality import equal
from evaltui.scoring.results import Status, plain
from evaltui.scoring.score_change import (
    REGRESSIONS_FIRST,
    ActualChange,
    ScoreChange,
    Standing,
    change_of,
    changes_of_turns,
    known_score,
)

FailOn = Literal["regression", "any", "never"]
"""The changes for which a comparison exits with 1."""


class ComparedMetric(NamedTuple):
    """The scores of a case in one metric; None for a side that does not have it."""

    name: str
    base: JudgedMetric | None
    candidate: JudgedMetric | None
    change: ScoreChange


class ComparedCase(NamedTuple):
    """A case of the candidate, and the same case of the base."""

    eval_id: str
    change: ScoreChange
    metrics: tuple[ComparedMetric, ...]
    base: JudgedCase | None
    """None for a case that is new."""
    candidate: JudgedCase
    actual_changes: tuple[ActualChange, ...] = ()
    """The differences between the actual sides, if both files have them."""

    @property
    def is_lost(self) -> bool:
        """Whether the case, or a metric of it, was evaluated in the base and is not evaluated in the candidate."""
        if self.base is None or not self.base.is_evaluated:
            return False
        if not self.candidate.is_evaluated:
            return True
        # A run that failed without a score has no metrics, but it is a verdict.
        return bool(self.candidate.metrics) and any(
            metric.base is not None
            and metric.base.is_evaluated
            and not (metric.candidate is not None and metric.candidate.is_evaluated)
            for metric in self.metrics
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
        for metric in (metric for case in self.cases for metric in case.metrics):
            base = metric.base.threshold if metric.base is not None else None
            candidate = metric.candidate.threshold if metric.candidate is not None else None
            if base is not None and candidate is not None and base != candidate:
                sentences.add(f"the threshold of {metric.name} was {base} and is {candidate} now")
        return sorted(sentences)

    def exit_code(self, fail_on: FailOn) -> int:
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
        is_compared = any(case.base is not None and case.candidate.is_evaluated for case in self.cases)
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
    cases = [_compared_case(base.cases.get(eval_id), case) for eval_id, case in candidate.cases.items()]
    cases.sort(key=lambda case: REGRESSIONS_FIRST.index(case.change))
    gone = tuple(eval_id for eval_id in base.cases if eval_id not in candidate.cases)
    return ComparedResults(base, candidate, tuple(cases), gone)


def _compared_case(base: JudgedCase | None, candidate: JudgedCase) -> ComparedCase:
    is_edited = base is not None and _is_edited(base, candidate)
    base_metrics = base.metrics if base is not None else ()
    compared_metrics = []
    for name in dict.fromkeys(metric.name for metric in (*candidate.metrics, *base_metrics)):
        base_metric, metric = base.metric(name) if base is not None else None, candidate.metric(name)
        change: ScoreChange = "edited"
        if not is_edited:
            change = _change_between(base_metric, metric) if metric is not None else "not_evaluated"
        compared_metrics.append(ComparedMetric(name, base_metric, metric, change))
    base_turns, turns = _actual_turns(base) if base is not None else [], _actual_turns(candidate)
    return ComparedCase(
        candidate.eval_id,
        "edited" if is_edited else _change_between(base, candidate),
        tuple(compared_metrics),
        base,
        candidate,
        changes_of_turns(base_turns, turns) if base_turns and turns else (),
    )


def _change_between(base: JudgedCase | JudgedMetric | None, candidate: JudgedCase | JudgedMetric) -> ScoreChange:
    """The change of a case, or of one metric."""
    has_verdicts = candidate.status is not None and (base is None or base.status is not None)

    def standing(judged: JudgedCase | JudgedMetric) -> Standing:
        if not judged.is_evaluated:
            return Standing("not_evaluated")
        # If a side has no verdict, only scores are compared, as between two passed cases.
        status: Status = judged.status if has_verdicts and judged.status is not None else "passed"
        metrics = judged.metrics if isinstance(judged, JudgedCase) else (judged,)
        return Standing(status, {metric.name: known_score(metric.score) for metric in metrics if metric.is_evaluated})

    return change_of(standing(base) if base is not None else None, standing(candidate))


def _is_edited(base: JudgedCase, candidate: JudgedCase) -> bool:
    """Whether both files have the expected side, and it differs."""
    sides = []
    for case in (base, candidate):
        turns = [turn.expected for turn in case.turns if turn.expected is not None]
        if not turns or len(turns) < len(case.turns):
            return False
        # Calls and responses only: every file with an expected side has these. NaN on both sides counts as equal
        # here, so `plain` replaces it with a string.
        sides.append(plain([[[[call.name, call.args] for call in turn.calls], turn.response] for turn in turns]))
    return not equal(*sides)


def _actual_turns(case: JudgedCase) -> Sequence[Turn]:
    """The turns of the agent; none if the file does not have all of them."""
    turns = [turn.actual for turn in case.turns if turn.actual is not None]
    return turns if len(turns) == len(case.turns) else []
