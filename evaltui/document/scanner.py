"""JSON text at C speed: plain values, the ends of values, and the error in a text that is not JSON.

Functions that take a `position` or `start` expect the text decoded as latin-1: one character a byte. So every offset
is a byte offset, and UTF-8 inside strings passes through untouched. The grammar is RFC 8259 with the constants NaN,
Infinity and -Infinity, which Python's and pydantic's parsers take too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from evaltui.document.errors import JsonSyntaxError

MOST_LEVELS: Final = 420
"""The most objects and lists within each other in a plain value. google-adk reads about 200 levels."""
# Python 3.11 has 1,000 levels of calls in all, and later versions far more. The app uses up to 150 of them, and code
# that walks a plain value two for each level at most. A limit below all of them lets each version refuse the same text.
TOO_DEEP: Final = f"values are nested too deeply (more than {MOST_LEVELS} levels)"
_SHORTEST_DEEP: Final = 2 * MOST_LEVELS  # characters: each level has two brackets

Scan = Callable[[str, int], tuple[Any, int]]
"""Reads the value at a place of a text; returns it with the place after it. Raises as `scanner_of` says."""

# Python 3.11.0 to 3.11.4 go on in the middle of a repetition that failed (python/cpython#106052): `(?:a?b,)*+` then
# takes all of `ab,ab`. There a group is repeated without the sign, which finds the same in more time and memory.
_possessive_is_right = re.compile(r"(?:a?b,)*+").match("ab,ab").end() == 3  # type: ignore[union-attr]
POSSESSIVE = "+" if _possessive_is_right else ""
"""Stands behind `*` or `?` of a group, so that it gives back nothing; a repeated character needs no such care."""
STRING_START = rf'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}})[^"\\\x00-\x1f]*+)*{POSSESSIVE}'
"""A string up to its closing quote or its first error. Possessive, so that no text makes the match slow."""
NUMBER = rf"(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?{POSSESSIVE}(?:[eE][-+]?[0-9]++)?{POSSESSIVE}"
"""A number of JSON without its sign."""
_token = re.compile(
    rf'[ \t\r\n]*(?:(?P<string>{STRING_START}")|(?P<scalar>-?{NUMBER}|true|false|null|NaN|-?Infinity)'
    r"|(?P<mark>[{}\[\],:]))"
).match
_healthy_string_start = re.compile(STRING_START).match
_blanks = re.compile(r"[ \t\r\n]*").match
_word = re.compile(r"[A-Za-z_]+").match


# --- plain values ----------------------------------------------------------------------------------------------


class DepthError(ValueError, RecursionError):
    """Values nest deeper than `MOST_LEVELS`."""

    # A ValueError for readers, to whom such a file is as unusable as one that is not JSON. A RecursionError for code
    # that has more to do with the value: there, Python may run out of calls a little earlier.


_plain_decoder = JSONDecoder()


def read_json(text: str | bytes, decoder: JSONDecoder = _plain_decoder) -> Any:
    """The value (dict, list, text, number …) of a JSON text, as `json.loads` gives it.

    Raises `DepthError`, and `ValueError` if the text is not JSON: the same `JSONDecodeError` on each Python.
    """
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
        raise DepthError(TOO_DEEP) from None


def scanner_of(decoder: JSONDecoder) -> Scan:
    """The function that reads the value at a place of a text.

    It raises `StopIteration` or `ValueError` for invalid JSON, and `DepthError` if there are too many levels up to the
    end of the value, or up to the fault.
    """
    scan: Scan = decoder.scan_once  # type: ignore[attr-defined]

    def scan_value(text: str, start: int) -> tuple[Any, int]:
        """The value that begins at `start`, and its end."""
        try:
            value, end = scan(text, start)
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
            raise DepthError(TOO_DEEP) from None
        if end - start > _SHORTEST_DEEP:
            refuse_deep(text, start, end)
        return value, end

    return scan_value


_BEFORE_CLOSING: Final = {
    "Expecting value": ("]", "array"),
    "Expecting property name enclosed in double quotes": ("}", "object"),
}
"""Messages of Python 3.11 and 3.12 for an extra comma, with the bracket that follows it."""


def same_fault(error: JSONDecodeError, start: int = 0) -> JSONDecodeError:
    """The error as Python 3.13 raises it: an extra comma before a bracket has a message and a place of its own.

    The value begins at `start` of the text.
    """
    closing, kind = _BEFORE_CLOSING.get(error.msg, ("", ""))
    if not closing or not error.doc.startswith(closing, error.pos):
        return error
    text = error.doc[start : error.pos].rstrip(" \t\r\n")
    if not text.endswith(","):
        return error
    return JSONDecodeError(f"Illegal trailing comma before end of {kind}", error.doc, start + len(text) - 1)


# --- levels ----------------------------------------------------------------------------------------------------

_MARKS = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes({*range(256)} - {*b'[]{}"'})
_strings = re.compile(rb'"[^"]*"?').sub
_PIECE = 64
_OPENING = ord("[")


def refuse_deep(text: str | bytes, start: int = 0, end: int | None = None) -> None:
    """Raise `DepthError` if the JSON text from `start` to `end` nests too deep."""
    if is_deep(text, start, end):
        raise DepthError(TOO_DEEP)


def is_deep(text: str | bytes, start: int = 0, end: int | None = None, *, most: int = MOST_LEVELS) -> bool:
    """Whether the JSON text from `start` to `end` has more than `most` levels. Takes linear time.

    Of invalid JSON, what stands before the first fault counts as for a parser.
    """
    end = len(text) if end is None else end
    if end - start <= most:
        return False
    # Nearly every text has few brackets. To count them takes a small part of the time of parsing.
    if isinstance(text, str):
        count = text.count("[", start, end) + text.count("{", start, end)
    else:
        count = text.count(b"[", start, end) + text.count(b"{", start, end)
    if count <= most:
        return False
    piece = text[start:end]
    raw = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    # All characters but brackets and quotes go, at a nanosecond each. Then strings without a bracket are `""`.
    marks = raw.translate(_MARKS, _OTHERS).replace(b'""', b"")
    if b'"' in marks:
        marks = _strings(b"", marks)
    depth = 0
    for index in range(0, len(marks), _PIECE):
        marks_here = marks[index : index + _PIECE]
        opened = marks_here.count(b"[")
        if depth + opened <= most:  # not even if all that open here came first
            depth += 2 * opened - len(marks_here)
            continue
        for mark in marks_here:
            depth += 1 if mark == _OPENING else -1
            if depth > most:
                return True
    return False


# --- ends ------------------------------------------------------------------------------------------------------

# The values are thrown away; `bool` keeps numbers of thousands of digits from being converted.
_end_decoder = JSONDecoder(parse_int=bool, parse_float=bool)
scan_value = scanner_of(_end_decoder)
_scan: Scan = _end_decoder.scan_once  # type: ignore[attr-defined]


def after_blanks(text: str, position: int) -> int:
    """The offset of the first character from `position` on that is not a blank."""
    blanks = _blanks(text, position)
    return blanks.end() if blanks else position


def item_lengths(source: bytes, start: int) -> Iterator[int]:
    """The lengths in bytes of the values in the list that begins at `start` of a JSON text, in their order.

    It gives none where the text is no strict JSON up to the end of its last list, or has more behind that list.
    """
    import msgspec  # noqa: PLC0415 - pays off for long texts only

    try:
        values = msgspec.json.decode(memoryview(source)[start : source.rfind(b"]") + 1], type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return iter(())
    return (len(memoryview(value)) for value in values)


def value_end(text: str, start: int, length: int = 0) -> int | None:
    """The offset just behind the value that begins at `start`, None if it nests too deep to be seen at once.

    The length of the value is 0 if it is not known. Raises `JsonSyntaxError`.
    """
    try:
        # As `scan_value`, without the call: most commands look for the ends of thousands of values.
        end = start + length if length else _scan(text, start)[1]
        return None if end - start > _SHORTEST_DEEP and is_deep(text, start, end) else end
    except RecursionError:
        return None
    except (StopIteration, JSONDecodeError) as error:
        if is_deep(text, start, error.value if isinstance(error, StopIteration) else error.pos):
            return None
        return walk(text, start)  # the string is broken; the slow way finds the error and its sentence


def key_end(text: str, start: int) -> int:
    """The offset just behind the key that begins at `start`; raises `JsonSyntaxError`."""
    match = _token(text, start)
    if match is None or match["string"] is None:
        raise syntax_error(text, start, "key")
    return match.end()


_FOLLOWING: Final = {
    ("key", "string"): "colon",
    ("colon", ":"): "value",
    ("value", "string"): "comma",
    ("value", "scalar"): "comma",
    ("value", "{"): "key or end",
    ("value", "["): "value or end",
}
"""What is expected behind a token, by what was expected in its place."""


def walk(text: str, start: int) -> int:
    """The offset behind the value at `start`, found without recursion at any depth. Raises `JsonSyntaxError`."""
    closings: list[str] = []  # the brackets still to come
    state, position = "value", start
    while (match := _token(text, position)) is not None:
        token = str(match["mark"] or match.lastgroup)
        if following := _FOLLOWING.get((state.removesuffix(" or end"), token)):
            closings += {"{": "}", "[": "]"}.get(token, "")
            state = following
        elif closings and token == closings[-1] and state.endswith(("comma", "or end")):
            closings.pop()
            state = "comma"
        elif closings and token == "," and state == "comma":
            state = "key" if closings[-1] == "}" else "value"
        else:
            break
        position = match.end()
        if state == "comma" and not closings:
            return position
    raise syntax_error(text, position, state)


# --- errors ----------------------------------------------------------------------------------------------------

_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
_GIT_MARKS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
_EXPECTED = {
    "value": "a value",
    "value or end": "a value or ]",
    "key": "a key in double quotes",
    "key or end": "a key in double quotes or }",
    "colon": "a colon",
    "comma": "a comma or the closing bracket",
}
_UNCLOSED = "the string has no closing quote"


def syntax_error(text: str, position: int, state: str) -> JsonSyntaxError:
    """The error at `position`, where `state` was expected, in words for people."""
    start = after_blanks(text, position)
    expected = _EXPECTED[state]
    if start >= len(text):
        return JsonSyntaxError(f"the text ends where {expected} is expected", len(text))
    string = _healthy_string_start(text, start) if state not in ("comma", "colon") else None
    if string is not None:
        # The place of a broken string is the character that breaks it.
        end = string.end()
        return JsonSyntaxError(_string_fault(text[end]), end) if end < len(text) else JsonSyntaxError(_UNCLOSED, start)
    return JsonSyntaxError(_reason(text, start, state) or f"{expected} is expected here", start)


def _string_fault(character: str) -> str:
    if character == "\\":
        return "this backslash does not begin a JSON escape"
    if character in "\r\n":
        return f"{_UNCLOSED} on its line"
    return f"control character U+{ord(character):04X} in a string: write an escape"


def _reason(text: str, start: int, state: str) -> str | None:
    character = text[start]
    if text.startswith(_GIT_MARKS, start) and (start == 0 or text[start - 1] == "\n"):
        return "git merge conflict: choose one version and delete the marks"
    if character in "}]" and state in ("key", "value") and text[:start].rstrip().endswith(","):
        return f"extra comma before {character}"
    if character == "," and state != "colon":
        return "extra comma"
    if character in "'\u0091\u0092":  # also the quotes of Windows-1252
        return "JSON requires double quotes"
    if text.startswith(("//", "/*", "#"), start):
        return "JSON has no comments"
    if (word := _word(text, start)) and word[0] in _PYTHON_WORDS:
        return f"{word[0]} is not valid JSON; write {_PYTHON_WORDS[word[0]]}"
    return None
