"""Long texts of a chat in lines: the beginning, and how much is left out."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any, NamedTuple

from rich.cells import cell_len

from evaltui.scoring.results import plain
from evaltui.tui.lines import Line, folded

_MOST_WRAPPED = 4_000
"""Characters of a folded text that are wrapped to count its lines; of a longer one the characters are counted."""
_BEGINNING, _MEMBERS, _DEEP = 500, 40, 6
"""Characters, members and levels of a value that a line may show."""
_MOST_SHOWN = 60_000
"""Characters of a text that is shown whole."""


class FoldedText(NamedTuple):
    """The lines of a text."""

    lines: list[Line]
    is_cut: bool
    """Whether something is left out that unfolding shows."""


def text_lines(text: str, width: int, most: int | None) -> FoldedText:
    """A text of unknown origin in lines of some width; at most so many, or as much as can be shown (None)."""
    width = max(10, width)
    if len(text) <= width and text.isascii() and text.isprintable():
        return FoldedText([[(text, "")]], False)
    limit = _MOST_SHOWN if most is None else _MOST_WRAPPED
    lines: list[Line] = [[(line, "")] for line in folded(text[:limit], width)] or [[("", "")]]
    beyond = len(text) - limit
    if most is None:
        if beyond > 0:
            lines.append([(f"… {beyond:,} more characters", "dim")])
        return FoldedText(lines, False)
    hidden = len(lines) - most
    if beyond > 0:
        shown = sum(cell_len(line[0][0]) for line in lines[:most])
        return FoldedText([*lines[:most], [(f"… {len(text) - shown:,} more characters", "dim")]], True)
    if hidden <= 1:  # the line about it would take as much room
        return FoldedText(lines, False)
    return FoldedText([*lines[:most], [(f"… {hidden:,} more lines", "dim")]], True)


def beginning_of(value: Any, depth: int = 0) -> Any:
    """The beginning of a value, enough for a line: the rest of a large one would take long to write."""
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
    """A value as JSON over several lines."""
    try:
        return json.dumps(plain(value), ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__
