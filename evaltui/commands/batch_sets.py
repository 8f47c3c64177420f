"""Sets of a command line scored against their recordings in a batch run, for `run`."""

from __future__ import annotations

import os
from argparse import Namespace
from array import array
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from evaltui.commands.scored_sets import ScoredSets, files_of, is_new, refuse_stdin_twice, size_of
from evaltui.commands.set_arguments import SetArgument
from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.processes import LostProcessError, processors
from evaltui.recordings.recording_search import HISTORY
from evaltui.report.output import progress, progress_on
from evaltui.runs.batch.batch_run import BatchRun, Preparation
from evaltui.runs.batch.stored_cases import StoredSet
from evaltui.runs.batch.work_folder import WorkFolder
from evaltui.runs.inputs import STDIN, Note, Say, SetsOfFolder
from evaltui.runs.set_run import RunOptions
from evaltui.scoring.scored_set import ScoredSet

_WORTH_PROCESSES = 16_000_000
"""Bytes of sets and recordings from which on several processes are faster than one."""


class Engine(NamedTuple):
    """The machines that score."""

    name: Literal["local", "ray"] = "local"
    jobs: int | None = None
    """The number of processes on this machine; None chooses."""
    address: str | None = None
    """The address of a Ray cluster; None leaves it to Ray."""


def engine_of(given: Namespace) -> Engine:
    """The engine of a command line. Raises `DocumentError` for options that do not fit together."""
    if given.engine != "ray" and given.address is not None:
        raise DocumentError("--address is the address of a Ray cluster; add --engine ray")
    if given.address == "":
        raise DocumentError("--address is empty; give the address of a Ray cluster, or leave the option out")
    if given.engine == "ray" and given.jobs is not None:
        raise DocumentError("--jobs is for this machine; with --engine ray, all processors of the cluster work")
    return Engine(given.engine, given.jobs, given.address)


def score_in_batch(
    sets: Sequence[SetArgument],
    options: RunOptions,
    folder: WorkFolder,
    reports: Preparation,
    engine: Engine,
) -> ScoredSets:
    """Score each set. The results lie in `folder`. Raises one of `RefusedInput`."""
    refuse_stdin_twice(sets, options)
    scored = ScoredSets()

    def note(sentence: str) -> None:
        scored.said[sentence] = None

    own = sum(size_of(each.name) for each in sets)
    theirs = sum(size_of(name, HISTORY.parts[:1]) for name in options.recordings)
    jobs = engine.jobs or (processors() if own + theirs > _WORTH_PROCESSES else 1)
    is_here = engine.name == "local"
    with progress(2 * own + theirs if is_here else own, "scoring" if is_here else "reading") as tick:
        run = BatchRun(folder, options, jobs, tick)
        _Sets(run, scored, note).add(sets)
        if is_here:  # each case is read and scored
            scored.runs.extend(_on_this_machine(run, note, scored.recordings.add, reports))
    if not is_here:
        scored.runs.extend(_on_cluster(run, engine.address, note, scored.recordings.add, reports))
    scored.inputs.update(path for subject, _ in run.sets for path in files_of(subject, options))
    return scored


def _on_this_machine(run: BatchRun, say: Say, note: Note, reports: Preparation) -> list[ScoredSet]:
    try:
        return run.scored(say, note, reports)
    except LostProcessError as error:
        raise DocumentError(str(error)) from error


def _on_cluster(run: BatchRun, address: str | None, say: Say, note: Note, reports: Preparation) -> list[ScoredSet]:
    from evaltui.runs.cluster.connection import connected, load_ray

    load_ray()
    from evaltui.runs.cluster.cluster_run import ClusterRun
    from evaltui.runs.cluster.driver_process import terminal, waiting

    cluster_run = ClusterRun(run, lambda total: progress_on(terminal(), total, "scoring", waiting))
    cluster_run.find_inputs(note)
    with connected(address, lambda: progress_on(terminal(), None, "connecting to Ray", waiting)):
        return cluster_run.scored(say, reports)


class _Sets:
    """Adds the sets of a command line to a run, each once."""

    def __init__(self, run: BatchRun, scored: ScoredSets, note: Callable[[str], None]) -> None:
        self._run, self._scored, self._note = run, scored, note
        self._seen: set[str] = set()

    def add(self, sets: Sequence[SetArgument]) -> None:
        """Add all sets. Raises `DocumentError`."""
        for argument in sets:
            if argument.name == STDIN or not os.path.isdir(argument.name):  # noqa: PTH112 - a long name is no folder
                self._add_file(argument)
            else:
                self._add_folder(argument)

    def _add_file(self, argument: SetArgument) -> None:
        subject = self._run.read(argument.name)
        if is_new(subject, self._seen):
            self._run.add(subject, _chosen(subject, argument.chosen(subject.eval_ids)) if argument.ids else None)

    def _add_folder(self, argument: SetArgument) -> None:
        """Add the sets of a folder; if ids are given, only sets with a chosen case."""
        folder = SetsOfFolder(argument.name, self._run.options.recordings, self._note)
        read = folder.read(self._run.tick, read_large=self._large)
        found = [self._run.stored(each) for each in read if is_new(each, self._seen)]
        self._scored.inputs.update(folder.inputs)
        self._scored.broken += folder.broken
        if not argument.ids:
            for subject in found:
                self._run.add(subject, None)
            return
        ids = argument.chosen(eval_id for subject in found for eval_id in subject.eval_ids)
        for subject in found:
            if chosen := _chosen(subject, ids):
                self._run.add(subject, chosen)

    def _large(self, path: Path) -> ExpectedSet | None:
        subject = self._run.read_large(path)
        return None if subject is None or subject.is_dataset else subject


def _chosen(subject: StoredSet, ids: Collection[str]) -> Sequence[int]:
    """The places of the cases with these ids."""
    return array("L", (number for number, eval_id in enumerate(subject.eval_ids) if eval_id in ids))
