"""A list pane: lines drawn on demand, one entry selected, and the keys and clicks that select another."""

from __future__ import annotations

from textual import events
from textual.reactive import reactive

from evaltui.tui.widgets.line_view import LineView


class LineList(LineView):
    """A list with a cursor. An entry is one line, unless a subclass says otherwise in `entry_count` and `lines_of`."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """The number of the selected entry, from 0."""

    # --- for subclasses ------------------------------------------------------------------------------------

    def entry_count(self) -> int:
        """Number of entries at which the cursor stops."""
        return self.line_count()

    def lines_of(self, entry: int) -> range:
        """The lines of an entry."""
        return range(entry, entry + 1)

    def entry_at(self, line: int) -> int | None:
        """The entry to which a line belongs; None for a line that cannot be selected."""
        return line

    def cursor_moved(self) -> None:
        """Another entry is selected and drawn."""

    # --- the cursor ----------------------------------------------------------------------------------------

    def is_selected(self, index: int) -> bool:
        """Whether the line belongs to the selected entry."""
        return index in self.lines_of(self.cursor)

    def watch_cursor(self, before: int, now: int) -> None:
        """Draw only the entries that the cursor left and reached."""
        self.refresh_entry(before)
        self.refresh_entry(now)
        self.show_cursor()
        self.cursor_moved()

    def refresh_entry(self, entry: int) -> None:
        """Draw the lines of an entry again."""
        lines = self.lines_of(entry)
        self.refresh_lines(lines.start, len(lines))

    def show_cursor(self) -> None:
        """Scroll the selected entry into sight."""
        lines = self.lines_of(self.cursor)
        if lines:
            self.show_lines(lines.start, lines.stop - 1)

    def move_to(self, entry: int) -> None:
        """Select an entry, or the first or last one if there is no such entry."""
        self.cursor = max(0, min(self.entry_count() - 1, entry))

    def action_move(self, step: int) -> None:
        """Select the entry `step` entries further down."""
        self.move_to(self.cursor + step)

    def action_move_page(self, direction: int) -> None:
        """Move the cursor by a page of lines, and by one entry at least."""
        top = self.lines_of(self.cursor).start + direction * self.page()
        there = self.entry_at(max(0, min(self.line_count() - 1, top))) or 0
        self.action_move(there - self.cursor or direction)

    def action_move_end(self, direction: int) -> None:
        """Select the first or last entry."""
        self.move_to(0 if direction < 0 else self.entry_count() - 1)

    def entry_under(self, event: events.MouseEvent) -> int | None:
        """The entry under the mouse."""
        line = self.line_at(event.get_content_offset_capture(self).y)
        return self.entry_at(line) if line is not None else None
