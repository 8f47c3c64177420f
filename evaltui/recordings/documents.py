"""The JSON values of a file: one document, the parts of a large one, or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from evaltui.recordings.json_stream import JsonStream
from evaltui.recordings.unpacking import Progress, Source

_LISTS = ("data", "resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "batches")
"""Members of traces that hold nearly all of them."""
_NAMES_OF_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_SEEN = 1 << 20
_MOST_WARNINGS = 20


class Documents:
    """The values of a file in order. Traces come in parts, each a document with one item of the list they are in."""

    def __init__(self, source: Source, progress: Progress | None, *, as_lines: bool = False) -> None:
        self._source, self._as_lines = source, as_lines
        self._stream = JsonStream(source.pieces(progress))
        self._broken: list[str] = []
        self._broken_count = 0

    def __iter__(self) -> Iterator[Any]:
        """Raises `JsonTextError` for a document that is no JSON; a line that is none is counted and passed over."""
        number = 1
        if not self._as_lines:
            if not self._stream.next_character():
                return
            yield from self._parts()
            behind = self._stream.line_number
            if not self._stream.next_character():
                return
            number = self._stream.line_number
            if number == behind:
                raise self._stream.error("the JSON text has ended before this")
        yield from self._lines(number)

    def warnings(self) -> list[str]:
        """The lines that could not be read so far."""
        more = self._broken_count - len(self._broken)
        return [*self._broken, *([f"{more} more lines are not JSON and were left out"] if more else [])]

    def may_be_lines(self) -> bool:
        """Whether a file that is no JSON document looks as if it had a document a line."""
        if str(self._source.path).lower().endswith(_NAMES_OF_LINES):
            return not self._as_lines
        lines = self._source.head(_SEEN).split(b"\n")
        return any(_is_trace_line(line) for line in islice(lines, 20))

    def _lines(self, first: int) -> Iterator[Any]:
        number = first - 1
        while (line := self._stream.line()) is not None:
            number += 1
            if not line or line.isspace():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                self._broken_count += 1
                if self._broken_count <= _MOST_WARNINGS:
                    at = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
                    self._broken.append(f"line {number}{at}: not JSON; the line was left out")
            else:
                yield value

    # --- parts of a document ---------------------------------------------------------------------------------

    def _parts(self) -> Iterator[Any]:
        first = self._stream.next_character()
        if first == "{":
            yield from self._parts_of_object()
        elif first == "[":
            yield from self._parts_of_list(None)
        else:
            yield self._stream.value()

    def _parts_of_object(self) -> Iterator[Any]:
        head: dict[str, Any] = {}
        is_taken_apart = False
        for key in self._stream.members():
            if key in _LISTS and self._stream.next_character() == "[":
                for part in self._parts_of_list(key):
                    if isinstance(part, list):
                        head[key] = part
                    else:
                        is_taken_apart = True
                        yield part
            else:
                head[key] = self._stream.value()
        if not is_taken_apart:
            yield head

    def _parts_of_list(self, key: str | None) -> Iterator[Any]:
        """The items one by one as documents, where they are of traces; else the whole list."""
        kept: list[Any] = []
        is_apart: bool | None = None
        for _ in self._stream.items():
            item = self._stream.value()
            if is_apart is None:
                is_apart = _is_of_traces(key, item)
            if is_apart:
                self._stream.forget()
                yield item if key is None else {key: [item]}
            else:
                kept.append(item)
        if not is_apart:
            yield kept


def _is_of_traces(key: str | None, item: Any) -> bool:
    from evaltui.recordings.traces import trace_format  # noqa: PLC0415 - result files need none of it

    return isinstance(item, dict) and trace_format(item if key is None else {key: [item]}) is not None


def _is_trace_line(line: bytes) -> bool:
    if not line.startswith(b"{"):
        return False
    try:
        return _is_of_traces(None, json.loads(line))
    except (ValueError, RecursionError):
        return False
