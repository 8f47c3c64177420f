"""The JSON values of a file: one document, the parts of a large document, one value per line, or printed spans."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from evaltui.document.plain_values import Scan, plain_value
from evaltui.recordings import json_stream
from evaltui.recordings.json_stream import LONG_NUMBER, WIDE, JsonStream, JsonTextError, TextLimitError, scan_value
from evaltui.recordings.recording_bytes import Progress, RecordingBytes

_RESOURCE = frozenset({"resource"})
_SCOPE = frozenset({"scope", "instrumentationLibrary"})
_LISTS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("data", "resourceSpans", "resourceLogs", "batches"), frozenset()),
    **dict.fromkeys(("scopeSpans", "scopeLogs", "instrumentationLibrarySpans"), _RESOURCE),
    **dict.fromkeys(("spans", "logRecords"), _SCOPE),
}
"""The lists with nearly all of a trace, and the keys before them that their items may need."""
_CASES = frozenset({"eval_cases", "evalCases"})
"""Lists that are read item by item, since most of their items may be known."""
LEFT_OUT = "invalid JSON; the line is skipped"
"""The end of the warning about a line that cannot be read."""
_TOGETHER = 1000
"""The most items of a part. A part ends earlier if its items together exceed a window."""
_NAMES_OF_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_SEEN = 1 << 20
_PRINTED = re.compile(rb'"context": ?\{\s*"trace_id": ?"0x').search
"""A span as the console exporter of OpenTelemetry's Python SDK prints it."""
_ID_OF_PRINTED = '"span_id": "0x'
_LINES_SEEN = 20
_MOST_WARNINGS = 20


class JsonDocuments:
    """The values of a file in order.

    Traces that are larger than a window of the stream come in parts: each is a document with some of the spans.
    """

    def __init__(
        self,
        source: RecordingBytes,
        progress: Progress | None = None,
        *,
        as_lines: bool = False,
        as_printed: bool = False,
        scan_of_cases: Callable[[], Scan] = lambda: scan_value,
    ) -> None:
        """`scan_of_cases` returns the function that reads the items of the next list of cases.

        With `as_printed`, the values have any number of lines, with lines of other text between them.
        """
        self.source, self._scan_of_cases = source, scan_of_cases
        self._as_lines, self._as_printed = as_lines, as_printed
        self._stream = JsonStream(source.pieces(progress))
        self.has_lost_spans = False
        """Whether a line or value is skipped that may have been a span."""
        self._broken: list[str] = []
        self._broken_count = self._other_lines = 0

    def __iter__(self) -> Iterator[Any]:
        """Raises `JsonTextError` if the document is not JSON. A line that is not JSON is counted and skipped."""
        stream, number = self._stream, 1
        if self._as_printed:
            yield from self._printed()
            return
        if not self._as_lines:
            if not stream.next_character():
                return
            value = None
            for value in self._parts():
                yield value
            ended = stream.line_number
            if not stream.next_character():
                return
            number = stream.line_number
            if number == ended:
                raise stream.error("unexpected text after the end of the JSON")
            if _is_printed_span(value):
                yield from self._printed()
                return
        yield from self._lines(number)

    def warnings(self) -> list[str]:
        """The lines that could not be read so far."""
        more, others = self._broken_count - len(self._broken), self._other_lines
        return [
            *self._broken,
            *([f"{more} more line{'s' * (more != 1)} skipped: invalid JSON"] if more else []),
            *([f"{others} line{'s' * (others != 1)} between the spans skipped: not JSON"] if others else []),
        ]

    def may_be_lines(self) -> bool:
        """Whether a file that is not one JSON document looks like JSON lines."""
        if str(self.source.path).lower().endswith(_NAMES_OF_LINES):
            return True
        lines = self.source.head(_SEEN).split(b"\n")
        return any(_is_trace_line(line) for line in islice(lines, _LINES_SEEN))

    def may_be_printed(self) -> bool:
        """Whether a file that is not one JSON document looks like the output of a program that prints its spans."""
        return _PRINTED(self.source.head(_SEEN)) is not None

    def _lines(self, number: int) -> Iterator[Any]:
        while (line := self._stream.line()) is not None:
            if line and not line.isspace():
                try:
                    value = plain_value(line)
                except (ValueError, RecursionError) as error:
                    self._note_broken(number, error)
                else:
                    yield value
            number += 1

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
                        self.has_lost_spans |= _PRINTED(json.dumps(value).encode()) is not None
                    self._stream.forget()
                    continue
            self._other_lines += 1
            self.has_lost_spans |= _ID_OF_PRINTED in (self._stream.line() or "")

    def _note_broken(self, number: int, error: Exception) -> None:
        self._broken_count += 1
        self.has_lost_spans = True
        if self._broken_count <= _MOST_WARNINGS:
            self._broken.append(f"line {number}{_why_skipped(error)}")

    # --- parts of documents larger than a window -------------------------------------------------------------

    def _parts(self) -> Iterator[Any]:
        if self._stream.next_character() == "{":
            yield from self._parts_of_object()
            return
        value = self._stream.narrow_value()
        if value is not WIDE:
            yield value
        else:
            yield from self._parts_of_array()

    def _parts_of_object(self) -> Iterator[dict[str, Any]]:
        """The object once for some items of its list each time, with the members in front of that; or the whole."""
        head: dict[str, Any] = {}
        is_in_parts = False
        for key in self._stream.members():
            if key in _CASES and self._stream.next_character() == "[":
                head[key] = self._stream.elements(self._scan_of_cases())
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
            kept: list[Any] = []
            yield from self._dealt_out(kept, lambda batch: key != "data" or _is_of_traces({key: batch}))
            if kept:
                head[key] = kept
        else:
            head[key] = self._stream.value()

    def _parts_of_array(self) -> Iterator[list[Any]]:
        kept: list[Any] = []
        yield from self._dealt_out(kept, _is_of_traces)
        if kept:
            yield kept

    def _dealt_out(self, kept: list[Any], is_of_traces: Callable[[list[Any]], bool]) -> Iterator[list[Any]]:
        """The batches of a list of traces, each forgotten by the stream; from the first of something else on, `kept`
        gets them.
        """
        for batch in self._batches():
            if kept or not is_of_traces(batch):
                kept += batch
            else:
                self._stream.forget()
                yield batch

    def _batches(self) -> Iterator[list[Any]]:
        batch: list[Any] = []
        begun = self._stream.position
        for _ in self._stream.items():
            value = self._stream.narrow_value()
            if value is not WIDE:
                batch.append(value)
            elif self._stream.next_character() == "{":
                yield from ([part] for part in self._parts_of_object())
            else:
                batch.append(self._stream.value())
            if len(batch) >= _TOGETHER or self._stream.position - begun > json_stream.WINDOW:
                yield batch
                batch, begun = [], self._stream.position
        if batch:
            yield batch


def _is_of_traces(value: Any) -> bool:
    from evaltui.recordings.traces.trace_file import trace_format  # noqa: PLC0415 - result files need none of it

    return trace_format(value) is not None


def _is_printed_span(value: Any) -> bool:
    from evaltui.recordings.traces.otlp import is_console_span  # noqa: PLC0415 - result files need none of it

    return is_console_span(value)


def _why_skipped(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f", column {error.colno}: {LEFT_OUT}"
    reason = "values are nested too deeply" if isinstance(error, RecursionError) else LONG_NUMBER
    return f": {reason}; the line is skipped"


def _is_trace_line(line: bytes) -> bool:
    try:
        return line.startswith(b"{") and _is_of_traces(plain_value(line))
    except (ValueError, RecursionError):
        return False
