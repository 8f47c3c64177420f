"""A run compared with its baseline."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from evaltui.document.value_hash import value_hash
from evaltui.printable import one_line, printable
from evaltui.scoring.baseline import Baseline, BaselineCase, BaselineError, criteria_in_short
from evaltui.scoring.baseline_changes import BaselineChanges, CaseChange
from evaltui.scoring.results import CaseResult, plain
from evaltui.scoring.score_change import Standing, change_of, standing_of
from evaltui.scoring.scored_set import ScoredSet


def changes_since(baseline: Baseline, run: ScoredSet, name: str) -> BaselineChanges:
    """The changes of a run since a baseline; `name` is its file. Raises `BaselineError` for a baseline of another set.

    The order of cases does not count. If several cases share an eval_id, only a case with the hash of the baseline is
    compared.
    """
    if baseline.eval_set_id != run.subject.eval_set_id:
        theirs, ours = _set_name(baseline.eval_set_id), _set_name(run.subject.eval_set_id)
        raise BaselineError(f"this baseline is for {theirs}, but the run is for {ours}; save a baseline for this set")
    shared = Counter(run.subject.eval_ids)
    cases = {
        case.number: _change(baseline.cases.get(case.eval_id), case, run, is_unique=shared[case.eval_id] == 1)
        for case in run.cases
    }
    gone = tuple(eval_id for eval_id in baseline.cases if eval_id not in shared)
    return BaselineChanges(name, cases, gone, _other_criteria(baseline.criteria, criteria_in_short(run.criteria)))


def _set_name(eval_set_id: str | None) -> str:
    return f"eval set {one_line(eval_set_id, 60)}" if eval_set_id is not None else "a set without eval_set_id"


def _change(known: BaselineCase | None, case: CaseResult, run: ScoredSet, *, is_unique: bool) -> CaseChange:
    now = standing_of(case)
    if known is None:
        return CaseChange(change_of(None, now))
    is_lost = _is_lost(known.standing, case)
    if value_hash(run.subject.source_of(case.number)) != known.hash:
        return CaseChange("edited", is_lost=is_lost) if is_unique else CaseChange(change_of(None, now))
    return CaseChange(change_of(known.standing, now), known.standing, is_lost)


def _is_lost(before: Standing, case: CaseResult) -> bool:
    if before.status == "not_evaluated":
        return False
    if case.status == "not_evaluated":
        return True
    return any(metric.status == "not_evaluated" and metric.name in before.scores for metric in case.metrics)


def _other_criteria(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
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
