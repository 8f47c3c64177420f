"""Outputs of a watch besides its display: comparison with a baseline, reports, exit code."""

from __future__ import annotations

from argparse import Namespace
from typing import NamedTuple

from evaltui.commands.report_files import Reports
from evaltui.commands.run_baselines import RunBaselines
from evaltui.report.run_notes import note_lines
from evaltui.runs.score_sets import ScoredRun


class SettledRun(NamedTuple):
    """A run that was compared and reported."""

    notes: list[str]
    """Sentences about skipped inputs, cases that are not evaluated, and unused recordings."""
    exit_code: int


class WatchOutputs:
    """The outputs of one watch. The baseline is read again for each run."""

    def __init__(self, given: Namespace) -> None:
        """Raise `DocumentError` for a report or a baseline that cannot be used."""
        self._given = given
        self.allow: bool = given.allow_not_evaluated
        self._new_reports()
        RunBaselines(given)
        self.baseline: str = given.baseline or ""
        """The file of the baseline; "" without one."""

    def _new_reports(self) -> Reports:
        """The reports of one run, which replace only the files that are there now."""
        return Reports(self._given.output, force=self._given.force)

    def settle(self, scored: ScoredRun, *, writes: bool = True) -> SettledRun:
        """Compare a run with the baseline and write the reports. Raises `DocumentError` for a file that cannot be used.

        Without `writes` the reports stay as they are.
        """
        baselines, reports = RunBaselines(self._given), self._new_reports()
        reports.spare_inputs(scored, baselines.inputs)
        baselines.compare(scored)
        if writes:
            reports.write(scored, allow_not_evaluated=self.allow)
        notes = [*scored.said, *note_lines(scored.runs, "watch", are_named=bool(self._given.recording))]
        return SettledRun(notes, baselines.exit_code(scored, allow_not_evaluated=self.allow))
