"""Faults of invalid JSON: their fixes, and the log that the parser writes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from evaltui.printable import printable

MOST_FAULTS = 100  # more would tell the reader nothing new
"""The largest number of faults that are reported."""


@dataclass(frozen=True, slots=True)
class Splice:
    """A replacement of bytes. A safe splice gives what the author certainly meant."""

    start: int
    end: int
    """Exclusive."""
    replacement: bytes
    title: str
    """In the imperative: `Delete the comma`."""
    safe: bool


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A place where a text is not valid JSON. Offsets count the bytes of the text."""

    code: str
    """The code of the rule that explains it (validation/rules/json_syntax.py)."""
    message: str
    """A sentence without its place and without a full stop; quoted text is printable."""
    start: int
    """The first wrong character; the length of the text if something is missing at its end."""
    end: int
    """Exclusive."""
    splice: Splice | None = None


class EnoughError(Exception):
    """The log has reached its limit of faults."""


class ForwardSearch:
    """A search that remembers its last hit. For rising offsets, all calls together scan the text once."""

    # Without this, a text of n unclosed comments would be searched to its end n times.

    def __init__(self, find: Callable[[int], int]) -> None:
        """`find` returns the offset of the first hit at or after an offset, or -1."""
        self._find = find
        self._asked, self._found = 1, 0  # no offset lies between the two: nothing is known yet

    def __call__(self, offset: int) -> int:
        """The offset of the first hit at or after `offset`; -1 if there is none."""
        # The last hit is still the next one if `offset` lies between the last question and that hit.
        if not (self._asked <= offset and (self._found < 0 or offset <= self._found)):
            self._asked, self._found = offset, self._find(offset)
        return self._found


class FaultLog:
    """The faults found so far in a text, which is decoded as latin-1: one character is one byte."""

    # After some faults it is unclear where a string ends. Opening and closing quotes may then be confused up to the end
    # of the line, so no fix on the rest of the line is safe. No string continues on the next line.

    def __init__(self, text: str, limit: int | None) -> None:
        self.text = text
        self.entries: list[SyntaxFault] = []
        self._limit = limit
        self._doubtful_until = -1

    def add(
        self, code: str, message: str, start: int, end: int, splice: Splice | None = None, *, doubt: bool = False
    ) -> None:
        """Log a fault; with `doubt`, no fix on the rest of its line is safe. Raises `EnoughError` at the limit."""
        if doubt:
            self.doubt(end)
        if splice is not None and splice.safe and splice.start <= self._doubtful_until:
            splice = replace(splice, safe=False)
        self.entries.append(SyntaxFault(code, printable(message), start, end, splice))
        if self._limit is not None and len(self.entries) >= self._limit:
            raise EnoughError

    def doubt(self, offset: int) -> None:
        """Make all later fixes from `offset` to the end of the line unsafe."""
        self._doubtful_until = max(self._doubtful_until, self.line_end(offset))

    def line_end(self, offset: int) -> int:
        """The offset of the newline at or after `offset`, or the end of the text."""
        number = bisect_left(self._newlines, offset)
        return self._newlines[number] if number < len(self._newlines) else len(self.text)

    @cached_property
    def _newlines(self) -> list[int]:
        # Kept, because a fault on each line would search to the end of its line, and of the next one, again and again.
        return [*accumulate((len(line) + 1 for line in self.text.split("\n")[:-1]), initial=-1)][1:]

    def line_of(self, offset: int) -> str:
        """`line 3`, for a message."""
        # Faults that nobody reads get no number, because counting lines takes time.
        if len(self.entries) >= MOST_FAULTS:
            return "an earlier line"
        return f"line {self.text.count(chr(10), 0, offset) + 1}"

    def excerpt(self, start: int, end: int) -> str:
        """A piece of the text for a message, cut to 30 characters."""
        piece = self.text[start : min(end, start + 120)].encode("latin-1").decode("utf-8", "replace")
        return piece if len(piece) <= 30 else piece[:29] + "…"
