"""The changes of a run since its baseline: a word for each case, the cases that are gone, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import REGRESSIONS_FIRST, ScoreChange, Standing


class CaseChange(NamedTuple):
    """The change of one case."""

    change: ScoreChange
    before: Standing | None = None
    """The case in the baseline; None for a case that is new or edited, of which nothing is claimed."""
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
    """The differences between the criteria of the baseline and those of the run, in words; none where they agree."""

    def of(self, case: CaseResult) -> CaseChange:
        """The change of a case of the run."""
        return self.cases.get(case.number, _NEW)

    @property
    def counts(self) -> dict[ScoreChange, int]:
        """The number of cases with each change; all words are there, the regressions first."""
        found = Counter(each.change for each in self.cases.values())
        return {change: found[change] for change in REGRESSIONS_FIRST}


def regression_exit_code(
    cases: Sequence[CaseResult], changes: BaselineChanges, *, is_open: bool, allow_not_evaluated: bool
) -> int:
    """1 if a case regressed; else 3 if something that the baseline has is not evaluated now, or nothing is; else 0.

    `is_open` tells that google-adk rejects the set, or that a set was left out. With `allow_not_evaluated`, 0 in place
    of 3 if at least one case was evaluated.
    """
    if changes.counts["regressed"]:
        return 1
    has_verdict = any(case.status in ("passed", "failed") for case in cases)
    is_open = is_open or not has_verdict or any(each.is_lost for each in changes.cases.values())
    return 3 if is_open and not (allow_not_evaluated and has_verdict) else 0
