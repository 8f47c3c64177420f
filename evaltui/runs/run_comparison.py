"""Comparison of the runs of one set: changes in the last run, or since the run that was kept as baseline.

A run without changes keeps the marks of the previous run, so scoring the same files again erases nothing. Each result
is compared when it arrives (`note`), so no step depends on the number of cases.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, NamedTuple, TypeVar

from evaltui.scoring.case_change import RunChange, ScoredCase, change_since, change_since_baseline, is_alike

Key = TypeVar("Key", bound=Hashable)
"""The identity of a case from run to run: a node of the document in the editor, an eval_id elsewhere."""


class KeptRun(NamedTuple, Generic[Key]):
    """A run that later ones are compared with."""

    at: float
    """When it was kept, in seconds since 1970."""
    cases: dict[Key, ScoredCase]


class RunComparison(Generic[Key]):
    """Compares results as they arrive. A case that is edited and scored between two runs counts at once."""

    def __init__(self) -> None:
        self.baseline: KeptRun[Key] | None = None
        self._has_run = False
        self._last: dict[Key, ScoredCase] = {}
        """The cases as the last run left them."""
        self._changes: dict[Key, RunChange] = {}
        """The changes of the last run that changed something."""
        self._now: dict[Key, ScoredCase] = {}
        """Results since the last run that differ from it."""
        self._changes_now: dict[Key, RunChange] = {}
        """The changes of the results in `_now`."""
        self._since_baseline: dict[Key, RunChange] = {}

    def note(self, key: Key, now: ScoredCase) -> None:
        """Add the result of a case."""
        last = self._last.get(key)
        self._changes_now.pop(key, None)
        if last is not None and is_alike(last, now):
            was_other = self._now.pop(key, None) is not None
            self._last[key] = now
        else:
            was_other = True
            self._now[key] = now
            if self._has_run:
                _put(self._changes_now, key, change_since(last, now))
        if was_other and self.baseline is not None:
            _put(self._since_baseline, key, change_since_baseline(self.baseline.cases.get(key), now))

    def finish_run(self) -> bool:
        """End a run. Returns whether it changed anything since the previous run."""
        is_other = bool(self._now)
        if is_other:
            self._changes, self._changes_now = self._changes_now, {}
            self._last.update(self._now)
            self._now.clear()
        self._has_run = True
        return is_other

    def change(self, key: Key) -> RunChange | None:
        """The change of a case since the baseline, else since the previous run; None if there is no change."""
        if self.baseline is not None:
            return self._since_baseline.get(key)
        return self._changes_now.get(key) if key in self._now else self._changes.get(key)

    def changes(self) -> Mapping[Key, RunChange]:
        """All changes. Deleted cases may be among them."""
        if self.baseline is not None:
            return self._since_baseline
        if not self._now:
            return self._changes
        kept = {key: change for key, change in self._changes.items() if key not in self._now}
        return {**kept, **self._changes_now}

    def keep_baseline(self, at: float) -> None:
        """Keep the current results as baseline."""
        self.baseline = KeptRun(at, {**self._last, **self._now})
        self._since_baseline = {}

    def drop_baseline(self) -> None:
        """Delete the baseline: compare with the previous run again."""
        self.baseline = None
        self._since_baseline = {}


def _put(changes: dict[Key, RunChange], key: Key, change: RunChange) -> None:
    if change.is_any:
        changes[key] = change
    else:
        changes.pop(key, None)
