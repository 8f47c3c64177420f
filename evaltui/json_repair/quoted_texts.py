"""Strings with faults inside or in other quotes, with their escapes, and values that are spelled without quotes.

The text is decoded as latin-1, so one character is one byte.
"""

from __future__ import annotations

import re

from evaltui.document.scanner import NUMBER, POSSESSIVE, STRING_START
from evaltui.json_repair.faults import FaultKind, FaultLog, ForwardSearch, Splice

_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_HEXADECIMAL = re.compile(r"\\x([0-9a-fA-F]{2})").match
_control = re.compile(r"[\x00-\x1f]")
_inside = re.compile(r"\\x([0-9a-fA-F]{2})|\\([\s\S])|\"|[\x00-\x1f]")


def _escaped(characters: str) -> str:
    """Control characters as JSON escapes."""
    return "".join(_SHORT.get(character, f"\\u{ord(character):04x}") for character in characters)


def _escape_meant(text: str, at: int) -> tuple[int, str, bool]:
    """The length of the invalid escape at `at`, its meaning in JSON ("" if unknown), and whether that is certain."""
    if found := _HEXADECIMAL(text, at):
        return 4, f"\\u00{found[1]}", True
    following = text[at + 1 : at + 2]
    if following == "'":
        return 2, "'", True
    if following == "v":
        return 2, "\\u000b", False
    if following in ("\n", "\r", ""):  # in other languages, the string continues on the next line
        return 1, "\\\\", False
    return (2, f"\\\\{following}", False) if following.isascii() and following.isprintable() else (1, "\\\\", False)


def in_double_quotes(inside: str) -> str:
    """The inside of a string in other quotes, as a string in double quotes; invalid escapes stay."""

    def spelt(found: re.Match[str]) -> str:
        if found[1]:
            return f"\\u00{found[1]}"
        if found[2]:
            return found[2] if found[2] in "'`" else found[0]
        return '\\"' if found[0] == '"' else _escaped(found[0])

    return f'"{_inside.sub(spelt, inside)}"'


# --- double quotes ---------------------------------------------------------------------------------------------

_healthy_part = re.compile(STRING_START[1:]).match
_controls = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f]+").match
_inner_quote = re.compile(r'(\\[\s\S])|"')
_ends_item = re.compile(r"[ \t]*(?:[,}\]\r\n]|\Z|//|#)").match
_ends_item_below = re.compile(r"[ \t\r\n]*(?:[,}\]]|\Z)").match
_ends_key = re.compile(r"[ \t\r\n]*[:=]").match
_next_key = re.compile(r'[^"\n]*"[ \t]*:').match
_HOPS = 20
"""The largest number of escaped quotes to pass when looking for the end of a string over several lines."""
_MAY_FOLLOW = frozenset(" \t\r\n,:=]}\"'/#")
"""Characters after a quote that prove that the quote closes the string."""


class QuotedTexts:
    """Finds the ends of strings in double quotes, and logs the faults inside."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._no_end_until = -1
        """Up to here no quote ends a string: without this, a line of n quotes would be searched n times."""
        self._no_key_until = -1
        """Up to here no quote ends a key, because those before it follow a backslash."""
        self._quote = ForwardSearch(lambda at: text.find('"', at))

    def end(self, at: int, *, is_key: bool) -> int:
        """The offset after the string that begins with the quote at `at`."""
        text = self._text
        if is_key and at < self._no_key_until:
            return self._unclosed(at, self._no_key_until, self._no_key_until, is_key=True)
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
        length, meant, is_safe = _escape_meant(self._text, at)
        shown = self._faults.shown(at, at + length)
        splice = None
        if meant:
            title = f"Write {meant}" if len(meant) < 20 else "Write the escape"
            splice = Splice(at, at + length, meant.encode("latin-1"), title, is_safe)
        end = min(len(self._text), at + length)
        self._faults.add(FaultKind.BAD_ESCAPE, f"{shown} is not a JSON escape", at, end, splice)
        return end

    def _control_characters(self, at: int, end: int) -> int:
        piece = self._text[at:end]
        written = _escaped(piece[0])
        said = f"control character U+{ord(piece[0]):04X} in a string: write {written}"
        splice = Splice(at, end, _escaped(piece).encode(), f"Write {written}", "\0" not in piece)
        self._faults.add(FaultKind.CONTROL_CHARACTER, said, at, end, splice)
        return end

    # --- over several lines --------------------------------------------------------------------------------------

    def _quote_below(self, at: int, *, is_key: bool) -> int:
        """The later quote that closes the string with the newline at `at`; -1 if the string is rather unclosed."""
        quote = -1 if is_key else self._quote(at)
        for _ in range(_HOPS):
            if quote < 0 or self._text[quote - 1] != "\\":
                break
            quote = self._text.find('"', quote + 1)
        return quote if quote >= 0 and _ends_item_below(self._text, quote + 1) else -1

    def _line_breaks(self, at: int, quote: int) -> None:
        said = "line break in a string: write \\n, or add a missing quote"
        text = self._text[at:quote].replace("\r\n", "\n")
        meant = _control.sub(lambda found: _escaped(found[0]), text)
        splice = Splice(at, quote, meant.encode("latin-1"), "Write \\n for the line breaks", False)
        self._faults.add(FaultKind.CONTROL_CHARACTER, said, at, at + 1, splice)
        self._faults.doubt(quote)

    def _unclosed(self, start: int, at: int, line_end: int, *, is_key: bool) -> int:
        """Log a string without a closing quote before `line_end`; its end is before a comma or bracket there.

        `at` is the place where a parser notices.
        """
        end = self._text.find(":", start + 1, line_end) if is_key else -1
        if end < 0:
            end = start + 1 + len(self._text[start + 1 : line_end].rstrip(" \t\r,]}"))
        elif at == line_end:
            self._no_key_until = line_end
        splice = Splice(end, end, b'"', "Add the closing quote here", False)
        said = f"the {'key' if is_key else 'string'} has no closing quote"
        self._faults.add(FaultKind.UNCLOSED_STRING, said, at, min(at + 1, len(self._text)), splice, doubt=True)
        return end

    # --- quotes in quotes ------------------------------------------------------------------------------------------

    def _behind_quote(self, start: int, at: int, *, is_key: bool) -> int:
        """The end of the string from `start` on; the quote before `at` may close it, or may lack a backslash."""
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
        title = "Add a backslash before each inner quote"
        splice = Splice(at - 1, end, meant.encode("latin-1"), title, False)
        said = 'the quote before this ends the string; inside a string write \\"'
        self._faults.add(FaultKind.UNESCAPED_QUOTE, said, at, end, splice, doubt=True)
        return end + 1

    def _end_on_line(self, at: int, *, is_key: bool) -> int:
        """The first quote from `at` on after which an item, or a key, may end."""
        ends = _ends_key if is_key else _ends_item
        for found in _inner_quote.finditer(self._text, at, self._faults.line_end(at)):
            if not found[1] and ends(self._text, found.end()):
                return found.start()
        return -1


def _is_comma_before(text: str, start: int, at: int) -> bool:
    while at > start and text[at - 1] in " \t":
        at -= 1
    return text[at - 1] == ","


# --- other quotes ----------------------------------------------------------------------------------------------

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


def _spelt(quote: str) -> str:
    return quote.encode().decode("latin-1")


_OF_BYTES = {
    **{_spelt(opening): [_spelt(quote) for quote in closing] for opening, closing in _CLOSING.items()},
    **{"\x91": ["\x92"], "\x92": ["\x92"], "\x93": ["\x94"], "\x94": ["\x94"]},  # of Windows-1252
}
_opening = re.compile("|".join(sorted(map(re.escape, _OF_BYTES), key=len, reverse=True))).match
_ALL = '"|' + "|".join(re.escape(_spelt(quote)) for quote in sorted(set("".join(_CLOSING.values()))))
_STRAIGHT = "'`"


def opening_quote(text: str, at: int) -> str:
    """The quote at `at`, if it is another quote than the straight double quote; else ""."""
    found = _opening(text, at)
    return found[0] if found else ""


class OtherQuotes:
    """Finds the ends of strings in single, typographic and other quotes, and logs them with their fix."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._finders: dict[tuple[str, bool], ForwardSearch] = {}

    def end(self, at: int, *, is_key: bool) -> int:
        """The offset after the string that begins with the quote at `at`."""
        opening = opening_quote(self._text, at)
        inside = at + len(opening)
        proper = "|".join(map(re.escape, _OF_BYTES[opening]))
        line_end = self._faults.line_end(at)
        for quotes in (proper, _ALL):
            end = self._next_end(quotes, inside, is_key=is_key)
            if 0 <= end < line_end:
                return self._noted(at, inside, end, quotes if quotes == proper else "")
        return self._unclosed(at, inside, line_end)

    def _next_end(self, quotes: str, at: int, *, is_key: bool) -> int:
        """The next of the `quotes` from `at` on after which an item, or a key, may end, on any line."""
        finder = self._finders.get((quotes, is_key))
        if finder is None:
            pattern = re.compile(rf"\\[\s\S]|({quotes})")
            ends = _ends_key if is_key else _ends_item

            def find(start: int) -> int:
                hits = pattern.finditer(self._text, start)
                return next((hit.start() for hit in hits if hit[1] and ends(self._text, hit.end())), -1)

            finder = self._finders[quotes, is_key] = ForwardSearch(find)
        return finder(at)

    def _noted(self, at: int, inside: int, end: int, proper: str) -> int:
        text, opening = self._text, self._text[at:inside]
        closing = re.compile(_ALL).match(text, end)
        behind = closing.end() if closing else end + 1
        content = text[inside:end]
        is_certain = bool(proper) and re.search(proper, re.sub(r"\\[\s\S]", "", content)) is None
        kind = FaultKind.SINGLE_QUOTES if opening in _STRAIGHT else FaultKind.SMART_QUOTES
        said = f"JSON requires straight double quotes, not {self._faults.shown(at, inside)}"
        splice = Splice(at, behind, in_double_quotes(content).encode("latin-1"), "Write double quotes", is_certain)
        self._faults.add(kind, said, at, behind, splice, doubt=not is_certain)
        return behind

    def _unclosed(self, at: int, inside: int, line_end: int) -> int:
        end = inside + len(self._text[inside:line_end].rstrip(" \t\r,]}"))
        splice = Splice(
            at, end, in_double_quotes(self._text[inside:end]).encode("latin-1"), "Add the closing quote here", False
        )
        said = f"the quote {self._faults.shown(at, inside)} has no closing quote"
        self._faults.add(FaultKind.UNCLOSED_STRING, said, at, end, splice, doubt=True)
        return end


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
_CERTAIN = ("true", "false", "null", "none")

_plus = re.compile(rf"\+({NUMBER}|Infinity|NaN)").fullmatch
_zeros = re.compile(r"([-+]?)0[0-9_]+((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)").fullmatch
_point = re.compile(r"([-+]?)([0-9]*)\.([0-9]*)((?:[eE][-+]?[0-9]+)?)").fullmatch
_other_base = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]{1,40}|0[oO][0-7]{1,40}|0[bB][01]{1,80})").fullmatch
_underscores = re.compile(r"([-+]?)((?:0|[1-9][0-9]*)(?:_[0-9]+)+(?:\.[0-9]+)?)").fullmatch
_no_number = re.compile(r"[-+]+(?:[0-9.][0-9.eE]*)?|[0-9]+(?:\.[0-9]*)?[eE][-+]?").fullmatch


class BareValues:
    """Finds the end of each value or key without quotes, and logs its fix."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults

    def run_end(self, at: int) -> int:
        """The offset after the run of characters at `at` that may be one word or number."""
        found = _run(self._text, at)
        return found.end() if found else at

    def is_key(self, at: int) -> bool:
        """Whether a word at `at` is followed by a colon or an equals sign."""
        end = self.run_end(at)
        return end > at and _ahead_of_colon(self._text, end) is not None

    def key_end(self, at: int) -> int:
        """The offset after a key without quotes; logs the fault."""
        end = self.run_end(at)
        key = self._text[at:end]
        splice = Splice(at, end, f'"{key}"'.encode("latin-1"), "Put the key in quotes", bool(_name(key)))
        if "\\" in key or not key.isprintable():
            splice = Splice(at, end, in_double_quotes(key).encode("latin-1"), splice.title, False)
        said = f"the key {self._faults.shown(at, end)} needs double quotes"
        self._faults.add(FaultKind.UNQUOTED_KEY, said, at, end, splice)
        return end

    def value_end(self, at: int) -> int:
        """The offset after a value without quotes; always greater than `at`."""
        end = self.run_end(at)
        run = self._text[at:end]
        if _healthy(run):
            return end
        literal = _LITERALS.get(run.casefold()) if len(run) < 12 else None
        if literal is not None:
            title = f"Write {literal}"
            splice = Splice(at, end, literal.encode(), title, run.casefold() in _CERTAIN)
            self._faults.add(FaultKind.FOREIGN_LITERAL, f"{run} is not valid JSON; write {literal}", at, end, splice)
            return end
        meant = _number_meant(run)
        if meant is None:
            return self._text_end(at)
        number, is_certain = meant
        fix = Splice(at, end, number.encode(), f"Write {number[:20]}", is_certain) if number else None
        said = f"{self._faults.shown(at, end)} is not a JSON number"
        self._faults.add(FaultKind.BAD_NUMBER, said, at, end, fix)
        return end

    def _text_end(self, at: int) -> int:
        """The offset after a string without quotes, or after text that is no value at all."""
        found = _phrase(self._text, at)
        end = at + len(found[0].rstrip(" \t")) if found else at
        end = max(end, at + 1)
        shown = self._faults.shown(at, end)
        if _has_word(self._text, at, end):
            splice = Splice(at, end, in_double_quotes(self._text[at:end]).encode("latin-1"), "Put it in quotes", False)
            self._faults.add(FaultKind.UNQUOTED_TEXT, f"{shown} needs double quotes", at, end, splice, doubt=True)
        else:
            self._faults.add(FaultKind.NOT_JSON, f"{shown} is not allowed here", at, end, doubt=True)
        return end


def _number_meant(run: str) -> tuple[str, bool] | None:
    """The number that `run` stands for, in JSON form, and whether that is certain.

    The number is "" if it is unknown. The result is None if `run` is not a number.
    """
    if len(run) > 400 or not run:
        return None
    if found := _plus(run):
        return found[1], True
    if found := _other_base(run):
        return _signed(found[1], str(int(found[2], 0))), True
    if found := _underscores(run):
        return _signed(found[1], found[2].replace("_", "")), True
    if found := _zeros(run):
        digits = run.lstrip("-+").split(".")[0].split("e")[0].split("E")[0].replace("_", "").lstrip("0") or "0"
        return _signed(found[1], digits + found[2]), False
    if (found := _point(run)) and (found[2] or found[3]):
        whole = found[2].lstrip("0") or "0"
        return _signed(found[1], f"{whole}.{found[3] or '0'}{found[4]}"), whole == (found[2] or "0")
    return ("", False) if _no_number(run) else None


def _signed(sign: str, number: str) -> str:
    return "-" + number if sign == "-" else number
