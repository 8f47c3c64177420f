"""`evaltui run`: sets scored against recordings, printed and written as reports.

All is read and scored before anything is printed or written: where something cannot be read, nothing is on stdout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.document import DocumentError
from evaltui.document.file_replacement import write_file
from evaltui.evalset.configs import find_config
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.existence import is_folder
from evaltui.files.folder_walk import Walk
from evaltui.files.search_bounds import Bounds
from evaltui.interrupt import deferred
from evaltui.outputs import Outputs
from evaltui.printable import say
from evaltui.project_settings import project_settings
from evaltui.recordings.conversation import RecordingError
from evaltui.report.progress import progress
from evaltui.report.run_reports import ENDINGS, print_report, report_text
from evaltui.report.run_summary import open_lines
from evaltui.run_inputs import STDIN, SetsOfFolder, read_set
from evaltui.run_selection import SetArgument, set_arguments
from evaltui.running import Recordings, RunOptions, run_set
from evaltui.scoring.criteria import CriteriaError
from evaltui.scoring.run import Run
from evaltui.scoring.summing import exit_code

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


@dataclass(slots=True)
class Scored:
    """What was scored."""

    runs: list[Run] = field(default_factory=list)
    inputs: set[Path] = field(default_factory=set)
    """Sets, configs, settings and named recordings; of a folder of sets also what is damaged or of another format."""
    recordings: set[Path] = field(default_factory=set)
    """All files that the search for recordings found, used or not."""
    said: dict[str, None] = field(default_factory=dict)
    """What was left out, a sentence each."""
    broken: int = 0
    """How many sets of a folder could not be scored."""

    def exit_code(self, *, allow_not_evaluated: bool) -> int:
        """That of the command, see `exit_code` of summing."""
        cases = [case for run in self.runs for case in run.cases]
        is_open = bool(self.broken) or any(run.subject.fault is not None for run in self.runs)
        return exit_code(cases, is_open=is_open, allow_not_evaluated=allow_not_evaluated)


def run_command(wanted: Wanted) -> int:
    """Score, print and write; exit code 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    allow = wanted.allow_not_evaluated
    try:
        forms = [_format_of(name) for name in wanted.outputs]
        outputs = Outputs([Path(name) for name in wanted.outputs])
        scored = score_sets(set_arguments(wanted.sets), wanted.options)
        outputs.spare(scored.inputs, scored.recordings)
        texts = [report_text(scored.runs, form, allow_not_evaluated=allow) for form in forms]
        for path, text in zip(outputs.paths, texts, strict=True):
            with deferred():
                write_file(path, text.encode("utf-8", "backslashreplace"))
    except RefusedInput as error:
        say(error)
        return 2
    for line in scored.said:
        say(line)
    print_report(scored.runs, wanted.format, wanted.colour, allow_not_evaluated=allow)
    for line in open_lines(scored.runs):
        say(line)
    return scored.exit_code(allow_not_evaluated=allow)


def score_sets(sets: Sequence[SetArgument], options: RunOptions) -> Scored:
    """A run for each set. Raises one of `RefusedInput`."""
    _refuse_stdin_twice(sets, options)
    scored = Scored()

    def note(sentence: str) -> None:
        scored.said[sentence] = None

    own, theirs = sum(_size_of(each.name) for each in sets), sum(map(_size_of, options.recordings))
    with progress(2 * own + theirs, "scoring") as tick:  # each case is read and scored
        subjects = list(_subjects(sets, scored, note, tick))
        recordings = Recordings(tick)
        for subject, ids in subjects:
            run = run_set(subject, options, recordings, note, tick, note=scored.recordings.add)
            scored.runs.append(replace(run, cases=tuple(case for case in run.cases if case.eval_id in ids)))
    scored.inputs.update(path for subject, _ in subjects for path in _files_of(subject, options))
    return scored


def _subjects(
    sets: Sequence[SetArgument], scored: Scored, note: Callable[[str], None], tick: Callable[[int], None]
) -> Iterator[tuple[ExpectedSet, frozenset[str]]]:
    """Each set once, with the ids of its cases that are asked for; of a folder those that have any of them."""
    seen: set[str] = set()
    for argument in sets:
        if argument.name == STDIN or not os.path.isdir(argument.name):  # noqa: PTH112 - a long name is no folder
            subject = read_set(argument.name, tick)
            if _is_new(subject, seen):
                yield subject, argument.chosen(case.eval_id for case in subject.cases)
            continue
        folder = SetsOfFolder(argument.name, note)
        found = [each for each in folder.read(tick) if _is_new(each, seen)]
        scored.inputs.update(folder.inputs)
        scored.broken += folder.broken
        ids = argument.chosen(case.eval_id for subject in found for case in subject.cases)
        for subject in found:
            if not argument.ids or any(case.eval_id in ids for case in subject.cases):
                yield subject, ids


def _is_new(subject: ExpectedSet, seen: set[str]) -> bool:
    real = STDIN if subject.path is None else os.path.realpath(subject.path)
    is_new = real not in seen
    seen.add(real)
    return is_new


def _files_of(subject: ExpectedSet, options: RunOptions) -> Iterator[Path]:
    """The files that say what is scored and how; also a config beside the set that another is taken for."""
    named = [Path(name) for name in (*options.recordings, *filter(None, [options.config])) if name != STDIN]
    yield from (path for path in named if not is_folder(path))
    if subject.path is not None:
        beside, settings = find_config(subject.path), project_settings(subject.path.parent).path
        yield from (path for path in (subject.path, beside, settings) if path is not None)


def _refuse_stdin_twice(sets: Sequence[SetArgument], options: RunOptions) -> None:
    uses = [any(each.name == STDIN for each in sets), STDIN in options.recordings, options.config == STDIN]
    if sum(uses) > 1:
        raise DocumentError("standard input can be only one of the set, a recording and the config; name files")


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


def _format_of(name: str) -> str:
    real = os.path.realpath(name)
    if any(each.lower().endswith(ENDINGS_OF_SETS) for each in (name, real)):
        raise DocumentError(f"{name}: a report would take the place of an eval set; name another file")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS or Path(real).suffix.lower() not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise DocumentError(f"{name}: its ending does not tell which report to write; there are {known}")
    return ENDINGS[ending]
