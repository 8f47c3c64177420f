"""Large results, eval sets and datasets: their conversations are read one after another, never all at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaltui.evalset.formats import SAMPLED, format_of
from evaltui.files.file_signature import signature
from evaltui.garbage import without_collecting
from evaltui.recordings.adk_files import (
    NO_CASES,
    NO_RESULTS,
    conversations_of_result,
    conversations_of_set,
    time_of_result,
)
from evaltui.recordings.conversation import Conversation, RecordingError, RecordingFormat
from evaltui.recordings.evaluation_datasets import conversations_of_dataset
from evaltui.recordings.json_members import text
from evaltui.recordings.json_stream import JsonStream, JsonTextError
from evaltui.recordings.recording_bytes import Progress, RecordingBytes

LARGE = 16_000_000
"""Bytes from which on a file is read in this way. Smaller ones are read as a whole, which is simpler."""
_PACKED = 10
"""The usual ratio of unpacked to packed size."""
_TOGETHER = 100
"""The number of items that are read together."""
_LISTS = frozenset({"eval_cases", "evalCases", "eval_case_results", "evalCaseResults"})
_FORMATS: dict[str, RecordingFormat] = {
    "eval_set_result": "adk_result",
    "evaluation_dataset": "evaluation_dataset",
    "eval_set": "eval_set",
}


class UnusualShapeError(Exception):
    """The file is no object with one list of cases or results; read it as a whole, which also finds its faults."""


def is_large(path: Path, data: bytes | None = None) -> bool:
    """Whether a file, or `data` in its place, is so large that it is worth trying to read it in this way."""
    try:
        size = path.stat().st_size if data is None else len(data)
        return size * (_PACKED if path.suffix == ".gz" else 1) >= LARGE
    except (OSError, ValueError):
        return False


class LargeRecording:
    """A file whose conversations are read one after another."""

    def __init__(self, path: Path, progress: Progress | None = None, data: bytes | None = None) -> None:
        """With `data`, read these bytes; `path` is then only their name."""
        self.path = path
        self.format: RecordingFormat = "adk_result"
        self.warnings: list[str] = []
        """A warning for each thing that could not be used."""
        self.eval_set_id: str | None = None
        """The eval set of conversations that name none, known after the last of them."""
        self.recorded_at: float | None = None
        """The time of conversations without one, known after the last of them."""
        self._progress, self._data = progress, data
        self._kind = ""
        self._head: dict[str, Any] = {}
        self._items = self._strange = self._count = 0

    def __iter__(self) -> Iterator[Conversation]:
        """The conversations, with unique ids. Raises `UnusualShapeError`, also after some conversations."""
        before = signature(self.path)
        try:
            with closing(sqlite3.connect("", isolation_level=None)) as ids, without_collecting():
                ids.execute("CREATE TABLE ids (id BLOB PRIMARY KEY, count INT) WITHOUT ROWID")
                for each in self._conversations():
                    self._count += 1
                    yield _with_own_id(each, ids)
        except (JsonTextError, RecordingError, RecursionError, MemoryError) as error:
            raise UnusualShapeError from error
        if signature(self.path) != before:  # reading the file as a whole tells whether it is of one state
            raise UnusualShapeError

    def _conversations(self) -> Iterator[Conversation]:
        stream = JsonStream(RecordingBytes(self.path, self._data).pieces(self._progress))
        if stream.next_character() != "{":
            raise UnusualShapeError
        name = ""
        for key in stream.members():
            if key not in _LISTS:
                self._head[key] = stream.value()
            elif name or stream.next_character() != "[":
                raise UnusualShapeError
            else:
                name = key
                for batch in _batches(stream):
                    yield from self._read(key, batch)
        if stream.next_character() or not self._kind or format_of(self._head) != self._kind:
            raise UnusualShapeError
        self._finish()

    def _read(self, key: str, batch: list[Any]) -> Iterator[Conversation]:
        if not self._kind:
            self._head[key] = batch[:SAMPLED]
            self._kind = format_of(self._head)
            if self._kind not in _FORMATS:
                raise UnusualShapeError
            self.format = _FORMATS[self._kind]
        first = self._items + 1
        self._items += len(batch)
        if self._kind == "eval_set_result":
            results = [each for each in batch if isinstance(each, dict)]
            self._strange += len(batch) - len(results)
            found, said = conversations_of_result({**self._head, key: results}, self.path)
            said = [each for each in said if each != NO_RESULTS]
        elif self._kind == "eval_set":
            found, said = conversations_of_set({key: batch}, self.path, first=first)
        else:
            found, said = conversations_of_dataset({key: batch}, self.path, first=first)
        self.warnings += [each for each in said if each != NO_CASES]
        yield from found

    def _finish(self) -> None:
        if self._kind == "eval_set_result":
            self.eval_set_id = text(self._head, "eval_set_id")
            self.recorded_at = time_of_result(self._head)
            if self._strange:
                self.warnings.append(f"{self._strange} of {self._items} case results skipped: not an object")
        elif not self._count:
            raise UnusualShapeError


def _batches(stream: JsonStream) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for _ in stream.items():
        batch.append(stream.value())
        if len(batch) == _TOGETHER:
            yield batch
            batch = []
            stream.forget()
    if batch:
        yield batch


def _with_own_id(conversation: Conversation, ids: sqlite3.Connection) -> Conversation:
    """The conversation with a number behind its id, if an earlier one has the same id."""
    add = "INSERT INTO ids VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count"
    number = ids.execute(add, (conversation.id.encode("utf-8", "surrogatepass"),)).fetchone()[0]
    return conversation if number == 1 else replace(conversation, id=f"{conversation.id}#{number}")
