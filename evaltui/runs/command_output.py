"""The last lines of a command's output, in bounded memory, whatever bytes the command writes."""

from __future__ import annotations

import codecs
import re
from collections import deque
from itertools import islice
from threading import Lock
from typing import NamedTuple

from evaltui.printable import printable

MOST_LINES = 5_000
"""The number of lines in memory. Earlier lines are only counted."""
LONGEST = 2_000
"""Characters kept of one line."""
_TAB = 8
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()*+][0-~]|[0-Z\\^_`-~])")
"""An escape sequence (ECMA-48): colours, cursor moves, titles. A pane of lines does not need them."""


class OutputTail(NamedTuple):
    """The last lines of an output, safe to show."""

    first: int
    """Number of the first of these lines in the whole output, from 0."""
    lines: list[str]
    """The last one may still grow."""


class CommandOutput:
    """The last lines that a command wrote. One thread feeds it; any thread may read."""

    def __init__(self, most: int = MOST_LINES) -> None:
        self._lock = Lock()
        self._lines: deque[str] = deque(maxlen=most)
        self._count = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = ""
        """The line that has not ended yet."""
        self._cut = 0
        """The number of characters that were cut from the open line."""
        self._state = 0
        self._is_returned = False
        """Whether the last character was a carriage return: the next text overwrites the open line (progress bars)."""

    @property
    def state(self) -> int:
        """A number that changes with each piece of output."""
        return self._state

    @property
    def count(self) -> int:
        """Number of lines so far, including an unfinished line."""
        with self._lock:
            return self._count + bool(self._open)

    def feed(self, data: bytes) -> None:
        """Add the next bytes. Invalid UTF-8 becomes U+FFFD."""
        self._take(self._decoder.decode(data))

    def close(self) -> None:
        """The output has ended: its last line may lack a newline."""
        self._take(self._decoder.decode(b"", final=True))
        with self._lock:
            if self._open:
                self._end_line()

    def tail(self, most: int = MOST_LINES) -> OutputTail:
        """The last lines, at most `most`."""
        with self._lock:
            shown = [_shown(self._open, self._cut)] if self._open and most else []
            skipped = max(0, len(self._lines) - most + len(shown))
            lines = list(islice(self._lines, skipped, None))
            return OutputTail(self._count - len(lines), lines + shown)

    def _take(self, text: str) -> None:
        # Not splitlines: it also splits at form feeds and U+2028, which a line of a log may have.
        *ended, last = text.split("\n")
        with self._lock:
            self._state += 1
            assert self._lines.maxlen is not None
            if (gone := len(ended) - self._lines.maxlen) > 0:  # they would leave the memory in this very piece
                self._count += gone
                self._begin_line()
                del ended[:gone]
            for line in ended:
                self._extend(line)
                self._end_line()
            self._extend(last)

    def _extend(self, text: str) -> None:
        first, *rest = text.split("\r")
        self._append(first)
        if rest:  # each part that is not empty overwrites the one before
            self._is_returned = True
            self._append(next(filter(None, reversed(rest)), ""))
            self._is_returned = not rest[-1]

    def _append(self, text: str) -> None:
        if not text:
            return
        if self._is_returned:
            self._begin_line()
        room = LONGEST - len(self._open)
        self._open += text[:room]
        self._cut += max(0, len(text) - room)

    def _end_line(self) -> None:
        self._lines.append(_shown(self._open, self._cut))
        self._count += 1
        self._begin_line()

    def _begin_line(self) -> None:
        self._open, self._cut, self._is_returned = "", 0, False


def _shown(line: str, cut: int) -> str:
    """A line without escape sequences, safe to show, with the number of characters that were `cut`."""
    if not cut and line.isascii() and line.isprintable():  # nearly all lines
        return line
    plain = _SEQUENCE.sub("", line) if "\x1b" in line else line
    more = f" … {cut:,} more characters" if cut else ""
    return printable(plain.expandtabs(_TAB)) + more
