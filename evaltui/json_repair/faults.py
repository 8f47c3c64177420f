"""A place at which a text is no JSON, and how a parser that goes on behind it collects them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from evaltui.printable import printable
from evaltui.validation.rule import Rule

MOST_FAULTS = 100
"""So many faults are reported; more of them tell nothing new."""


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes that take the place of others. A safe one gives what was certainly meant."""

    start: int
    end: int
    """Exclusive."""
    replacement: bytes
    title: str
    """In the imperative: `Remove the comma`."""
    safe: bool


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One place at which the text is no JSON; offsets are those of bytes in the text that was looked at."""

    code: str
    """Of the rule (rules/syntax.py)."""
    message: str
    """A sentence without its place and without a full stop; what it quotes is printable."""
    start: int
    """The first offending character; the length of the text where something is missing at its end."""
    end: int
    """Exclusive."""
    splice: Splice | None = None


class EnoughError(Exception):
    """As many faults as are wanted have been found."""


class FaultLog:
    """Collects the faults of a text, which is decoded as latin-1: one character a byte.

    Behind a fault that leaves open where a text in quotes ends, quotes may be taken for their opposites up to the
    end of the line, since no text goes beyond it. Nothing is safe there.
    """

    def __init__(self, text: str, limit: int | None) -> None:
        self.text = text
        self.found: list[SyntaxFault] = []
        self._limit = limit
        self._doubtful_until = 0
        self._newline = ForwardSearch(lambda at: text.find("\n", at))

    def add(
        self, rule: Rule, message: str, start: int, end: int, splice: Splice | None = None, *, doubt: bool = False
    ) -> None:
        """One fault more; with `doubt`, nothing on the rest of its line is safe to change."""
        if doubt:
            self.doubt(end)
        if splice is not None and splice.safe and splice.start < self._doubtful_until:
            splice = replace(splice, safe=False)
        self.found.append(SyntaxFault(rule.code, printable(message), start, end, splice))
        if self._limit is not None and len(self.found) >= self._limit:
            raise EnoughError

    def doubt(self, at: int) -> None:
        """From here to the end of the line, nothing is safe to change."""
        self._doubtful_until = max(self._doubtful_until, self.line_end(at))

    def line_end(self, at: int) -> int:
        """The offset of the newline at or behind `at`, or of the end of the text."""
        found = self._newline(at)
        return found if found >= 0 else len(self.text)

    def line_of(self, offset: int) -> str:
        """`line 3`, for a sentence. Beyond the faults that somebody reads it is not counted."""
        if len(self.found) >= MOST_FAULTS:
            return "a line before"
        return f"line {self.text.count(chr(10), 0, offset) + 1}"

    def shown(self, start: int, end: int, width: int = 30) -> str:
        """A piece of the text for a sentence, cut to `width`."""
        piece = self.text[start : min(end, start + 4 * width)].encode("latin-1").decode("utf-8", "replace")
        return piece if len(piece) <= width else piece[: width - 1] + "…"


class ForwardSearch:
    """Finds the next place from an offset on. Questions go forwards, so that all of them together read a text once."""

    def __init__(self, find: Callable[[int], int]) -> None:
        """`find` gives the offset of the first place at or behind an offset, or -1."""
        self._find = find
        self._asked = self._found = 0
        self._knows = False

    def __call__(self, at: int) -> int:
        """The offset of the first place at or behind `at`; -1 where there is none."""
        if not (self._knows and self._asked <= at and (self._found < 0 or at <= self._found)):
            self._asked, self._found, self._knows = at, self._find(at), True
        return self._found
