"""The runs of one set, compared: what changed since the last run or a baseline; which cases are shown, in which order.

Independent of widgets. The key of a case is its node of the document in the editor, an eval_id elsewhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, Literal, TypeVar

from evaltui.scoring.results import STATUS_RANKS, CaseResult
from evaltui.scoring.score_change import REGRESSIONS_FIRST, RunChange, change_since, change_since_baseline, is_alike

Key = TypeVar("Key", bound=Hashable)
"""The identity of a case from run to run."""

_MOST_RATES = 24
"""Runs whose pass rates are remembered."""
ShownCases = Literal["all", "failing", "changed"]
RowOrder = Literal["failing first", "file order", "biggest loss", "changed first"]
ROW_ORDERS: tuple[RowOrder, ...] = ("failing first", "file order", "biggest loss", "changed first")


class RunComparison(Generic[Key]):
    """Compares results as they arrive. A case that is edited and scored between two runs counts at once."""

    def __init__(self) -> None:
        self.baseline_at: float | None = None
        """When the baseline was kept, in seconds since 1970; None without a baseline."""
        self.rates: deque[float] = deque(maxlen=_MOST_RATES)
        """The share of cases that passed in each run that changed something, the last at the end."""
        self._baseline: dict[Key, CaseResult] = {}
        self._has_run = False
        self._last: dict[Key, CaseResult] = {}
        """The cases as the last run left them."""
        self._changes: dict[Key, RunChange] = {}
        """The changes of the last run that changed something."""
        self._edited: dict[Key, tuple[CaseResult, RunChange]] = {}
        """Results since the last run that differ from it, with their changes."""
        self._since_baseline: dict[Key, RunChange] = {}

    def note(self, key: Key, scored: CaseResult) -> None:
        """Add the result of a case. It is compared at once, so no step depends on the number of cases."""
        last = self._last.get(key)
        if last is not None and is_alike(last, scored):
            is_other = self._edited.pop(key, None) is not None  # an edit that was undone
            self._last[key] = scored
        else:
            is_other = True
            self._edited[key] = scored, change_since(last, scored) if self._has_run else RunChange("same")
        if is_other and self.baseline_at is not None:
            self._since_baseline[key] = change_since_baseline(self._baseline.get(key), scored)

    def finish_run(self) -> bool:
        """End a run. Returns whether it changed anything since the previous run."""
        is_other = bool(self._edited)
        # A run without changes keeps the marks, so scoring the same files again erases nothing.
        if is_other:
            self._changes = {key: change for key, (_, change) in self._edited.items()}
            self._last.update((key, result) for key, (result, _) in self._edited.items())
            self._edited.clear()
        self._has_run = True
        return is_other

    def add_rate(self, passed: int, cases: int, *, is_other: bool) -> None:
        """Add the share of cases that passed in a run. A run that changed nothing replaces the previous one."""
        if self.rates and not is_other:
            self.rates.pop()
        self.rates.append(passed / cases if cases else 0.0)

    def change(self, key: Key) -> RunChange | None:
        """The change of a case since the baseline, else since the previous run; None if there is no change."""
        if self.baseline_at is not None:
            change = self._since_baseline.get(key)
        else:
            change = self._edited[key][1] if key in self._edited else self._changes.get(key)
        return change if change is not None and change.is_any else None

    def changes(self) -> Mapping[Key, RunChange]:
        """All changes. Deleted cases may be among them."""
        changes = self._since_baseline
        if self.baseline_at is None:
            changes = {**self._changes, **{key: change for key, (_, change) in self._edited.items()}}
        return {key: change for key, change in changes.items() if change.is_any}

    def keep_baseline(self, time: float) -> None:
        """Keep the current results as baseline, at a time in seconds since 1970."""
        edited = {key: result for key, (result, _) in self._edited.items()}
        self.baseline_at, self._baseline, self._since_baseline = time, {**self._last, **edited}, {}

    def drop_baseline(self) -> None:
        """Delete the baseline: compare with the previous run again."""
        self.baseline_at, self._baseline, self._since_baseline = None, {}, {}


def select_rows(
    cases: Mapping[Key, CaseResult | None],
    changes: Mapping[Key, RunChange],
    selection: ShownCases = "all",
    order: RowOrder = "failing first",
) -> list[Key]:
    """The cases to show, in order. Equal cases stay in the order of the set, which `cases` has.

    The result is None for a case that was not scored yet. An outdated case has its last one, so that no row jumps.
    """

    def rank(key: Key) -> int:
        result = cases[key]
        return STATUS_RANKS[result.status if result is not None else "not_evaluated"]

    def loss(key: Key) -> tuple[float, int]:
        # Rises count as no loss: the order is by what got worse, not by what moved.
        return min(changes[key].loss, 0.0) if key in changes else 0.0, rank(key)

    def place_of_change(key: Key) -> tuple[int, int]:
        place = REGRESSIONS_FIRST.index(changes[key].change) if key in changes else len(REGRESSIONS_FIRST)
        return place, rank(key)

    rows = [*cases]
    if selection == "failing":
        rows = [key for key, result in cases.items() if result is not None and result.status == "failed"]
    elif selection == "changed":
        rows = [key for key in cases if key in changes]
    sort_keys: dict[RowOrder, Callable[[Key], Any]] = {
        "failing first": rank,
        "biggest loss": loss,
        "changed first": place_of_change,
    }
    if order in sort_keys:
        rows.sort(key=sort_keys[order])
    return rows
