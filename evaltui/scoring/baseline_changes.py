"""Changes of a run since its baseline: a word for each case, the deleted cases, and the exit code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.document.value_comparison import value_hash
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.printable import one_line, printable, quoted
from evaltui.scoring.baseline_file import Baseline, criteria_in_short, hash_of_case
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, ScoreTotals, plain
from evaltui.scoring.score_change import (
    REGRESSIONS_FIRST,
    RunChange,
    ScoreChange,
    change_of,
    difference_of,
    standing_of,
)
from evaltui.scoring.scored_set import ScoredSet


def with_changes(run: ScoredSet, baseline: Baseline, name: str, *, only_regressions: bool = False) -> ScoredSet:
    """A run with its changes since a baseline; `name` is its file. Raises `DocumentError` for one of another set.

    The order of cases does not count. If several cases share an eval_id, only a case with the hash of the baseline is
    compared.
    """
    if not baseline.is_for(run.subject):
        sets = f"is for {set_name(baseline.set_title)}, but the run is for {set_name(run.subject.title)}"
        raise DocumentError(f"{name}: this baseline {sets}; save a baseline for this set")
    changes = BaselineChanges(baseline, run.subject, run.criteria, name, only_regressions=only_regressions)
    changes.cases = {case.number: changes.change_of(case) for case in run.cases}
    return replace(run, changes=changes)


def set_name(title: str | None) -> str:
    """A set in a sentence, by its title."""
    return f"set {quoted(title, 60)}" if title is not None else "a set without eval_set_id"


class BaselineChanges:
    """The changes of the cases of a set since a baseline."""

    def __init__(
        self, baseline: Baseline, subject: ExpectedSet, criteria: Criteria, name: str, *, only_regressions: bool = False
    ) -> None:
        """`name` is the file of the baseline, as messages name it."""
        self._baseline, self._subject, self.name = baseline, subject, name
        self._counts = Counter(subject.eval_ids)
        self.cases: Mapping[int, RunChange] = {}
        """The changes of a run by the place of the case in its set, from 0."""
        self.gone = tuple(eval_id for eval_id in baseline.cases if eval_id not in self._counts)
        """The eval_ids of the baseline that the set no longer has, in order."""
        self.other_criteria = _other_criteria(baseline, criteria)
        """Phrases for the differences between the criteria of the baseline and of the run; empty if there are none."""
        self.only_regressions = only_regressions
        """Whether only what is worse than in the baseline fails the run, as `--fail-on regression` has it."""

    def of(self, case: CaseResult) -> RunChange:
        """The change of a case of the run."""
        return self.cases[case.number]

    @property
    def counts(self) -> dict[ScoreChange, int]:
        """The number of cases with each change, also 0; regressions first."""
        counts = Counter(change.change for change in self.cases.values())
        return {word: counts[word] for word in REGRESSIONS_FIRST}

    def change_of(self, case: CaseResult) -> RunChange:
        """The change of a case since the baseline."""
        in_baseline, standing = self._baseline.cases.get(case.eval_id), standing_of(case)
        if in_baseline is None:
            return RunChange(change_of(None, standing))
        baseline, baseline_hash = in_baseline
        status, scores = baseline
        open_metrics = {metric.name for metric in case.metrics if metric.status == "not_evaluated"}
        is_open = case.status == "not_evaluated" or not open_metrics.isdisjoint(scores)
        is_lost = is_open and status != "not_evaluated"
        if hash_of_case(self._subject, case.number) == baseline_hash:
            change = change_of(baseline, standing)
            difference, metric = difference_of(baseline, standing, change)
            return RunChange(change, difference, (), metric, baseline, is_lost)
        # Of several cases with one eval_id, nobody knows which one the baseline has.
        is_unique = self._counts[case.eval_id] == 1
        return RunChange("edited", is_lost=is_lost) if is_unique else RunChange(change_of(None, standing))


def _other_criteria(baseline: Baseline, criteria: Criteria) -> tuple[str, ...]:
    of_baseline, of_run = baseline.criteria, criteria_in_short(criteria)
    return tuple(
        _difference(name, of_baseline.get(name), of_run.get(name))
        for name in sorted({*of_baseline, *of_run})
        if name not in of_baseline or name not in of_run or _hash(of_baseline[name]) != _hash(of_run[name])
    )


def _hash(criterion: Any) -> str:
    return value_hash(json.dumps(plain(criterion)).encode())


def _difference(name: str, of_baseline: Any, of_run: Any) -> str:
    if of_run is None:
        return f"{printable(name)} is only in the baseline"
    if of_baseline is None:
        return f"{printable(name)} is not in the baseline"
    old, new = (value.get("threshold") if isinstance(value, dict) else None for value in (of_baseline, of_run))
    if old != new:
        return f"the threshold of {printable(name)} was {one_line(str(old), 20)} and is {new} now"
    return f"the options of {printable(name)} are different"


def regression_exit_code(
    totals: ScoreTotals, changes: BaselineChanges, *, is_open: bool, allow_not_evaluated: bool
) -> int:
    """The exit code of `--fail-on regression`: 1, 3 or 0.

    1 if a case regressed. Else 3 if a case or metric of the baseline is not evaluated now, or no case is evaluated.
    `is_open` means that google-adk rejects the set, or that a set was skipped: also 3. With `allow_not_evaluated`, 0
    replaces 3 if at least one case was evaluated.
    """
    if changes.counts["regressed"]:
        return 1
    has_verdict = bool(totals.counts["passed"] or totals.counts["failed"])
    is_open = is_open or not has_verdict or any(change.is_lost for change in changes.cases.values())
    return 3 if is_open and not (allow_not_evaluated and has_verdict) else 0
