"""JSON read value by value from a text in pieces, so that a large file is never whole in memory."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any

from evaltui.document.scanner import DepthError, Scan, same_fault, scanner_of

_ENDS = "the JSON text ends too early"
LONG_NUMBER = "this number has more than 4,300 digits"
COMMA_EXPECTED = "a comma or the closing bracket is expected here"
_MESSAGES = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": COMMA_EXPECTED,
    "Expecting ':' delimiter": "a colon is expected here",
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected here",
    "Illegal trailing comma before end of object": "extra comma",
    "Illegal trailing comma before end of array": "extra comma",
    "Unterminated string starting at": "the string has no closing quote",
    "Invalid control character at": "control character in a string: write an escape",
    "Invalid \\escape": "this backslash does not begin a JSON escape",
    "Invalid \\uXXXX escape": "four hexadecimal digits are expected after \\u",
}
"""Messages of Python's parser, in words for people."""


class JsonTextError(ValueError):
    """The text is not JSON; lines and columns count from 1."""

    def __init__(self, message: str, line: int, column: int, *, may_go_on: bool = False) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column
        self.may_go_on = may_go_on
        """Whether more text may make it valid."""

    @property
    def sentence(self) -> str:
        """The message, with the kind of the error."""
        # A text with a long number may be JSON, but Python makes no integer of the number.
        return self.message if self.message == LONG_NUMBER else f"invalid JSON: {self.message}"


class TextLimitError(JsonTextError):
    """The text exceeds a limit."""


# Measured on files of 33 to 100 MB: 4 M are not faster, need up to 1.7 times the memory, and hold the interpreter two
# to four times as long. With 256 K, objects of 1 MB are split, which doubles the time.
WINDOW = 1 << 20
"""The number of characters that are parsed together. A larger object or list is split."""
LONGEST = 128 << 20
"""The most characters of one string; no recorder writes more."""
# Values of a few bytes take memory a hundred times their text.
MOST_VALUES = 15_000_000
"""The most values that are kept at a time."""
WIDE: Any = object()
"""Stands for an object or list that does not fit into a window."""
# An error this near the end of the buffer may be a truncated token: read more, then decide.
_LONGEST_TOKEN = 16

scan_value: Scan = scanner_of(json.JSONDecoder())
_next_object = re.compile(r"[ \t\r\n]*,[ \t\r\n]*(?=\{)").match
_blanks = re.compile(r"[ \t\r\n]*").match
_comma = re.compile(r"[ \t\r\n]*,").match
_endless_number = re.compile(r"[0-9]{4301}").search


class JsonStream:
    """Reads forward through a text. Methods raise `JsonTextError`, and RecursionError, mostly as `DepthError`."""

    def __init__(self, pieces: Iterator[bytes], *, only_places: bool = False) -> None:
        """With `only_places`, no value is kept, and `position` counts bytes of a text in UTF-8."""
        self._pieces = pieces
        self._only_places = only_places
        self._decoder: codecs.IncrementalDecoder | None = None
        self._text = ""
        self._index = 0
        self._dropped = 0  # characters in front of _text
        self._is_all = False
        self._line = self._column = 1  # of the first character of _text
        self._values = 0

    # --- values ----------------------------------------------------------------------------------------------

    def next_character(self) -> str:
        """The next character that is not a blank, without reading it; "" at the end."""
        while True:
            if (blanks := _blanks(self._text, self._index)) is not None:
                self._index = blanks.end()
            if self._index < len(self._text) or self._is_all:
                return self._text[self._index : self._index + 1]
            self._fill()

    def value(self, scan: Scan = scan_value) -> Any:
        """The next value; of duplicate keys, the last one counts."""
        value = self.narrow_value(scan)
        if value is not WIDE:
            return value
        if self.next_character() == "[":
            return self.elements()
        return {key: self.value() for key in self.members()}

    def elements(self, scan: Scan = scan_value) -> list[Any]:
        """The items of the next list, each read by `scan` if it fits into a window."""
        elements: list[Any] = []
        for _ in self.items():
            elements.append(self.value(scan))
            # A fast path for nearly all of a large file: the next objects of the list that lie in the window. It does
            # the work of `items` and `value` in a fifth of the time, and leaves unusual text to them.
            text = self._text
            while (comma := _next_object(text, self._index)) is not None:
                try:
                    element, end = scan(text, comma.end())
                except (StopIteration, ValueError):
                    break
                elements.append(element)
                self._index = end
        return elements

    def narrow_value(self, scan: Scan = scan_value, widest: int | None = None) -> Any:
        """The next value; `WIDE` for an object or list of at least `widest` characters, which is not read yet.

        By default, `widest` is a window.
        """
        first = self.next_character()
        fault: JsonTextError | None
        while True:
            try:
                value, end = scan(self._text, self._index)
            except DepthError:
                raise
            except (StopIteration, ValueError) as error:
                fault = self._fault(error)
            else:
                # A number at the end of the buffer may have more digits; the other values end with a mark.
                if self._is_all or isinstance(value, dict | list | str) or end + _LONGEST_TOKEN < len(self._text):
                    self._index = end
                    return value
                fault = None
            if self._is_all or (fault is not None and not fault.may_go_on):
                raise fault or self.error("a value is expected here")
            if first in ("{", "[") and len(self._text) - self._index >= (widest or WINDOW):
                return WIDE
            self._fill()

    def members(self) -> Iterator[str]:
        """The keys of the next object. After each key, the caller must read its value."""
        for _ in self._separated("}", "a key in double quotes is expected here", '"'):
            key = self.value()
            self._skip(":", "a colon is expected here")
            yield key

    def items(self) -> Iterator[None]:
        """Yields once for each item of the next list. The caller must then read the item."""
        yield from self._separated("]", "a value is expected here", "")

    def _separated(self, closing: str, expected: str, begins_with: str) -> Iterator[None]:
        self._index += 1
        if self.next_character() == closing:
            self._index += 1
            return
        while True:
            if not self.next_character() or not self._text.startswith(begins_with, self._index):
                raise self._missing(expected)
            yield
            if (comma := _comma(self._text, self._index)) is not None:  # nearly always, in half the time
                self._index = comma.end()
            elif self.next_character() == closing:
                self._index += 1
                return
            else:
                self._skip(",", COMMA_EXPECTED)

    def _skip(self, mark: str, expected: str) -> None:
        if self.next_character() != mark:
            raise self._missing(expected)
        self._index += 1

    @property
    def position(self) -> int:
        """The number of characters that have been read."""
        return self._dropped + self._index

    def forget(self) -> None:
        """Count values from 0 again, because the caller keeps none of those that have been read."""
        self._values = 0

    # --- lines -----------------------------------------------------------------------------------------------

    @property
    def line_number(self) -> int:
        """The line of the next character."""
        return self._line + self._text.count("\n", 0, self._index)

    def read_line(self) -> str | None:
        """The rest of the line, and on to the next one; None at the end."""
        searched = 0
        while (end := self._text.find("\n", self._index + searched)) < 0 and not self._is_all:
            searched = len(self._text) - self._index
            self._fill()
        self.forget()
        if end < 0:
            end = len(self._text)
            if self._index == end:
                return None
        line = self._text[self._index : end]
        self._index = end + 1 if end < len(self._text) else end
        return line

    # --- the text --------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Drop the text that was read, and at least double the rest."""
        line, column = self._place()
        self._dropped += self._index
        if len(self._text) - self._index > LONGEST:
            raise TextLimitError("this string is longer than evaltui reads; leave the file out", line, column)
        pieces = [self._text[self._index :]]
        # Doubled, so that a value wider than the window is scanned in linear time all the same.
        missing = max(len(pieces[0]), WINDOW)
        while missing > 0 and not self._is_all:
            data = next(self._pieces, b"")
            self._is_all = not data
            if self._decoder is None:
                # In latin-1, each byte is a character, and text with emoji takes no more memory than other text.
                encoding = "latin-1" if self._only_places else json.detect_encoding(data)
                self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
            try:
                piece = self._decoder.decode(data, self._is_all)
            except UnicodeDecodeError as error:
                pieces.append(error.object[: error.start].decode(error.encoding, "replace"))
                message = f"byte 0x{error.object[error.start]:02X} is not {error.encoding.upper()}"
                raise JsonTextError(message, *place_after(line, column, "".join(pieces))) from error
            pieces.append(piece)
            missing -= len(piece)
            # More values than this cannot begin here; commas within texts only make the estimate larger.
            self._values += 0 if self._only_places else sum(map(piece.count, ",[{"))
        self._text, self._index, self._line, self._column = "".join(pieces), 0, line, column
        if self._values > MOST_VALUES:
            raise TextLimitError("evaltui cannot hold so many values at a time; split the file", line, column)

    def _place(self, index: int | None = None) -> tuple[int, int]:
        """The line and column of the next character, or of the one at an index of the text that has been read."""
        return place_after(self._line, self._column, self._text[: self._index if index is None else index])

    # --- errors ----------------------------------------------------------------------------------------------

    def error(self, message: str) -> JsonTextError:
        """The error at the next character."""
        return JsonTextError(message, *self._place())

    def _missing(self, expected: str) -> JsonTextError:
        return self.error(expected if self.next_character() else _ENDS)

    def _fault(self, error: StopIteration | ValueError) -> JsonTextError:
        if isinstance(error, StopIteration):
            error = JSONDecodeError("Expecting value", self._text, int(error.value))
        if not isinstance(error, JSONDecodeError):  # Python turns no longer number into an int
            number = _endless_number(self._text, self._index)
            return JsonTextError(LONG_NUMBER, *self._place(number.start() if number else None))
        error = same_fault(error, self._index)
        message, index = error.msg, error.pos
        # Python tells where a text begins that has no end; people look for the end of the file.
        is_cut = message == "Unterminated string starting at" or index >= len(self._text)
        place = self._place(len(self._text) if is_cut else index)
        may_go_on = index + _LONGEST_TOKEN >= len(self._text) or message.startswith("Unterminated")
        return JsonTextError(_ENDS if is_cut else _MESSAGES.get(message, message), *place, may_go_on=may_go_on)


def place_after(line: int, column: int, text: str) -> tuple[int, int]:
    """The line and column after a text that begins at this line and column."""
    lines = text.count("\n")
    return line + lines, len(text) - text.rfind("\n") if lines else column + len(text)
