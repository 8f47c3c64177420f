"""The runs of one set, compared: what changed in the last run or since a baseline, and the rows and counts of a run.

Independent of widgets. The key of a case is its node of the document in the editor, an eval_id elsewhere.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import (
    REGRESSIONS_FIRST,
    RunChange,
    ScoreChange,
    ScoredCase,
    change_since,
    change_since_baseline,
    is_alike,
)

Key = TypeVar("Key", bound=Hashable)
"""The identity of a case from run to run."""
ShownCases = Literal["all", "failing", "changed"]
RowOrder = Literal["failing first", "file order", "biggest loss", "changed first"]
ROW_ORDERS: tuple[RowOrder, ...] = ("failing first", "file order", "biggest loss", "changed first")

_MOST_RATES = 24
"""Runs whose pass rates are remembered."""
_RANKS: dict[str, int] = {"failed": 0, "not_evaluated": 1, "informational": 1, "passed": 2}


class RunComparison(Generic[Key]):
    """Compares results as they arrive. A case that is edited and scored between two runs counts at once."""

    def __init__(self) -> None:
        self.baseline_at: float | None = None
        """When the baseline was kept, in seconds since 1970; None without a baseline."""
        self.rates: deque[float] = deque(maxlen=_MOST_RATES)
        """The share of cases that passed in each run that changed something, the last at the end."""
        self._baseline: dict[Key, ScoredCase] = {}
        self._has_run = False
        self._last: dict[Key, ScoredCase] = {}
        """The cases as the last run left them."""
        self._changes: dict[Key, RunChange] = {}
        """The changes of the last run that changed something."""
        self._edited: dict[Key, ScoredCase] = {}
        """Results since the last run that differ from it."""
        self._edit_changes: dict[Key, RunChange] = {}
        """The changes of the results in `_edited`."""
        self._since_baseline: dict[Key, RunChange] = {}

    def note(self, key: Key, scored: ScoredCase) -> None:
        """Add the result of a case. It is compared at once, so no step depends on the number of cases."""
        last = self._last.get(key)
        self._edit_changes.pop(key, None)
        if last is not None and is_alike(last, scored):
            is_other = self._edited.pop(key, None) is not None  # an edit that was undone
            self._last[key] = scored
        else:
            is_other = True
            self._edited[key] = scored
            if self._has_run:
                _set_change(self._edit_changes, key, change_since(last, scored))
        if is_other and self.baseline_at is not None:
            _set_change(self._since_baseline, key, change_since_baseline(self._baseline.get(key), scored))

    def finish_run(self) -> bool:
        """End a run. Returns whether it changed anything since the previous run."""
        is_other = bool(self._edited)
        # A run without changes keeps the marks, so scoring the same files again erases nothing.
        if is_other:
            self._changes, self._edit_changes = self._edit_changes, {}
            self._last.update(self._edited)
            self._edited.clear()
        self._has_run = True
        return is_other

    def add_rate(self, rate: float, *, is_other: bool) -> None:
        """Add the pass rate of a run. A run that changed nothing replaces the previous one."""
        if self.rates and not is_other:
            self.rates.pop()
        self.rates.append(rate)

    def change(self, key: Key) -> RunChange | None:
        """The change of a case since the baseline, else since the previous run; None if there is no change."""
        if self.baseline_at is not None:
            return self._since_baseline.get(key)
        return self._edit_changes.get(key) if key in self._edited else self._changes.get(key)

    def changes(self) -> Mapping[Key, RunChange]:
        """All changes. Deleted cases may be among them."""
        if self.baseline_at is not None:
            return self._since_baseline
        if not self._edited:
            return self._changes
        unedited = {key: change for key, change in self._changes.items() if key not in self._edited}
        return {**unedited, **self._edit_changes}

    def keep_baseline(self, time: float) -> None:
        """Keep the current results as baseline, at a time in seconds since 1970."""
        self.baseline_at, self._baseline = time, {**self._last, **self._edited}
        self._since_baseline = {}

    def drop_baseline(self) -> None:
        """Delete the baseline: compare with the previous run again."""
        self.baseline_at, self._baseline, self._since_baseline = None, {}, {}


def _set_change(changes: dict[Key, RunChange], key: Key, change: RunChange) -> None:
    if change.is_any:
        changes[key] = change
    else:
        changes.pop(key, None)


# --- rows and counts -------------------------------------------------------------------------------------------------


class RunCase(NamedTuple, Generic[Key]):
    """A case of a run, in the order of the set."""

    key: Key
    result: CaseResult | None
    """None if it was not scored yet. An outdated case has its last result, so that no row jumps during an edit."""


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
        return self.changes.get("improved", 0) + self.changes.get("higher", 0)

    @property
    def fallen(self) -> int:
        """The number of cases that fail now, or have a lower score."""
        return self.changes.get("regressed", 0) + self.changes.get("lower", 0)


def select_rows(
    cases: Sequence[RunCase[Key]],
    changes: Mapping[Key, RunChange],
    selection: ShownCases = "all",
    order: RowOrder = "failing first",
) -> list[Key]:
    """The cases to show, in order. Equal cases are in the order of the set."""

    def rank(case: RunCase[Key]) -> int:
        return _RANKS[case.result.status] if case.result is not None else 1

    def loss(case: RunCase[Key]) -> tuple[float, int]:
        # Rises count as no loss: the order is by what got worse, not by what moved.
        return min(changes[case.key].loss, 0.0) if case.key in changes else 0.0, rank(case)

    def place_of_change(case: RunCase[Key]) -> tuple[int, int]:
        place = REGRESSIONS_FIRST.index(changes[case.key].change) if case.key in changes else len(REGRESSIONS_FIRST)
        return place, rank(case)

    rows: Sequence[RunCase[Key]] = cases
    if selection == "failing":
        rows = [case for case in cases if case.result is not None and case.result.status == "failed"]
    elif selection == "changed":
        rows = [case for case in cases if case.key in changes]
    sort_keys: dict[RowOrder, Callable[[RunCase[Key]], Any]] = {
        "failing first": rank,
        "biggest loss": loss,
        "changed first": place_of_change,
    }
    if order in sort_keys:
        rows = sorted(rows, key=sort_keys[order])
    return [case.key for case in rows]


def count_cases(cases: Sequence[RunCase[Key]], changes: Mapping[Key, RunChange]) -> RunTotals:
    """Counts of the cases, and of their changes."""
    scored = [(case.key, case.result.status) for case in cases if case.result is not None]
    counts = Counter(status for _, status in scored)
    changed = Counter(changes[key].change for key, _ in scored if key in changes)
    silent = counts["not_evaluated"] + counts["informational"]
    return RunTotals(counts["passed"], counts["failed"], silent, 0, changed)
