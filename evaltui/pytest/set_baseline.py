"""The baseline of an eval set in a run of pytest: what it says about each case, and what it excuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from evaltui.api.inputs import EvaltuiError, refusals
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.runs.input_baseline import open_baseline
from evaltui.scoring.baseline_changes import BaselineChanges, set_name
from evaltui.scoring.baseline_file import Baseline
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.score_change import RunChange


class SetBaseline:
    """The baseline of one set."""

    def __init__(self, name: str, baseline: Baseline, subject: ExpectedSet, criteria: Criteria) -> None:
        self.name = name
        """The file, as messages name it."""
        changes = BaselineChanges(baseline, subject, criteria, name)
        self.other_criteria = "; ".join(changes.other_criteria)
        """The differences between its criteria and those of the run; "" if there are none."""
        self.change_of = changes.change_of
        """The change of a case since the baseline."""

    def about_failure(self, change: RunChange) -> str:
        """A sentence about a failing case: how it was in the baseline."""
        if change.change == "regressed":
            return f"regressed: this case passed in {self.name}"
        if change.change == "edited":
            return f"no regression: this case was edited since {self.name} was saved"
        if change.baseline is None:
            return f"no regression: this case is not in {self.name}"
        if change.baseline.status == "not_evaluated":
            return f"no regression: this case was not evaluated in {self.name}"
        return f"known failure: this case failed in {self.name}, too"


def read_baselines(paths: Sequence[str], show: Callable[[Path], Path]) -> dict[str, Baseline]:
    """The baselines by the names of their files. Raises `EvaltuiError` if two are for one set."""
    baselines: dict[str, Baseline] = {}
    by_set: dict[str | None, str] = {}
    for path in paths:
        name = str(show(Path(path)))
        with refusals():
            baseline = open_baseline(path)
        if (other_name := by_set.setdefault(baseline.set_title, name)) != name:
            same = "the same set" if baseline.set_title is not None else "a set without eval_set_id, too"
            raise EvaltuiError(f"{name}: {other_name} is for {same}; give one baseline for each set")
        baselines[name] = baseline
    return baselines


def baseline_of_set(
    baselines: dict[str, Baseline], subject: ExpectedSet, criteria: Criteria, *, only_regressions: bool
) -> SetBaseline:
    """The baseline of a set. Raises `EvaltuiError` if there is none.

    With `only_regressions`, a baseline with other criteria is refused, too.
    """
    fitting = [name for name, baseline in baselines.items() if baseline.is_for(subject)]
    if not fitting:
        command = "evaltui run --save-baseline FILE"
        raise EvaltuiError(f"no baseline is for {set_name(subject.title)}; save one with {command}")
    # A baseline without a title may be of any dataset, so one with the title of the set goes first.
    name = max(fitting, key=lambda name: baselines[name].set_title is not None)
    baseline = SetBaseline(name, baselines[name], subject, criteria)
    if baseline.other_criteria and only_regressions:  # other thresholds make regressions where nothing got worse
        problem = f"{name}: this baseline was made with other criteria: {baseline.other_criteria}"
        raise EvaltuiError(f"{problem}. Save a new baseline, or use --evaltui-fail-on any")
    return baseline
