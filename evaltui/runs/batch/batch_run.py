"""A run of one or several sets: everything is read once, and cases are scored block by block."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.evalset.case_stream import CaseStream, NotPlainError, is_large
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet, read_case
from evaltui.processes import in_processes
from evaltui.recordings.case_finder import CaseToMatch
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.default_recordings import shared_folders
from evaltui.recordings.recording_copies import copies_among
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import lost_text, unread_recording
from evaltui.runs.batch.case_block import BlockOptions, BlockResult, CaseToScore, begin, score_block
from evaltui.runs.batch.match_table import MatchTable
from evaltui.runs.batch.packed_results import Prepare, ResultOptions
from evaltui.runs.batch.recording_index import FileToIndex, JoinedFiles, index_files
from evaltui.runs.batch.stored_cases import (
    CaseSources,
    CaseTable,
    PlacedCase,
    StoredCases,
    StoredSet,
    facts_in_text,
    facts_of,
)
from evaltui.runs.batch.stored_conversations import IndexedRecording, stored_recording
from evaltui.runs.batch.stored_results import StoredResults
from evaltui.runs.batch.work_folder import RecordFile, RecordReader, WorkFolder
from evaltui.runs.inputs import (
    STDIN,
    FindCopies,
    FoundFile,
    Note,
    Say,
    expected_case,
    read_set,
    recording_files,
    set_without_cases,
)
from evaltui.runs.set_run import RunOptions, criteria_for
from evaltui.scoring.results import ScoreTotals
from evaltui.scoring.scored_set import ScoredSet

_TOGETHER = 200
"""The number of cases that one process scores together."""


Preparation = Callable[[int], Prepare]
"""Gives the function that prepares reports of a case, for this number of cases in all."""


@dataclass(slots=True)
class _Facts:
    """Facts of a set that are known once its cases have been read."""

    has_several_turns: bool = False
    is_answered: bool = False

    def of_text(self, source: bytes, number: int) -> CaseToMatch:
        """The facts of a case in its JSON text, taken in."""
        found = facts_in_text(source)
        if found is None:
            case = read_case(source, number)
            return self.of_case(case if case.eval_id else expected_case(source, number, False))
        self.has_several_turns = self.has_several_turns or found.turns > 1
        return found

    def of_case(self, case: ExpectedCase) -> CaseToMatch:
        """The facts of a case, taken in."""
        found = facts_of(case)
        self.has_several_turns = self.has_several_turns or found.turns > 1
        self.is_answered = self.is_answered or (case.dataset is not None and case.dataset.is_answered)
        return found


@dataclass(slots=True)
class BatchRun:
    """The sets of one run, and the recordings that they share."""

    folder: WorkFolder
    options: RunOptions
    jobs: int
    tick: Callable[[int], None] = lambda _: None
    """Called with the number of bytes read or scored."""
    sets: list[tuple[StoredSet, Sequence[int] | None]] = field(default_factory=list)
    """The sets, each with the places of the chosen cases; None for all."""
    find_copies: FindCopies = field(default_factory=lambda: cache(copies_among))
    """Finds copies of recordings, once for all sets that share them."""
    _reader: RecordReader = field(default_factory=RecordReader)
    _indexed: dict[tuple[Path, bool], IndexedRecording | str] = field(default_factory=dict)
    _numbers: int = 0
    """The number of sets that were read."""
    _stdin: bytes | None = None
    _sources: RecordFile | None = None

    # --- sets ----------------------------------------------------------------------------------------------------

    def read(self, name: str) -> StoredSet:
        """Read the set in a file, or on standard input for `-`. Raises `DocumentError`."""
        large = self.read_large(Path(name)) if name != STDIN else None
        return large or self.stored(read_set(name, self.tick))

    def read_large(self, path: Path) -> StoredSet | None:
        """The set in a large file, read case by case; None for a small or unusual file, which is read as a document."""
        if not is_large(path):
            return None
        stream, facts = CaseStream(path, self.tick), _Facts()
        table = CaseTable(self.folder.index, self._numbers)

        def placed() -> Iterator[PlacedCase]:
            for number, (span, source) in enumerate(stream):
                yield PlacedCase(span.offset, span.length, facts.of_text(source, number), span.line)

        try:
            count = table.fill(placed())
            found = set_without_cases(stream.root, stream.sample, str(path))
        except (NotPlainError, DocumentError):
            table.clear()
            return None
        sources = CaseSources(str(path), stream.state, is_of_dataset=found.is_dataset)
        return self._stored_set(replace(found, path=path), StoredCases(table, sources, count), facts)

    def stored(self, subject: ExpectedSet) -> StoredSet:
        """The set with its cases on disk."""
        if isinstance(subject, StoredSet):
            return subject
        if self._sources is None:
            self._sources = RecordFile(self.folder.path / "cases")
        sources, facts = self._sources, _Facts()

        def placed() -> Iterator[PlacedCase]:
            for case in subject.cases:
                place = sources.add(case.source)
                yield PlacedCase(place.offset, place.length, facts.of_case(case), subject.line_of(case.number))

        table = CaseTable(self.folder.index, self._numbers)
        count = table.fill(placed())
        sources.flush()
        texts = CaseSources(str(self.folder.path / "cases"), None, is_of_dataset=subject.is_dataset)
        return self._stored_set(subject, StoredCases(table, texts, count), facts)

    def _stored_set(self, subject: ExpectedSet, cases: StoredCases, facts: _Facts) -> StoredSet:
        self._numbers += 1
        return StoredSet(
            *(subject.name, subject.path, subject.eval_set_id, cases, subject.fault, subject.is_dataset),
            shared_folders=shared_folders(subject.path, self.options.recordings, is_dataset=subject.is_dataset),
            has_several_turns=facts.has_several_turns,
            is_answered=facts.is_answered,
        )

    def add(self, subject: StoredSet, chosen: Sequence[int] | None) -> None:
        """Score this set, too; `chosen` are the places of its chosen cases, None for all."""
        self.sets.append((subject, chosen))

    # --- recordings -----------------------------------------------------------------------------------------------

    def _recordings(self, subject: StoredSet, say: Say, note: Note) -> list[IndexedRecording]:
        """The recordings of a set. Raises `RecordingError` for a named file that is none."""
        files = recording_files(self.options.recordings, subject, say, note, find_copies=self.find_copies)
        multi_turn = subject.is_multi_turn
        self._index([each.path for each in files], multi_turn)
        found = list(self._readable(files, multi_turn, say))
        if sentence := lost_text((each.path, each.traces is not None, each.lost) for each in found):
            say(sentence)
        return JoinedFiles(self.folder, self._reader, self._open).across_files(found, multi_turn=multi_turn)

    def _index(self, paths: Iterable[Path], multi_turn: bool) -> None:
        """Read the files that were not read yet, in several processes if it pays."""
        new = [path for path in paths if self._known(path, multi_turn) is None]
        files = [FileToIndex(path, self._from_stdin() if str(path) == STDIN else None) for path in new]
        found = index_files(files, self.folder, self.jobs, self.tick, multi_turn=multi_turn)
        for path, recording in zip(new, found, strict=True):
            self._indexed[path, multi_turn] = recording

    def _known(self, path: Path, multi_turn: bool) -> IndexedRecording | str | None:
        """A file that was read. Only traces depend on `multi_turn`."""
        found = self._indexed.get((path, multi_turn))
        if found is None:
            other = self._indexed.get((path, not multi_turn))
            found = None if isinstance(other, IndexedRecording) and other.traces is not None else other
        return found

    def _readable(self, files: Iterable[FoundFile], multi_turn: bool, say: Say) -> Iterator[IndexedRecording]:
        for each in files:
            found = self._known(each.path, multi_turn)
            if isinstance(found, IndexedRecording):
                yield found
            elif each.is_named:
                raise RecordingError(found)
            else:
                say(f"{found}; skipped")
                if (unread := unread_recording(each.path)) is not None:
                    place = IndexedRecording(each.path, unread.format, (), 0, (), lost=unread.lost, is_unread=True)
                    yield place

    def _open(self, path: Path, multi_turn: bool) -> Recording:
        data = self._from_stdin() if str(path) == STDIN else None
        return open_recording(path, multi_turn=multi_turn, data=data)

    def _from_stdin(self) -> bytes:
        if self._stdin is None:
            self._stdin = sys.stdin.buffer.read()
        return self._stdin

    # --- scores ---------------------------------------------------------------------------------------------------

    def scored(self, say: Say, note: Note, preparation: Preparation) -> list[ScoredSet]:
        """The sets with the scores of their cases, all on disk.

        All inputs are read before the first case is scored. Raises `DocumentError`, `RecordingError` and
        `CriteriaError` for inputs that cannot be used, and `LostProcessError`.
        """
        matched = []
        for subject, _ in self.sets:
            criteria = criteria_for(subject, self.options)
            recordings = self._recordings(subject, say, note)
            table = MatchTable(self.folder.index, subject.stored.table.of, self._reader)
            table.fill(subject, recordings, self.tick)
            matched.append((criteria, recordings, table))
        count = sum(len(subject.cases) if chosen is None else len(chosen) for subject, chosen in self.sets)
        runs = []
        for (subject, chosen), (criteria, recordings, table) in zip(self.sets, matched, strict=True):
            made = ResultOptions(criteria, self.options.all_runs, preparation(count))
            options = BlockOptions(str(self.folder.path), subject.stored.sources, made)
            results = StoredResults(self.folder.index, subject.stored.table.of, self._reader)
            totals = self._score(subject, chosen, table, options, results)
            kept = tuple(stored_recording(each, self._reader) for each in recordings)
            runs.append(
                ScoredSet(
                    *(subject, criteria, kept, results, table.unmatched, table.warnings),
                    prepared=results.prepared,
                    known_totals=totals,
                )
            )
        return runs

    def _score(
        self,
        subject: StoredSet,
        chosen: Sequence[int] | None,
        table: MatchTable,
        options: BlockOptions,
        results: StoredResults,
    ) -> ScoreTotals:
        totals = ScoreTotals()
        blocks = _Blocks(subject, chosen, table)
        jobs = min(self.jobs, blocks.count)
        found: Iterator[BlockResult] = in_processes(score_block, blocks, jobs, begin, (options,))
        with closing(found):  # type: ignore[type-var]
            for numbers, result in zip(blocks.numbers(), found, strict=True):
                totals.joined(result.totals)
                results.extend(numbers, result.results)
                self.tick(result.size)
        return totals


class _Blocks:
    """The blocks of cases of a set."""

    def __init__(self, subject: StoredSet, chosen: Sequence[int] | None, table: MatchTable) -> None:
        self._cases, self._table = subject.stored, table
        self._chosen: Sequence[int] = range(len(subject.cases)) if chosen is None else chosen
        self.count = -(-len(self._chosen) // _TOGETHER)

    def numbers(self) -> Iterator[Sequence[int]]:
        """The places of the cases of each block."""
        return (self._chosen[start : start + _TOGETHER] for start in range(0, len(self._chosen), _TOGETHER))

    def __iter__(self) -> Iterator[list[CaseToScore]]:
        for numbers in self.numbers():
            yield [case for first, end in _stretches(numbers) for case in self._cases_between(first, end)]

    def _cases_between(self, first: int, end: int) -> Iterator[CaseToScore]:
        spans = self._cases.table.spans(first, end)
        for found, (_, offset, length) in zip(self._table.of_cases(first, end), spans, strict=True):
            yield CaseToScore(offset, length, found)


def _stretches(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first number and the end of each stretch of numbers in a row."""
    first = before = numbers[0]
    for number in numbers[1:]:
        if number != before + 1:
            yield first, before + 1
            first = number
        before = number
    yield first, before + 1
