"""The JSON values of a file: one document, the parts of a large document, one value per line, or printed spans."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from evaltui.document import json_stream
from evaltui.document.json_stream import LONG_NUMBER, WIDE, JsonStream, JsonTextError, TextLimitError, scan_value
from evaltui.document.scanner import read_json
from evaltui.recordings.recording_bytes import Progress, unpacked_head, unpacked_pieces

if TYPE_CHECKING:  # only who reads a file again knows its items
    from evaltui.recordings.recording_cache import KnownItems

_LISTS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("data", "resourceSpans", "resourceLogs", "batches"), frozenset()),
    **dict.fromkeys(("scopeSpans", "scopeLogs", "instrumentationLibrarySpans"), frozenset({"resource"})),
    **dict.fromkeys(("spans", "logRecords"), frozenset({"scope", "instrumentationLibrary"})),
}
"""The lists with nearly all of a trace, and the keys before them that their items may need."""
_CASES = frozenset({"eval_cases", "evalCases"})
"""Lists that are read item by item, since most of their items may be known."""
LEFT_OUT = "invalid JSON; the line is skipped"
"""The end of the warning about a line that cannot be read."""
_TOGETHER = 1000
"""The most items of a part. A part ends earlier if its items together exceed a window."""
_HEAD = 1 << 20
"""The number of first bytes that show whether a file has a value per line, or printed spans."""
_printed_span = re.compile(rb'"context": ?\{\s*"trace_id": ?"0x').search
"""A span as the console exporter of OpenTelemetry's Python SDK prints it."""
_MOST_LINES = 20
"""The number of first lines in which a trace is searched."""
_MOST_WARNINGS = 20


class JsonDocuments:
    """The values of a file in order; traces larger than a window of the stream come in parts with some of the spans."""

    def __init__(
        self,
        path: Path,
        data: bytes | None = None,
        progress: Progress | None = None,
        items: KnownItems | None = None,
        form: Literal["document", "lines", "printed"] = "document",
    ) -> None:
        """`printed` are values of any number of lines, with lines of other text between them."""
        self._path, self._data, self._known, self._form = path, data, items, form
        self._stream = JsonStream(unpacked_pieces(path, data, progress))
        self.has_lost_spans = False
        """Whether a line or value is skipped that may have been a span."""
        self._broken: list[str] = []
        self._broken_count = self._other_lines = 0

    def __iter__(self) -> Iterator[Any]:
        """Raises `JsonTextError` if the document is not JSON. A line that is not JSON is counted and skipped."""
        stream, number = self._stream, 1
        if self._form == "document":
            if not stream.next_character():
                return
            value = None
            for value in self._parts():
                yield value
            last_line = stream.line_number
            if not stream.next_character():
                return
            number = stream.line_number
            if number == last_line:
                raise stream.error("unexpected text after the end of the JSON")
            from evaltui.recordings.traces.otlp import kind_of_entry  # noqa: PLC0415 - result files need none of it

            # The first of many printed spans is a document as well: what follows tells that it is one of them.
            if kind_of_entry(value) == "console":
                self._form = "printed"
        if self._form == "printed":
            yield from self._printed()
            return
        while (line := stream.read_line()) is not None:
            if line and not line.isspace():
                try:
                    value = read_json(line)
                except ValueError as error:
                    self._note_broken(number, error)
                else:
                    yield value
            number += 1

    def warnings(self) -> list[str]:
        """The lines that could not be read so far."""
        more, printed = self._broken_count - len(self._broken), self._other_lines
        return [
            *self._broken,
            *([f"{more} more line{'s' * (more != 1)} skipped: invalid JSON"] if more else []),
            *([f"{printed} line{'s' * (printed != 1)} between the spans skipped: not JSON"] if printed else []),
        ]

    def in_other_form(self) -> JsonDocuments | None:
        """The values of a file that is not one JSON document: printed spans, or JSON lines; None if it has neither."""
        head = unpacked_head(self._path, _HEAD, self._data)
        if _printed_span(head) is not None:
            return JsonDocuments(self._path, self._data, form="printed")
        is_of_lines = str(self._path).lower().endswith((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"))
        for line in islice(head.split(b"\n"), 0 if is_of_lines else _MOST_LINES):
            with suppress(ValueError):
                is_of_lines |= line.startswith(b"{") and _is_of_traces(read_json(line))
        return JsonDocuments(self._path, self._data, form="lines") if is_of_lines else None

    def _note_broken(self, number: int, error: Exception) -> None:
        self._broken_count += 1
        self.has_lost_spans = True
        if self._broken_count <= _MOST_WARNINGS:
            if isinstance(error, json.JSONDecodeError):
                reason = f", column {error.colno}: {LEFT_OUT}"
            else:
                fault = "values are nested too deeply" if isinstance(error, RecursionError) else LONG_NUMBER
                reason = f": {fault}; the line is skipped"
            self._broken.append(f"line {number}{reason}")

    def _printed(self) -> Iterator[Any]:
        """The values of the text that follows, without the other lines that the program printed."""
        attempts = _MOST_WARNINGS  # of values that are broken behind their first line: each may read to the end
        while first := self._stream.next_character():
            if first == "{" and attempts:
                number = self._stream.line_number
                try:
                    value = self._stream.value()
                except JsonTextError as error:
                    if isinstance(error, TextLimitError):
                        raise
                    attempts -= error.line > number
                    self.has_lost_spans |= error.line > number
                except RecursionError:
                    attempts -= 1
                    self.has_lost_spans = True
                else:
                    if _is_of_traces(value):
                        yield value
                    else:  # a program may print other JSON
                        self._other_lines += self._stream.line_number - number + 1
                        self.has_lost_spans |= _printed_span(json.dumps(value).encode()) is not None
                    self._stream.forget()
                    continue
            self._other_lines += 1
            self.has_lost_spans |= '"span_id": "0x' in (self._stream.read_line() or "")

    # --- parts of documents larger than a window -------------------------------------------------------------

    def _parts(self) -> Iterator[Any]:
        is_object = self._stream.next_character() == "{"
        # Cases are read one by one where earlier ones are known.
        value = self._stream.narrow_value() if self._known is None or not is_object else WIDE
        if value is WIDE and is_object:
            yield from self._parts_of_object()
            return
        if value is not WIDE:
            yield value
            return
        rest: list[Any] = []
        yield from self._trace_batches(rest, _is_of_traces)
        if rest:
            yield rest

    def _parts_of_object(self) -> Iterator[dict[str, Any]]:
        """The object once for some items of its list each time, with the members in front of that; or the whole."""
        head: dict[str, Any] = {}
        is_in_parts = False
        for key in self._stream.members():
            if key in _CASES and self._stream.next_character() == "[":
                scan = self._known.scan_of_list() if self._known is not None else scan_value
                head[key] = self._stream.elements(scan)
                continue
            value = self._stream.narrow_value()
            if value is not WIDE:
                head[key] = value
                continue
            for part in self._parts_of_member(key, head):
                is_in_parts = True
                yield {**head, key: part}
        if not is_in_parts:
            yield head

    def _parts_of_member(self, key: str, head: dict[str, Any]) -> Iterator[Any]:
        """Parts of a wide member; one that is of no trace becomes a member of `head` as it is."""
        is_array = self._stream.next_character() == "["
        if key == "trace" and not is_array:
            yield from self._parts_of_object()
        elif is_array and key in _LISTS and (not _LISTS[key] or _LISTS[key] & head.keys()):
            rest: list[Any] = []
            # Any JSON may have a long list called `data`, so its items must look like those of Jaeger.
            yield from self._trace_batches(rest, lambda batch: key != "data" or _is_of_traces({key: batch}))
            if rest:
                head[key] = rest
        else:
            head[key] = self._stream.value()

    def _trace_batches(self, rest: list[Any], is_of_traces: Callable[[list[Any]], bool]) -> Iterator[list[Any]]:
        """The batches of a list of traces; from the first of something else on, `rest` gets them."""
        for batch in self._batches():
            if rest or not is_of_traces(batch):
                rest += batch
            else:
                self._stream.forget()
                yield batch

    def _batches(self) -> Iterator[list[Any]]:
        batch: list[Any] = []
        start = self._stream.position
        for _ in self._stream.items():
            value = self._stream.narrow_value()
            if value is not WIDE:
                batch.append(value)
            elif self._stream.next_character() == "{":
                yield from ([part] for part in self._parts_of_object())
            else:
                batch.append(self._stream.value())
            if len(batch) >= _TOGETHER or self._stream.position - start > json_stream.WINDOW:
                yield batch
                batch, start = [], self._stream.position
        if batch:
            yield batch


def _is_of_traces(value: Any) -> bool:
    from evaltui.recordings.traces.trace_file import trace_format  # noqa: PLC0415 - result files need none of it

    return trace_format(value) is not None
