"""The syntax problems of a file, a line each."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.reactive import reactive

from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import FILL, Line
from evaltui.tui.session.repaired_text import PlacedFaults
from evaltui.tui.widgets.line_view import LineView
from evaltui.validation.syntax_fault import MOST_FAULTS, SyntaxFault


class FaultList(LineView):
    """Place and sentence of each, and whether there is a fix."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    cursor: reactive[int] = reactive(0)

    class Moved(Message):
        """Another problem is selected."""

    def __init__(self) -> None:
        super().__init__(id="faults")
        self.faults = PlacedFaults()

    def show(self, faults: PlacedFaults, cursor: int) -> None:
        """Show other problems, one of them selected."""
        self.faults = faults
        self.cursor = max(0, min(cursor, self.line_count() - 1))
        count = len(faults.faults)
        safe = sum(fault.splice is not None and fault.splice.safe for fault in faults.faults)
        some = " or more" if count >= MOST_FAULTS else ""
        self.border_title = f" Problems {count}{some} · {safe} with a safe fix " if count else " No problems "
        self.refresh_size()
        self.refresh(layout=True)
        self.call_after_refresh(self._show_cursor)

    def _show_cursor(self) -> None:
        self.show_lines(self.cursor, self.cursor)

    @property
    def selected(self) -> SyntaxFault | None:
        """The problem under the cursor."""
        return self.faults.faults[self.cursor] if self.faults.faults else None

    def line_count(self) -> int:
        """One line a problem."""
        return len(self.faults.faults)

    def line(self, index: int) -> Line:
        """Place, sentence, and what kind of fix there is."""
        fault, place = self.faults.faults[index], self.faults.places[index]
        fix = "" if fault.splice is None else " fix" if fault.splice.safe else " not safe"
        at = f"{place.line}:{place.column}"
        return [("✗ ", "error"), (f"{at:<7} ", "dim"), (printable(fault.message), ""), ("", FILL), (fix, "dim")]

    def is_selected(self, index: int) -> bool:
        """Whether the cursor is on this problem."""
        return index == self.cursor

    def watch_cursor(self) -> None:
        """Show the problem in the text, too."""
        self.refresh()
        self.post_message(self.Moved())

    def action_move(self, step: int) -> None:
        """Go some problems up or down."""
        self.cursor = max(0, min(self.line_count() - 1, self.cursor + step))
        self._show_cursor()

    def action_move_page(self, direction: int) -> None:
        """Go a page up or down."""
        self.action_move(direction * self.page())

    def action_move_end(self, direction: int) -> None:
        """Go to the first or last problem."""
        self.action_move(direction * self.line_count())

    def on_click(self, event: events.Click) -> None:
        """Select a problem."""
        row = self.line_at(event.get_content_offset_capture(self).y)
        if row is not None:
            self.cursor = row
