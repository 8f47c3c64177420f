"""Sets of a command line scored against their recordings, for `run`, `review` and `accept`."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.commands.set_arguments import SetArgument
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.file_access import is_folder
from evaltui.files.folder_search import Bounds, Walk
from evaltui.files.remote_path import is_remote
from evaltui.files.session_source import session_source
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_search import HISTORY
from evaltui.report.output import progress
from evaltui.runs.inputs import STDIN, Opened, ReadCases, SetsOfFolder, read_set, without_memory
from evaltui.runs.set_run import Recordings, RunOptions, run_set
from evaltui.scoring.criteria import CriteriaError
from evaltui.scoring.eval_config import find_config
from evaltui.scoring.results import ScoreTotals, exit_code
from evaltui.scoring.scored_set import ScoredSet, score_set
from evaltui.settings.project_settings import project_settings

if TYPE_CHECKING:  # few commands score again
    from evaltui.runs.score_memory import ScoreMemory

RefusedInput = (DocumentError, RecordingError, CriteriaError)
"""Errors for an input that cannot be used."""


@dataclass(slots=True)
class ScoredSets:
    """Sets that were scored."""

    runs: list[ScoredSet] = field(default_factory=list)
    inputs: set[Path] = field(default_factory=set)
    """Sets, configs, settings and named recordings; in a folder of sets also damaged files and other formats."""
    recordings: set[Path] = field(default_factory=set)
    """All files that the search for recordings found, even unused ones."""
    said: dict[str, None] = field(default_factory=dict)
    """Sentences about skipped inputs."""
    documents: dict[str, Document] = field(default_factory=dict)
    """The documents of the sets, by the name of the set; empty unless the caller asks for them."""
    broken: int = 0
    """The number of sets in a folder that could not be scored."""
    seconds: float = 0.0
    """The time of reading and scoring, if a watch measured it."""

    def exit_code(self, *, allow_not_evaluated: bool) -> int:
        """Exit code of the command (see `exit_code` in scoring/results.py)."""
        return exit_code(self.totals, is_open=self.is_open, allow_not_evaluated=allow_not_evaluated)

    @property
    def totals(self) -> ScoreTotals:
        """The totals of all sets."""
        totals = ScoreTotals()
        for run in self.runs:
            totals.joined(run.totals)
        return totals

    @property
    def is_open(self) -> bool:
        """Whether a set was skipped, or google-adk rejects a set apart from its cases."""
        return bool(self.broken) or any(run.subject.fault is not None for run in self.runs)


def run_options(given: Namespace) -> RunOptions:
    """The options of a command that scores sets."""
    return RunOptions(
        given.recording,
        given.config,
        given.metric,
        given.match_type,
        ignore_args=given.ignore_args,
        profile=given.profile,
        all_runs=given.runs == "all",
    )


def refuse_all_runs(given: Namespace) -> None:
    """Raise `DocumentError` for `--runs all`: a change accepts the values of one recording."""
    if given.runs == "all":
        raise DocumentError(
            f"--runs all works only with evaltui run; {given.command} uses the latest recording of each case"
        )


def score_sets(
    sets: Sequence[SetArgument],
    options: RunOptions,
    *,
    keep_documents: bool = False,
    memory: ScoreMemory | None = None,
    shows_progress: bool = True,
) -> ScoredSets:
    """Score each set. Inputs and results in `memory` are reused. Raises one of `RefusedInput`."""
    refuse_stdin_twice(sets, options)
    scored = ScoredSets()
    opened = scored.documents.__setitem__ if keep_documents else None

    def note(sentence: str) -> None:
        scored.said[sentence] = None

    shows_progress = shows_progress and sys.stderr.isatty()
    own = sum(size_of(each.name) for each in sets) if shows_progress else 0
    theirs = sum(size_of(name, HISTORY.parts[:1]) for name in options.recordings) if shows_progress else 0
    with progress(2 * own + theirs, "scoring") as tick:  # each case is read and scored
        read_cases = memory.case_reader if memory is not None else without_memory
        subjects = list(_subjects(sets, options.recordings, scored, note, tick, opened, read_cases))
        recordings = memory.recordings if memory is not None else Recordings(tick)
        for subject, ids in subjects:
            score = memory.scorer(subject) if memory is not None else score_set
            run = run_set(subject, options, recordings, note, tick, note=scored.recordings.add, score=score)
            scored.runs.append(replace(run, cases=tuple(case for case in run.cases if case.eval_id in ids)))
    scored.inputs.update(path for subject, _ in subjects for path in files_of(subject, options))
    return scored


def _subjects(
    sets: Sequence[SetArgument],
    recordings: Sequence[str],
    scored: ScoredSets,
    note: Callable[[str], None],
    tick: Callable[[int], None],
    opened: Opened | None,
    read_cases: ReadCases,
) -> Iterator[tuple[ExpectedSet, frozenset[str]]]:
    """Each set once, with the ids of its chosen cases. From a folder, only sets with a chosen case."""
    seen: set[str] = set()
    for argument in sets:
        if argument.name == STDIN or not os.path.isdir(argument.name):  # noqa: PTH112 - a long name is no folder
            subject = read_set(argument.name, tick, opened, read_cases)
            if is_new(subject, seen):
                yield subject, argument.chosen(case.eval_id for case in subject.cases)
            continue
        folder = SetsOfFolder(argument.name, recordings, note)
        found = [each for each in folder.read(tick, opened, read_cases) if is_new(each, seen)]
        scored.inputs.update(folder.inputs)
        scored.broken += folder.broken
        ids = argument.chosen(case.eval_id for subject in found for case in subject.cases)
        for subject in found:
            if not argument.ids or any(case.eval_id in ids for case in subject.cases):
                yield subject, ids


def is_new(subject: ExpectedSet, seen: set[str]) -> bool:
    """Whether a set was not seen before; it is noted in `seen`."""
    real = STDIN if subject.path is None else os.path.realpath(subject.path)
    is_new = real not in seen
    seen.add(real)
    return is_new


def files_of(subject: ExpectedSet, options: RunOptions) -> Iterator[Path]:
    """The input files of a set, including a config beside the set that `--config` replaces."""
    names = (*options.recordings, *filter(None, [options.config]))
    named = [Path(name) for name in names if name != STDIN and not is_remote(name)]
    yield from (session_source(path).file for path in named if not is_folder(path))
    if subject.path is not None:
        beside = find_config(subject.path, of_dataset=subject.is_dataset)
        settings = project_settings(subject.path.parent).path
        yield from (path for path in (subject.path, beside, settings) if path is not None)


def refuse_stdin_twice(sets: Sequence[SetArgument], options: RunOptions) -> None:
    """Raise `DocumentError` if several inputs are standard input."""
    uses = [any(each.name == STDIN for each in sets), STDIN in options.recordings, options.config == STDIN]
    if sum(uses) > 1:
        raise DocumentError(
            "only one input can be standard input (set, recording or config); give file names for the others"
        )


def size_of(name: str, hidden: Sequence[str] = ()) -> int:
    """The bytes of a file, or of all files in a folder; 0 if unknown.

    Hidden entries of a folder count only if their name is in `hidden`: others are not read.
    """
    size = 0
    with suppress(OSError, ValueError, DocumentError):
        path = session_source(Path(name)).file
        for each in Walk(path, Bounds(seconds=1), hidden=hidden) if path.is_dir() else [path]:
            size += each.stat().st_size if each.is_file() else 0
    return size
