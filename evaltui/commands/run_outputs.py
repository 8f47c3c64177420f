"""Outputs of a run besides its display: reports (`-o`), a saved baseline, and the exit code.

`evaltui run` has one `RunOutputs`. `evaltui watch` has one for each run, so that it reads a changed baseline again.
"""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.commands.output_files import Outputs, is_null, is_same_file
from evaltui.document.disk.file_content import read_stdin
from evaltui.document.errors import DocumentError
from evaltui.evalset.file_formats import ENDINGS_OF_SETS
from evaltui.file_access import size_of
from evaltui.report.run_notes import note_lines
from evaltui.report.run_reports import ENDINGS, report_pieces
from evaltui.runs.score_sets import ScoredRun
from evaltui.runs.set_reader import STDIN

if TYPE_CHECKING:  # most runs have no baseline
    from evaltui.scoring.baseline_file import Baseline


class RunOutputs:
    """The files that a command line names with `-o`, `--baseline` and `--save-baseline`."""

    def __init__(self, options: Namespace) -> None:
        """Read the baseline, and check all outputs. Raises `DocumentError` for a file that cannot be used."""
        self._baseline_name: str | None = options.baseline
        self._target: str | None = options.save_baseline
        self._only_regressions: bool = options.fail_on == "regression"
        self._allows_not_evaluated: bool = options.allow_not_evaluated
        if self._only_regressions and self._baseline_name is None:
            raise DocumentError("--fail-on regression needs --baseline FILE to compare the run with")
        if self._target == STDIN:
            raise DocumentError("--save-baseline needs the name of a file: the report goes to standard output")
        if self._target is not None and _is_named_like_set(self._target):
            reason = "a baseline cannot be written to the file of an eval set; give another file name"
            raise DocumentError(f"{self._target}: {reason}")
        self._baseline: Baseline | None = None
        if self._baseline_name is not None:
            sets = [argument.partition(":")[0] for argument in options.sets]
            if self._baseline_name == STDIN and STDIN in (options.config, *options.recording, *sets):
                raise DocumentError("only one input can be standard input (set, recording, config or baseline)")
            from evaltui.runs.input_baseline import open_baseline

            # Read before the run: a long run must not end with the message that there is no such baseline.
            data = read_stdin() if self._baseline_name == STDIN else None
            self._baseline = open_baseline(self._baseline_name, data)
        targets = [Path(self._target)] if self._target is not None else []
        self._outputs = Outputs([*map(Path, options.output), *targets], force=options.force)
        # /dev/null has no file ending, and discards a report of any format.
        names = (name for name in options.output if not is_null(Path(name)))
        self.formats = {Path(name): _report_format(name, force=options.force) for name in names}
        """The formats of the reports."""

    def finish(self, scored: ScoredRun, *, writes: bool = True) -> None:
        """Compare a run with the baseline, and write the reports and the new baseline unless `writes` is false.

        Raises `DocumentError`, before anything is written, for an output that is an input of the scores, and for a
        baseline that cannot be compared.
        """
        inputs, name = [*scored.inputs], self._baseline_name
        # One name for both options is allowed: it updates the baseline after the comparison.
        if name is not None and name != STDIN and not (self._target and is_same_file(name, self._target)):
            inputs.append(Path(name))
        self._outputs.spare(inputs, scored.recordings)
        self._compare(scored)
        for path, report_format in self.formats.items() if writes else ():
            pieces = report_pieces(scored.runs, report_format, allow_not_evaluated=self._allows_not_evaluated)
            # Texts of an eval set may have lone surrogates, which JSON allows and UTF-8 does not.
            self._outputs.write(path, (piece.encode("utf-8", "backslashreplace") for piece in pieces))
        if self._target is None or not writes:
            return
        from evaltui.scoring.baseline_file import baseline_of, baseline_text, unique_ids

        (run,) = scored.runs
        baseline = baseline_of(run)
        self._outputs.write(Path(self._target), [baseline_text(baseline).encode()])
        scored.say(f"saved {self._target}: {_count_cases(len(baseline.cases))}")
        # A baseline finds its cases by eval_id, so a case without a unique one has no place in it.
        unique = unique_ids(run.subject)
        if unsaved := sum(case.eval_id not in unique for case in run.cases):
            scored.say(f"{self._target}: {_count_cases(unsaved)} not saved: eval_id is missing or a duplicate")

    def _compare(self, scored: ScoredRun) -> None:
        """Add the changes since the baseline to the run. Raises `DocumentError` if they cannot be compared."""
        name = self._baseline_name
        if name is None and self._target is None:
            return
        if len(scored.runs) != 1:
            count = f"there are {len(scored.runs)}" if scored.runs else "there is none"
            raise DocumentError(f"a baseline belongs to one set, but {count} here; run each set with its own baseline")
        if name is None or self._baseline is None:
            return
        from evaltui.scoring.baseline_changes import with_changes

        (run,) = scored.runs
        compared = with_changes(run, self._baseline, name, only_regressions=self._only_regressions)
        if compared.changes is not None and compared.changes.other_criteria:
            differences = "; ".join(compared.changes.other_criteria)
            warning = f"{name}: this baseline was made with other criteria"
            # Other criteria change verdicts although the agent is the same. --fail-on would call that a regression.
            if self._only_regressions:
                raise DocumentError(f"{warning}: {differences}. Save a new baseline, or use --fail-on any")
            scored.say(f"{warning}, so verdicts may differ: {differences}")
        scored.runs[:] = [compared]

    def exit_code(self, scored: ScoredRun) -> int:
        """Exit code of the command, by `--fail-on`."""
        allows = self._allows_not_evaluated
        changes = scored.runs[0].changes if scored.runs else None
        if not self._only_regressions or changes is None:
            return scored.exit_code(allow_not_evaluated=allows)
        from evaltui.scoring.baseline_changes import regression_exit_code

        return regression_exit_code(scored.totals, changes, is_open=scored.is_open, allow_not_evaluated=allows)


def finish_watched_run(options: Namespace, scored: ScoredRun, *, writes: bool = True) -> tuple[list[str], int]:
    """Compare a run of a watch, and write its reports unless `writes` is false. Returns its notes and the exit code.

    Raises `DocumentError` for a file that cannot be used.
    """
    # New outputs for each run: a report that somebody else changed since the last run is then replaced, not refused.
    outputs = RunOutputs(options)
    outputs.finish(scored, writes=writes)
    notes = [*scored.notes, *note_lines(scored.runs, "watch", are_named=bool(options.recording))]
    return notes, outputs.exit_code(scored)


def _report_format(name: str, *, force: bool) -> str:
    """The format of a report, by the ending of the name on the command line. Raises `DocumentError`."""
    if _is_named_like_set(name):
        raise DocumentError(f"{name}: a report cannot be written to the file of an eval set; give another file name")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        raise DocumentError(f"{name}: no report has this file ending; use one of {', '.join(ENDINGS)}")
    # Somebody else may have made a link with the name of a report. The file that it leads to is no report, so it stays.
    target = Path(os.path.realpath(name))
    if target.suffix.lower() not in ENDINGS and not force and size_of(target):
        reason = f"this link leads to {target}, which does not have the name of a report"
        raise DocumentError(f"{name}: {reason}; give another file name, or use --force")
    return ENDINGS[ending]


def _is_named_like_set(name: str) -> bool:
    # A link may hide the ending of the file that would be replaced.
    return any(path.lower().endswith(ENDINGS_OF_SETS) for path in (name, os.path.realpath(name)))


def _count_cases(count: int) -> str:
    return f"{count} case{'s' * (count != 1)}"
