"""The first map of a run: files become conversations and traces."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from evaltui import __version__
from evaltui.document.blake2 import blake2b
from evaltui.file_access import exists
from evaltui.files.remote_path import named_path
from evaltui.files.session_source import session_source
from evaltui.garbage import without_collecting
from evaltui.recordings.conversation import Conversation, LostSpans, Recording, RecordingError, RecordingFormat
from evaltui.recordings.large_recording import LargeRecording, UnusualShapeError, is_large
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import looks_like_recording, unread_recording
from evaltui.recordings.traces.turns import RecordedTrace
from evaltui.runs.batch.stored_conversations import packed_conversation
from evaltui.runs.batch.unmatched_table import ConversationPlace, blob
from evaltui.runs.batch.work_folder import unpacked
from evaltui.runs.cluster.connection import ClusterError
from evaltui.runs.cluster.remote_storage import RemoteStorage
from evaltui.runs.cluster.rows import ClusterRow, RowKind, records_in, table_of

_AT_ONCE = 16
"""The number of remote files that a process fetches at once: a store answers late, but answers many."""
_TOGETHER = 16_000_000
"""Bytes of records that leave a process together."""


class FileToRead(NamedTuple):
    """A file of recordings."""

    number: int
    """Its number among the recordings of the set."""
    name: str
    storage: int | None = None
    """The number of its store; None for a local file."""
    is_listed: bool = False
    """Whether a folder or glob in a store gave its name, so that it may be no recording."""
    is_seen: bool = False
    """Whether it is a local file that the command has found."""


class FileFacts(NamedTuple):
    """A file that was read."""

    number: int
    error: str | None = None
    """The sentence why it cannot be used."""
    is_other: bool = False
    """Whether it is no recording, in a remote folder."""
    format: RecordingFormat = "adk_result"
    warnings: tuple[str, ...] = ()
    is_of_traces: bool = False
    has_names: bool = False
    """Whether a trace of it is named, so that traces are grouped by conversation."""
    lost: tuple[LostSpans, ...] = ()
    """Spans that may belong to traces of other files."""
    digest: bytes | None = None
    """The digest of a file of a store, by which copies are found; None for a local file."""


class ReadConversation(NamedTuple):
    """A conversation of a file."""

    place: ConversationPlace
    conversation: bytes
    """As `packed_conversation` gives it."""
    eval_set_id: str | None
    recorded_at: float | None


class ReadTrace(NamedTuple):
    """A trace of a file."""

    file: int
    place: int
    trace: RecordedTrace


class ReadOptions(NamedTuple):
    """How files are read."""

    folder: str
    """The working directory of the command, from which relative names start."""
    multi_turn: bool
    """Whether a case of the set has several turns."""
    joins_traces: bool
    """Whether the traces of one conversation may be in several files."""
    storages: Sequence[RemoteStorage]
    """The stores of remote files, by number."""
    version: str = __version__


def read_files(table: pa.Table, options: ReadOptions) -> Iterator[pa.Table]:
    """Read the files of each row. A file that cannot be used gives a sentence, and no other file suffers."""
    if options.version != __version__:
        raise ClusterError(
            f"this is evaltui {options.version}, and a machine of the cluster has {__version__}; install one version"
        )
    with suppress(OSError):  # a machine without this folder can read remote files only
        os.chdir(options.folder)  # relative names start there
    rows: list[ClusterRow] = []
    size = 0
    for files in records_in(table, RowKind.FILES):
        for file, data in _fetched(files, options.storages):
            for row in _rows_of(file, data, options):
                rows.append(row)
                size += len(row.record.conversation) if row.kind is RowKind.CONVERSATION else 1000
            if size > _TOGETHER:
                yield table_of(rows)
                rows, size = [], 0
    yield table_of(rows)


def _fetched(
    files: Sequence[FileToRead], storages: Sequence[RemoteStorage]
) -> Iterator[tuple[FileToRead, bytes | RecordingError | None]]:
    """Each file with its bytes, or why it cannot be read; None for a local file."""
    if not storages:
        yield from ((file, None) for file in files)
        return

    def fetch(file: FileToRead) -> bytes | RecordingError | None:
        try:
            return storages[file.storage].read(file.name) if file.storage is not None else None
        except RecordingError as error:
            return error

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        yield from zip(files, threads.map(fetch, files), strict=True)


def _rows_of(file: FileToRead, data: bytes | RecordingError | None, options: ReadOptions) -> list[ClusterRow]:
    try:
        if isinstance(data, RecordingError):
            raise data
        path = named_path(file.name)
        if file.is_seen and not exists(session_source(path).file):
            raise ClusterError(
                f"{path}: a machine of the cluster has no such file; recordings must have the same path on all machines"
            )
        if file.is_listed and data is not None and not looks_like_recording(path, data):
            return [ClusterRow(RowKind.FILE, FileFacts(file.number, is_other=True))]
        with without_collecting():
            facts, *rows = _read(file.number, path, data, options)
        digest = blake2b(data, digest_size=16).digest() if data is not None else None
        return [facts._replace(record=facts.record._replace(digest=digest)), *rows]
    except RecordingError as error:
        unread = unread_recording(named_path(file.name), data if isinstance(data, bytes) else None)
        lost = unread.lost if unread is not None else ()
        return [ClusterRow(RowKind.FILE, FileFacts(file.number, str(error), lost=lost))]


def without_files(table: pa.Table, numbers: Collection[int]) -> pa.Table:
    """The conversations and traces that are not of the files with these numbers."""
    kept: list[bool] = []
    for kind, record in zip(table["kind"].to_pylist(), table["record"], strict=True):
        if kind not in (RowKind.CONVERSATION, RowKind.TRACE):
            kept.append(True)
            continue
        read: ReadConversation | ReadTrace = unpacked(record.as_buffer())
        kept.append((read.file if isinstance(read, ReadTrace) else read.place.recording) not in numbers)
    return table.filter(pa.array(kept, pa.bool_()))


def _read(number: int, path: Path, data: bytes | None, options: ReadOptions) -> list[ClusterRow]:
    if is_large(path, data):
        with suppress(UnusualShapeError):
            return _large(number, LargeRecording(path, data=data))
    recording = open_recording(path, multi_turn=options.multi_turn, data=data)
    if options.joins_traces and recording.traces:
        return [_facts(number, recording), *_traces(number, recording.traces)]
    return [_facts(number, recording), *_conversations(number, recording.conversations)]


def _large(number: int, recording: LargeRecording) -> list[ClusterRow]:
    rows = [
        ClusterRow(RowKind.CONVERSATION, _read_conversation(number, place, each))
        for place, each in enumerate(recording)
    ]
    set_id, time = recording.eval_set_id, recording.recorded_at
    if set_id is not None or time is not None:  # they stand after the conversations
        for at, row in enumerate(rows):
            each = row.record
            known = each.eval_set_id or set_id, time if each.recorded_at is None else each.recorded_at
            rows[at] = row._replace(record=each._replace(eval_set_id=known[0], recorded_at=known[1]))
    facts = FileFacts(number, format=recording.format, warnings=tuple(recording.warnings))
    return [ClusterRow(RowKind.FILE, facts), *rows]


def _facts(number: int, recording: Recording) -> ClusterRow:
    has_names = any(trace.is_named for trace in recording.traces)
    return ClusterRow(
        RowKind.FILE,
        FileFacts(
            number,
            format=recording.format,
            warnings=recording.warnings,
            is_of_traces=bool(recording.traces),
            has_names=has_names,
            lost=recording.lost,
        ),
    )


def _conversations(number: int, conversations: Iterable[Conversation]) -> Iterator[ClusterRow]:
    for place, each in enumerate(conversations):
        yield ClusterRow(RowKind.CONVERSATION, _read_conversation(number, place, each))


def _read_conversation(number: int, place: int, each: Conversation) -> ReadConversation:
    at = ConversationPlace(number, number, place)
    return ReadConversation(at, packed_conversation(each), each.eval_set_id, each.recorded_at)


def _traces(number: int, traces: Sequence[RecordedTrace]) -> Iterator[ClusterRow]:
    for place, each in enumerate(traces):
        keys = _key(each.key), _key(each.id)
        yield ClusterRow(RowKind.TRACE, ReadTrace(number, place, each), conversation=keys[0], trace=keys[1])


def _key(name: str) -> bytes:
    return blake2b(blob(name), digest_size=16).digest()
