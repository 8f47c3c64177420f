"""A run compared with its baseline."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from evaltui.document.value_hash import value_hash
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.printable import one_line, printable, quoted
from evaltui.scoring.baseline import Baseline, BaselineError, criteria_in_short, hash_of_case
from evaltui.scoring.baseline_changes import BaselineChanges, CaseChange
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, plain
from evaltui.scoring.score_change import Standing, change_of, standing_of
from evaltui.scoring.scored_set import ScoredSet


def changes_since(baseline: Baseline, run: ScoredSet, name: str) -> BaselineChanges:
    """The changes of a run since a baseline; `name` is its file. Raises `BaselineError` for a baseline of another set.

    The order of cases does not count. If several cases share an eval_id, only a case with the hash of the baseline is
    compared.
    """
    if not baseline.is_for(run.subject):
        theirs, ours = set_name(baseline.set_title), set_name(run.subject.title)
        raise BaselineError(f"this baseline is for {theirs}, but the run is for {ours}; save a baseline for this set")
    compared = ComparedCases(baseline, run.subject)
    cases = {case.number: compared.change_of(case) for case in run.cases}
    return BaselineChanges(name, cases, compared.gone, other_criteria(baseline, run.criteria))


class ComparedCases:
    """The cases of a set beside those of its baseline."""

    def __init__(self, baseline: Baseline, subject: ExpectedSet) -> None:
        self._baseline, self._subject = baseline, subject
        self._shared = Counter(subject.eval_ids)

    @property
    def gone(self) -> tuple[str, ...]:
        """The eval_ids of the baseline that the set no longer has, in order."""
        return tuple(eval_id for eval_id in self._baseline.cases if eval_id not in self._shared)

    def change_of(self, case: CaseResult) -> CaseChange:
        """The change of a case since the baseline."""
        known = self._baseline.cases.get(case.eval_id)
        now = standing_of(case)
        if known is None:
            return CaseChange(change_of(None, now))
        is_lost = _is_lost(known.standing, case)
        if hash_of_case(self._subject, case.number) != known.hash:
            is_unique = self._shared[case.eval_id] == 1
            return CaseChange("edited", is_lost=is_lost) if is_unique else CaseChange(change_of(None, now))
        return CaseChange(change_of(known.standing, now), known.standing, is_lost)


def set_name(title: str | None) -> str:
    """A set in a sentence, by its title."""
    return f"set {quoted(title, 60)}" if title is not None else "a set without eval_set_id"


def _is_lost(before: Standing, case: CaseResult) -> bool:
    if before.status == "not_evaluated":
        return False
    if case.status == "not_evaluated":
        return True
    return any(metric.status == "not_evaluated" and metric.name in before.scores for metric in case.metrics)


def other_criteria(baseline: Baseline, criteria: Criteria) -> tuple[str, ...]:
    """Phrases for the differences between the criteria of a baseline and those of a run."""
    before, now = baseline.criteria, criteria_in_short(criteria)
    return tuple(
        _difference(name, before.get(name), now.get(name))
        for name in sorted({*before, *now})
        if name not in before or name not in now or not _equal(before[name], now[name])
    )


def _equal(one: Any, other: Any) -> bool:
    texts = [json.dumps(plain(each)).encode() for each in (one, other)]
    return value_hash(texts[0]) == value_hash(texts[1])


def _difference(name: str, before: Any, now: Any) -> str:
    if now is None:
        return f"{printable(name)} is only in the baseline"
    if before is None:
        return f"{printable(name)} is not in the baseline"
    thresholds = [each.get("threshold") if isinstance(each, dict) else None for each in (before, now)]
    if thresholds[0] != thresholds[1]:
        return f"the threshold of {printable(name)} was {one_line(str(thresholds[0]), 20)} and is {thresholds[1]} now"
    return f"the options of {printable(name)} are different"
