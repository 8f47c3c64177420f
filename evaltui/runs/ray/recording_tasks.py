"""The first tasks of a run: files become conversations, their facts, and traces, which may be joined across files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from typing import cast

import pyarrow as pa

from evaltui import __version__
from evaltui.document.disk.file_content import blake2b
from evaltui.file_access import exists
from evaltui.files.session_source import session_file
from evaltui.files.spool import dumped, loaded
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.conversation import (
    Conversation,
    ConversationFacts,
    LostSpans,
    RecordingError,
    facts_of,
)
from evaltui.recordings.large_recording import LargeRecording, UnusualShapeError
from evaltui.recordings.recording_bytes import is_large
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import looks_like_recording, unread_recording
from evaltui.recordings.traces.trace_file import conversations_of, trace_without, whole_traces
from evaltui.recordings.traces.trace_turns import RecordedTrace
from evaltui.recordings.traces.trace_warnings import Doubts
from evaltui.runs.ray.connection import ClusterError
from evaltui.runs.ray.ray_rows import ClusterRow, ConversationPlace, RowKind, records_in, table_of
from evaltui.runs.ray.store_files import ClusterFile, RemoteStorage
from evaltui.runs.recording_reader import with_late_facts

_AT_ONCE = 16
"""The number of remote files that a process fetches at once: a store answers late, but answers many."""
_ROW = 1000
"""The bytes of other rows, for this limit."""
_TOGETHER = 16_000_000
"""Bytes of records that leave a process together."""


PlacedPickle = tuple[ConversationPlace, bytes]
"""A conversation of a file, or its `ConversationFacts`, by which the command finds its case."""


def read_files(
    table: pa.Table,
    folder: str,
    storages: Sequence[RemoteStorage],
    multi_turn: bool,
    joins_traces: bool,
    version: str,
) -> Iterator[pa.Table]:
    """Read the files of each row. A file that cannot be used gives a sentence, and no other file suffers.

    `folder` is the working directory of the command, and `version` its version of evaltui. `multi_turn` is whether a
    case of the set has several turns, `joins_traces` whether the traces of one conversation may be in several files.
    """
    if version != __version__:
        raise ClusterError(
            f"this is evaltui {version}, and a machine of the cluster has {__version__}; install one version"
        )
    with suppress(OSError):  # a machine without this folder can read remote files only
        os.chdir(folder)  # relative names start there
    rows: list[ClusterRow] = []
    size = 0
    for files in records_in(table, RowKind.FILES):
        for file, data in _fetched(files, storages):
            for row in _rows_of(file, data, multi_turn=multi_turn, joins_traces=joins_traces):
                rows.append(row)
                size += len(row.record[1]) if row.kind is RowKind.CONVERSATION else _ROW
            if size > _TOGETHER:
                yield table_of(rows)
                rows, size = [], 0
    yield table_of(rows)


def _fetched(
    files: Sequence[ClusterFile], storages: Sequence[RemoteStorage]
) -> Iterator[tuple[ClusterFile, bytes | RecordingError | None]]:
    """Each file with its bytes, or why it cannot be read; None for a local file."""
    if not storages:
        yield from ((file, None) for file in files)
        return

    def fetch(file: ClusterFile) -> bytes | RecordingError | None:
        try:
            return storages[file.storage].read(file.name) if file.storage is not None else None
        except RecordingError as error:
            return error

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        yield from zip(files, threads.map(fetch, files), strict=True)


def _rows_of(
    file: ClusterFile, data: bytes | RecordingError | None, *, multi_turn: bool, joins_traces: bool
) -> list[ClusterRow]:
    try:
        if isinstance(data, RecordingError):
            raise data
        path = file.path
        # A local file whose size is known was there when the command looked.
        if file.storage is None and file.size and not exists(session_file(path)):
            raise ClusterError(
                f"{path}: a machine of the cluster has no such file; recordings must have the same path on all machines"
            )
        # A folder or glob in a store may list files that are no recordings.
        if data is not None and not file.is_named and not looks_like_recording(path, data):
            return [ClusterRow(RowKind.FILE, file._replace(is_other=True))]
        digest = blake2b(data, digest_size=16).digest() if data is not None else None
        with without_collecting():
            return _read(file._replace(digest=digest), data, multi_turn=multi_turn, joins_traces=joins_traces)
    except RecordingError as error:
        unread = unread_recording(file.path, data if isinstance(data, bytes) else None)
        lost = unread.lost if unread is not None else ()
        return [ClusterRow(RowKind.FILE, file._replace(error=str(error), lost=lost))]


def without_files(table: pa.Table, numbers: Collection[int]) -> pa.Table:
    """The rows that are not of the files with these numbers."""
    is_kept: list[bool] = []
    for kind, record in zip(table["kind"].to_pylist(), table["record"], strict=True):
        if kind not in (RowKind.CONVERSATION, RowKind.TRACE, RowKind.FACTS):
            is_kept.append(True)
            continue
        value = loaded(record.as_buffer())
        (number, *_), _ = value[0] if kind == RowKind.FACTS else value  # facts of one file stand together
        is_kept.append(number not in numbers)
    return table.filter(pa.array(is_kept, pa.bool_()))


def _read(file: ClusterFile, data: bytes | None, *, multi_turn: bool, joins_traces: bool) -> list[ClusterRow]:
    path = file.path
    if is_large(path, data):
        with suppress(UnusualShapeError):
            return _large(file, LargeRecording(path, data=data))
    recording = open_recording(path, multi_turn=multi_turn, data=data)
    header = file._replace(
        format=recording.format,
        warnings=recording.warnings,
        is_of_traces=bool(recording.traces),
        has_names=any(trace.is_named for trace in recording.traces),
        lost=recording.lost,
    )
    places = ((file.number, file.number, place) for place in count())
    if joins_traces and recording.traces:
        rows = [
            ClusterRow(RowKind.TRACE, (next(places), trace), 0, _key(trace.key), _key(trace.id))
            for trace in recording.traces
        ]
    else:
        rows = conversation_rows(zip(places, recording.conversations, strict=False))  # the places never end
    return [ClusterRow(RowKind.FILE, header), *rows]


def _large(file: ClusterFile, recording: LargeRecording) -> list[ClusterRow]:
    number, rows = file.number, list[ClusterRow]()
    facts: list[ConversationFacts] = []
    for place, (conversation, own_facts, _) in enumerate(recording):
        placed = (number, number, place), dumped(conversation)
        rows.append(ClusterRow(RowKind.CONVERSATION, placed))
        facts.append(cast(ConversationFacts, own_facts))
    # The set and the time of a result stand behind its conversations.
    complete = partial(with_late_facts, facts, recording.eval_set_id, recording.recorded_at)
    placed_facts = [((number, number, place), dumped(complete(place))) for place in range(len(facts))]
    header = file._replace(format=recording.format, warnings=tuple(recording.warnings))
    return [ClusterRow(RowKind.FILE, header), *rows, *_fact_rows(placed_facts)]


def conversation_rows(conversations: Iterable[tuple[ConversationPlace, Conversation]]) -> list[ClusterRow]:
    """A row for each conversation of one file, and a row with the facts of all."""
    rows: list[ClusterRow] = []
    facts: list[PlacedPickle] = []
    for place, conversation in conversations:
        rows.append(ClusterRow(RowKind.CONVERSATION, (place, dumped(conversation))))
        facts.append((place, dumped(facts_of(conversation))))
    return [*rows, *_fact_rows(facts)]


def _fact_rows(facts: list[PlacedPickle]) -> list[ClusterRow]:
    return [ClusterRow(RowKind.FACTS, facts)] if facts else []


def _key(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def joined_traces(group: pa.Table, by_conversation: bool, lost: Sequence[LostSpans]) -> pa.Table:
    """The conversation of the traces in a group; none if it has no turns. `lost` are spans of all files.

    It belongs to the file of its first trace, as in `runs.recording_reader`.
    """
    traces: list[tuple[ConversationPlace, RecordedTrace]] = sorted(
        records_in(group, RowKind.TRACE), key=lambda placed: placed[0]
    )
    files = {trace.path: file for (file, *_), trace in traces}
    (first_file, _, first_place), _ = traces[0]
    joined = whole_traces(trace_without(trace, lost) for _, trace in traces)
    rows: list[ClusterRow] = []
    for conversation in conversations_of(joined, Doubts(), multi_turn=by_conversation):
        rows += conversation_rows([((files[conversation.path], first_file, first_place), conversation)])
    return table_of(rows)
