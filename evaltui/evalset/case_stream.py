"""Eval sets and EvaluationDatasets read case by case, so that a large file is never whole in memory.

Only healthy files of the usual shape are read this way: one object in UTF-8 with one list of cases. For all others,
`NotPlainError` asks the caller to read the file as a `Document`, which also knows what is wrong with it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk.file_content import is_too_large
from evaltui.document.node import Node, read_document
from evaltui.document.scanner import after_blanks, scan_value
from evaltui.document.strings import decode
from evaltui.evalset.case_file import without_cases
from evaltui.evalset.file_formats import SAMPLED

LARGE = 8_000_000
"""Bytes from which on a file is read case by case. Below, a `Document` is as fast and takes little memory."""
WINDOW = 1 << 20
"""Bytes that are read and scanned together. The window grows for a longer case."""
_LONG = 64 << 20
"""Bytes of one value from which on the available memory is looked at before more is read."""
_LONGEST_TOKEN = 16
"""An error this near the end of the window may be a truncated token: read more, then decide."""
_KEYS = ("eval_cases", "evalCases")

FileState = tuple[int, int, int, int]
"""Device, inode, size and time of the last write of a file: they differ if the file changed."""


class NotPlainError(Exception):
    """The file has not the usual shape, is broken or changed meanwhile; read it as a `Document`."""


class CaseSpan(NamedTuple):
    """The place of a case in its file."""

    offset: int
    """In bytes."""
    length: int
    """In bytes."""
    line: int
    """The line in which the case begins, from 1."""
    column: int
    """The column in which the case begins, from 1, in code points."""


def is_large(path: Path) -> bool:
    """Whether a path is a regular file so large that its cases are read one after another."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False  # reading the file reports it
    return stat.S_ISREG(status.st_mode) and status.st_size >= LARGE


def file_state(handle: int) -> FileState:
    """The state of an open file; raises `OSError`."""
    status = os.fstat(handle)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def cases_in(data: bytes, first: CaseSpan) -> Iterator[tuple[CaseSpan, bytes]]:
    """The cases in a stretch of a list of cases, with their places and bytes.

    `data` begins with the case at `first`, and ends with the last byte of a case. A `CaseStream` has read it before.
    """
    text = data.decode("latin-1")
    start, line, column = 0, first.line, first.column
    while start < len(text):
        end = int(scan_value(text, start)[1])
        yield CaseSpan(first.offset + start, end - start, line, column), data[start:end]
        following = after_blanks(text, after_blanks(text, end) + 1)
        line, column = _place_after(line, column, data[start:following].decode())
        start = following


def _place_after(line: int, column: int, text: str) -> tuple[int, int]:
    """The line and column after a text that begins at this line and column."""
    lines = text.count("\n")
    return line + lines, len(text) - text.rfind("\n") if lines else column + len(text)


class CaseStream:
    """The cases of a file, each with its place and its exact bytes; all else of the file after the last case.

    Iterating reads the file once, and raises `NotPlainError` before or after any case. So callers use what they got
    only after the last case.
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

    def __iter__(self) -> Iterator[tuple[CaseSpan, bytes]]:
        """The cases in order. Raises `NotPlainError`."""
        try:
            handle = os.open(self._path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except (OSError, ValueError) as error:
            raise NotPlainError from error
        try:
            yield from self._cases(handle)
        except (OSError, UnicodeDecodeError, RecursionError) as error:
            raise NotPlainError from error
        finally:
            os.close(handle)

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

    def _cases(self, handle: int) -> Iterator[tuple[CaseSpan, bytes]]:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotPlainError
        self.state = file_state(handle)
        window = _Window(handle, self._tick)
        has_cases = False
        self._first.clear()
        window.take("{")
        while True:
            if window.next_mark() != '"':
                raise NotPlainError
            name = decode(window.value())
            window.take(":")
            if name not in _KEYS:
                window.next_mark()
                window.value()
            elif has_cases:  # which list counts is for the `Document` to decide
                raise NotPlainError
            else:
                has_cases = True
                window.take("[")
                self.head = window.end_keeping()
                yield from self._items(window)
                self.closing = window.line, window.column
                window.begin_keeping()
                window.take("]")
            if window.next_mark() == "}":
                break
            window.take(",")
        window.take("}")
        if window.next_mark() or not has_cases or file_state(handle) != self.state:
            raise NotPlainError
        self.tail = window.end_keeping()

    def _items(self, window: _Window) -> Iterator[tuple[CaseSpan, bytes]]:
        if window.next_mark() == "]":
            return
        while True:
            offset, line, column = window.offset, window.line, window.column
            source = window.value()
            if len(self._first) < SAMPLED:
                self._first.append(source)
            yield CaseSpan(offset, len(source), line, column), source
            if window.next_mark() == "]":
                return
            window.take(",")
            window.next_mark()


class _Window:
    """The part of a file that is in memory, and the place in it up to which it was read."""

    def __init__(self, handle: int, tick: Callable[[int], object]) -> None:
        self._handle = handle
        self._tick = tick
        self._data = b""
        self._text = ""
        """The data as latin-1: one character a byte."""
        self._at = 0
        self._dropped = 0
        self._is_all = False
        self._kept: list[bytes] | None = []
        self.line = self.column = 1

    @property
    def offset(self) -> int:
        """The number of bytes that were read."""
        return self._dropped + self._at

    def begin_keeping(self) -> None:
        """Keep the bytes from here on."""
        self._kept = []

    def end_keeping(self) -> bytes:
        """The bytes that were kept; no more are."""
        kept, self._kept = self._kept or [], None
        return b"".join(kept)

    def next_mark(self) -> str:
        """Read on to the next character that is not a blank, and return it; "" at the end."""
        while True:
            self._read_to(after_blanks(self._text, self._at))
            if self._at < len(self._text) or self._is_all:
                return self._text[self._at : self._at + 1]
            self._fill()

    def take(self, mark: str) -> None:
        """Read the next character that is not a blank, which must be `mark`; raises `NotPlainError`."""
        if self.next_mark() != mark:
            raise NotPlainError
        self._read_to(self._at + 1)

    def value(self) -> bytes:
        """Read the value that begins here; raises `NotPlainError` if there is none."""
        while (end := self._end_of_value()) is None:
            if self._is_all:
                raise NotPlainError
            self._fill()
        source = self._data[self._at : end]
        self._read_to(end)
        return source

    def _end_of_value(self) -> int | None:
        """The place behind the value that begins here; None if more text is needed to tell."""
        try:
            end = int(scan_value(self._text, self._at)[1])
        except StopIteration as error:
            at = int(error.value)
        except JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                return None
            at = error.pos
        else:  # a number can go on behind the window
            is_closed = self._text[self._at] in '{["' or end + _LONGEST_TOKEN < len(self._text)
            return end if is_closed or self._is_all else None
        if at + _LONGEST_TOKEN < len(self._text):
            raise NotPlainError
        return None

    def _read_to(self, end: int) -> None:
        """Count lines and columns on to this place. Raises `UnicodeDecodeError`."""
        between = self._data[self._at : end]
        self.line, self.column = _place_after(self.line, self.column, between.decode())
        if self._kept is not None:
            self._kept.append(between)
        self._at = end

    def _fill(self) -> None:
        """Drop the bytes that were read, and at least double the others. Raises `OSError`."""
        pieces = [self._data[self._at :]]
        if len(pieces[0]) >= _LONG and is_too_large(len(pieces[0])):
            raise NotPlainError
        wanted = max(len(pieces[0]), WINDOW)
        while wanted > 0 and not self._is_all:
            pieces.append(piece := os.read(self._handle, wanted))
            wanted -= len(piece)
            self._is_all = not piece
            self._tick(len(piece))
        self._dropped += self._at
        self._data, self._at = b"".join(pieces), 0
        self._text = self._data.decode("latin-1")
