"""A list of rows of one or more lines each. The cursor stops at rows that can be accepted, unfolded or followed."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.message import Message

from evaltui.tui.comparison.row_drawing import Row, RowDrawing, TextRow
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineList


class RowList(LineList):
    """Shows rows with both sides, which scroll together."""

    PLACE = "review"

    class RowSelected(Message):
        """Another row is selected."""

    def __init__(self, drawing: RowDrawing) -> None:
        super().__init__(id="review-lines")
        self.drawing = drawing
        self.rows: Sequence[Row] = ()
        """The visible rows."""
        self._every: Sequence[Row] = ()
        self._lines: list[Line] = []
        self._spans: list[range] = []
        """The lines of each row."""
        self._row_of_line: list[int] = []
        self._laid_out_for: tuple[Size, int] | None = None

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(self, rows: Sequence[Row], key: str | None = None) -> None:
        """Show other rows, with the cursor on the row with this key, else on the first difference."""
        self._every = rows
        self.rows = self.drawing.visible(rows)
        self._laid_out_for = None
        self._lay_out()
        self.set_reactive(LineList.cursor, self._start(key))  # no watcher: it would draw rows of the old list
        if key is None:
            self.scroll_to(y=0, animate=False, force=True)
        self.show_cursor()
        self.refresh()
        self.cursor_moved()

    def _start(self, key: str | None) -> int:
        keys = [row.key for row in self.rows]
        if key in keys:
            return keys.index(key)
        differing = (index for index, row in enumerate(self.rows) if row.changes)
        return next(differing, next(iter(self._stops()), 0))

    @property
    def row(self) -> Row | None:
        """The selected row."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def can_fold(self) -> bool:
        """Whether the selected row has more to show, or less."""
        return self.row is not None and self.drawing.can_fold(self.row)

    def toggle(self) -> None:
        """Show all of the selected row, or fold it."""
        if (row := self.row) is not None:
            self.drawing.toggle(row)
            self.show(self._every, row.key)

    def _stops(self) -> list[int]:
        return [
            index
            for index, row in enumerate(self.rows)
            if row.changes or self.drawing.can_fold(row) or (isinstance(row, TextRow) and row.goal is not None)
        ]

    def _lay_out(self) -> None:
        size = self.content_region.size
        if not size.width or self._laid_out_for == (size, id(self.rows)):
            return
        self._laid_out_for = size, id(self.rows)
        # The scrollbar appears or goes only after the lines are counted, and then sends no resize event. So the width
        # is not read from the view.
        self._wrap(size.width)
        if len(self._lines) > size.height:
            self._wrap(size.width - self.styles.scrollbar_size_vertical)
        self.refresh_size()

    def _wrap(self, width: int) -> None:
        self._lines, self._spans, self._row_of_line = [], [], []
        for index, row in enumerate(self.rows):
            lines = self.drawing.both_sides(row, width)
            self._spans.append(range(len(self._lines), len(self._lines) + len(lines)))
            self._lines += lines
            self._row_of_line += [index] * len(lines)

    # --- as the list asks for it -------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay_out()
        self.show_cursor()

    def line_count(self) -> int:
        """All lines, wrapped."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """One line."""
        return self._lines[index]

    def entry_count(self) -> int:
        """One entry for each row."""
        return len(self.rows)

    def lines_of(self, entry: int) -> range:
        """The lines of a row."""
        return self._spans[entry] if entry < len(self._spans) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The row of a line."""
        return self._row_of_line[line] if line < len(self._row_of_line) else None

    def cursor_moved(self) -> None:
        """Another row is selected: the screen says what can be done there."""
        self.post_message(self.RowSelected())

    # --- keys --------------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Select the next row where the cursor stops. A row that is higher than the view scrolls first."""
        lines, top, height = self.lines_of(self.cursor), self.scroll_offset.y, self.size.height
        if step > 0 and lines and lines.stop > top + height:
            self.scroll_to(y=min(top + height - 1, lines.stop - height), animate=False, force=True)
            return
        if step < 0 and lines and lines.start < top:
            self.scroll_to(y=max(top - height + 1, lines.start), animate=False, force=True)
            return
        beyond = [index for index in self._stops() if (index - self.cursor) * step > 0]
        if beyond:
            self.cursor = beyond[0 if step > 0 else -1]
        else:  # the lines after the last stop can be read, too
            self.scroll_to(y=top + step, animate=False, force=True)

    def move_end(self, direction: int) -> None:
        """Select the first or last row where the cursor stops, and show the very first or last line."""
        if stops := self._stops():
            self.cursor = stops[0 if direction < 0 else -1]
        super(LineList, self).move_end(direction)

    def move_page(self, direction: int) -> None:
        """Scroll by a page, and select a row there."""
        top = self.scroll_offset.y + direction * self.page()
        self.scroll_to(y=top, animate=False, force=True)
        visible = range(top, top + self.size.height)
        seen = [index for index in self._stops() if self.lines_of(index).start in visible]
        if seen and self.cursor not in seen:
            # The watcher would scroll back to the row that the page has left.
            self.set_reactive(LineList.cursor, seen[0 if direction > 0 else -1])
            self.refresh()
            self.cursor_moved()

    def next_difference(self, step: int) -> bool:
        """Select the next row with a change; False if there is none."""
        beyond = [index for index, row in enumerate(self.rows) if row.changes and (index - self.cursor) * step > 0]
        if beyond:
            self.cursor = beyond[0 if step > 0 else -1]
        return bool(beyond)

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse."""
        entry = self.entry_under(event)
        if entry is not None and entry in self._stops():
            self.move_to(entry)
