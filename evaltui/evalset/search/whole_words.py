"""Extends the changes of a replacement to whole words: `4712 → 9912` although only `47` became `99`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_JOINTS = ".@/:'-"
"""Characters that can stand inside a word, but neither begin nor end it: `call-1`, `3.5`, `ann@example.com`."""
_LONGEST = 40
"""The most characters that a change is extended to each side; a longer word is data."""
_before = re.compile(rf"[\w{_JOINTS}]*\Z").search
_behind = re.compile(rf"[\w{_JOINTS}]*").match
_is_in_word = re.compile(rf"[\w{_JOINTS}]").match


class TextMatch(NamedTuple):
    """A range of a text, from `start` up to `end`, and its replacement."""

    start: int
    end: int
    new: str


class WordChange(NamedTuple):
    """Whole words of a text, from `start` up to `end`, before and after the replacement."""

    start: int
    end: int
    old: str
    new: str


def apply_matches(text: str, matches: Iterable[TextMatch]) -> str:
    """The text with each match replaced. Matches are in order and do not overlap."""
    pieces: list[str] = []
    at = 0
    for match in matches:
        pieces += [text[at : match.start], match.new]
        at = match.end
    return "".join([*pieces, text[at:]])


def word_changes(text: str, matches: Iterable[TextMatch]) -> list[WordChange]:
    """The changes, each extended to whole words. Matches in one word make one change."""
    groups: list[tuple[int, int, list[TextMatch]]] = []
    for match in matches:
        start, end, own = _word_start(text, match), _word_end(text, match), [match]
        if groups and start < groups[-1][1]:
            start, before, own = groups.pop()
            end = max(before, end)
            own.append(match)
        groups.append((start, end, own))
    return [_change(text, *group) for group in groups]


def _change(text: str, start: int, end: int, matches: list[TextMatch]) -> WordChange:
    old = text[start:end]
    inside = (TextMatch(match.start - start, match.end - start, match.new) for match in matches)
    return WordChange(start, end, old, apply_matches(old, inside))


def _word_start(text: str, match: TextMatch) -> int:
    if match.start < len(text) and not _is_in_word(text, match.start):
        return match.start
    found = _before(text[max(0, match.start - _LONGEST) : match.start])
    return match.start - len(found[0].lstrip(_JOINTS)) if found else match.start


def _word_end(text: str, match: TextMatch) -> int:
    if match.end and not _is_in_word(text, match.end - 1):
        return match.end
    found = _behind(text, match.end, match.end + _LONGEST)
    return match.end + len(found[0].rstrip(_JOINTS)) if found else match.end
