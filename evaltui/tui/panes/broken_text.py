"""The text of a file that is not JSON, with the place of a problem marked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from evaltui.document.positions import TextRange
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineView

_NUMBER = 7
"""Cells for the numbers of the lines."""
_ABOVE = 3


class BrokenText(LineView):
    """Numbered lines; below the one with the problem a mark at its column."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    def __init__(self) -> None:
        super().__init__(id="broken-text")
        self.border_title = " Text "
        self._text = b""
        self._starts: Sequence[int] = (0,)
        self._place: TextRange | None = None

    def show(self, text: bytes, line_starts: Sequence[int], place: TextRange | None) -> None:
        """Show a text, with a problem in sight."""
        self._text, self._starts, self._place = text, line_starts, place
        self.refresh_size()
        self.refresh()
        if place is not None:
            self.call_after_refresh(self._show_place, place)

    def _show_place(self, place: TextRange) -> None:
        self.show_lines(max(0, place.line - 1 - _ABOVE), place.line + _ABOVE)

    def line_count(self) -> int:
        """The lines of the text, and one for the mark."""
        return len(self._starts) + (self._place is not None)

    def line(self, index: int) -> Line:
        """A numbered line, or the mark."""
        place = self._place
        broken = place.line - 1 if place is not None else len(self._starts)
        if place is not None and index == broken + 1:
            before = self._shown(broken)[: place.column - 1 - self._hidden]
            return [(" " * (_NUMBER + cell_len(before)), ""), ("▲ here", "error")]
        number = index if index <= broken else index - 1
        shown = self._shown(number)
        line: Line = [(f"{number + 1:>5}  ", "dim")]
        if place is None or number != broken:
            return [*line, (shown, "")]
        start = place.column - 1 - self._hidden
        end = place.end_column - 1 - self._hidden if place.end_line == place.line else len(shown)
        return [*line, (shown[:start], ""), (shown[start:end], "error"), (shown[end:], "")]

    def _shown(self, number: int) -> str:
        """The part of a line that is in sight."""
        is_broken = self._place is not None and number == self._place.line - 1
        hidden, width = self._hidden if is_broken else 0, self.scrollable_content_region.width
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        piece = self._text[start : min(end, start + 4 * (hidden + width))].decode("utf-8", "replace")
        shown = printable(piece.removeprefix("\ufeff")[hidden : hidden + width])
        return "…" + shown[1:] if hidden else shown

    @property
    def _hidden(self) -> int:
        """Number of characters left out at the start of the line with the problem, to bring it into sight."""
        room = max(20, self.scrollable_content_region.width - 16)
        column = self._place.column if self._place is not None else 0
        return max(0, column - room // 2) if column > room else 0

    def is_selected(self, index: int) -> bool:
        """Whether this is the line with the problem."""
        return self._place is not None and index == self._place.line - 1
