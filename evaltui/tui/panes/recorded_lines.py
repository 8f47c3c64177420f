"""The lines of the recorded turn beside the form, with a cursor that stops at differences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from textual import events
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import WhySubject
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.panes.form_pane import FormPane


class Difference(NamedTuple):
    """Lines that differ from the expected turn and can be accepted."""

    subject: WhySubject
    lines: range


class RecordedLines(LineList):
    """The recorded lines, as many as the form has, so that both scroll together. The cursor is on a difference."""

    PLACE = "recorded"
    BINDINGS = bindings("list", "recorded")

    DEFAULT_CSS = """
    RecordedLines { scrollbar-size-vertical: 0; }
    """

    class DifferenceSelected(Message):
        """Another difference is selected."""

    def __init__(self) -> None:
        super().__init__(id="recorded-lines")
        self.form: FormPane | None = None
        """The form beside these lines, with which they scroll; None until both are mounted."""
        self._lines: list[Line] = []
        self._differences: Sequence[Difference] = ()

    def show(self, lines: list[Line], differences: Sequence[Difference]) -> None:
        """Show other lines; only changed ones are drawn. Without differences, give the focus back."""
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
        """The selected difference; None if the focus is elsewhere."""
        is_here = self.has_focus and self.cursor < len(self._differences)
        return self._differences[self.cursor] if is_here else None

    def enter(self, line: int) -> bool:
        """Take the focus, at the first difference from `line` on, else at the last; False if there is none."""
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
        """As many lines as the form has."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """One line; empty beside items of the form without a recorded value."""
        return self._lines[index]

    def entry_count(self) -> int:
        """One entry for each difference."""
        return len(self._differences)

    def lines_of(self, entry: int) -> range:
        """The lines of a difference."""
        return self._differences[entry].lines if 0 <= entry < len(self._differences) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The difference that a line belongs to."""
        return next((at for at, each in enumerate(self._differences) if line in each.lines), None)

    def is_selected(self, index: int) -> bool:
        """True only while this list has the focus: otherwise it has no cursor."""
        return self.has_focus and super().is_selected(index)

    def show_cursor(self) -> None:
        """Scroll the form, which these lines follow."""
        lines = self.lines_of(self.cursor)
        if lines:
            self._form.lines.show_lines(lines.start, lines.stop - 1)

    def cursor_moved(self) -> None:
        """Ask the screen to show what can be accepted."""
        self.post_message(self.DifferenceSelected())

    def move_page(self, direction: int) -> None:
        """Select a difference about a page further."""
        top = self.lines_of(self.cursor).start + direction * self.page()
        self.move_to(min(range(len(self._differences)), key=lambda at: abs(self.lines_of(at).start - top), default=0))

    @property
    def _form(self) -> FormPane:
        assert self.form is not None
        return self.form

    def leave(self) -> None:
        """Give the focus back to the form."""
        self.screen.set_focus(self._form.lines)

    # --- keys and mouse ----------------------------------------------------------------------------------------

    def on_blur(self) -> None:
        """Draw the cursor again: it is shown only with the focus."""
        self.refresh_entry(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Select the difference under the mouse."""
        at = self.entry_under(event)
        if at is not None:
            self.move_to(at)
        else:
            self.leave()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll the form, which these lines follow."""
        event.stop().prevent_default()
        self._form.turn_wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll the form, which these lines follow."""
        event.stop().prevent_default()
        self._form.turn_wheel(-1)
