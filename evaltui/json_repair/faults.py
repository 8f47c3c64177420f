"""Faults of a text that is no JSON: their kinds, their fixes, and the log in which the parser notes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from evaltui.printable import printable

MOST_FAULTS = 100
"""The most faults that are reported; more of them tell nothing new."""


class FaultKind(StrEnum):
    """The kinds of faults. The rule that explains a kind has the same code (validation/rules/json_syntax.py)."""

    NOT_JSON = "not-json"
    EMPTY_FILE = "empty-file"
    TRAILING_COMMA = "trailing-comma"
    EXTRA_COMMA = "extra-comma"
    MISSING_COMMA = "missing-comma"
    MISSING_COLON = "missing-colon"
    MISSING_VALUE = "missing-value"
    MISSING_KEY = "missing-key"
    SINGLE_QUOTES = "single-quotes"
    SMART_QUOTES = "smart-quotes"
    UNQUOTED_KEY = "unquoted-key"
    UNQUOTED_TEXT = "unquoted-text"
    FOREIGN_LITERAL = "foreign-literal"
    BAD_NUMBER = "bad-number"
    UNCLOSED_STRING = "unclosed-string"
    UNESCAPED_QUOTE = "unescaped-quote"
    CONTROL_CHARACTER = "control-character"
    BAD_ESCAPE = "bad-escape"
    UNCLOSED_BRACKET = "unclosed-bracket"
    WRONG_BRACKET = "wrong-bracket"
    STRAY_TEXT = "stray-text"
    SEVERAL_DOCUMENTS = "several-documents"
    COMMENT = "comment"
    CONFLICT_MARKS = "conflict-marks"
    CODE_FENCE = "code-fence"
    ODD_BLANK = "odd-blank"
    NOT_UTF_8 = "not-utf-8"
    WRONG_ENCODING = "wrong-encoding"
    BYTE_ORDER_MARK = "byte-order-mark"


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes that take the place of others. A safe one gives what was certainly meant."""

    start: int
    end: int
    """Exclusive."""
    replacement: bytes
    title: str
    """In the imperative: `Delete the comma`."""
    safe: bool


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A place at which a text is no JSON. Offsets count the bytes of the text that was read."""

    code: FaultKind
    message: str
    """A sentence without its place and without a full stop; what it quotes is printable."""
    start: int
    """The first offending character; the length of the text where something is missing at its end."""
    end: int
    """Exclusive."""
    splice: Splice | None = None


class EnoughError(Exception):
    """The wanted number of faults has been found."""


class ForwardSearch:
    """A search that remembers its last hit. Callers ask with rising offsets, so all calls together read a text once.

    Without it, a text of n unclosed comments would be searched to its end n times.
    """

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


class FaultLog:
    """The faults of a text so far. The text is decoded as latin-1, so a character is a byte.

    Some faults leave open where a text in quotes ends. Behind one, opening and closing quotes may be confused up to
    the end of the line, so no fix on the rest of the line is safe. No text in quotes goes beyond its line.
    """

    def __init__(self, text: str, limit: int | None) -> None:
        self.text = text
        self.found: list[SyntaxFault] = []
        self._limit = limit
        self._doubtful_until = 0
        self._newline = ForwardSearch(lambda at: text.find("\n", at))

    def add(
        self, kind: FaultKind, message: str, start: int, end: int, splice: Splice | None = None, *, doubt: bool = False
    ) -> None:
        """Note a fault; with `doubt`, no fix on the rest of its line is safe. Raises `EnoughError` at the limit."""
        if doubt:
            self.doubt(end)
        if splice is not None and splice.safe and splice.start < self._doubtful_until:
            splice = replace(splice, safe=False)
        self.found.append(SyntaxFault(kind, printable(message), start, end, splice))
        if self._limit is not None and len(self.found) >= self._limit:
            raise EnoughError

    def doubt(self, at: int) -> None:
        """Let no fix be safe from here to the end of the line."""
        self._doubtful_until = max(self._doubtful_until, self.line_end(at))

    def line_end(self, at: int) -> int:
        """The offset of the newline at or behind `at`, or of the end of the text."""
        found = self._newline(at)
        return found if found >= 0 else len(self.text)

    def line_of(self, offset: int) -> str:
        """`line 3`, for a sentence. Beyond the faults that somebody reads it is not counted."""
        if len(self.found) >= MOST_FAULTS:
            return "an earlier line"
        return f"line {self.text.count(chr(10), 0, offset) + 1}"

    def shown(self, start: int, end: int) -> str:
        """A piece of the text for a sentence, cut to 30 characters."""
        piece = self.text[start : min(end, start + 120)].encode("latin-1").decode("utf-8", "replace")
        return piece if len(piece) <= 30 else piece[:29] + "…"
