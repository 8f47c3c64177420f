"""The syntax problems of a file, a line each."""

from __future__ import annotations

from textual import events
from textual.message import Message

from evaltui.json_repair.faults import MOST_FAULTS, SyntaxFault
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import FILL, Line
from evaltui.tui.marks import ERROR
from evaltui.tui.session.repaired_text import PlacedFaults
from evaltui.tui.widgets.line_list import LineList


class FaultList(LineList):
    """Place and sentence of each, and whether there is a fix."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

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
        self.call_after_refresh(self.show_cursor)

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
        return [ERROR, (f"{at:<7} ", "dim"), (printable(fault.message), ""), ("", FILL), (fix, "dim")]

    def cursor_moved(self) -> None:
        """Have the screen show the problem in the text, too."""
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """Select a problem."""
        row = self.entry_under(event)
        if row is not None:
            self.cursor = row
