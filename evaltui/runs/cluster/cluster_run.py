"""A run of one or several sets on a Ray cluster: files are read, matched and scored there, and results come back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import ray
import ray.data
from ray.exceptions import GetTimeoutError

from evaltui.recordings.conversation import LostSpans
from evaltui.runs.batch.batch_run import BatchRun
from evaltui.runs.batch.packed_results import ResultOptions
from evaltui.runs.batch.stored_cases import StoredSet
from evaltui.runs.batch.stored_conversations import IndexedRecording, stored_recording
from evaltui.runs.batch.stored_results import StoredResults, written_result
from evaltui.runs.batch.unmatched_table import UnmatchedTable
from evaltui.runs.batch.work_folder import RecordFile, RecordReader
from evaltui.runs.cluster.block_scorer import BlockResults, ClusterBlock, ScoreOptions, score_block
from evaltui.runs.cluster.broadcast import Broadcast
from evaltui.runs.cluster.connection import ClusterError
from evaltui.runs.cluster.conversation_matcher import CaseBlocks, SetToMatch, count_of_set, match_conversations
from evaltui.runs.cluster.match_notes import JoinedNotes
from evaltui.runs.cluster.named_files import NamedFiles, files_for
from evaltui.runs.cluster.recording_reader import FileFacts, ReadOptions, read_files, without_files
from evaltui.runs.cluster.rows import ClusterRow, RowKind, only, records_in, table_of
from evaltui.runs.cluster.trace_groups import joined_traces
from evaltui.runs.config_file import criteria_for
from evaltui.runs.found_recordings import Note, Say
from evaltui.runs.score_sets import Preparation
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import ScoreTotals
from evaltui.scoring.scored_set import ScoredSet

T = TypeVar("T")
Tick = Callable[[int], None]
"""Called with the number of bytes that were read or scored since the last call."""

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


class _Reading(NamedTuple):
    """The content of some files."""

    files: list[FileFacts]
    """The recordings, in order."""
    conversations: Any
    """A dataset of their conversations; None for none."""


class _Inputs(NamedTuple):
    """Criteria and recordings of a set."""

    criteria: Criteria
    files: NamedFiles
    said: list[str]
    """Sentences about skipped files."""


@dataclass(slots=True)
class ClusterRun:
    """The sets of a run on a cluster."""

    batch: BatchRun
    """The sets, on this machine."""
    progress: Callable[[int], AbstractContextManager[Tick]]
    """Shows how many of a number of bytes are read and scored."""
    _inputs: list[_Inputs] = field(default_factory=list)
    _readings: dict[tuple[tuple[str, ...], bool], _Reading] = field(default_factory=dict)
    _reader: RecordReader = field(default_factory=RecordReader)

    def find_inputs(self, note: Note) -> None:
        """Find criteria and recordings. This needs no cluster, so that a wrong name is said before one is started.

        Raises `DocumentError`, `RecordingError` and `CriteriaError` for inputs that cannot be used.
        """
        options = self.batch.options
        asked = [criteria_for(subject, options) for subject, _ in self.batch.sets]
        for criteria, (subject, _) in zip(asked, self.batch.sets, strict=True):
            said: list[str] = []
            files = files_for(options, subject, said.append, note, self.batch.find_copies)
            self._inputs.append(_Inputs(criteria, files, said))

    def scored(self, say: Say, preparation: Preparation) -> list[ScoredSet]:
        """The sets with the scores of their cases, which lie on disk, as `BatchRun.scored` gives them.

        This process must be connected to the cluster. Raises `DocumentError` and `RecordingError` for inputs that
        cannot be used.
        """
        options, sets = self.batch.options, self.batch.sets
        index = Broadcast(self.batch.folder.index.serialize())
        blocks = [CaseBlocks(chosen, len(subject.cases), self._block_size(subject, chosen)) for subject, chosen in sets]
        prepare = preparation(sum(len(each.numbers) for each in blocks))
        runs = []
        with self.progress(_size(sets, [each.files for each in self._inputs])) as tick:
            for (subject, _), (criteria, files, said), its_blocks in zip(sets, self._inputs, blocks, strict=True):
                for sentence in said:
                    say(sentence)
                made = ResultOptions(criteria, options.all_runs, prepare)
                run = _SetRun(self.batch, subject, its_blocks, self._reader, tick)
                reading = self._reading(files, subject, say, tick)
                matches = run.match(reading, index, is_one_of_several=len(sets) > 1)
                results, totals = run.score(matches, ScoreOptions(made, subject.is_dataset))
                runs.append(run.scored_set(criteria, files, reading, results, totals))
        return runs

    def _block_size(self, subject: StoredSet, chosen: Sequence[int] | None) -> int:
        count = len(subject.cases) if chosen is None else len(chosen)
        least = _LEAST if count > _LEAST * _ROUNDS else 1
        return max(least, min(_TOGETHER, count // (_ROUNDS * _processors())))

    # --- recordings -----------------------------------------------------------------------------------------------

    def _reading(self, files: NamedFiles, subject: StoredSet, say: Say, tick: Tick) -> _Reading:
        """The content of files; sets that share files and settings share it."""
        key = tuple(file.name for file in files.files), subject.is_multi_turn
        if key not in self._readings:
            self._readings[key] = _read(files, subject.is_multi_turn, say, tick)
        return self._readings[key]


def _read(files: NamedFiles, multi_turn: bool, say: Say, tick: Tick) -> _Reading:
    if not files.files:
        return _Reading([], None)
    tables = [table_of([ClusterRow(RowKind.FILES, batch)]) for batch in files.batches()]
    options = ReadOptions(str(Path.cwd()), multi_turn, len(files.files) > 1, files.storages)
    read = ray.data.from_arrow(tables).map_batches(read_files, fn_args=(options,), **_WHOLE)
    read = _finished(read, tick, sum(files.sizes), len(tables))
    facts = {each.number: each for table in _tables(read, RowKind.FILE) for each in records_in(table, RowKind.FILE)}
    usable = files.usable(facts, say)
    if copies := files.copies(facts):
        read = read.map_batches(without_files, fn_args=(copies,), **_WHOLE)
    conversations = read.map_batches(only, fn_args=(RowKind.CONVERSATION,), **_WHOLE)
    if options.joins_traces and any(each.is_of_traces for each in usable):
        by_conversation = multi_turn or any(each.has_names for each in usable)
        lost = tuple(one for each in facts.values() for one in each.lost)
        conversations = conversations.union(_joined(read, by_conversation, lost))
    return _Reading(usable, conversations)


def _joined(read: Any, by_conversation: bool, lost: Sequence[LostSpans]) -> Any:
    traces = read.map_batches(only, fn_args=(RowKind.TRACE,), **_WHOLE)
    groups = traces.groupby("conversation" if by_conversation else "trace", num_partitions=_partitions(read))
    return groups.map_groups(joined_traces, fn_args=(by_conversation, lost), batch_format="pyarrow")


@dataclass(slots=True)
class _SetRun:
    """One set on the cluster."""

    batch: BatchRun
    subject: StoredSet
    blocks: CaseBlocks
    reader: RecordReader
    tick: Tick
    unmatched: UnmatchedTable = field(init=False)
    notes: JoinedNotes = field(init=False)
    _file: RecordFile = field(init=False)

    def __post_init__(self) -> None:
        self._file = RecordFile(self.batch.folder.path / "cluster")
        self.unmatched = UnmatchedTable(self.batch.folder.index, self.subject.stored.table.of)
        self.notes = JoinedNotes(self.unmatched, self._file)

    def match(self, reading: _Reading, index: Broadcast[bytes], *, is_one_of_several: bool) -> Any:
        """A dataset of the conversations of cases; None for none. What else is known about them becomes notes."""
        if reading.conversations is None:
            return None
        conversations, set_id = reading.conversations, self.subject.eval_set_id
        is_only_one = False
        if len(self.subject.cases) == 1:
            conversations = conversations.materialize()
            counted = conversations.map_batches(count_of_set, fn_args=(set_id,), **_WHOLE)
            is_only_one = sum(row["count"] for row in counted.iter_rows()) == 1
        to_match = SetToMatch(
            index,
            self.subject.stored.table.of,
            set_id,
            self.blocks,
            all_runs=self.batch.options.all_runs,
            is_only_one=is_only_one,
            has_outlines=is_one_of_several,
            shared_folders=self.subject.shared_folders,
        )
        found = conversations.map_batches(match_conversations, fn_args=(Broadcast(to_match),), **_WHOLE)
        found = _repeated(found.materialize)
        for table in _tables(found, RowKind.NOTES):
            for each in records_in(table, RowKind.NOTES):
                self.notes.add(each)
        return found

    def score(self, matches: Any, options: ScoreOptions) -> tuple[StoredResults, ScoreTotals]:
        """The results of all cases, and their totals."""
        table, folder = self.subject.stored.table, self.batch.folder
        results = StoredResults(folder.index, table.of, self.reader)
        totals: dict[int, ScoreTotals] = {}

        def score_blocks() -> None:
            for found in _tables(self._scored(matches, Broadcast(options)), RowKind.RESULTS):
                for each in records_in(found, RowKind.RESULTS):
                    if each.block not in totals:
                        self._keep(each, results)
                        totals[each.block] = each.totals
                        self.tick(each.size)

        if len(self.blocks):
            _repeated(score_blocks)
        if len(totals) != len(self.blocks):
            raise ClusterError(f"the Ray cluster lost {len(self.blocks) - len(totals)} blocks of cases; run it again")
        self._file.flush()
        results.sort()
        joined = ScoreTotals()
        for _, its_own in sorted(totals.items()):
            joined.joined(its_own)
        return results, joined

    def _scored(self, matches: Any, options: Broadcast[ScoreOptions]) -> Any:
        """A dataset of the results of all blocks."""
        reasons = self.notes.reasons()
        blocks = ray.data.from_arrow_refs([ray.put(table) for table in self._tables_of_blocks(reasons)])
        partitions = len(self.blocks)
        if matches is not None:
            partitions = min(partitions, _partitions(matches))
            blocks = matches.map_batches(only, fn_args=(RowKind.MATCH,), **_WHOLE).union(blocks)
        groups = blocks.groupby("block", num_partitions=partitions)
        return groups.map_groups(score_block, fn_args=(options,), batch_format="pyarrow")

    def _tables_of_blocks(self, reasons: defaultdict[int, str]) -> Iterator[pa.Table]:
        rows: list[ClusterRow] = []
        size = 0
        for number, cases in enumerate(self.blocks):
            sources = [self.subject.source_of(each) for each in cases]
            block = ClusterBlock([*cases], sources, [reasons[each] for each in cases])
            rows.append(ClusterRow(RowKind.BLOCK, block, number))
            size += sum(map(len, sources))
            if size > _BLOCKS_TOGETHER:
                yield table_of(rows)
                rows, size = [], 0
        if rows:
            yield table_of(rows)

    def _keep(self, found: BlockResults, results: StoredResults) -> None:
        results.extend(found.numbers, (written_result(each, self._file) for each in found.results))

    def scored_set(
        self,
        criteria: Criteria,
        files: NamedFiles,
        reading: _Reading,
        results: StoredResults,
        totals: ScoreTotals,
    ) -> ScoredSet:
        """The set with its scores."""
        recordings = tuple(
            stored_recording(
                IndexedRecording(
                    *(files.path(each.number), each.format, each.warnings),
                    self.notes.counts[each.number],
                    tuple(self.notes.outlines[each.number]),
                ),
                self.reader,
            )
            for each in reading.files
        )
        paths = [files.path(number) for number in range(len(files.files))]
        return ScoredSet(
            *(self.subject, criteria, recordings, results),
            *(self.unmatched.conversations(paths), self.unmatched.warnings),
            prepared=results.prepared,
            known_totals=totals,
        )


def _size(sets: Sequence[tuple[StoredSet, Sequence[int] | None]], files: Sequence[NamedFiles]) -> int:
    """The bytes of cases and recordings; files that several sets share count once."""
    cases = sum(length for subject, _ in sets for _, _, length in subject.stored.table.spans(0, len(subject.cases)))
    shared = {tuple(file.name for file in each.files): sum(each.sizes) for each in files}
    return cases + sum(shared.values())


def _finished(dataset: Any, tick: Tick, size: int, tasks: int) -> Any:
    """The dataset with all its rows in the object store, and `size` bytes told as its `tasks` end.

    `Dataset.materialize` gives no word before its end.
    """
    places, left = [], size
    for bundle in dataset.iter_internal_ref_bundles():
        places += bundle.block_refs
        done = min(left, -(-size // tasks))
        left -= done
        tick(done)
    tick(left)
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
