"""The panes of a file that is not JSON: the list of syntax problems, and the text with one of them marked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from evaltui.document.positions import TextRange
from evaltui.json_repair.faults import MOST_FAULTS, SyntaxFault
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import ERROR, FILL, Line
from evaltui.tui.screens.repaired_text import PlacedFaults
from evaltui.tui.widgets.line_view import LineList, LineView

_NUMBER = 7
"""Cells for line numbers."""
_ABOVE = 3


class FaultList(LineList):
    """The syntax problems: place, message, and kind of fix."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    class Moved(Message):
        """Another problem is selected."""

    def __init__(self) -> None:
        super().__init__(id="faults")
        self.faults = PlacedFaults()

    def show(self, faults: PlacedFaults, cursor: int) -> None:
        """Show other problems and select one of them."""
        self.faults = faults
        self.cursor = max(0, min(cursor, self.line_count() - 1))
        count = len(faults.faults)
        safe = sum(fault.splice is not None and fault.splice.safe for fault in faults.faults)
        some = " or more" if count >= MOST_FAULTS else ""
        self.border_title = f" Problems {count}{some} · {safe} with a safe fix " if count else " No problems "
        self.refresh_size()
        self.refresh(layout=True)
        self.call_after_refresh(self.show_cursor)

    @property
    def selected(self) -> SyntaxFault | None:
        """The problem under the cursor."""
        return self.faults.faults[self.cursor] if self.faults.faults else None

    def line_count(self) -> int:
        """One line for each problem."""
        return len(self.faults.faults)

    def line(self, index: int) -> Line:
        """Place, message, and kind of fix."""
        fault, place = self.faults.faults[index], self.faults.places[index]
        fix = "" if fault.splice is None else " fix" if fault.splice.safe else " unsafe fix"
        at = f"{place.line}:{place.column}"
        return [ERROR, (f"{at:<7} ", "dim"), (printable(fault.message), "prose"), ("", FILL), (fix, "dim")]

    def cursor_moved(self) -> None:
        """Ask the screen to show the problem in the text."""
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """Select a problem."""
        row = self.entry_under(event)
        if row is not None:
            self.cursor = row


class BrokenText(LineView):
    """The numbered text, with a mark below the column of the problem."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    def __init__(self) -> None:
        super().__init__(id="broken-text")
        self.border_title = " Text "
        self._text = b""
        self._starts: Sequence[int] = (0,)
        self._place: TextRange | None = None

    def show(self, text: bytes, line_starts: Sequence[int], place: TextRange | None) -> None:
        """Show a text with a problem visible."""
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
        """The visible part of a line."""
        is_broken = self._place is not None and number == self._place.line - 1
        hidden, width = self._hidden if is_broken else 0, self.scrollable_content_region.width
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        piece = self._text[start : min(end, start + 4 * (hidden + width))].decode("utf-8", "replace")
        shown = printable(piece.removeprefix("\ufeff")[hidden : hidden + width])
        return "…" + shown[1:] if hidden else shown

    @property
    def _hidden(self) -> int:
        """Number of characters cut at the start of the line with the problem, so that the problem is visible."""
        room = max(20, self.scrollable_content_region.width - 16)
        column = self._place.column if self._place is not None else 0
        return max(0, column - room // 2) if column > room else 0

    def is_selected(self, index: int) -> bool:
        """Whether this is the line with the problem."""
        return self._place is not None and index == self._place.line - 1
