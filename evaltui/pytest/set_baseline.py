"""The baselines of a run of pytest: which one is for a set, and what it says about a failing case."""

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


def about_failure(change: RunChange, name: str) -> str:
    """A sentence about a failing case: how it was in the baseline, whose file is `name`."""
    if change.change == "regressed":
        return f"regressed: this case passed in {name}"
    if change.change == "edited":
        return f"no regression: this case was edited since {name} was saved"
    if change.baseline is None:
        return f"no regression: this case is not in {name}"
    status, _ = change.baseline
    if status == "not_evaluated":
        return f"no regression: this case was not evaluated in {name}"
    return f"known failure: this case failed in {name}, too"


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


def changes_of_set(
    baselines: dict[str, Baseline], subject: ExpectedSet, criteria: Criteria, *, only_regressions: bool
) -> BaselineChanges:
    """The changes of a set since its baseline. Raises `EvaltuiError` if there is none.

    With `only_regressions`, a baseline with other criteria is refused, too.
    """
    fitting = [name for name, baseline in baselines.items() if baseline.is_for(subject)]
    if not fitting:
        command = "evaltui run --save-baseline FILE"
        raise EvaltuiError(f"no baseline is for {set_name(subject.title)}; save one with {command}")
    # A baseline without a title may be of any dataset, so one with the title of the set goes first.
    name = max(fitting, key=lambda name: baselines[name].set_title is not None)
    changes = BaselineChanges(baselines[name], subject, criteria, name)
    if changes.other_criteria and only_regressions:  # other thresholds make regressions where nothing got worse
        problem = f"{name}: this baseline was made with other criteria: {'; '.join(changes.other_criteria)}"
        raise EvaltuiError(f"{problem}. Save a new baseline, or use --evaltui-fail-on any")
    return changes
