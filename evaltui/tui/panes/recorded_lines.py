"""The recorded turn beside the form: its lines, and a cursor on those that differ from what is expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from textual import events
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import WhySubject
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineList


class Difference(NamedTuple):
    """Lines that differ from what is expected, and can be accepted."""

    subject: WhySubject
    lines: range


class RecordedLines(LineList):
    """As many lines as the form has, so that both scroll together; the cursor is on a difference."""

    PLACE = "recorded"
    BINDINGS = bindings("list", "recorded")

    DEFAULT_CSS = """
    RecordedLines { scrollbar-size-vertical: 0; }
    """

    class DifferenceSelected(Message):
        """Another difference is selected."""

    def __init__(self) -> None:
        super().__init__(id="recorded-lines")
        self.turn_wheel: Callable[[int], object] = lambda _: None
        """Scrolls the form down (1) or up (-1), and these lines with it."""
        self.show_in_form: Callable[[range], object] = lambda _: None
        """Brings lines of the form into sight, and these lines with them."""
        self.leave: Callable[[], object] = lambda: None
        """Gives the keys back to the form."""
        self._lines: list[Line] = []
        self._differences: Sequence[Difference] = ()

    def show(self, lines: list[Line], differences: Sequence[Difference]) -> None:
        """Show other lines; only those that differ from before are drawn. Where nothing can be accepted, leave."""
        before, self._lines = self._lines, lines
        self.refresh_entry(self.cursor)
        self._differences = differences
        self.set_reactive(LineList.cursor, max(0, min(self.cursor, len(differences) - 1)))
        if len(before) != len(lines):
            self.refresh_size()
        for number, (old, new) in enumerate(zip_longest(before, lines)):
            if old != new:
                self.refresh_line(number)
        self.refresh_entry(self.cursor)
        if self.has_focus and not differences:
            self.leave()
        self.post_message(self.DifferenceSelected())

    @property
    def selected(self) -> Difference | None:
        """The selected difference, while keys act here."""
        is_here = self.has_focus and self.cursor < len(self._differences)
        return self._differences[self.cursor] if is_here else None

    def enter(self, line: int) -> bool:
        """Take the keys, at the first difference from a line on, else at the last; False if there is none."""
        behind = (at for at, each in enumerate(self._differences) if each.lines.stop > line)
        at = next(behind, len(self._differences) - 1)
        if at < 0:
            return False
        self.screen.set_focus(self)
        self.set_reactive(LineList.cursor, at)
        self.refresh_entry(at)
        self.show_cursor()
        return True

    # --- as the list asks for it -------------------------------------------------------------------------------

    def line_count(self) -> int:
        """As many as the form has."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """One line; empty beside items of the form that nothing was recorded for."""
        return self._lines[index]

    def entry_count(self) -> int:
        """One entry a difference."""
        return len(self._differences)

    def lines_of(self, entry: int) -> range:
        """The lines of a difference."""
        return self._differences[entry].lines if 0 <= entry < len(self._differences) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The difference that a line belongs to."""
        return next((at for at, each in enumerate(self._differences) if line in each.lines), None)

    def is_selected(self, index: int) -> bool:
        """There is a cursor only while keys act here."""
        return self.has_focus and super().is_selected(index)

    def show_cursor(self) -> None:
        """Scroll the form, which these lines follow."""
        lines = self.lines_of(self.cursor)
        if lines:
            self.show_in_form(lines)

    def cursor_moved(self) -> None:
        """Have the screen show what can be accepted."""
        self.post_message(self.DifferenceSelected())

    def action_move_page(self, direction: int) -> None:
        """Select a difference about a page on."""
        top = self.lines_of(self.cursor).start + direction * self.page()
        self.move_to(min(range(len(self._differences)), key=lambda at: abs(self.lines_of(at).start - top), default=0))

    # --- keys and mouse ----------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Go back to the form."""
        self.leave()

    def on_blur(self) -> None:
        """The cursor is shown only while keys act here."""
        self.refresh_entry(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Select the difference under the mouse."""
        at = self.entry_under(event)
        if at is not None:
            self.move_to(at)
        else:
            self.leave()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel turns here as over the form."""
        event.stop().prevent_default()
        self.turn_wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel turns here as over the form."""
        event.stop().prevent_default()
        self.turn_wheel(-1)
