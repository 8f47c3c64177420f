"""`evaltui run`: sets scored against recordings, printed and written as reports.

All is read and scored before anything is printed or written: where something cannot be read, nothing is on stdout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from evaltui.document import DocumentError
from evaltui.document.file_replacement import write_file
from evaltui.printable import printable, write_line
from evaltui.recordings.conversation import RecordingError
from evaltui.report.progress import progress
from evaltui.report.run_reports import ENDINGS, print_report, report_text
from evaltui.report.run_summary import open_lines
from evaltui.run_inputs import read_set
from evaltui.run_selection import SetArgument, set_arguments
from evaltui.running import Recordings, RunOptions, run_set
from evaltui.scoring.criteria import CriteriaError
from evaltui.scoring.run import Run
from evaltui.scoring.summing import exit_code
from evaltui.search.bounds import Bounds
from evaltui.search.walk import Walk

_SETS = (".evalset.json", ".test.json")
RefusedInput = (DocumentError, RecordingError, CriteriaError)
"""What is said when an input cannot be used."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    sets: Sequence[str]
    options: RunOptions
    format: str = "table"
    outputs: Sequence[str] = ()
    allow_not_evaluated: bool = False
    colour: str = "auto"


def run_command(wanted: Wanted) -> int:
    """Score, print and write; exit code 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    try:
        outputs = [(Path(name), _format_of(name)) for name in wanted.outputs]
        runs = scored(set_arguments(wanted.sets), wanted.options)
        _spare_inputs([path for path, _ in outputs], runs)
        for path, form in outputs:
            text = report_text(runs, form, allow_not_evaluated=wanted.allow_not_evaluated)
            write_file(path, text.encode("utf-8", "backslashreplace"))
    except RefusedInput as error:
        _say(str(error))
        return 2
    print_report(runs, wanted.format, wanted.colour, allow_not_evaluated=wanted.allow_not_evaluated)
    for line in open_lines(runs):
        _say(line)
    cases = [case for run in runs for case in run.cases]
    return exit_code(cases, allow_not_evaluated=wanted.allow_not_evaluated)


def scored(sets: Sequence[SetArgument], options: RunOptions) -> list[Run]:
    """A run for each set. Raises one of `RefusedInput`."""
    own, theirs = sum(_size_of(each.name) for each in sets), sum(map(_size_of, options.recordings))
    with progress(2 * own + theirs, "scoring") as tick:  # each case is read and scored
        subjects = [read_set(argument.name, tick) for argument in sets]
        chosen = [each.chosen(case.eval_id for case in one.cases) for each, one in zip(sets, subjects, strict=True)]
        recordings, said = Recordings(tick), set[str]()

        def say_once(text: str) -> None:
            if text not in said:
                said.add(text)
                _say(text)

        runs = [run_set(subject, options, recordings, say_once, tick) for subject in subjects]
    return [
        replace(run, cases=tuple(case for case in run.cases if case.eval_id in ids))
        for run, ids in zip(runs, chosen, strict=True)
    ]


def _size_of(name: str) -> int:
    """The bytes of a file, or of all in a folder, for the progress bar; 0 where nobody knows or looks."""
    if not sys.stderr.isatty():
        return 0
    size = 0
    with suppress(OSError, ValueError, DocumentError):
        path = Path(name)
        for each in Walk(path, Bounds(seconds=1)) if path.is_dir() else [path]:
            size += each.stat().st_size if each.is_file() else 0
    return size


def _spare_inputs(outputs: Sequence[Path], runs: Sequence[Run]) -> None:
    """Raises `DocumentError` for a report in the place of what was read."""
    inputs = {
        os.path.realpath(path)
        for run in runs
        for path in (run.subject.path, run.criteria.path, *(each.path for each in run.recordings))
        if path is not None
    }
    for path in outputs:
        if os.path.realpath(path) in inputs:
            raise DocumentError(f"{path}: a report would take the place of what was scored; name another file")


def _format_of(name: str) -> str:
    if name.lower().endswith(_SETS):
        raise DocumentError(f"{name}: a report would take the place of an eval set; name another file")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise DocumentError(f"{name}: its ending does not tell which report to write; there are {known}")
    return ENDINGS[ending]


def _say(text: str) -> None:
    write_line("stderr", printable(f"evaltui: {text}"))
