"""A run on a Ray cluster: files are read and cases are scored there; conversations and cases are matched here."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import ray
import ray.data
from ray.exceptions import GetTimeoutError

from evaltui import __version__
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.turn import Turn
from evaltui.files.spool import LazySequence, Spool
from evaltui.recordings.conversation import Conversation, ConversationFacts, Recording
from evaltui.recordings.default_recordings import shared_folders
from evaltui.recordings.matching import Matching
from evaltui.recordings.recording_copies import copies_among
from evaltui.runs.config_file import criteria_for
from evaltui.runs.input_recordings import FindCopies, Say
from evaltui.runs.input_sets import read_sets
from evaltui.runs.ray.connection import ClusterError
from evaltui.runs.ray.named_files import NamedFiles, copies_in_stores, file_batches, files_for, usable_files
from evaltui.runs.ray.ray_rows import Broadcast, ClusterRow, ConversationPlace, RowKind, only, records_in, table_of
from evaltui.runs.ray.recording_tasks import (
    PlacedPickle,
    joined_traces,
    read_files,
    without_files,
)
from evaltui.runs.ray.score_tasks import (
    ConversationOrder,
    needed_by,
    needed_conversations,
    scored_block,
)
from evaltui.runs.ray.store_files import ClusterFile
from evaltui.runs.recording_reader import batches_of
from evaltui.runs.result_spool import ResultSpool
from evaltui.runs.run_options import RunOptions, SetArgument
from evaltui.runs.score_blocks import PackedBlock, Prepare, ScoreSettings, blocks_of, size_of_block
from evaltui.runs.score_sets import (
    Preparation,
    ScoredRun,
    input_files,
    refuse_stdin_twice,
    size_of,
)
from evaltui.runs.set_reader import SetToScore, Tick
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.scored_set import ScoredSet

T = TypeVar("T")
Progress = AbstractContextManager[Tick]

_TOGETHER = 200
"""The most cases of a block."""
_LEAST = 50
"""The least cases of a block, in a set with many cases."""
_ROUNDS = 4
"""The number of blocks for each processor, so that none waits long for the last."""
_PARTITION = 64_000_000
"""Bytes of conversations that one task of the reduce gets."""
_MOST_PARTITIONS = 2000
"""The most tasks of a reduce: each map makes a part for each of them."""
_BLOCKS_TOGETHER = 8_000_000
"""Bytes of blocks of cases that move together."""
_ATTEMPTS = 3
"""The most times that a shuffle is done."""
_WHOLE = {"batch_format": "pyarrow", "batch_size": None, "zero_copy_batch": True}
"""Ray Data gives a function a whole block of rows, as an Arrow table."""


_Reading = tuple[list[Recording], ConversationOrder, Any]
"""The recordings of some files, whose conversations have only the facts that find their cases; and their order.

The last is a dataset of the conversations; None for none.
"""


_SetInputs = tuple[SetToScore, Criteria, NamedFiles, list[str]]
"""A set with its criteria and its recordings, and sentences about skipped files."""


def score_on_cluster(
    arguments: Sequence[SetArgument],
    options: RunOptions,
    preparation: Preparation,
    *,
    connected: Callable[[], AbstractContextManager[object]],
    reading: Callable[[int, str], Progress],
    scoring: Callable[[int], Progress],
) -> ScoredRun:
    """Score sets as `score_sets` does. A wrong name is said before a cluster is started. Raises one of `RefusedInput`.

    Within `connected`, this process uses the cluster. `reading` and `scoring` show how many of a number of bytes are
    done.
    """
    refuse_stdin_twice(arguments, options)
    run = ScoredRun()
    with reading(sum(size_of(name) for name, _ in arguments), "reading") as tick:
        sets = list(read_sets(arguments, options.recordings, run, tick))
    # Before the connection: a wrong name is said at once, and not after the start of a cluster.
    find_copies: FindCopies = cache(copies_among)
    inputs: list[_SetInputs] = []
    for to_score in sets:
        criteria, skipped = criteria_for(to_score[0], options), list[str]()
        files = files_for(options, to_score[0], skipped.append, run.recordings.add, find_copies)
        inputs.append((to_score, criteria, files, skipped))
    with connected(), scoring(_size(inputs)) as tick:
        prepare = preparation(sum(len(numbers) for _, _, numbers in sets))
        run.runs.extend(_score_sets(inputs, options, prepare, run.say, tick))
    run.inputs.update(path for subject, *_ in sets for path in input_files(subject, options))
    return run


def _score_sets(
    inputs: Iterable[_SetInputs], options: RunOptions, prepare: Prepare, say: Say, tick: Tick
) -> Iterator[ScoredSet]:
    """The sets with the scores of their cases. Raises `DocumentError` and `RecordingError` for unusable inputs."""
    readings: dict[tuple[tuple[str, ...], bool], _Reading] = {}
    for to_score, criteria, files, skipped in inputs:
        for sentence in skipped:
            say(sentence)
        subject, facts, numbers = to_score
        shared = shared_folders(subject.path, options.recordings, is_dataset=subject.is_dataset)
        subject = replace(subject, shared_folders=shared)
        key = tuple(file.name for file in files[0]), subject.is_multi_turn
        if key not in readings:  # sets that share files and settings share what was read
            readings[key] = _read(files, subject.is_multi_turn, say, tick)
        reading = readings[key]
        recordings, *_ = reading
        matching = Matching(facts, recordings, subject.eval_set_id, shared_folders=shared)
        settings = ScoreSettings(criteria, options.all_runs, subject.is_dataset, prepare, keeps_turns=False)
        results = _score_blocks(subject, numbers, matching, reading, settings, tick)
        yield results.scored_set(subject, criteria, recordings, matching)


# --- recordings ----------------------------------------------------------------------------------------------------


def _read(named_files: NamedFiles, multi_turn: bool, say: Say, tick: Tick) -> _Reading:
    files, storages = named_files
    if not files:
        return [], ({}, {}), None
    tables = [table_of([ClusterRow(RowKind.FILES, batch)]) for batch in file_batches(files)]
    joins_traces = len(files) > 1
    settings = str(Path.cwd()), storages, multi_turn, joins_traces, __version__
    read = ray.data.from_arrow(tables).map_batches(read_files, fn_args=settings, **_WHOLE)
    read = _finished(read, tick, _bytes_of(files), len(tables))
    headers = {
        header.number: header for table in _tables(read, RowKind.FILE) for header in records_in(table, RowKind.FILE)
    }
    copies = copies_in_stores(headers)
    usable = usable_files(headers, storages, copies, say)
    if copies:
        read = read.map_batches(without_files, fn_args=(copies,), **_WHOLE)
    rows = read
    if joins_traces and any(header.is_of_traces for header in usable):
        by_conversation = multi_turn or any(header.has_names for header in usable)
        lost = tuple(spans for header in headers.values() for spans in header.lost)
        of_others = read.map_batches(only, fn_args=(RowKind.CONVERSATION, RowKind.FACTS), **_WHOLE)
        traces = read.map_batches(only, fn_args=(RowKind.TRACE,), **_WHOLE)
        groups = traces.groupby("conversation" if by_conversation else "trace", num_partitions=_partitions(read))
        joined = groups.map_groups(joined_traces, fn_args=(by_conversation, lost), batch_format="pyarrow")
        rows = _repeated(of_others.union(joined).materialize)
    return _reading_of(rows, usable)


def _reading_of(rows: Any, headers: Sequence[ClusterFile]) -> _Reading:
    """The recordings in these rows, made of the facts of their conversations, which come here in any order."""
    facts: Spool[ConversationFacts] = Spool()
    places: list[tuple[ConversationPlace, int]] = []
    for table in _tables(rows, RowKind.FACTS):
        placed: PlacedPickle
        for placed in chain.from_iterable(records_in(table, RowKind.FACTS)):
            place, pickle = placed
            places.append((place, len(places)))
            facts.append_pickled(pickle)
    by_file: defaultdict[int, list[tuple[ConversationPlace, int]]] = defaultdict(list)
    for place, number in sorted(places):
        by_file[place[0]].append((place, number))
    recordings: list[Recording] = []
    starts: dict[int, int] = {}
    joined: dict[ConversationPlace, int] = {}
    count = 0
    for header in headers:
        own = by_file[header.number]
        starts[header.number] = count
        if header.is_of_traces:
            joined.update((place, count + index) for index, (place, _) in enumerate(own))
        numbers = array("I", [number for _, number in own])
        own_facts = LazySequence(len(own), partial(lambda numbers, place: facts[numbers[place]], numbers))
        conversations = LazySequence(len(own), partial(_conversation_at, own_facts, header.path))
        recordings.append(Recording(header.path, header.format, conversations, header.warnings, known_facts=own_facts))
        count += len(own)
    return recordings, (starts, joined), rows


def _conversation_at(facts: Sequence[ConversationFacts], path: Path, place: int) -> Conversation:
    """A conversation with the parts that notes and reports of a run need."""
    own = facts[place]
    turns = tuple(Turn("", invocation_id=turn_id) for turn_id in own.turn_ids)
    ids = own.case_id, own.eval_id, own.eval_set_id
    return Conversation(path, own.id, turns, *ids, own.recorded_at, agent_names=own.agent_names)


# --- scores --------------------------------------------------------------------------------------------------------


def _score_blocks(
    subject: ExpectedSet,
    numbers: Sequence[int],
    matching: Matching,
    reading: _Reading,
    settings: ScoreSettings,
    tick: Tick,
) -> ResultSpool:
    count, all_runs = len(numbers), settings.all_runs
    least = _LEAST if count > _LEAST * _ROUNDS else 1
    size = max(least, min(_TOGETHER, count // (_ROUNDS * _processors())))
    blocks = -(-count // size)
    results = ResultSpool(numbers, has_prepared=True)
    _, order, conversations = reading
    needed = needed_by(order, matching, numbers, size, all_runs=all_runs)

    def shuffle_blocks() -> None:
        """Score all blocks on the cluster, each beside the conversations that it needs."""
        numbered = enumerate(blocks_of(subject, numbers, matching, all_runs=all_runs, form="number", size=size))
        rows_of_blocks = (ClusterRow(RowKind.BLOCK, block, number) for number, block in numbered)
        batches = batches_of(rows_of_blocks, lambda row: size_of_block(row.record), _BLOCKS_TOGETHER)
        rows = ray.data.from_arrow_refs([ray.put(table_of(batch)) for batch, _ in batches])
        partitions = blocks
        if conversations is not None:
            partitions = min(partitions, _partitions(conversations))
            rows = conversations.map_batches(needed_conversations, fn_args=(Broadcast(needed),), **_WHOLE).union(rows)
        groups = rows.groupby("block", num_partitions=partitions)
        scored = groups.map_groups(scored_block, fn_args=(Broadcast(settings),), batch_format="pyarrow")
        for table in _tables(scored, RowKind.RESULTS):
            packed: PackedBlock
            for number, (packed, size_of_cases) in records_in(table, RowKind.RESULTS):
                if results.add_block(packed, number, number * size):  # a repeated shuffle gives some blocks twice
                    tick(size_of_cases)

    if blocks:
        _repeated(shuffle_blocks)
    if lost := blocks - results.blocks:
        raise ClusterError(f"the Ray cluster lost {lost} blocks of cases; run it again")
    return results


def _size(inputs: Sequence[_SetInputs]) -> int:
    """The bytes of cases and recordings; files that several sets share count once."""
    sets = ((subject, len(facts)) for (subject, facts, _), *_ in inputs)
    cases = sum(len(subject.source_of(number)) for subject, count in sets for number in range(count))
    shared = {tuple(file.name for file in files): _bytes_of(files) for _, _, (files, _), _ in inputs}
    return cases + sum(shared.values())


def _bytes_of(files: Iterable[ClusterFile]) -> int:
    return sum(file.size for file in files)


# --- datasets ------------------------------------------------------------------------------------------------------


def _finished(dataset: Any, tick: Tick, size: int, tasks: int) -> Any:
    """The dataset with all its rows in the object store, and `size` bytes told as its `tasks` end.

    `Dataset.materialize` gives no word before its end.
    """
    places, remaining = [], size
    for bundle in dataset.iter_internal_ref_bundles():
        places += bundle.block_refs
        done = min(remaining, -(-size // tasks))
        remaining -= done
        tick(done)
    tick(remaining)
    return ray.data.from_arrow_refs(places)


def _repeated(work: Callable[[], T]) -> T:
    """Do the work of a shuffle. A reduce that waits for data of a lost machine fails, and all of it is done again."""
    for _ in range(_ATTEMPTS - 1):
        with suppress(GetTimeoutError):
            return work()
    return work()


def _tables(dataset: Any, kind: RowKind) -> Any:
    """The tables of a dataset with only the rows of one kind, one after another."""
    return dataset.map_batches(only, fn_args=(kind,), **_WHOLE).iter_batches(batch_format="pyarrow", batch_size=None)


def _processors() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _partitions(dataset: Any) -> int:
    """The number of tasks of a reduce: enough for all processors, and none with too much to do."""
    size = int(dataset.size_bytes() or 0)
    return min(_MOST_PARTITIONS, max(2 * _processors(), -(-size // _PARTITION)))
