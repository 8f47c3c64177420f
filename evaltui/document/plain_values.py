"""Plain values (dict, list, text, number) of foreign JSON text, with one limit for how deep they nest.

The parser of each Python version has a limit of its own: about 1,000 levels of calls in 3.11, and far more later. The
limit here is lower than all of them, so each version reads and refuses the same texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

MOST_LEVELS: Final = 420
"""The most objects and lists within each other. google-adk reads about 200 levels.

Python has 1,000 levels of calls in all. The app uses up to 150 of them, and code that walks a plain value two for each
level at most.
"""
SHORTEST_DEEP: Final = 2 * MOST_LEVELS
"""Characters of a value that may nest too deep: each level has two brackets."""
TOO_DEEP: Final = f"values are nested too deeply (more than {MOST_LEVELS} levels)"

Scan = Callable[[str, int], tuple[Any, int]]
"""Reads the value at a place of a text; returns it with the place after it. Raises as `scanner_of` says."""

_MARKS = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes({*range(256)} - {*b'[]{}"'})
_strings = re.compile(rb'"[^"]*"?').sub
_PIECE = 64
_OPENING = ord("[")
_BEFORE_CLOSING: Final = {
    "Expecting value": ("]", "array"),
    "Expecting property name enclosed in double quotes": ("}", "object"),
}
"""Messages of Python 3.11 and 3.12 for an extra comma, with the bracket that follows it."""


class TooManyLevelsError(RecursionError):
    """Values nest deeper than `MOST_LEVELS`."""


def plain_value(text: str | bytes) -> Any:
    """The value of a JSON text, as `json.loads` gives it.

    Raises `TooManyLevelsError`, and `ValueError` if the text is not JSON: the same `JSONDecodeError` on each Python.
    """
    return decoded(text, _decoder)


def decoded(text: str | bytes, decoder: JSONDecoder) -> Any:
    """The value that `decoder` reads from a JSON text. Raises as `plain_value` does."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    refuse_deep(text)
    if text.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    try:
        return decoder.decode(text)
    except JSONDecodeError as error:
        raise same_fault(error) from None
    except RecursionError:  # far more calls than usual are under way
        raise TooManyLevelsError(TOO_DEEP) from None


def scanner_of(decoder: JSONDecoder) -> Scan:
    """The function that reads the value at a place of a text.

    It raises `StopIteration` or `ValueError` for invalid JSON, and `TooManyLevelsError` if there are too many levels
    up to the end of the value, or up to the fault.
    """
    scan: Scan = decoder.scan_once  # type: ignore[attr-defined]

    def scan_value(text: str, start: int) -> tuple[Any, int]:
        """The value at `start`, and the place after it."""
        try:
            found = scan(text, start)
        except StopIteration as error:
            refuse_deep(text, start, error.value)
            raise
        except JSONDecodeError as error:
            refuse_deep(text, start, error.pos)
            raise
        except ValueError:  # a number has too many digits; its place is unknown
            refuse_deep(text, start)
            raise
        except RecursionError:
            raise TooManyLevelsError(TOO_DEEP) from None
        if found[1] - start > SHORTEST_DEEP:
            refuse_deep(text, start, found[1])
        return found

    return scan_value


def refuse_deep(text: str | bytes, start: int = 0, end: int | None = None) -> None:
    """Raise `TooManyLevelsError` if the JSON text from `start` to `end` nests too deep."""
    if is_deep(text, start, end):
        raise TooManyLevelsError(TOO_DEEP)


def is_deep(text: str | bytes, start: int = 0, end: int | None = None, *, most: int = MOST_LEVELS) -> bool:
    """Whether the JSON text from `start` to `end` has more than `most` levels. Takes linear time.

    Of invalid JSON, what stands before the first fault counts as for a parser.
    """
    end = len(text) if end is None else end
    if end - start <= most:
        return False
    # Nearly every text has few brackets. To count them takes a small part of the time of parsing.
    if isinstance(text, str):
        if text.count("[", start, end) + text.count("{", start, end) <= most:
            return False
        return _nests_deeper(text[start:end].encode("utf-8", "surrogatepass"), most)
    return text.count(b"[", start, end) + text.count(b"{", start, end) > most and _nests_deeper(text[start:end], most)


def _nests_deeper(text: bytes, most: int) -> bool:
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    # All characters but brackets and quotes go, at a nanosecond each. Then strings without a bracket are `""`.
    marks = text.translate(_MARKS, _OTHERS).replace(b'""', b"")
    if b'"' in marks:
        marks = _strings(b"", marks)
    depth = 0
    for start in range(0, len(marks), _PIECE):
        piece = marks[start : start + _PIECE]
        opened = piece.count(b"[")
        if depth + opened <= most:  # not even if all that open here came first
            depth += 2 * opened - len(piece)
            continue
        for mark in piece:
            depth += 1 if mark == _OPENING else -1
            if depth > most:
                return True
    return False


def same_fault(error: JSONDecodeError, start: int = 0) -> JSONDecodeError:
    """The error as Python 3.13 raises it: an extra comma before a bracket has a message and a place of its own.

    The value begins at `start` of the text.
    """
    closing, kind = _BEFORE_CLOSING.get(error.msg, ("", ""))
    if not closing or not error.doc.startswith(closing, error.pos):
        return error
    before = error.doc[start : error.pos].rstrip(" \t\r\n")
    if not before.endswith(","):
        return error
    return JSONDecodeError(f"Illegal trailing comma before end of {kind}", error.doc, start + len(before) - 1)


_decoder = JSONDecoder()
