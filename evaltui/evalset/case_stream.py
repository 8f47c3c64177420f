"""Eval sets and EvaluationDatasets read case by case, so that a large file is never whole in memory.

Only healthy files of the usual shape are read this way: one object in UTF-8 with one list of cases. For all others,
`NotPlainError` asks the caller to read the file as a `Document`, which also knows what is wrong with it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from evaltui.document import json_stream
from evaltui.document.disk.file_content import FileState, file_state
from evaltui.document.json_stream import LONGEST, JsonStream, place_after
from evaltui.document.node import Node, read_document
from evaltui.document.scanner import after_blanks, scan_value
from evaltui.evalset.file_formats import SAMPLED
from evaltui.evalset.keys import without_cases
from evaltui.file_access import open_regular

_KEYS = ("eval_cases", "evalCases")


class NotPlainError(Exception):
    """The file has not the usual shape, is broken or changed meanwhile; read it as a `Document`."""


CasePlace = tuple[int, int, int]
"""Where a case begins in its file: in bytes from 0, in lines from 1, and in code points of the line from 1."""


def cases_in(data: bytes, first: CasePlace) -> Iterator[tuple[CasePlace, bytes]]:
    """The cases in a stretch of a list of cases, with their places and bytes.

    `data` begins with the case at `first`, and ends with the last byte of a case. A `CaseStream` has read it before.
    """
    text = data.decode("latin-1")
    start, (offset, line, column) = 0, first
    while start < len(text):
        end = int(scan_value(text, start)[1])
        yield (offset + start, line, column), data[start:end]
        following = after_blanks(text, after_blanks(text, end) + 1)
        line, column = place_after(line, column, data[start:following].decode())
        start = following


class CaseStream:
    """The cases of a file, each with its place and its exact bytes; all else of the file after the last case.

    Iterating reads the file, which is possible once. It raises `NotPlainError` before or after any case, so callers use
    what they got only after the last case.
    """

    def __init__(self, path: Path, tick: Callable[[int], object] = lambda _: None) -> None:
        """`tick` gets the number of bytes after each read."""
        self._path = path
        self._tick = tick
        self.head = b""
        """The file up to the opening bracket of the list of cases, with the bracket."""
        self.tail = b""
        """The file from the closing bracket of the list of cases on."""
        self.closing = (1, 1)
        """Line and column of the closing bracket of the list of cases."""
        self.state: FileState = (0, 0, 0, 0)
        """The state of the file that was read."""
        self._first: list[bytes] = []
        self._unread = bytearray()
        self._position, self._line, self._column = 0, 1, 1

    def __iter__(self) -> Iterator[tuple[CasePlace, bytes]]:
        """The cases in order. Raises `NotPlainError`."""
        try:
            with open_regular(self._path) as file:
                yield from self._cases(file.fileno())
        except (OSError, ValueError, RecursionError) as error:  # also a path or bytes that are no text, or no JSON
            raise NotPlainError from error

    @property
    def root(self) -> Node:
        """The set with an empty list of cases; all its other bytes are those of the file."""
        return read_document(self.head + self.tail)

    @property
    def rest(self) -> bytes:
        """The JSON text of the set with an empty list of cases, as `without_cases` gives it."""
        return without_cases(self.root)

    @property
    def sample(self) -> Node:
        """The set with its first cases: enough to recognize its format."""
        return read_document(self.head + b",".join(self._first) + self.tail)

    def _cases(self, handle: int) -> Iterator[tuple[CasePlace, bytes]]:
        self.state = file_state(handle) or self.state
        stream = JsonStream(self._pieces(handle), only_places=True)
        has_cases = False
        if stream.next_character() != "{":
            raise NotPlainError
        for name in stream.members():
            if name not in _KEYS:
                stream.narrow_value(scan_value, LONGEST)
            elif has_cases or stream.next_character() != "[":  # which list counts is for the `Document` to decide
                raise NotPlainError
            else:
                has_cases = True
                self.head = self._read_to(stream.position + 1)
                for _ in stream.items():
                    self._read_to(stream.position)
                    place = self._position, self._line, self._column
                    stream.narrow_value(scan_value, LONGEST)
                    source = self._read_to(stream.position)
                    if len(self._first) < SAMPLED:
                        self._first.append(source)
                    yield place, source
                self._read_to(stream.position - 1)
                self.closing = self._line, self._column
        if stream.next_character() or not has_cases or file_state(handle) != self.state:
            raise NotPlainError
        self.tail = self._read_to(stream.position)

    def _pieces(self, handle: int) -> Iterator[bytes]:
        while piece := os.read(handle, json_stream.WINDOW):
            self._tick(len(piece))
            self._unread += piece
            yield piece

    def _read_to(self, end: int) -> bytes:
        """The bytes from the last place up to this one. Raises `UnicodeDecodeError`."""
        data = bytes(self._unread[: end - self._position])
        del self._unread[: len(data)]  # bytearray deletes at its front without moving the rest
        self._position = end
        self._line, self._column = place_after(self._line, self._column, data.decode())
        return data
