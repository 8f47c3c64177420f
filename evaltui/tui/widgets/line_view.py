"""Lists and bars of lines (runs with roles), drawn as strips in the styles that the stylesheet gives to roles."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.errors import NoWidget
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.lines import FILL, ROLES, Line, cells_of, cut_runs

LOW = 10
"""Terminals with fewer lines show dialogs over the whole screen and without a border."""

WIDEST = 120
"""Where the right end of a line is at most in a wide pane, in cells: the eye must find it from the left end."""

TOO_SMALL = "Terminal too small"
"""Fits into 20 columns."""

# Declared once by the app: Textual computes the styles of such classes for each widget that declares them, which would
# be half of all styles before the first frame.
LINE_CLASSES = {f"line--{role}" for role in (*ROLES, "cursor", "cursor-away", "drop")}
"""Component classes of the roles."""


class LineStrips:
    """Draws the lines of one widget."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[tuple[str, str], Style] = {}

    def style(self, role: str = "", cursor: str = "") -> Style:
        """The style of a role, on the cursor line or elsewhere; cached until the stylesheet changes."""
        style = self._styles.get((role, cursor))
        if style is None:
            widget = self._widget
            style = widget.rich_style
            for part in [f"line--{name}" for name in (cursor, role) if name]:
                looks = widget.app.get_component_styles(part)
                style += looks.partial_rich_style
                tint = looks.background
                if 0 < tint.a < 1:  # partial styles ignore the alpha of a colour
                    style += Style(bgcolor=(widget.background_colors[1] + tint).rich_color)
            if style.reverse:  # the colours of roles would be patches in it, on which text is hard to read
                style += Style(color="default", bgcolor="default")
            self._styles[role, cursor] = style
        return style

    def strip(self, line: Line, width: int, widest: int | None, mark: str = "", cursor: str = "") -> Strip:
        """A line with a mark, in `width` cells. A long text is cut, before the `FILL` run if there is one.

        In a line with a `FILL` run, the right end is at most at `widest`.
        """
        room = width - len(mark)
        runs = _fill(line, room, min(room, widest or room))
        if (length := cells_of(runs)) > room:
            runs = cut_runs(runs, room)
            length = cells_of(runs)
        # Segments by hand: Textual's own content takes three times as long, as it parses and merges the styles of each
        # run every time.
        segments = [Segment(mark, self.style("accent", cursor))] if mark else []
        segments += [Segment(text, self.style(role, cursor)) for text, role in runs]
        return Strip([*segments, Segment(" " * (room - length), self.style("", cursor))], width)


def _fill(line: Line, width: int, end: int) -> Line:
    """The runs of a line with spaces in place of its `FILL` run, before which a long line is cut."""
    place = next((number for number, (_, role) in enumerate(line) if role == FILL), None)
    if place is None:
        return line
    front, behind = line[:place], line[place + 1 :]
    text_cells = cells_of(front) + cells_of(behind)
    room = min(width, max(text_cells + 2, end)) - text_cells
    if room < 1:  # what is cut anyway ends where the lines around end
        front_room = max(2, end - cells_of(behind))
        front = cut_runs(front, front_room)
        room = front_room - cells_of(front)
    return [*front, (" " * room, ""), *behind]


class LineBar(Widget):
    """Widget of as many lines as its height. `draw` makes the line with an index for a width, printable already."""

    ALLOW_SELECT = False

    widest: int | None = None
    """Where the right end of a line is at most; None for the edge of the widget."""

    def __init__(self, id: str, draw: Callable[[int, int], Line] = lambda *_: []) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._strips = LineStrips(self)

    def line(self, index: int) -> Line:
        """The runs of one line."""
        return self._draw(index, self.size.width)

    def notify_style_update(self) -> None:
        """Redraw after a change of the theme or a class."""
        self._strips = LineStrips(self)  # without cached styles
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        return self._strips.strip(self.line(y), self.size.width, self.widest)


class LineView(ScrollView, can_focus=True):
    """A scrolling view of lines. Only visible lines are drawn, so long lists cost nothing."""

    ALLOW_SELECT = False

    DEFAULT_CSS = """
    LineView {
        background: $background;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
    }
    """

    PLACE: str
    """The place in the registry of commands whose keys act in the view."""
    widest: int | None = WIDEST
    """Where the right end of a line is at most; None for the edge of the view."""
    all_lines: Sequence[Line] = ()
    """The lines of a view that draws all of them at once."""
    lines_above = 0
    """The number of lines of its head, which does not scroll."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._strips = LineStrips(self)
        self._drawn: dict[int, Line] = {}
        """The lines on screen, by row of the viewport."""

    # --- for subclasses ------------------------------------------------------------------------------------

    def line(self, index: int) -> Line:
        """The runs of one line. Their text must be printable already."""
        return self.all_lines[index]

    def line_count(self) -> int:
        """Number of lines."""
        return len(self.all_lines)

    # --- drawing -------------------------------------------------------------------------------------------

    def refresh_size(self) -> None:
        """Update the virtual size: the number of lines changed."""
        # Never as wide as the view: if the virtual size equals the size of the view, Textual 8.2 assumes that nothing
        # changed and keeps a scrollbar that is no longer needed.
        size = Size(0, self.line_count())
        height = self.container_size.height
        keeps_scrollbar = height > 0 and (size.height > height) == self.show_vertical_scrollbar
        if not keeps_scrollbar:
            self.virtual_size = size
        elif size != self.virtual_size:
            # A plain assignment would make Textual lay out the whole screen, although no widget moves.
            self.set_reactive(Widget.virtual_size, size)
            if self.show_vertical_scrollbar:
                self.vertical_scrollbar.window_virtual_size = size.height
            self.scroll_y = self.validate_scroll_y(self.scroll_y)
            self.refresh()

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

    def notify_style_update(self) -> None:
        """Redraw after a change of the theme or a class."""
        self._strips = LineStrips(self)  # without cached styles
        super().notify_style_update()

    def index_at(self, y: int) -> int:
        """The line at a row of the viewport."""
        return y if y < self.lines_above else y + self.scroll_offset.y

    def render_line(self, y: int) -> Strip:
        """Draw one line of the viewport, after a cell for the cursor mark."""
        index, width = self.index_at(y), self.scrollable_content_region.width
        if index >= self.line_count():
            return Strip.blank(width, self._strips.style())
        line = self._drawn[y] = self.line(index)
        cursor, mark = self.emphasis(index)
        return self._strips.strip(line, width, self.widest, mark, cursor)

    def refresh_changed(self, among: Callable[[int], bool] = lambda _: True) -> bool:
        """Draw the lines in sight again that look different, of those `among` names; returns whether there are any."""
        in_sight = [(y, self.index_at(y)) for y in range(self.size.height)]
        rows = [(y, index) for y, index in in_sight if index < self.line_count() and among(index)]
        changed = [y for y, index in rows if y in self._drawn and self._drawn[y] != self.line(index)]
        for y in changed:
            self.refresh(Region(0, y, self.size.width, 1))
        return bool(changed)

    def emphasis(self, index: int) -> tuple[str, str]:
        """The style of a line (cursor, cursor-away or drop) and the mark in its first cell; without a cursor none."""
        return "", " "

    # --- keys ----------------------------------------------------------------------------------------------

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


class LineList(LineView):
    """A list with a cursor. An entry is one line, unless `spans` says otherwise."""

    cursor: reactive[int] = reactive(0, repaint=False)
    """The index of the selected entry."""

    spans: Sequence[range] | None = None
    """The lines of each entry, in order; None if each line is an entry, but for `lines_above` all entries."""

    class Browsed(Message):
        """Another line is selected: a message about the last step goes, and a hint about this line comes."""

    # --- for subclasses ------------------------------------------------------------------------------------

    def entry_count(self) -> int:
        """Number of entries at which the cursor stops."""
        return len(self.spans) if self.spans is not None else self.line_count()

    def lines_of(self, entry: int) -> range:
        """The lines of an entry."""
        if self.spans is None:
            return range(entry + self.lines_above, entry + self.lines_above + 1)
        return self.spans[entry] if 0 <= entry < len(self.spans) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The entry to which a line belongs; None for a line that cannot be selected."""
        if self.spans is None:
            return line - self.lines_above if line >= self.lines_above else None
        entry = bisect_right(self.spans, line, key=lambda lines: lines.start) - 1
        return entry if line in self.lines_of(entry) else None

    def cursor_moved(self) -> None:
        """Called after another entry was selected: tell the screen."""
        self.post_message(self.Browsed())

    def replace_lines(self, lines: Sequence[Line], spans: Sequence[range], cursor: int) -> None:
        """Show other lines and entries. Only lines that look different are drawn."""
        self.refresh_entry(self.cursor)
        self.all_lines, self.spans = lines, spans
        self.set_reactive(LineList.cursor, cursor)  # no watcher: it would scroll, and report a move
        self.refresh_size()
        self.refresh_changed()
        # A line with the same text may have got the mark of the cursor.
        self.refresh_entry(cursor)

    # --- the cursor ----------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Keep the selected entry in sight if the view became lower than the cursor."""
        super().on_resize()
        lines, top = self.lines_of(self.cursor), round(self.scroll_offset.y)
        if lines and not range(max(top, lines.start), min(top + self.scrollable_content_region.height, lines.stop)):
            self.show_cursor()

    def is_active(self) -> bool:
        """Whether keys act here, also beside a text box that passes them on; the cursor then has its full mark."""
        return self.has_focus or not self.can_focus

    def emphasis(self, index: int) -> tuple[str, str]:
        """The emphasis of a line of the selected entry; one that fills most of the view has its mark alone."""
        lines = self.lines_of(self.cursor)
        if index not in lines:
            return "", " "
        style, mark = ("cursor", "▌") if self.is_active() else ("cursor-away", "▏")
        return ("" if len(lines) > max(8, self.size.height // 2) else style), mark

    def watch_cursor(self, left: int, selected: int) -> None:
        """Draw only the entries that the cursor left and reached."""
        self.refresh_entry(left)
        self.refresh_entry(selected)
        self.show_cursor()
        self.cursor_moved()

    def refresh_entry(self, entry: int) -> None:
        """Draw the lines of an entry again."""
        lines = self.lines_of(entry)
        self.refresh_lines(lines.start, len(lines))

    def show_cursor(self) -> None:
        """Scroll the selected entry into sight."""
        if lines := self.lines_of(self.cursor):
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
        entry = self.entry_at(max(0, min(self.line_count() - 1, top))) or 0
        self.move(entry - self.cursor or direction)

    def move_end(self, direction: int) -> None:
        """Select the first or last entry."""
        self.move_to(0 if direction < 0 else self.entry_count() - 1)

    def entry_under(self, event: events.MouseEvent) -> int | None:
        """The entry under the mouse."""
        line = event.get_content_offset_capture(self).y + self.scroll_offset.y
        return self.entry_at(line) if 0 <= line < self.line_count() else None


def has_room(screen: Screen[Any]) -> bool:
    """Whether the focused pane or text box shows at least one row."""
    focused = screen.focused
    has_row = focused.line_count() > 0 if isinstance(focused, LineList) else getattr(focused, "PLACE", "") == "field"
    if focused is None or not has_row:
        return True
    try:
        seen = screen.find_widget(focused).visible_region
    except NoWidget:  # not laid out yet
        return True
    return min(seen.height - focused.gutter.top, focused.scrollable_content_region.height) > 0
