"""`evaltui run`: sets scored against recordings, printed and written as reports.

All is read and scored before anything is printed or written: where something cannot be read, nothing is on stdout.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from evaltui.commands.output_files import Outputs
from evaltui.document.disk.file_replacement import write_file
from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.file_access import is_folder
from evaltui.files.folder_search import Bounds, Walk
from evaltui.interrupt import deferred
from evaltui.printable import say
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_search import HISTORY
from evaltui.report.output import progress
from evaltui.report.run_notes import note_lines
from evaltui.report.run_reports import ENDINGS, print_report, report_text
from evaltui.runs.inputs import STDIN, SetsOfFolder, read_set
from evaltui.runs.set_run import Recordings, RunOptions, run_set
from evaltui.scoring.criteria import CriteriaError
from evaltui.scoring.eval_config import find_config
from evaltui.scoring.results import exit_code
from evaltui.scoring.scored_set import ScoredSet
from evaltui.settings.project_settings import project_settings

RefusedInput = (DocumentError, RecordingError, CriteriaError)
"""Errors for an input that cannot be used."""


# --- SET or SET:ID,ID, as `adk eval` has it, with globs --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetArgument:
    """One SET of a command line."""

    name: str
    """The file, or `-`."""
    ids: tuple[str, ...] = ()
    """Ids or globs of ids; none for all cases."""

    def chosen(self, eval_ids: Iterable[str]) -> frozenset[str]:
        """Ids chosen by the argument. Raises `DocumentError` for a pattern that matches none."""
        every = frozenset(eval_ids)
        if not self.ids:
            return every
        chosen: set[str] = set()
        for pattern in self.ids:
            found = {pattern} & every or {each for each in every if fnmatchcase(each, pattern)}
            if not found:
                raise DocumentError(f"{self.name}: no case has the eval_id {pattern}{_near(pattern, every)}")
            chosen |= found
        return frozenset(chosen)


def set_arguments(given: Sequence[str]) -> list[SetArgument]:
    """The sets of a command line, each file once; the ids of one that stands several times are joined."""
    found: dict[str, SetArgument] = {}
    for text in given:
        argument = set_argument(text)
        known = found.get(argument.name)
        if known is None:
            found[argument.name] = argument
        else:
            both = (*known.ids, *argument.ids) if known.ids and argument.ids else ()
            found[argument.name] = SetArgument(argument.name, both)
    return list(found.values())


def set_argument(text: str) -> SetArgument:
    """Parse one SET. The file is the shortest part before a colon that names one."""
    if not text:
        raise DocumentError("a SET is empty")
    colons = [at for at, sign in enumerate(text) if sign == ":"]
    if not _is_there(text):
        for at in colons:
            if _is_there(text[:at]):
                ids = tuple(part for each in text[at + 1 :].split(",") if (part := each.strip()))
                return SetArgument(text[:at], ids)
    return SetArgument(text)


def _is_there(name: str) -> bool:
    try:
        return name == "-" or Path(name).exists()
    except (OSError, ValueError):
        return False


def _near(pattern: str, eval_ids: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(pattern, sorted(eval_ids), 1)
    return f"; did you mean {near[0]}?" if near else ""


# --- the command ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ScoredSets:
    """Sets that were scored."""

    runs: list[ScoredSet] = field(default_factory=list)
    inputs: set[Path] = field(default_factory=set)
    """Sets, configs, settings and named recordings; of a folder of sets also what is damaged or of another format."""
    recordings: set[Path] = field(default_factory=set)
    """All files that the search for recordings found, used or not."""
    said: dict[str, None] = field(default_factory=dict)
    """Sentences about inputs that were left out."""
    broken: int = 0
    """How many sets of a folder could not be scored."""

    def exit_code(self, *, allow_not_evaluated: bool) -> int:
        """Exit code of the command (see `exit_code` in scoring/results.py)."""
        cases = [case for run in self.runs for case in run.cases]
        is_open = bool(self.broken) or any(run.subject.fault is not None for run in self.runs)
        return exit_code(cases, is_open=is_open, allow_not_evaluated=allow_not_evaluated)


def run(given: Namespace) -> int:
    """Score, print and write; exit code 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    options = _run_options(given)
    allow: bool = given.allow_not_evaluated
    try:
        forms = [_format_of(name) for name in given.output]
        outputs = Outputs([Path(name) for name in given.output])
        scored = score_sets(set_arguments(given.sets), options)
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
    print_report(scored.runs, given.format, given.color, allow_not_evaluated=allow)
    for line in note_lines(scored.runs):
        say(line)
    return scored.exit_code(allow_not_evaluated=allow)


def _run_options(given: Namespace) -> RunOptions:
    return RunOptions(
        given.recording,
        given.config,
        given.metric,
        given.match_type,
        ignore_args=given.ignore_args,
        profile=given.profile,
        all_runs=given.runs == "all",
    )


def score_sets(sets: Sequence[SetArgument], options: RunOptions) -> ScoredSets:
    """A run for each set. Raises one of `RefusedInput`."""
    _refuse_stdin_twice(sets, options)
    scored = ScoredSets()

    def note(sentence: str) -> None:
        scored.said[sentence] = None

    own = sum(_size_of(each.name) for each in sets)
    theirs = sum(_size_of(name, HISTORY.parts[:1]) for name in options.recordings)
    with progress(2 * own + theirs, "scoring") as tick:  # each case is read and scored
        subjects = list(_subjects(sets, scored, note, tick))
        recordings = Recordings(tick)
        for subject, ids in subjects:
            run = run_set(subject, options, recordings, note, tick, note=scored.recordings.add)
            scored.runs.append(replace(run, cases=tuple(case for case in run.cases if case.eval_id in ids)))
    scored.inputs.update(path for subject, _ in subjects for path in _files_of(subject, options))
    return scored


def _subjects(
    sets: Sequence[SetArgument], scored: ScoredSets, note: Callable[[str], None], tick: Callable[[int], None]
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


def _size_of(name: str, hidden: Sequence[str] = ()) -> int:
    """The bytes of a file, or of all in a folder, for the progress bar; 0 where nobody knows or looks.

    Of a folder's hidden entries only those called as in `hidden` count: others are not read either.
    """
    if not sys.stderr.isatty():
        return 0
    size = 0
    with suppress(OSError, ValueError, DocumentError):
        path = Path(name)
        for each in Walk(path, Bounds(seconds=1), hidden=hidden) if path.is_dir() else [path]:
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
