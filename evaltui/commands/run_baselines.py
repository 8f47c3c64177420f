"""Baselines of `evaltui run`: `--baseline`, `--save-baseline` and `--fail-on`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.commands.output_files import Outputs, is_same_file
from evaltui.document.disk.file_content import read_stdin
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.runs.score_sets import ScoredRun
from evaltui.runs.set_reader import STDIN

if TYPE_CHECKING:  # most runs have no baseline
    from evaltui.scoring.baseline import Baseline


class RunBaselines:
    """The baselines that a command line names: one to compare with, one to write."""

    def __init__(self, given: Namespace) -> None:
        """Read the baseline to compare with. Raises `DocumentError`."""
        self._name: str | None = given.baseline
        self._target: str | None = given.save_baseline
        self._only_regressions: bool = given.fail_on == "regression"
        if self._only_regressions and self._name is None:
            raise DocumentError("--fail-on regression needs --baseline FILE to compare the run with")
        if self._target is not None:
            _refuse_target(self._target)
        sets = [each.partition(":")[0] for each in given.sets]
        if self._name == STDIN and STDIN in (given.config, *given.recording, *sets):
            raise DocumentError("only one input can be standard input (set, recording, config or baseline)")
        self._baseline: Baseline | None = None
        if self._name is not None:
            from evaltui.runs.baseline_file import open_baseline

            self._baseline = open_baseline(self._name, read_stdin() if self._name == STDIN else None)

    @property
    def outputs(self) -> Iterator[Path]:
        """The file to write, if there is one."""
        if self._target is not None:
            yield Path(self._target)

    @property
    def inputs(self) -> Iterator[Path]:
        """The file to compare with, which no output replaces. `--save-baseline` may name the same one."""
        if self._name is None or self._name == STDIN:
            return
        if self._target is None or not is_same_file(Path(self._name), Path(self._target)):
            yield Path(self._name)

    def compare(self, scored: ScoredRun) -> None:
        """Add the changes since the baseline to the run. Raises `DocumentError` if they cannot be compared."""
        if self._name is None and self._target is None:
            return
        if len(scored.runs) != 1:
            found = f"there are {len(scored.runs)}" if scored.runs else "there is none"
            raise DocumentError(f"a baseline belongs to one set, but {found} here; run each set with its own baseline")
        if self._name is None or self._baseline is None:
            return
        from evaltui.runs.baseline_file import with_changes

        (run,) = scored.runs
        compared = with_changes(run, self._baseline, self._name, only_regressions=self._only_regressions)
        others = compared.changes.other_criteria if compared.changes is not None else ()
        if others and self._only_regressions:
            told = f"{self._name}: this baseline was made with other criteria: {'; '.join(others)}"
            raise DocumentError(f"{told}. Save a new baseline, or use --fail-on any")
        if others:
            scored.said[
                f"{self._name}: this baseline was made with other criteria, so verdicts may differ: {'; '.join(others)}"
            ] = None
        scored.runs[:] = [compared]

    def save(self, scored: ScoredRun, outputs: Outputs) -> None:
        """Write the new baseline as one of the outputs, and report it. Raises `DocumentError`."""
        if self._target is None:
            return
        from evaltui.scoring.baseline import baseline_of, baseline_text, unique_ids

        (run,) = scored.runs
        baseline = baseline_of(run)
        outputs.write(Path(self._target), [baseline_text(baseline).encode()])
        scored.said[f"saved {self._target}: {_cases(len(baseline.cases))}"] = None
        unique = unique_ids(run.subject)
        nameless = sum(case.eval_id not in unique for case in run.cases)
        if nameless:
            told = f"{self._target}: {_cases(nameless)} not saved: eval_id is missing or a duplicate"
            scored.said[told] = None

    def exit_code(self, scored: ScoredRun, *, allow_not_evaluated: bool) -> int:
        """Exit code of the command, by `--fail-on`."""
        changes = scored.runs[0].changes if scored.runs else None
        if not self._only_regressions or changes is None:
            return scored.exit_code(allow_not_evaluated=allow_not_evaluated)
        from evaltui.scoring.baseline_changes import regression_exit_code

        return regression_exit_code(
            scored.totals, changes, is_open=scored.is_open, allow_not_evaluated=allow_not_evaluated
        )


def _refuse_target(name: str) -> None:
    if name == STDIN:
        raise DocumentError("--save-baseline needs the name of a file: the report goes to standard output")
    if any(each.lower().endswith(ENDINGS_OF_SETS) for each in (name, os.path.realpath(name))):
        raise DocumentError(f"{name}: a baseline cannot be written to the file of an eval set; give another file name")


def _cases(count: int) -> str:
    return f"{count} case{'s' * (count != 1)}"
