"""The index of recordings: each file is read once, by any process, and its conversations are written to disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from evaltui.files.session_source import session_source
from evaltui.processes import in_processes
from evaltui.recordings.conversation import LostSpans, Recording, RecordingError
from evaltui.recordings.large_recording import LargeRecording, UnusualShapeError, is_large
from evaltui.recordings.recording_file import open_recording
from evaltui.runs.batch.stored_conversations import ConversationFile, IndexedRecording, TraceNames
from evaltui.runs.batch.work_folder import RecordReader, WorkFolder

_TOGETHER = 4_000_000
"""Bytes of small files that one process reads together."""
_MOST = 100
"""The most files that one process reads together."""


class FileToIndex(NamedTuple):
    """A file of recordings; `data` are its bytes if it is standard input."""

    path: Path
    data: bytes | None = None

    @property
    def size(self) -> int:
        """Its bytes; 0 if unknown."""
        try:
            return session_source(self.path).file.stat().st_size if self.data is None else len(self.data)
        except (OSError, ValueError):
            return 0


class _Batch(NamedTuple):
    """Files that one process reads together."""

    files: list[FileToIndex]
    size: int


class _Writer:
    """The file of this process, opened for its first recording."""

    file: ConversationFile | None = None
    multi_turn = False


def _begin(folder: str, multi_turn: bool) -> None:
    _Writer.file, _Writer.multi_turn = ConversationFile(Path(folder)), multi_turn


def _indexed(batch: _Batch) -> list[IndexedRecording | str]:
    """Each file of a batch, or the sentence why it is no recording."""
    assert _Writer.file is not None
    found: list[IndexedRecording | str] = []
    for file in batch.files:
        try:
            found.append(_written(file, _Writer.file))
        except RecordingError as error:
            found.append(str(error))
    return found


def _written(file: FileToIndex, writer: ConversationFile) -> IndexedRecording:
    if file.data is None and is_large(file.path):
        with suppress(UnusualShapeError):
            return writer.add_large(LargeRecording(file.path))
    return writer.add(open_recording(file.path, multi_turn=_Writer.multi_turn, data=file.data))


def index_files(
    files: Sequence[FileToIndex], folder: WorkFolder, jobs: int, tick: Callable[[int], None], *, multi_turn: bool
) -> Iterator[IndexedRecording | str]:
    """The recording in each file, in order; the sentence why if it is none. `tick` is called with bytes read.

    Raises `DocumentError` and `LostProcessError`.
    """
    batches = [*_batches(files)]
    results = in_processes(_indexed, batches, min(jobs, len(batches)), _begin, (str(folder.path), multi_turn))
    with closing(results) as found:
        for batch, recordings in zip(batches, found, strict=True):
            tick(batch.size)
            yield from recordings


def _batches(files: Iterable[FileToIndex]) -> Iterator[_Batch]:
    some: list[FileToIndex] = []
    size = 0
    for file in files:
        own = file.size
        if some and (size + own > _TOGETHER or len(some) == _MOST):
            yield _Batch(some, size)
            some, size = [], 0
        some.append(file)
        size += own
    if some:
        yield _Batch(some, size)


# --- traces of one conversation in several files --------------------------------------------------------------------


class JoinedFiles:
    """Joins the conversations whose traces are in several files; only such files are read again."""

    def __init__(self, folder: WorkFolder, reader: RecordReader, open_again: Callable[[Path, bool], Recording]) -> None:
        """`open_again` opens a file, given whether traces of one conversation are joined."""
        self._folder, self._reader, self._open = folder, reader, open_again
        self._index = folder.index
        self._index.execute("CREATE TABLE IF NOT EXISTS traces (file INT, key BLOB)")

    def across_files(self, recordings: Sequence[IndexedRecording], *, multi_turn: bool) -> list[IndexedRecording]:
        """The recordings, with the traces of a conversation in one place. Raises `DocumentError`."""
        lost = [one for each in recordings for one in each.lost]
        recordings = [each for each in recordings if not each.is_unread]
        of_traces = [number for number, each in enumerate(recordings) if each.traces is not None]
        if len(of_traces) < 2 and not lost:
            return [*recordings]
        named = {number for number in of_traces if any(each.is_named for each in self._names(recordings[number]))}
        by_conversation = multi_turn or bool(named)
        groups = self._groups(recordings, of_traces, by_conversation=by_conversation)
        for number in of_traces:
            is_ungrouped = by_conversation and not multi_turn and number not in named  # alone, its traces were not
            if (is_ungrouped or lost) and number not in groups:
                groups[number] = [number]
        joined = [*recordings]
        if not groups:
            return joined
        writer = ConversationFile(self._folder.path)
        for group in {id(each): each for each in groups.values()}.values():
            for number, recording in zip(group, self._joined(recordings, group, lost, by_conversation), strict=True):
                joined[number] = writer.add(replace(recording, warnings=recordings[number].warnings))
        return joined

    def _names(self, recording: IndexedRecording) -> list[TraceNames]:
        assert recording.traces is not None
        names: list[TraceNames] = self._reader.record_at(recording.traces)
        return names

    def _groups(
        self, recordings: Sequence[IndexedRecording], of_traces: Sequence[int], *, by_conversation: bool
    ) -> dict[int, list[int]]:
        """By number, the files that share conversations with a file, itself included."""
        self._index.execute("DELETE FROM traces")
        rows = (
            (number, name.encode("utf-8", "surrogatepass"))
            for number in of_traces
            for each in self._names(recordings[number])
            for name in ({each.key, each.id} if by_conversation else {each.id})
        )
        self._index.execute("BEGIN")
        self._index.executemany("INSERT INTO traces VALUES (?, ?)", rows)
        self._index.execute("COMMIT")
        shared = "SELECT key FROM traces GROUP BY key HAVING min(file) < max(file)"
        pairs = self._index.execute(f"SELECT DISTINCT key, file FROM traces WHERE key IN ({shared}) ORDER BY key, file")
        leader: dict[int, int] = {}

        def first_of(number: int) -> int:
            while leader.setdefault(number, number) != number:
                leader[number] = number = leader[leader[number]]
            return number

        last_key, last = None, -1
        for key, number in pairs:
            one, other = (first_of(last), first_of(number)) if key == last_key else (-1, first_of(number))
            if key == last_key:
                leader[max(one, other)] = min(one, other)
            last_key, last = key, number
        members: defaultdict[int, list[int]] = defaultdict(list)
        for number in sorted(leader):
            members[first_of(number)].append(number)
        return {number: group for group in members.values() for number in group}

    def _joined(
        self,
        recordings: Sequence[IndexedRecording],
        group: Sequence[int],
        lost: Sequence[LostSpans],
        by_conversation: bool,
    ) -> list[Recording]:
        from evaltui.recordings.traces.trace_file import across_files, without_lost_spans  # noqa: PLC0415 - results need none

        read = (self._open(recordings[number].path, by_conversation) for number in group)
        opened = [without_lost_spans(each, lost, multi_turn=by_conversation) for each in read]
        if len(opened) == 1:
            return opened
        return across_files(opened, multi_turn=by_conversation)
