"""What a text area draws, at a cost that does not grow with the text: Textual counts and cuts all for each line."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from rich.text import Span, Text


class LongLine(Text):
    """What `TextArea.get_line` may give: TextArea divides the line anew for each of its sections on screen."""

    def divide(self, offsets: Iterable[int]) -> Any:
        """The sections between `offsets`, made when they are asked for."""
        return _Sections(self, [0, *offsets, len(self)])


class _Sections:
    """The first that is taken is drawn; in the others TextArea only counts the tabs."""

    def __init__(self, line: Text, bounds: list[int]) -> None:
        self._line, self._plain, self._bounds = line, line.plain, bounds
        self._taken = False
        self._has_tabs = "\t" in self._plain

    def __getitem__(self, number: int) -> Text | SimpleNamespace:
        start, stop = self._bounds[number], self._bounds[number + 1]
        if self._taken:
            return SimpleNamespace(plain=self._plain[start:stop]) if self._has_tabs else _NO_TABS
        self._taken = True
        line = self._line
        spans = [
            Span(max(0, span.start - start), min(stop, span.end) - start, span.style)
            for span in line.spans
            if span.start < stop and span.end > start
        ]
        return Text(self._plain[start:stop], line.style, no_wrap=True, end="", tab_size=line.tab_size, spans=spans)


_NO_TABS = SimpleNamespace(plain="")
