"""The widget for a few fixed lines above or below the table: title, head, output of a failed command."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineBar


class ShownLines(LineBar):
    """As high as its lines; hidden without lines."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: list[Line] = []

    def show(self, lines: Sequence[Line], end: int | None = None) -> None:
        """Show other lines, which end at most at `end`. Draws nothing if they are the same."""
        widest = end + 1 if end is not None else None
        if list(lines) == self._lines and widest == self.widest:
            return
        self.widest = widest
        if len(lines) != len(self._lines):
            self.styles.height = len(lines) + self.gutter.height
            self.display = bool(lines)
        self._lines = list(lines)
        self.refresh()

    def line(self, index: int) -> Line:
        """A line, indented by one blank: lists have the mark of their cursor there."""
        return [(" ", ""), *self._lines[index]] if index < len(self._lines) else []
