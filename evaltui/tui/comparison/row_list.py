"""A list of rows of one or more lines each, such as both sides of a turn, a conversation, or losses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, Protocol, TypeVar

from textual import events, on
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.textual_compat import add_bindings
from evaltui.tui.widgets.line_view import LineList

_NEAR_END = 2
"""The cursor is this near the end when the next portion of rows is laid out."""
_PORTIONS = 5
"""The most portions of rows that are laid out when a key goes to the end."""


class KeyedRow(Protocol):
    """A row of data that is found again by its key."""

    @property
    def key(self) -> str:
        """Identifies the row among others, folded or not."""


AnyRow = TypeVar("AnyRow", bound=KeyedRow)


class ListDrawing(Generic[AnyRow]):
    """Draws the rows of one list. It knows which of them are unfolded."""

    stops_everywhere = True
    """Whether the cursor stops at each row that `stops_at` does not exclude, else only where a key does something."""

    def __init__(self) -> None:
        self.toggled: set[str] = set()
        """The keys of the rows that a person unfolded, or folded if they start open."""

    @abstractmethod
    def lines(self, row: AnyRow, width: int) -> list[Line]:
        """The lines of a row in a view of `width` cells, of which the cursor takes the first."""

    def visible(self, rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
        """The rows to show: those in folded rows are left out."""
        return rows

    def stops_at(self, row: AnyRow) -> bool:
        """Whether the cursor stops at a row."""
        return True

    def differs(self, row: AnyRow) -> bool:
        """Whether a row has a difference, at which the cursor starts."""
        return False

    def can_fold(self, row: AnyRow) -> bool:
        """Whether a row has more to show, or less."""
        return False

    def is_open(self, row: AnyRow) -> bool:
        """Whether a row is unfolded; of rows that start open, whether it is folded."""
        return row.key in self.toggled


class RowList(LineList, Generic[AnyRow]):
    """Shows rows, each as its drawing draws it."""

    PLACE = "review"

    class RowDoubleClicked(Message):
        """The selected row was clicked twice."""

    def __init__(
        self, drawing: ListDrawing[AnyRow], id: str = "review-lines", *places: str, marks_away: bool = True
    ) -> None:
        """The last of `places` is its own. With `marks_away`, the selected row is marked also without the focus."""
        super().__init__(id=id)
        if places:
            self.PLACE = places[-1]
            add_bindings(self, bindings(*places))
        self.drawing = drawing
        self.rows: Sequence[AnyRow] = ()
        """The visible rows."""
        self._marks_away = marks_away
        self._every: Sequence[AnyRow] = ()
        self._longer: Iterator[Sequence[AnyRow]] = iter(())
        self.spans: list[range] = []
        self._width = 0
        """The width for which rows are wrapped, with or without a scrollbar."""
        self._wrapped: dict[tuple[str, int], list[Line]] = {}
        """The lines of rows by key and width: each portion and each fold lays all rows out again."""

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(
        self, rows: Sequence[AnyRow], key: str | None = None, longer: Iterator[Sequence[AnyRow]] | None = None
    ) -> None:
        """Show other rows, with the cursor on the row with this key, else on the first difference.

        `longer` has the same rows with more at the end. The next of them is taken once the cursor comes near the end.
        """
        self._longer = longer if longer is not None else iter(())
        self._wrapped.clear()
        self._show(rows, key)

    def redraw(self, *keys: str, scrolls: bool = True) -> None:
        """Draw the rows with these keys again, or all without any; the cursor stays, and comes into sight."""
        # Only these: wrapping a long conversation again takes longer than a frame.
        self._wrapped = {place: lines for place, lines in self._wrapped.items() if keys and place[0] not in keys}
        if scrolls:
            self._show(self._every, self.row.key if self.row is not None else None)
        else:
            self._arrange()

    def _show(self, rows: Sequence[AnyRow], key: str | None) -> None:
        self._every = rows
        self._arrange()
        keys = [row.key for row in self.rows]
        differing = (index for index, row in enumerate(self.rows) if self.drawing.differs(row))
        start = keys.index(key) if key in keys else next(differing, next(iter(self._stops()), 0))
        self.set_reactive(LineList.cursor, start)  # no watcher: it would draw rows of the old list
        if key is None:
            self.scroll_to(y=0, animate=False, force=True)
        self.show_cursor()
        self.cursor_moved()

    @property
    def row(self) -> AnyRow | None:
        """The selected row."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    @property
    def can_fold(self) -> bool:
        """Whether the selected row has more to show, or less."""
        return self.row is not None and self.drawing.can_fold(self.row)

    def toggle(self) -> None:
        """Show all of the selected row, or fold it."""
        if (row := self.row) is not None:
            self.drawing.toggled ^= {row.key}
            self.redraw(row.key)

    def _stops(self) -> list[int]:
        return [index for index, row in enumerate(self.rows) if self.drawing.stops_at(row)]

    def _arrange(self) -> None:
        self.rows = self.drawing.visible(self._every)
        self._lay_out()
        self.refresh()

    def _extend(self, portions: int) -> None:
        rows = self._every
        for longer in islice(self._longer, portions):
            rows = longer
        if rows is not self._every:
            self._every = rows
            self._arrange()

    def _lay_out(self) -> None:
        size = self.content_region.size
        if not size.width:
            return
        if size.width != self._width:
            self._width = size.width
            self._wrapped.clear()
        # The scrollbar appears or goes only after the lines are counted, and then sends no resize event. So the width
        # is not read from the view.
        self._wrap(size.width, size.height)
        if self.line_count() > size.height:
            self._wrap(size.width - self.styles.scrollbar_size_vertical)
        self.refresh_size()

    def _wrap(self, width: int, most: int | None = None) -> None:
        """Lay the rows out; with `most`, only until there are more lines."""
        all_lines: list[Line] = []
        self.all_lines, self.spans = all_lines, []
        for row in self.rows:
            if (lines := self._wrapped.get((row.key, width))) is None:
                lines = self._wrapped[row.key, width] = self.drawing.lines(row, width)
            self.spans.append(range(len(all_lines), len(all_lines) + len(lines)))
            all_lines += lines
            # With so many lines there is a scrollbar, and all are wrapped again beside it.
            if most is not None and len(all_lines) > most:
                return

    def on_resize(self) -> None:
        """Wrap for another width."""
        self._lay_out()
        self.show_cursor()

    def emphasis(self, index: int) -> tuple[str, str]:
        """The emphasis of a line of the selected row."""
        return super().emphasis(index) if self._marks_away or self.has_focus else ("", " ")

    def cursor_moved(self) -> None:
        """Another row is selected."""
        if self.cursor >= len(self.rows) - _NEAR_END:
            self._extend(1)
        super().cursor_moved()

    # --- keys --------------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Select the row `step` stops further down. A row that is higher than the view scrolls first."""
        lines, top, height = self.lines_of(self.cursor), self.scroll_offset.y, self.size.height
        goal = top + step  # the lines after the last stop can be read, too
        if step > 0 and lines and lines.stop > top + height:
            goal = min(top + height - 1, lines.stop - height)
        elif step < 0 and lines and lines.start < top:
            goal = max(top - height + 1, lines.start)
        elif self._go_on(self._stops(), step):
            return
        self.scroll_to(y=goal, animate=False, force=True)

    def _go_on(self, stops: Sequence[int], step: int) -> bool:
        """Select one of these rows `step` rows further down, or the last one; False if none is further down."""
        beyond = [index for index in stops if (index - self.cursor) * step > 0]
        if beyond:
            self.cursor = beyond[min(step, len(beyond)) - 1 if step > 0 else max(step, -len(beyond))]
        return bool(beyond)

    def move_end(self, direction: int) -> None:
        """Select the first or last row where the cursor stops, and show the very first or last line."""
        if direction > 0:
            self._extend(_PORTIONS)
        if stops := self._stops():
            self.cursor = stops[0 if direction < 0 else -1]
        if not self.drawing.stops_everywhere:
            super(LineList, self).move_end(direction)

    def move_page(self, direction: int) -> None:
        """Scroll by a page, and select a row there."""
        if self.drawing.stops_everywhere:
            super().move_page(direction)
            return
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
        """Select the next row with a difference; False if there is none."""
        return self._go_on([index for index, row in enumerate(self.rows) if self.drawing.differs(row)], step)

    @on(events.Focus)
    @on(events.Blur)
    def _refresh_mark(self) -> None:
        # The mark of the selected row may be shown only while keys act here.
        self.refresh_entry(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; open it by a second click."""
        entry = self.entry_under(event)
        if entry is None or not self.drawing.stops_at(self.rows[entry]):
            return
        if entry == self.cursor and event.chain > 1:
            self.post_message(self.RowDoubleClicked())
        self.move_to(entry)
