"""Long texts in lines: the beginning, and a count of the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from evaltui.scoring.results import plain
from evaltui.tui.lines import Line, folded

_MOST_WRAPPED = 4_000
"""The most characters that are wrapped to count hidden lines; in a longer text, hidden characters are counted."""
_BEGINNING, _MEMBERS, _DEEP = 500, 40, 6
"""The most characters, keys or items, and levels of a value on one line."""
_MANY_LINES = 100
"""Above this number of lines, hidden lines are counted before wrapping."""
_MOST_SHOWN, _MOST_LINES = 60_000, 2_000
"""The most characters and lines of an unfolded text."""


class FoldedText(NamedTuple):
    """The lines of a text."""

    lines: list[Line]
    is_cut: bool
    """Whether unfolding shows more."""


def text_lines(text: str, width: int, most: int | None) -> FoldedText:
    """A text from a file in lines of `width` cells: at most `most` lines, or with None the whole text up to a limit."""
    width = max(10, width)
    if len(text) <= width and text.isascii() and text.isprintable():
        return FoldedText([[(text, "")]], False)
    if most is None:
        return FoldedText(_whole(text, width), False)
    count = text.count("\n") + 1
    if count > _MANY_LINES:
        lines = folded("\n".join(text[:_MOST_WRAPPED].split("\n")[:most]), width)[:most]
        return FoldedText([*_plain(lines), [(f"… {count - len(lines):,} more lines", "dim")]], True)
    lines = folded(text[:_MOST_WRAPPED], width) or [""]
    if len(text) > _MOST_WRAPPED:
        hidden = len(text) - sum(map(len, lines[:most]))
        return FoldedText([*_plain(lines[:most]), [(f"… {hidden:,} more characters", "dim")]], True)
    hidden = len(lines) - most
    if hidden <= 1:  # a line that counts one hidden line takes as much room as that line
        return FoldedText(_plain(lines), False)
    return FoldedText([*_plain(lines[:most]), [(f"… {hidden:,} more lines", "dim")]], True)


def _whole(text: str, width: int) -> list[Line]:
    """The text up to the limit, and a count of the characters beyond it."""
    shown = "\n".join(text[:_MOST_SHOWN].split("\n", _MOST_LINES)[:_MOST_LINES])
    lines = _plain(folded(shown, width) or [""])
    hidden = len(text) - len(shown)
    return [*lines, [(f"… {hidden:,} more characters", "dim")]] if hidden else lines


def _plain(lines: Iterable[str]) -> list[Line]:
    return [[(line, "")] for line in lines]


def beginning_of(value: Any, depth: int = 0) -> Any:
    """The beginning of a value, enough for one line: writing all of a large value as JSON takes long."""
    if isinstance(value, str):
        return value[:_BEGINNING]
    if depth == _DEEP and isinstance(value, dict | list):
        return "…"
    if isinstance(value, dict):
        return {name: beginning_of(value[name], depth + 1) for name in islice(value, _MEMBERS)}
    if isinstance(value, list):
        return [beginning_of(each, depth + 1) for each in value[:_MEMBERS]]
    return value


def folded_value(value: Any) -> str:
    """A value as indented JSON."""
    try:
        return json.dumps(plain(value), ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__
