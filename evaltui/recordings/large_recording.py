"""Large results, eval sets and datasets: their conversations are read one after another, never all at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from evaltui.document.json_stream import JsonStream, JsonTextError, scan_value
from evaltui.document.scanner import scan_value as scan_end
from evaltui.evalset.case_data import text
from evaltui.evalset.file_formats import SAMPLED, format_of
from evaltui.files.file_changes import signature
from evaltui.files.spool import dumped, loaded
from evaltui.garbage_collection import without_collecting
from evaltui.processes import in_processes
from evaltui.recordings.adk_files import NO_CASES, NO_RESULTS, time_of_result
from evaltui.recordings.conversation import Conversation, ConversationFacts, RecordingError, RecordingFormat, facts_of
from evaltui.recordings.recording_bytes import unpacked_pieces
from evaltui.recordings.recording_file import FORMATS, conversations_in

_TOGETHER = 100
_LISTS = frozenset({"eval_cases", "evalCases", "eval_case_results", "evalCaseResults"})
_KINDS = frozenset({"eval_set_result", "evaluation_dataset", "eval_set"})
"""The formats whose conversations stand in one list."""
_COUNT_ID = "INSERT INTO ids VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count"


class UnusualShapeError(Exception):
    """The file is no object with one list of cases or results; read it as a whole, which also finds its faults."""


_Batch = tuple[dict[str, Any], str, int, int]
"""Cases or results that stand together in the list of a file.

These are the members of the file in front of its list, then the list with only these items; its format, as `format_of`
names it; the number of the first item, from 1; and the number of characters of all items. For another process, items
that are texts are JSON.
"""
_Item = tuple[str, Conversation | bytes, ConversationFacts | bytes]
"""The id of a conversation, the conversation, and its facts."""


class LargeRecording:
    """A file whose conversations are read one after another, by several processes if there are jobs for them."""

    def __init__(self, path: Path, data: bytes | None = None, *, jobs: int = 1) -> None:
        """With `data`, read these bytes; `path` is then only their name."""
        self.path = path
        self.format: RecordingFormat = "adk_result"
        self.warnings: list[str] = []
        self.eval_set_id: str | None = None
        """The eval set of conversations that name none, known after the last of them."""
        self.recorded_at: float | None = None
        """The time of conversations without one, known after the last of them."""
        self._data, self._jobs = data, jobs
        self._kind = ""
        self._head: dict[str, Any] = {}
        self._items = self._count = 0

    def __iter__(self) -> Iterator[tuple[Conversation | bytes, ConversationFacts | bytes, int]]:
        """The conversations, with unique ids; each with its facts, and about the number of its characters.

        Both are mostly pickles if another process has read them. Raises `UnusualShapeError`, also after some
        conversations.
        """
        import sqlite3  # noqa: PLC0415 - only large files need it

        first_signature = signature(self.path)
        read = in_processes(partial(_read_items, self.path, self._jobs > 1), self._batches(), self._jobs)
        try:
            with closing(sqlite3.connect("", isolation_level=None)) as ids, closing(read), without_collecting():
                ids.execute("CREATE TABLE ids (id BLOB PRIMARY KEY, count INT) WITHOUT ROWID")
                for items, size, warnings in read:
                    self.warnings += warnings
                    for name, conversation, facts in items:
                        self._count += 1
                        number = ids.execute(_COUNT_ID, (name.encode("utf-8", "surrogatepass"),)).fetchone()[0]
                        if number == 1:
                            yield conversation, facts, size
                        else:  # an earlier one has the same id
                            unnamed = loaded(conversation) if isinstance(conversation, bytes) else conversation
                            renamed = replace(unnamed, id=f"{name}#{number}")
                            yield renamed, facts_of(renamed), size
        except (JsonTextError, RecordingError, RecursionError, MemoryError) as error:
            raise UnusualShapeError from error
        if self._kind == "eval_set_result":
            self.eval_set_id = text(self._head, "eval_set_id")
            self.recorded_at = time_of_result(self._head)
            if strange := self._items - self._count:
                self.warnings.append(f"{strange} of {self._items} case results skipped: not an object")
        elif not self._count:
            raise UnusualShapeError
        if signature(self.path) != first_signature:  # reading the file as a whole tells whether it is of one state
            raise UnusualShapeError

    def _batches(self) -> Iterator[_Batch]:
        stream = JsonStream(unpacked_pieces(self.path, self._data))
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
                yield from self._batches_of_list(stream, key)
        if stream.next_character() or not self._kind or format_of(self._head) != self._kind:
            raise UnusualShapeError

    def _batches_of_list(self, stream: JsonStream, key: str) -> Iterator[_Batch]:
        head, scan = {**self._head}, _json_text if self._jobs > 1 else scan_value
        start, all_items = stream.position, stream.items()
        while items := [stream.value(scan) for _ in islice(all_items, _TOGETHER)]:
            if not self._kind:
                self._head[key] = [*map(_value_of, items[:SAMPLED])] if self._jobs > 1 else items[:SAMPLED]
                self._kind = format_of(self._head)
                if self._kind not in _KINDS:
                    raise UnusualShapeError
                self.format = FORMATS[self._kind]
            first = self._items + 1
            self._items += len(items)
            yield {**head, key: items}, self._kind, first, stream.position - start
            start = stream.position
            stream.forget()


def _json_text(text: str, start: int) -> tuple[str, int]:
    """The JSON text of the value that begins at `start`, and its end: in half the time that its value takes."""
    end = scan_end(text, start)[1]
    return text[start:end], end


def _value_of(item: Any) -> Any:
    return scan_value(item, 0)[0] if isinstance(item, str) else item


def _read_items(path: Path, as_pickles: bool, batch: _Batch) -> tuple[list[_Item], int, list[str]]:
    """The conversations of items, their mean size, and warnings. Raises `UnusualShapeError`."""
    value, kind, first, size = batch
    key, items = value.popitem()  # the list is the last member
    count = len(items)
    try:
        if as_pickles:  # this is another process, which gets JSON texts
            items = [*map(_value_of, items)]
        if kind == "eval_set_result":  # all others are counted together at the end
            items = [item for item in items if isinstance(item, dict)]
        conversations, warnings = conversations_in({**value, key: items}, kind, path, first=first)
    except (RecordingError, ValueError, RecursionError, MemoryError) as error:
        raise UnusualShapeError from error
    read: list[_Item] = [(conversation.id, conversation, facts_of(conversation)) for conversation in conversations]
    if as_pickles:
        read = [(name, dumped(conversation), dumped(facts)) for name, conversation, facts in read]
    return read, size // count, [warning for warning in warnings if warning not in (NO_RESULTS, NO_CASES)]
