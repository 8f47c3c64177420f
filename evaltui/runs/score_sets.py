"""One run: sets read, matched with their recordings, and scored, in this process or in several."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.file_access import is_folder
from evaltui.files.folder_search import Bounds, walk
from evaltui.files.session_source import is_remote, session_file
from evaltui.processes import in_processes, processors
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.matching import MatchForm, Matching
from evaltui.recordings.recording_copies import copies_among
from evaltui.recordings.recording_search import HISTORY
from evaltui.runs.config_file import criteria_for
from evaltui.runs.input_recordings import FindCopies, recording_files
from evaltui.runs.input_sets import read_sets
from evaltui.runs.recording_reader import RecordingReader, read_recordings
from evaltui.runs.result_spool import ResultSpool
from evaltui.runs.run_options import RunOptions, SetArgument
from evaltui.runs.score_blocks import (
    CaseToScore,
    Prepare,
    PreparedResult,
    ScoreSettings,
    blocks_of,
    score_block,
    score_block_elsewhere,
    score_case_of_block,
    size_of_block,
)
from evaltui.runs.set_reader import STDIN, SetToScore, Tick
from evaltui.scoring.criteria import Criteria, CriteriaError
from evaltui.scoring.eval_config import find_config
from evaltui.scoring.results import ScoreTotals, exit_code
from evaltui.scoring.scored_set import ScoredSet
from evaltui.settings.project_settings import project_settings

if TYPE_CHECKING:  # only a review changes sets, and only a watch scores again
    from evaltui.document.document import Document
    from evaltui.runs.run_cache import RunCache

RefusedInput = (DocumentError, RecordingError, CriteriaError)
"""Errors for an input that cannot be used."""
_WORTH_PROCESSES = 16_000_000
"""Bytes of sets and recordings from which on several processes are faster than one."""

Preparation = Callable[[int], Prepare]
"""Gives the function that prepares reports of a case, for this number of cases in all."""
Progress = Callable[[int, str], AbstractContextManager[Tick]]
"""Shows how many of a number of bytes have been worked through, beside the name of the work."""


@dataclass(slots=True)
class ScoredRun:
    """Sets that were scored together."""

    runs: list[ScoredSet] = field(default_factory=list)
    inputs: set[Path] = field(default_factory=set)
    """Sets, configs, settings and named recordings; in a folder of sets also damaged files and other formats."""
    recordings: set[Path] = field(default_factory=set)
    """All files that the search for recordings found, even unused ones."""
    notes: dict[str, None] = field(default_factory=dict)
    """Sentences about skipped inputs."""
    documents: dict[str, Document] = field(default_factory=dict)
    """The documents of the sets, by the name of the set; empty unless the caller asks for them."""
    broken: int = 0
    """The number of sets in a folder that could not be scored."""
    seconds: float = 0.0
    """The time of reading and scoring, if a watch measured it."""

    def say(self, sentence: str) -> None:
        """Note a sentence, once."""
        self.notes[sentence] = None

    def exit_code(self, *, allow_not_evaluated: bool) -> int:
        """Exit code of the command (see `exit_code` in scoring/results.py)."""
        return exit_code(self.totals, is_open=self.is_open, allow_not_evaluated=allow_not_evaluated)

    @property
    def totals(self) -> ScoreTotals:
        """The totals of all sets."""
        totals = ScoreTotals()
        for run in self.runs:
            totals.add_totals(run.totals)
        return totals

    @property
    def is_open(self) -> bool:
        """Whether a set was skipped, or google-adk rejects a set apart from its cases."""
        return bool(self.broken) or any(run.subject.fault is not None for run in self.runs)


def score_sets(
    arguments: Sequence[SetArgument],
    options: RunOptions,
    *,
    jobs: int | None = 1,
    preparation: Preparation | None = None,
    keeps_turns: bool = True,
    keeps_documents: bool = False,
    cache: RunCache | None = None,
    progress: Progress | None = None,
) -> ScoredRun:
    """Score sets. All inputs are read before the first case is scored. Raises one of `RefusedInput`.

    What follows `options` changes no score. `jobs` is the number of processes; None chooses by the size of the inputs.
    Results keep the turns of their conversations, which reports do not need. `cache` has the inputs and outcomes of the
    last run, which are used again. `progress` shows how many of a number of bytes are read and scored.
    """
    # Otherwise a fault in the last input would show only after minutes of scoring.
    refuse_stdin_twice(arguments, options)
    run = ScoredRun()
    own = theirs = 0
    if jobs is None or progress is not None:  # else nobody needs to walk through folders
        own = sum(size_of(name) for name, _ in arguments)
        theirs = sum(size_of(name, HISTORY.parts[:1]) for name in options.recordings)
    jobs = jobs or (processors() if own + theirs > _WORTH_PROCESSES else 1)
    progress = progress or (lambda _total, _what: nullcontext(lambda _: None))
    find_copies = functools.cache(copies_among)
    with progress(2 * own + theirs, "scoring") as tick:  # each case is read and scored
        sets = read_sets(arguments, options.recordings, run, tick, cache=cache, keeps_documents=keeps_documents)
        all_to_score, reader = list(sets), RecordingReader(jobs, tick)
        matched = [_match(to_score, options, run, reader, find_copies, cache, tick) for to_score in all_to_score]
        count = sum(len(numbers) for _, _, numbers in all_to_score)
        prepare = preparation(count) if preparation is not None else None
        for (subject, _, numbers), criteria, recordings, matching in matched:
            settings = ScoreSettings(criteria, options.all_runs, subject.is_dataset, prepare, keeps_turns)
            results = _score(subject, numbers, matching, settings, jobs, cache, tick)
            run.runs.append(results.scored_set(subject, criteria, recordings, matching))
    run.inputs.update(path for subject, *_ in all_to_score for path in input_files(subject, options))
    return run


def _match(
    to_score: SetToScore,
    options: RunOptions,
    run: ScoredRun,
    reader: RecordingReader,
    find_copies: FindCopies,
    cache: RunCache | None,
    tick: Tick,
) -> tuple[SetToScore, Criteria, Sequence[Recording], Matching]:
    """A set with all that its cases are scored by. Raises one of `RefusedInput`."""
    (subject, facts, numbers), names = to_score, options.recordings
    criteria = criteria_for(subject, options)
    files = recording_files(names, subject, run.say, run.recordings.add, find_copies=find_copies)
    if subject.is_dataset:
        from evaltui.recordings.default_recordings import shared_folders  # noqa: PLC0415 - for few sets

        subject = replace(subject, shared_folders=shared_folders(subject.path, names, is_dataset=True))
    to_score = subject, facts, numbers
    if cache is None:
        recordings = reader.read(files, run.say, multi_turn=subject.is_multi_turn)
        set_id, shared = subject.eval_set_id, subject.shared_folders
        matching = Matching(facts, recordings, set_id, shared_folders=shared, tick=tick)
        return to_score, criteria, recordings, matching
    multi_turn, of_set = subject.is_multi_turn, cache.of_set(subject.name)
    read = read_recordings(files, lambda path: cache.recordings.open(path, multi_turn), run.say)
    recordings = of_set.joined.across_files(read, multi_turn=multi_turn)
    return to_score, criteria, recordings, of_set.match(subject, recordings)


def _score(
    subject: ExpectedSet,
    numbers: Sequence[int],
    matching: Matching,
    settings: ScoreSettings,
    jobs: int,
    cache: RunCache | None,
    tick: Tick,
) -> ResultSpool:
    results = ResultSpool(numbers, has_prepared=settings.prepare is not None)
    is_elsewhere = cache is None and jobs > 1 and len(numbers) > 0
    form: MatchForm = "pickle" if is_elsewhere else "whole"
    blocks = blocks_of(subject, numbers, matching, all_runs=settings.all_runs, form=form)
    if cache is not None:
        results.extend(settings, _score_changed(subject, blocks, settings, cache))
    elif is_elsewhere:
        with closing(in_processes(partial(score_block_elsewhere, settings), blocks, jobs)) as packed:
            for number, (packed_block, size) in enumerate(packed):
                results.add_block(packed_block, number)
                tick(size)
    else:
        for block in blocks:
            results.extend(settings, score_block(settings, block))
            tick(size_of_block(block))
    return results


def _score_changed(
    subject: ExpectedSet, blocks: Iterable[list[CaseToScore]], settings: ScoreSettings, cache: RunCache
) -> Iterator[PreparedResult]:
    of_set = cache.of_set(subject.name)
    of_set.judge_by(settings._replace(prepare=None))
    for case_to_score in chain.from_iterable(blocks):
        case = case_to_score.case
        assert not isinstance(case, bytes)
        inputs = case_to_score.matches, case_to_score.recordings, case_to_score.reason
        yield of_set.outcome(case, inputs, partial(score_case_of_block, settings, case_to_score))
    of_set.keep(subject.cases)


# --- inputs --------------------------------------------------------------------------------------------------------


def input_files(subject: ExpectedSet, options: RunOptions) -> Iterator[Path]:
    """The input files of a set, including a config beside the set that `--config` replaces."""
    names = (*options.recordings, *filter(None, [options.config]))
    named = [Path(name) for name in names if name != STDIN and not is_remote(name)]
    yield from (session_file(path) for path in named if not is_folder(path))
    if subject.path is not None:
        beside = find_config(subject.path, of_dataset=subject.is_dataset)
        settings = project_settings(subject.path.parent).path
        yield from (path for path in (subject.path, beside, settings) if path is not None)


def refuse_stdin_twice(arguments: Sequence[SetArgument], options: RunOptions) -> None:
    """Raise `DocumentError` if several inputs are standard input."""
    # Who reads second would find nothing.
    names = [*{name for name, _ in arguments}, *{*options.recordings}, options.config]
    if names.count(STDIN) > 1:
        raise DocumentError(
            "only one input can be standard input (set, recording or config); give file names for the others"
        )


def size_of(name: str, hidden: Sequence[str] = ()) -> int:
    """The bytes of a file, or of all files in a folder; 0 if unknown.

    Hidden entries of a folder count only if their name is in `hidden`: others are not read.
    """
    size = 0
    with suppress(OSError, ValueError, DocumentError):
        path = session_file(Path(name))
        # Only the number of processes and a progress bar need it, so a huge folder may be cut short.
        for file in walk(path, Bounds(seconds=1), hidden=hidden) if path.is_dir() else [path]:
            size += file.stat().st_size if file.is_file() else 0
    return size
