"""Texts in single, typographic and other quotes that JSON does not know."""

from __future__ import annotations

import re

from evaltui.json_repair.escapes import in_double_quotes
from evaltui.json_repair.faults import FaultKind, FaultLog, ForwardSearch, Splice
from evaltui.json_repair.quoted_texts import ends_item, ends_key

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
"""The quotes that may close a text, by the quote that opens it."""


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
    """The quote at `at` that is no straight double one; "" where there is none."""
    found = _opening(text, at)
    return found[0] if found else ""


class OtherQuotes:
    """Finds the ends of texts in such quotes, and says what they should be."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._finders: dict[tuple[str, bool], ForwardSearch] = {}

    def end(self, at: int, *, is_key: bool) -> int:
        """The offset behind the text that begins with the quote at `at`."""
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
        """The next of the quotes from `at` on after which an item, or a key, may end, on whatever line."""
        finder = self._finders.get((quotes, is_key))
        if finder is None:
            pattern = re.compile(rf"\\[\s\S]|({quotes})")
            ends = ends_key if is_key else ends_item

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
        said = f"JSON wants straight double quotes, not {self._faults.shown(at, inside)}"
        splice = Splice(at, behind, in_double_quotes(content).encode("latin-1"), "Write double quotes", is_certain)
        self._faults.add(kind, said, at, behind, splice, doubt=not is_certain)
        return behind

    def _unclosed(self, at: int, inside: int, line_end: int) -> int:
        end = inside + len(self._text[inside:line_end].rstrip(" \t\r,]}"))
        splice = Splice(at, end, in_double_quotes(self._text[inside:end]).encode("latin-1"), "Close it here", False)
        said = f"the quote {self._faults.shown(at, inside)} has no other that closes it"
        self._faults.add(FaultKind.UNCLOSED_STRING, said, at, end, splice, doubt=True)
        return end
