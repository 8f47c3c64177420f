"""Texts in double quotes with something wrong in them."""

from __future__ import annotations

import re

from evaltui.json_repair.escapes import escape_meant, escaped, with_escapes
from evaltui.json_repair.faults import FaultKind, FaultLog, ForwardSearch, Splice

_healthy_part = re.compile(r'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+').match
_controls = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f]+").match
_inner_quote = re.compile(r'(\\[\s\S])|"')
ends_item = re.compile(r"[ \t]*(?:[,}\]\r\n]|\Z|//|#)").match
_ends_item_below = re.compile(r"[ \t\r\n]*(?:[,}\]]|\Z)").match
ends_key = re.compile(r"[ \t\r\n]*[:=]").match
_next_key = re.compile(r'[^"\n]*"[ \t]*:').match
_HOPS = 20
"""The most escaped quotes that are passed in search of the end of a text of several lines."""
_MAY_FOLLOW = frozenset(" \t\r\n,:=]}\"'/#")
"""The characters behind a quote that leave no doubt that it closes the text."""


class QuotedTexts:
    """Finds the ends of texts in double quotes, and notes what is wrong with them."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._no_end_until = -1
        self._quote = ForwardSearch(lambda at: text.find('"', at))

    def end(self, at: int, *, is_key: bool) -> int:
        """The offset behind the text that begins with the quote at `at`."""
        text = self._text
        position = at + 1
        while True:
            part = _healthy_part(text, position)
            position = part.end() if part else position
            character = text[position : position + 1]
            if character == '"':
                return self._behind_quote(at, position + 1, is_key=is_key)
            if not character:
                return self._unclosed(at, position, position, is_key=is_key)
            if character == "\\":
                position = self._bad_escape(position)
            elif found := _controls(text, position):
                position = self._control_characters(position, found.end())
            else:
                quote = self._quote_below(position, is_key=is_key)
                if quote < 0:
                    return self._unclosed(at, position, position, is_key=is_key)
                self._line_breaks(position, quote)
                position = quote

    # --- inside ------------------------------------------------------------------------------------------------

    def _bad_escape(self, at: int) -> int:
        length, meant, is_safe = escape_meant(self._text, at)
        shown = self._faults.shown(at, at + length)
        splice = None
        if meant:
            title = f"Write {meant}" if len(meant) < 20 else "Write the escape"
            splice = Splice(at, at + length, meant.encode("latin-1"), title, is_safe)
        end = min(len(self._text), at + length)
        self._faults.add(FaultKind.BAD_ESCAPE, f"{shown} is no escape that JSON knows", at, end, splice)
        return end

    def _control_characters(self, at: int, end: int) -> int:
        piece = self._text[at:end]
        written = escaped(piece[0])
        said = f"a control character (U+{ord(piece[0]):04X}) must be written {written} in a text"
        splice = Splice(at, end, escaped(piece).encode(), f"Write {written}", "\0" not in piece)
        self._faults.add(FaultKind.CONTROL_CHARACTER, said, at, end, splice)
        return end

    # --- over several lines --------------------------------------------------------------------------------------

    def _quote_below(self, at: int, *, is_key: bool) -> int:
        """The quote below that closes a text which goes over the newline at `at`; -1 where it rather is unclosed."""
        quote = -1 if is_key else self._quote(at)
        for _ in range(_HOPS):
            if quote < 0 or self._text[quote - 1] != "\\":
                break
            quote = self._text.find('"', quote + 1)
        return quote if quote >= 0 and _ends_item_below(self._text, quote + 1) else -1

    def _line_breaks(self, at: int, quote: int) -> None:
        said = "a line break in a text is written \\n; or a quote is missing"
        meant = with_escapes(self._text[at:quote].replace("\r\n", "\n"))
        splice = Splice(at, quote, meant.encode("latin-1"), "Write \\n for the line breaks", False)
        self._faults.add(FaultKind.CONTROL_CHARACTER, said, at, at + 1, splice)
        self._faults.doubt(quote)

    def _unclosed(self, start: int, at: int, line_end: int, *, is_key: bool) -> int:
        """A text is not closed before `line_end`: take it to end before a comma or bracket there.

        `at` is where a parser notices.
        """
        line = self._text[start + 1 : line_end]
        end = start + 1 + len(line.split(":", 1)[0] if is_key and ":" in line else line.rstrip(" \t\r,]}"))
        splice = Splice(end, end, b'"', "Close it here", False)
        said = f"this {'key' if is_key else 'text'} has no closing quote"
        self._faults.add(FaultKind.UNCLOSED_STRING, said, at, min(at + 1, len(self._text)), splice, doubt=True)
        return end

    # --- quotes in quotes ------------------------------------------------------------------------------------------

    def _behind_quote(self, start: int, at: int, *, is_key: bool) -> int:
        """The end of the text from `start` on whose closing quote stands before `at`, if that is what closes it."""
        text = self._text
        if text[at : at + 1] in _MAY_FOLLOW or at >= len(text) or at < self._no_end_until:
            return at
        if text.find(":", start, at) >= 0 if is_key else _is_comma_before(text, start, at - 1) and _next_key(text, at):
            return self._unclosed(start, at, at - 1, is_key=is_key)
        end = self._end_on_line(at, is_key=is_key)
        if end < 0:
            self._no_end_until = self._faults.line_end(at)
            return at
        meant = _inner_quote.sub(lambda found: found[0] if found[1] else '\\"', text[at - 1 : end])
        title = "Put a backslash before the quotes in the text"
        splice = Splice(at - 1, end, meant.encode("latin-1"), title, False)
        said = 'the quote before this ends the text; in a text it is \\"'
        self._faults.add(FaultKind.UNESCAPED_QUOTE, said, at, end, splice, doubt=True)
        return end + 1

    def _end_on_line(self, at: int, *, is_key: bool) -> int:
        """The first quote from `at` on after which an item, or a key, may end."""
        ends = ends_key if is_key else ends_item
        for found in _inner_quote.finditer(self._text, at, self._faults.line_end(at)):
            if not found[1] and ends(self._text, found.end()):
                return found.start()
        return -1


def _is_comma_before(text: str, start: int, at: int) -> bool:
    while at > start and text[at - 1] in " \t":
        at -= 1
    return text[at - 1] == ","
