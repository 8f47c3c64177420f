"""Changes of a run since its baseline: a word for each case, the deleted cases, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from evaltui.scoring.results import CaseResult, ScoreTotals
from evaltui.scoring.score_change import REGRESSIONS_FIRST, ScoreChange, Standing


class CaseChange(NamedTuple):
    """The change of one case."""

    change: ScoreChange
    before: Standing | None = None
    """The case in the baseline; None for a new or edited case, which cannot be compared."""
    is_lost: bool = False
    """Whether the case or a metric of it was evaluated in the baseline and is not evaluated now."""


_NEW = CaseChange("new")


class BaselineChanges(NamedTuple):
    """The changes of all cases of a run since its baseline."""

    name: str
    """The file of the baseline, as it was given."""
    cases: Mapping[int, CaseChange]
    """The changes by the place of the case in its set, from 0."""
    gone: tuple[str, ...] = ()
    """The eval_ids of the baseline that the set no longer has, in order."""
    other_criteria: tuple[str, ...] = ()
    """Phrases for the differences between the criteria of the baseline and of the run; empty if there are none."""
    only_regressions: bool = False
    """Whether only what is worse than in the baseline fails the run, as `--fail-on regression` has it."""

    def of(self, case: CaseResult) -> CaseChange:
        """The change of a case of the run."""
        return self.cases.get(case.number, _NEW)

    @property
    def counts(self) -> dict[ScoreChange, int]:
        """The number of cases with each change, also 0; regressions first."""
        found = Counter(each.change for each in self.cases.values())
        return {change: found[change] for change in REGRESSIONS_FIRST}


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
    is_open = is_open or not has_verdict or any(each.is_lost for each in changes.cases.values())
    return 3 if is_open and not (allow_not_evaluated and has_verdict) else 0
