"""The changes between two results of one set: a word for each case and each metric, in the words of baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from evaltui.comparison.judged_result import JudgedCase, JudgedMetric, JudgedResult, ResultError
from evaltui.evalset.turn import Turn
from evaltui.scoring.equality import equal
from evaltui.scoring.results import plain
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
        lost = (
            each.base is not None and each.base.is_evaluated and not (each.candidate and each.candidate.is_evaluated)
            for each in self.metrics
        )
        # A run that failed without a score has no metrics, but it is a verdict.
        return not self.candidate.is_evaluated or (bool(self.candidate.metrics) and any(lost))


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
        found = Counter(case.change for case in self.cases)
        return {change: found[change] for change in REGRESSIONS_FIRST}

    @property
    def other_thresholds(self) -> tuple[str, ...]:
        """Sentences about metrics with different thresholds on both sides, in the order of their names."""
        found = {
            f"the threshold of {each.name} was {each.base.threshold} and is {each.candidate.threshold} now"
            for case in self.cases
            for each in case.metrics
            if each.base is not None and each.candidate is not None
            if each.base.threshold is not None and each.candidate.threshold is not None
            if each.base.threshold != each.candidate.threshold
        }
        return tuple(sorted(found))

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
    _refuse_other_sets(base, candidate)
    cases = [_compared(base.cases.get(eval_id), case) for eval_id, case in candidate.cases.items()]
    cases.sort(key=lambda case: REGRESSIONS_FIRST.index(case.change))
    gone = tuple(eval_id for eval_id in base.cases if eval_id not in candidate.cases)
    return ComparedResults(base, candidate, tuple(cases), gone)


def _refuse_other_sets(base: JudgedResult, candidate: JudgedResult) -> None:
    one, other = base.eval_set_id, candidate.eval_set_id
    if one is not None and other is not None:
        if one != other:
            of_other = f'this is a result of eval set "{other}", but {base.name} is a result of "{one}"'
            raise ResultError(f"{candidate.name}: {of_other}")
    elif base.cases and candidate.cases and base.cases.keys().isdisjoint(candidate.cases):
        raise ResultError(f"{candidate.name}: no case in common with {base.name}; compare results of the same set")


def _compared(base: JudgedCase | None, candidate: JudgedCase) -> ComparedCase:
    is_edited = base is not None and _is_edited(base, candidate)
    metrics = tuple(_metrics(base, candidate, is_edited=is_edited))
    change: ScoreChange = "edited" if is_edited else _change_of_case(base, candidate)
    return ComparedCase(candidate.eval_id, change, metrics, base, candidate, _actual_changes(base, candidate))


def _change_of_case(base: JudgedCase | None, candidate: JudgedCase) -> ScoreChange:
    has_verdicts = candidate.status is not None and (base is None or base.status is not None)
    return change_of(
        _standing(base, has_verdicts=has_verdicts) if base is not None else None,
        _standing(candidate, has_verdicts=has_verdicts),
    )


def _standing(case: JudgedCase, *, has_verdicts: bool) -> Standing:
    scores = {each.name: known_score(each.score) for each in case.metrics if each.is_evaluated}
    if not case.is_evaluated:
        return Standing("not_evaluated", scores)
    # If a side has no verdict, only scores are compared, as between two passed cases.
    return Standing(case.status if has_verdicts and case.status is not None else "passed", scores)


def _metrics(base: JudgedCase | None, candidate: JudgedCase, *, is_edited: bool) -> Iterator[ComparedMetric]:
    """Each metric that either side has, in the order of the candidate."""
    theirs = base.metrics if base is not None else ()
    for name in dict.fromkeys(each.name for each in (*candidate.metrics, *theirs)):
        before, now = base.metric(name) if base is not None else None, candidate.metric(name)
        yield ComparedMetric(name, before, now, "edited" if is_edited else _change_of_metric(before, now))


def _change_of_metric(before: JudgedMetric | None, now: JudgedMetric | None) -> ScoreChange:
    if now is None:
        return "not_evaluated"
    has_verdicts = now.status is not None and (before is None or before.status is not None)
    return change_of(
        _standing_of_metric(before, has_verdicts=has_verdicts) if before is not None else None,
        _standing_of_metric(now, has_verdicts=has_verdicts),
    )


def _standing_of_metric(metric: JudgedMetric, *, has_verdicts: bool) -> Standing:
    if not metric.is_evaluated:
        return Standing("not_evaluated")
    status = metric.status if has_verdicts and metric.status is not None else "passed"
    return Standing(status, {metric.name: known_score(metric.score)})


def _is_edited(base: JudgedCase, candidate: JudgedCase) -> bool:
    """Whether both files have the expected side, and it differs."""
    before, now = ([turn.expected for turn in case.turns] for case in (base, candidate))
    if not before or not now or None in before or None in now:
        return False
    # NaN on both sides counts as equal here, so `plain` replaces it with a string.
    return not equal(plain([*map(_expectation, before)]), plain([*map(_expectation, now)]))


def _expectation(turn: Turn | None) -> list[object]:
    """The calls and the response: every file with an expected side has these."""
    if turn is None:
        return []
    return [[[call.name, call.args] for call in turn.calls], turn.response]


def _actual_changes(base: JudgedCase | None, candidate: JudgedCase) -> tuple[ActualChange, ...]:
    before = _actual(base) if base is not None else ()
    now = _actual(candidate)
    return changes_of_turns(before, now) if before and now else ()


def _actual(case: JudgedCase) -> Sequence[Turn]:
    """The turns of the agent; none if the file does not have all of them."""
    turns = [turn.actual for turn in case.turns]
    return [turn for turn in turns if turn is not None] if None not in turns else []


def warnings_of(compared: ComparedResults) -> Mapping[str, None]:
    """Warnings of both files, each once, with the name of the file."""
    said = chain.from_iterable(
        (f"{result.name}: {warning}" for warning in result.warnings) for result in (compared.base, compared.candidate)
    )
    return dict.fromkeys(said)
