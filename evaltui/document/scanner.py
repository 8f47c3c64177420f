"""Finds the ends of JSON values at C speed, and the error in a text that is not JSON.

All functions take the text decoded as latin-1: one character a byte, so every offset is a byte offset and
UTF-8 inside strings passes through untouched. The grammar is RFC 8259 with the constants NaN, Infinity and
-Infinity, which Python's and pydantic's parsers take too.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

from evaltui.document.errors import JsonSyntaxError
from evaltui.document.plain_values import SHORTEST_DEEP, Scan, is_deep, scanner_of
from evaltui.document.possessive import POSSESSIVE

_blanks = re.compile(r"[ \t\r\n]*").match

# The values are thrown away; `bool` keeps numbers of thousands of digits from being converted.
_decoder = JSONDecoder(parse_int=bool, parse_float=bool)
scan_value = scanner_of(_decoder)
_scan: Scan = _decoder.scan_once  # type: ignore[attr-defined]

STRING_START = rf'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}})[^"\\\x00-\x1f]*+)*{POSSESSIVE}'
"""A string up to its closing quote or its first error. Possessive, so that no text makes the match slow."""
NUMBER = rf"(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?{POSSESSIVE}(?:[eE][-+]?[0-9]++)?{POSSESSIVE}"
"""A number of JSON without its sign."""
_token = re.compile(
    rf'[ \t\r\n]*(?:(?P<string>{STRING_START}")|(?P<scalar>-?{NUMBER}|true|false|null|NaN|-?Infinity)'
    r"|(?P<mark>[{}\[\],:]))"
).match
_word = re.compile(r"[A-Za-z_]+").match
_healthy_string_start = re.compile(STRING_START).match

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


def after_blanks(text: str, position: int) -> int:
    """The offset of the first character from `position` on that is not a blank."""
    found = _blanks(text, position)
    return found.end() if found else position


def value_end(text: str, start: int) -> int | None:
    """The offset just behind the value that begins at `start`, None if it nests too deep to be seen at once.

    Raises `JsonSyntaxError`.
    """
    try:
        # As `scan_value`, without the call: most commands look for the ends of thousands of values.
        end = _scan(text, start)[1]
        return None if end - start > SHORTEST_DEEP and is_deep(text, start, end) else end
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


def walk(text: str, start: int) -> int:
    """The offset behind the value at `start`, found without recursion at any depth. Raises `JsonSyntaxError`."""
    awaited: list[str] = []
    state = "value"
    position = start
    while True:
        match = _token(text, position)
        if match is None:
            raise syntax_error(text, position, state)
        state = _after(match, state, awaited, text, position)
        position = match.end()
        if state == "comma" and not awaited:
            return position


def _after(match: re.Match[str], state: str, awaited: list[str], text: str, position: int) -> str:
    """The state behind one token; `awaited` is the stack of closing brackets still to come."""
    mark = match["mark"]
    if state.startswith("key") and match["string"]:
        return "colon"
    if state.startswith("value") and (match["string"] or match["scalar"]):
        return "comma"
    if state.startswith("value") and mark in ("{", "["):
        awaited.append("}" if mark == "{" else "]")
        return "key or end" if mark == "{" else "value or end"
    if state == "colon" and mark == ":":
        return "value"
    if state in ("comma", "value or end", "key or end") and awaited and mark == awaited[-1]:
        awaited.pop()
        return "comma"
    if state == "comma" and awaited and mark == ",":
        return "key" if awaited[-1] == "}" else "value"
    raise syntax_error(text, position, state)


def syntax_error(text: str, position: int, state: str) -> JsonSyntaxError:
    """The error at `position`, where `state` was expected, in words for people."""
    at = after_blanks(text, position)
    expected = _EXPECTED[state]
    if at >= len(text):
        return JsonSyntaxError(f"the text ends where {expected} is expected", len(text))
    return JsonSyntaxError(_reason(text, at, state) or f"{expected} is expected here", _fault(text, at, state))


def _fault(text: str, at: int, state: str) -> int:
    """The offset of the wrong character; in a broken string, of the character that breaks it."""
    if state in {"comma", "colon"}:
        return at
    match = _healthy_string_start(text, at)
    return min(match.end(), len(text) - 1) if match and match.end() < len(text) and text[match.end()] != '"' else at


def _reason(text: str, at: int, state: str) -> str | None:
    character = text[at]
    if text.startswith(_GIT_MARKS, at) and (at == 0 or text[at - 1] == "\n"):
        return "git merge conflict: choose one version and delete the marks"
    if character == '"' and state not in {"comma", "colon"}:
        return _string_fault(text, at)
    if character in "}]" and state in ("key", "value") and text[:at].rstrip().endswith(","):
        return f"extra comma before {character}"
    if character == "," and state != "colon":
        return "extra comma"
    if character in "'\u0091\u0092":
        return "JSON requires double quotes"
    if text.startswith(("//", "/*", "#"), at):
        return "JSON has no comments"
    word = _word(text, at)
    if word and word[0] in _PYTHON_WORDS:
        return f"{word[0]} is not valid JSON; write {_PYTHON_WORDS[word[0]]}"
    return None


def _string_fault(text: str, at: int) -> str | None:
    match = _healthy_string_start(text, at)
    if match is None or match.end() >= len(text):
        return "the string has no closing quote"
    fault = text[match.end()]
    if fault == "\\":
        return "this backslash does not begin a JSON escape"
    if fault in "\r\n":
        return "the string has no closing quote on its line"
    if fault != '"':
        return f"control character U+{ord(fault):04X} in a string: write an escape"
    return None
