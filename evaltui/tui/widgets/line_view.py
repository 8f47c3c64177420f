"""Lists of lines, with or without a cursor. Only visible lines are drawn, so long lists cost nothing."""

from __future__ import annotations

from abc import abstractmethod

from textual import events
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_strips import WIDEST, LineStrips


class LineView(ScrollView, can_focus=True):
    """A scrolling view of lines that its subclass makes. Their text must be printable already."""

    ALLOW_SELECT = False

    IS_TABLE = False
    """Whether its lines have columns, which take the whole width as they need it."""

    DEFAULT_CSS = """
    LineView {
        background: $background;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._strips = LineStrips(self, None if self.IS_TABLE else WIDEST)

    # --- for subclasses ------------------------------------------------------------------------------------

    @abstractmethod
    def line_count(self) -> int:
        """Number of lines."""

    @abstractmethod
    def line(self, index: int) -> Line:
        """The runs of one line, drawn after a free cell for the cursor mark."""

    def is_selected(self, index: int) -> bool:
        """Whether the cursor is on this line; a view that only scrolls has no cursor."""
        return False

    # --- drawing -------------------------------------------------------------------------------------------

    def refresh_size(self) -> None:
        """Update the virtual size: the number of lines changed."""
        # Never as wide as the view: if the virtual size equals the size of the view, Textual 8.2 assumes that nothing
        # changed and keeps a scrollbar that is no longer needed.
        size = Size(0, self.line_count())
        if not self._keeps_scrollbar(size):
            self.virtual_size = size
        elif size != self.virtual_size:
            # A plain assignment would make Textual lay out the whole screen, although no widget moves.
            self.set_reactive(Widget.virtual_size, size)
            if self.show_vertical_scrollbar:
                self.vertical_scrollbar.window_virtual_size = size.height
            self.scroll_y = self.validate_scroll_y(self.scroll_y)
            self.refresh()

    def _keeps_scrollbar(self, size: Size) -> bool:
        """Whether the need for a scrollbar is the same with so many lines as now."""
        height = self.container_size.height
        return height > 0 and (size.height > height) == self.show_vertical_scrollbar

    def on_resize(self) -> None:
        """Count the lines again: wrapped lines depend on the width."""
        self.refresh_size()

    def show_lines(self, first: int, last: int) -> None:
        """Scroll so that the lines from `first` to `last` are visible, or at least `first`."""
        height = self.scrollable_content_region.height
        top = round(self.scroll_offset.y)
        if last >= top + height:
            top = last - height + 1
        self.scroll_to(y=min(top, first), animate=False, force=True)

    def refresh_row(self, index: int) -> None:
        """Draw one line again."""
        self.refresh_line(index)

    def notify_style_update(self) -> None:
        """Redraw after a change of the theme or a class."""
        self._strips.forget()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the viewport."""
        return self.draw(y + self.scroll_offset.y)

    def draw(self, index: int) -> Strip:
        """The strip of one line."""
        width = self.scrollable_content_region.width
        if index >= self.line_count():
            return Strip.blank(width, self._strips.style())
        cursor, mark = self.emphasis(index)
        return self._strips.drawn(self.line(index), width, mark, cursor)

    def emphasis(self, index: int) -> tuple[str, str]:
        """The emphasis of a line: its style (cursor, cursor-away or drop), and the mark in its first cell."""
        if not self.is_selected(index):
            return "", " "
        return ("cursor", "▌") if self.is_active() else ("cursor-away", "▏")

    def is_active(self) -> bool:
        """Whether keys act here; the cursor then has its full mark."""
        return self.has_focus

    def line_at(self, y: int) -> int | None:
        """The line at the viewport row `y`; None below the last line."""
        index = y + self.scroll_offset.y
        return index if 0 <= index < self.line_count() else None

    def page(self) -> int:
        """Number of lines that a page key moves."""
        return max(1, self.scrollable_content_region.height - 1)

    def move(self, step: int) -> None:
        """Scroll by `step` lines."""
        self.scroll_relative(y=step, animate=False)

    def move_page(self, direction: int) -> None:
        """Scroll by a page."""
        self.scroll_relative(y=direction * self.page(), animate=False)

    def move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self.scroll_to(y=0 if direction < 0 else self.line_count(), animate=False)

    def region_of(self, first: int, count: int) -> Region:
        """The region of lines, in coordinates of the viewport; it can be outside."""
        return Region(0, first - self.scroll_offset.y, self.scrollable_content_region.width, count)


class LineList(LineView):
    """A list with a cursor. An entry is one line, unless a subclass says otherwise in `entry_count` and `lines_of`."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """The index of the selected entry."""

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
        """Called after another entry was selected."""

    def on_resize(self) -> None:
        """Keep the selected entry in sight if the view became lower than the cursor."""
        super().on_resize()
        lines, top = self.lines_of(self.cursor), round(self.scroll_offset.y)
        if lines and not range(max(top, lines.start), min(top + self.scrollable_content_region.height, lines.stop)):
            self.show_cursor()

    # --- the cursor ----------------------------------------------------------------------------------------

    def is_selected(self, index: int) -> bool:
        """Whether the line belongs to the selected entry."""
        return index in self.lines_of(self.cursor)

    def emphasis(self, index: int) -> tuple[str, str]:
        """The emphasis of a line; an entry that fills most of the view has its mark alone."""
        cursor, mark = super().emphasis(index)
        is_large = len(self.lines_of(self.cursor)) > max(8, self.size.height // 2)
        return ("" if is_large and cursor != "drop" else cursor), mark

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
        """Select an entry; an index out of range selects the first or last one."""
        self.cursor = max(0, min(self.entry_count() - 1, entry))

    def move(self, step: int) -> None:
        """Select the entry `step` entries further down."""
        self.move_to(self.cursor + step)

    def move_page(self, direction: int) -> None:
        """Move the cursor by a page of lines, and by one entry at least."""
        top = self.lines_of(self.cursor).start + direction * self.page()
        there = self.entry_at(max(0, min(self.line_count() - 1, top))) or 0
        self.move(there - self.cursor or direction)

    def move_end(self, direction: int) -> None:
        """Select the first or last entry."""
        self.move_to(0 if direction < 0 else self.entry_count() - 1)

    def entry_under(self, event: events.MouseEvent) -> int | None:
        """The entry under the mouse."""
        line = self.line_at(event.get_content_offset_capture(self).y)
        return self.entry_at(line) if line is not None else None
