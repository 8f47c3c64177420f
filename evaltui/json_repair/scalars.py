"""Scalars with faults: strings with faults inside or in other quotes, and words and numbers spelled otherwise.

The text is decoded as latin-1, so one character is one byte.
"""

from __future__ import annotations

import json
import re

from evaltui.document.scanner import NUMBER, POSSESSIVE, STRING_START
from evaltui.json_repair.faults import FaultLog, ForwardSearch, Splice

_HEXADECIMAL = re.compile(r"\\x([0-9a-fA-F]{2})").match
_control = re.compile(r"[\x00-\x1f]")
_inside = re.compile(r"\\x([0-9a-fA-F]{2})|\\([\s\S])|\"|[\x00-\x1f]")


def _escaped(characters: str) -> str:
    return json.dumps(characters)[1:-1]


def _guess_escape(text: str, start: int) -> tuple[int, str, bool]:
    """The length of the invalid escape at `start`, its meaning in JSON, and whether that is certain."""
    if match := _HEXADECIMAL(text, start):
        return 4, f"\\u00{match[1]}", True
    following = text[start + 1 : start + 2]
    if following == "'":
        return 2, "'", True
    if following == "v":  # in JavaScript a vertical tab; but Windows paths also have it
        return 2, "\\u000b", False
    if following and following.isascii() and following.isprintable():
        return 2, f"\\\\{following}", False
    return 1, "\\\\", False  # at a line end, where the string continues on the next line in other languages


def in_double_quotes(inside: str) -> bytes:
    """The inside of a string in other quotes, as a string in double quotes; invalid escapes stay."""

    def spelt(match: re.Match[str]) -> str:
        if match[1]:
            return f"\\u00{match[1]}"
        if match[2]:
            return match[2] if match[2] in "'`" else match[0]
        return '\\"' if match[0] == '"' else _escaped(match[0])

    return f'"{_inside.sub(spelt, inside)}"'.encode("latin-1")


# --- double quotes ---------------------------------------------------------------------------------------------

_healthy_part = re.compile(STRING_START[1:]).match
_controls = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f]+").match
_inner_quote = re.compile(r'(\\[\s\S])|"')
_ends_item = re.compile(r"[ \t]*(?:[,}\]\r\n]|\Z|//|#)").match
_ends_item_below = re.compile(r"[ \t\r\n]*(?:[,}\]]|\Z)").match
_ends_key = re.compile(r"[ \t\r\n]*[:=]").match
_next_key = re.compile(r'[^"\n]*"[ \t]*:').match
_HOPS = 20  # escaped quotes to pass when looking for the end of a string over several lines
_MAY_FOLLOW = frozenset(" \t\r\n,:=]}\"'/#")
"""Characters after a quote that prove that the quote closes the string."""

# --- other quotes, and none ------------------------------------------------------------------------------------

_CLOSING = {
    "'": "'",
    "`": "`´'",
    "´": "´",
    "“": "”“",
    "”": "”",
    "„": "“”",
    "‟": "”",
    "‘": "’‘",
    "’": "’",
    "‚": "‘’",
    "‛": "’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "＂": "＂",
    "〝": "〞",
    "「": "」",
}
"""The possible closing quotes of each opening quote."""


def _as_latin_1(quote: str) -> str:
    return quote.encode().decode("latin-1")


_OF_BYTES = {
    **{_as_latin_1(opening): [_as_latin_1(quote) for quote in closing] for opening, closing in _CLOSING.items()},
    **{"\x91": ["\x92"], "\x92": ["\x92"], "\x93": ["\x94"], "\x94": ["\x94"]},  # of Windows-1252
}
_opening = re.compile("|".join(sorted(map(re.escape, _OF_BYTES), key=len, reverse=True))).match
_ALL = '"|' + "|".join(re.escape(_as_latin_1(quote)) for quote in sorted(set("".join(_CLOSING.values()))))
_STRAIGHT = "'`"

_run = re.compile(rf"(?:[^ \t\r\n,:\[\]{{}}\"'/#=;]|/(?![/*]))*{POSSESSIVE}").match
_healthy = re.compile(rf"-?{NUMBER}|true|false|null|NaN|-?Infinity").fullmatch
_phrase = re.compile(rf"(?:[^,\[\]{{}}\"\r\n/]|/(?![/*])|(?<=:)//)*{POSSESSIVE}").match
_ahead_of_colon = re.compile(r"[ \t\r\n]*(?::|=>?(?!=))").match
_name = re.compile(r"[A-Za-z_$][\w$-]*|[0-9]+", re.ASCII).fullmatch
_has_word = re.compile(r"[0-9A-Za-z\x80-\xff]").search

_LITERALS = {
    **{"true": "true", "false": "false", "null": "null", "none": "null"},
    **{"undefined": "null", "nil": "null", "nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"},
    **{"infinity": "Infinity", "-infinity": "-Infinity"},
}
# The other words have no exact match in JSON: its parsers do not agree on NaN, and undefined may mean an absent member.
_CERTAIN = ("true", "false", "null", "none")

_plus = re.compile(rf"\+({NUMBER}|Infinity|NaN)").fullmatch
_zeros = re.compile(r"[-+]?(0[0-9_]+)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)").fullmatch
_point = re.compile(r"[-+]?([0-9]*)\.([0-9]*)((?:[eE][-+]?[0-9]+)?)").fullmatch
_other_base = re.compile(r"[-+]?(0[xX][0-9a-fA-F]{1,40}|0[oO][0-7]{1,40}|0[bB][01]{1,80})").fullmatch
_underscores = re.compile(r"[-+]?((?:0|[1-9][0-9]*)(?:_[0-9]+)+(?:\.[0-9]+)?)").fullmatch
_no_number = re.compile(r"[-+]+(?:[0-9.][0-9.eE]*)?|[0-9]+(?:\.[0-9]*)?[eE][-+]?").fullmatch


class Scalars:
    """Finds the ends of strings, keys and values in any quotes or without; logs their faults with the fixes."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        # Up to here no quote ends a string. Without this, a line of n quotes would be searched n times.
        self._no_end_until = -1
        # Up to here no quote ends a key, because those before it follow a backslash.
        self._no_key_until = -1
        self._quote = ForwardSearch(lambda offset: text.find('"', offset))
        self._finders: dict[tuple[str, bool], ForwardSearch] = {}

    def is_key(self, start: int) -> bool:
        """Whether a string in any quotes begins at `start`, or a word that is followed by a colon."""
        if self._text.startswith('"', start) or _opening(self._text, start):
            return True
        end = self.run_end(start)  # a closing quote may follow
        return end > start and _ahead_of_colon(self._text, end + self._text.startswith('"', end)) is not None

    def end(self, start: int, *, is_key: bool) -> int:
        """The offset after the scalar at `start`, which is a key or a value."""
        if self._text.startswith('"', start):
            return self._quoted_end(start, is_key=is_key)
        if opening := _opening(self._text, start):
            return self._other_end(start, opening[0], is_key=is_key)
        return self._key_end(start) if is_key else self._value_end(start)

    # --- strings in double quotes ------------------------------------------------------------------------------

    def _quoted_end(self, start: int, *, is_key: bool) -> int:
        """The offset after the string that begins with the double quote at `start`."""
        text = self._text
        if is_key and start < self._no_key_until:
            return self._log_unclosed(start, self._no_key_until, self._no_key_until, is_key=True)
        position = start + 1
        while True:
            part = _healthy_part(text, position)
            position = part.end() if part else position
            character = text[position : position + 1]
            if character == '"':
                return self._end_at_quote(start, position + 1, is_key=is_key)
            if not character:
                return self._log_unclosed(start, position, position, is_key=is_key)
            if character == "\\":
                position = self._log_bad_escape(position)
            elif controls := _controls(text, position):
                position = self._log_control_characters(position, controls.end())
            else:
                quote = self._find_quote_below(position, is_key=is_key)
                if quote < 0:
                    return self._log_unclosed(start, position, position, is_key=is_key)
                self._log_line_breaks(position, quote)
                position = quote

    # --- inside ------------------------------------------------------------------------------------------------

    def _log_bad_escape(self, start: int) -> int:
        length, replacement, is_safe = _guess_escape(self._text, start)
        end = start + length
        splice = Splice(start, end, replacement.encode("latin-1"), f"Write {replacement}", is_safe)
        message = f"{self._faults.excerpt(start, end)} is not a JSON escape"
        self._faults.add("bad-escape", message, start, end, splice)
        return end

    def _log_control_characters(self, start: int, end: int) -> int:
        piece = self._text[start:end]
        written = _escaped(piece[0])
        message = f"control character U+{ord(piece[0]):04X} in a string: write {written}"
        splice = Splice(start, end, _escaped(piece).encode(), f"Write {written}", "\0" not in piece)
        self._faults.add("control-character", message, start, end, splice)
        return end

    # --- over several lines --------------------------------------------------------------------------------------

    def _find_quote_below(self, offset: int, *, is_key: bool) -> int:
        """The later quote that closes the string with the newline at `offset`; -1 if the string is rather unclosed."""
        quote = -1 if is_key else self._quote(offset)
        for _ in range(_HOPS):
            if quote < 0 or self._text[quote - 1] != "\\":
                break
            quote = self._text.find('"', quote + 1)
        return quote if quote >= 0 and _ends_item_below(self._text, quote + 1) else -1

    def _log_line_breaks(self, start: int, quote: int) -> None:
        message = "line break in a string: write \\n, or add a missing quote"
        text = self._text[start:quote].replace("\r\n", "\n")
        replacement = _control.sub(lambda control: _escaped(control[0]), text)
        splice = Splice(start, quote, replacement.encode("latin-1"), "Write \\n for the line breaks", False)
        self._faults.add("control-character", message, start, start + 1, splice)
        self._faults.doubt(quote)

    def _log_unclosed(self, start: int, offset: int, line_end: int, *, is_key: bool) -> int:
        """Log a string without a closing quote before `line_end`; its end is before a comma or bracket there.

        `offset` is the place where a parser notices.
        """
        end = self._text.find(":", start + 1, line_end) if is_key else -1
        if end < 0:
            end = start + 1 + len(self._text[start + 1 : line_end].rstrip(" \t\r,]}"))
        elif offset == line_end:
            self._no_key_until = line_end
        splice = Splice(end, end, b'"', "Add the closing quote here", False)
        message = f"the {'key' if is_key else 'string'} has no closing quote"
        fault_end = min(offset + 1, len(self._text))
        self._faults.add("unclosed-string", message, offset, fault_end, splice, doubt=True)
        return end

    # --- quotes in quotes ------------------------------------------------------------------------------------------

    def _end_at_quote(self, start: int, offset: int, *, is_key: bool) -> int:
        """The end of the string from `start` on; the quote before `offset` may close it, or may lack a backslash."""
        text = self._text
        if text[offset : offset + 1] in _MAY_FOLLOW or offset >= len(text) or offset < self._no_end_until:
            return offset
        # A colon in a key, or a comma in front of the next key, shows that the closing quote is missing.
        is_behind_comma = text[start : offset - 1].rstrip(" \t").endswith(",")
        if text.find(":", start, offset) >= 0 if is_key else is_behind_comma and _next_key(text, offset):
            return self._log_unclosed(start, offset, offset - 1, is_key=is_key)
        # The first quote after which an item, or a key, may end.
        ends = _ends_key if is_key else _ends_item
        quotes = _inner_quote.finditer(text, offset, self._faults.line_end(offset))
        end = next((quote.start() for quote in quotes if not quote[1] and ends(text, quote.end())), -1)
        if end < 0:
            self._no_end_until = self._faults.line_end(offset)
            return offset
        replacement = _inner_quote.sub(lambda quote: quote[0] if quote[1] else '\\"', text[offset - 1 : end])
        title = "Add a backslash before each inner quote"
        splice = Splice(offset - 1, end, replacement.encode("latin-1"), title, False)
        message = 'the quote before this ends the string; inside a string write \\"'
        self._faults.add("unescaped-quote", message, offset, end, splice, doubt=True)
        return end + 1

    # --- strings in single, typographic and other quotes -------------------------------------------------------

    def _other_end(self, start: int, opening: str, *, is_key: bool) -> int:
        """The offset after the string that begins with the quote `opening` at `start`; logs the fault and its fix."""
        inside = start + len(opening)
        proper = "|".join(map(re.escape, _OF_BYTES[opening]))
        line_end = self._faults.line_end(start)
        for quotes in (proper, _ALL):
            end = self._find_end(quotes, inside, is_key=is_key)
            if 0 <= end < line_end:
                return self._log_quotes(start, inside, end, quotes if quotes == proper else "")
        end = inside + len(self._text[inside:line_end].rstrip(" \t\r,]}"))
        splice = Splice(start, end, in_double_quotes(self._text[inside:end]), "Add the closing quote here", False)
        message = f"the quote {self._faults.excerpt(start, inside)} has no closing quote"
        self._faults.add("unclosed-string", message, start, end, splice, doubt=True)
        return end

    def _find_end(self, quotes: str, start: int, *, is_key: bool) -> int:
        """The next of the `quotes` from `start` on after which an item, or a key, may end, on any line."""
        finder = self._finders.get((quotes, is_key))
        if finder is None:
            pattern = re.compile(rf"\\[\s\S]|({quotes})")
            ends = _ends_key if is_key else _ends_item

            def find(start: int) -> int:
                hits = pattern.finditer(self._text, start)
                return next((hit.start() for hit in hits if hit[1] and ends(self._text, hit.end())), -1)

            finder = self._finders[quotes, is_key] = ForwardSearch(find)
        return finder(start)

    def _log_quotes(self, start: int, inside: int, end: int, proper: str) -> int:
        text, opening = self._text, self._text[start:inside]
        closing = re.compile(_ALL).match(text, end)
        behind = closing.end() if closing else end + 1
        content = text[inside:end]
        # A quote of the same kind inside could as well be the end.
        is_certain = bool(proper) and re.search(proper, re.sub(r"\\[\s\S]", "", content)) is None
        code = "single-quotes" if opening in _STRAIGHT else "smart-quotes"
        message = f"JSON requires straight double quotes, not {self._faults.excerpt(start, inside)}"
        splice = Splice(start, behind, in_double_quotes(content), "Write double quotes", is_certain)
        self._faults.add(code, message, start, behind, splice, doubt=not is_certain)
        return behind

    # --- without quotes ----------------------------------------------------------------------------------------

    def run_end(self, start: int) -> int:
        """The offset after the run of characters at `start` that may be one word or number."""
        match = _run(self._text, start)
        return match.end() if match else start

    def _key_end(self, start: int) -> int:
        end = self.run_end(start)
        if self._text.startswith('"', end):
            return self._log_no_opening_quote("unquoted-key", start, end)
        key = self._text[start:end]
        splice = Splice(start, end, in_double_quotes(key), "Put the key in quotes", bool(_name(key)))
        message = f"the key {self._faults.excerpt(start, end)} needs double quotes"
        self._faults.add("unquoted-key", message, start, end, splice)
        return end

    def _value_end(self, start: int) -> int:
        """The offset after a value without quotes, or without the opening one; always greater than `start`."""
        end = self.run_end(start)
        if self._is_closed(end):
            return self._log_no_opening_quote("unquoted-text", start, end)
        run = self._text[start:end]
        if _healthy(run):
            return end
        literal = _LITERALS.get(run.casefold()) if len(run) < 12 else None
        if literal is not None:
            title = f"Write {literal}"
            splice = Splice(start, end, literal.encode(), title, run.casefold() in _CERTAIN)
            self._faults.add("foreign-literal", f"{run} is not valid JSON; write {literal}", start, end, splice)
            return end
        if (number_and_certainty := _guess_number(run)) is None:
            return self._log_unquoted_text(start)
        number, is_certain = number_and_certainty
        fix = Splice(start, end, number.encode(), f"Write {number[:20]}", is_certain) if number else None
        message = f"{self._faults.excerpt(start, end)} is not a JSON number"
        self._faults.add("bad-number", message, start, end, fix)
        return end

    def _is_closed(self, end: int) -> bool:
        """Whether a quote at `end` closes a string."""
        return self._text.startswith('"', end) and _ends_item(self._text, end + 1) is not None

    def _log_no_opening_quote(self, code: str, start: int, quote: int) -> int:
        splice = Splice(start, start, b'"', "Add the opening quote here", False)
        message = f"{self._faults.excerpt(start, quote)} has no opening quote"
        self._faults.add(code, message, start, quote + 1, splice, doubt=True)
        return quote + 1

    def _log_unquoted_text(self, start: int) -> int:
        """The offset after a string without quotes, or after text that is no value at all."""
        phrase = _phrase(self._text, start)
        if phrase and self._is_closed(phrase.end()):
            return self._log_no_opening_quote("unquoted-text", start, phrase.end())
        end = start + max(1, len(phrase[0].rstrip(" \t")) if phrase else 0)
        excerpt = self._faults.excerpt(start, end)
        if _has_word(self._text, start, end):
            splice = Splice(start, end, in_double_quotes(self._text[start:end]), "Put it in quotes", False)
            self._faults.add("unquoted-text", f"{excerpt} needs double quotes", start, end, splice, doubt=True)
        else:
            self._faults.add("not-json", f"{excerpt} is not allowed here", start, end, doubt=True)
        return end


def _guess_number(run: str) -> tuple[str, bool] | None:
    """The number that `run` stands for, in JSON form, and whether that is certain.

    The number is "" if it is unknown. The result is None if `run` is not a number.
    """
    if len(run) > 400 or not run:  # nobody writes so long a number
        return None
    sign = "-" if run[0] == "-" else ""
    if match := _plus(run):
        return match[1], True
    if match := _other_base(run):
        return f"{sign}{int(match[1], 0)}", True
    if match := _underscores(run):
        return sign + match[1].replace("_", ""), True
    if match := _zeros(run):  # an octal number in some languages, so this is a guess
        digits = match[1].replace("_", "").lstrip("0") or "0"
        return f"{sign}{digits}{match[2]}", False
    if (match := _point(run)) and (match[1] or match[2]):
        integer = match[1].lstrip("0") or "0"
        return f"{sign}{integer}.{match[2] or '0'}{match[3]}", integer == (match[1] or "0")
    return ("", False) if _no_number(run) else None
