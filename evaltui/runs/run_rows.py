"""Rows of the table of a run: the shown cases, their order, and the totals. Independent of widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple

from evaltui.runs.run_comparison import Key
from evaltui.scoring.case_change import RunChange
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import REGRESSIONS_FIRST, ScoreChange

ShownCases = Literal["all", "failing", "changed"]
RowOrder = Literal["failing first", "file order", "biggest loss", "changed first"]
ROW_ORDERS: tuple[RowOrder, ...] = ("failing first", "file order", "biggest loss", "changed first")

_RANKS: dict[str, int] = {"failed": 0, "not_evaluated": 1, "informational": 1, "passed": 2}
_UNCHANGED = len(REGRESSIONS_FIRST)
_RISEN: tuple[ScoreChange, ...] = ("improved", "higher")
_FALLEN: tuple[ScoreChange, ...] = ("regressed", "lower")


class RunCase(NamedTuple, Generic[Key]):
    """A case of a run, in the order of the set."""

    key: Key
    result: CaseResult | None
    """None if it was not scored yet."""
    is_outdated: bool = False
    """Whether the case or another source of its score changed since."""


class RunTotals(NamedTuple):
    """Counts of a run. An outdated case counts only as outdated."""

    passed: int = 0
    failed: int = 0
    not_evaluated: int = 0
    outdated: int = 0
    changes: Mapping[ScoreChange, int] = {}

    @property
    def scored(self) -> int:
        """The number of cases whose result is known, evaluated or not."""
        return self.passed + self.failed + self.not_evaluated

    @property
    def rate(self) -> float:
        """The share of scored cases that passed; 0.0 if none was scored."""
        return self.passed / self.scored if self.scored else 0.0

    @property
    def risen(self) -> int:
        """The number of cases that pass now, or have a higher score."""
        return sum(self.changes.get(each, 0) for each in _RISEN)

    @property
    def fallen(self) -> int:
        """The number of cases that fail now, or have a lower score."""
        return sum(self.changes.get(each, 0) for each in _FALLEN)


def rows_of(
    cases: Sequence[RunCase[Key]],
    changes: Mapping[Key, RunChange],
    shown: ShownCases = "all",
    order: RowOrder = "failing first",
) -> list[Key]:
    """The cases to show, in order. Equal cases are in the order of the set.

    An outdated case keeps the place of its last result, so that no row jumps during an edit.
    """
    found: Sequence[RunCase[Key]] = cases
    if shown == "failing":
        found = [case for case in cases if case.result is not None and case.result.status == "failed"]
    elif shown == "changed":
        found = [case for case in cases if case.key in changes]
    if order != "file order":
        found = sorted(found, key=_sort_key(changes, order))
    return [case.key for case in found]


def _sort_key(changes: Mapping[Key, RunChange], order: RowOrder) -> Callable[[RunCase[Key]], Any]:
    if order == "failing first":
        return _rank
    if order == "biggest loss":
        return lambda case: (min(_loss(changes.get(case.key)), 0.0), _rank(case))
    return lambda case: (_place(changes.get(case.key)), _rank(case))


def _rank(case: RunCase[Key]) -> int:
    return _RANKS[case.result.status] if case.result is not None else 1


def _loss(change: RunChange | None) -> float:
    return change.loss if change is not None else 0.0


def _place(change: RunChange | None) -> int:
    return REGRESSIONS_FIRST.index(change.change) if change is not None else _UNCHANGED


def totals_of(cases: Sequence[RunCase[Key]], changes: Mapping[Key, RunChange]) -> RunTotals:
    """Counts of the cases, and of the changes of cases that are not outdated."""
    current = [case for case in cases if case.result is not None and not case.is_outdated]
    counts = Counter(case.result.status for case in current if case.result is not None)
    changed = Counter(changes[case.key].change for case in current if case.key in changes)
    outdated = sum(case.result is not None and case.is_outdated for case in cases)
    silent = counts["not_evaluated"] + counts["informational"]
    return RunTotals(counts["passed"], counts["failed"], silent, outdated, changed)
