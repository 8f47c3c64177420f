"""The lines of the form, with a cursor that stops at fields and links."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, starmap
from typing import TYPE_CHECKING

from textual.message import Message

from evaltui.document.node import Node
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Field, Heading, Stop
from evaltui.tui.lines import Line
from evaltui.tui.panes.form_layout import Placed
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.panes.form_pane import FormPane


class FormLines(LineList):
    """Draws the form that its pane has laid out."""

    PLACE = "form"
    BINDINGS = bindings("list")

    class CursorMoved(Message):
        """Another item is selected, or the selected item changed."""

    def __init__(self, pane: FormPane) -> None:
        super().__init__(id="form-lines")
        self._pane, self._host = pane, pane.host
        self.spans = []
        self.placed: list[Placed] = []
        self.stops: list[tuple[int, Stop]] = []
        """The items at which the cursor stops, each with its index among those placed."""
        self.set_reactive(LineList.cursor, -1)

    def show(self, lines: list[Line], placed: list[Placed]) -> None:
        """Draw another layout; the cursor stays on its value if it still exists."""
        earlier, self.placed = self.placed, placed
        self.stops = [(number, line.item) for number, line in enumerate(placed) if isinstance(line.item, Stop)]
        ends = ((line, line.top + line.height) for line in placed)
        spans = [range(line.top if isinstance(line.item, Stop) else end - 1, end) for line, end in ends]
        self.replace_lines(lines, spans, self._cursor_after(earlier))
        self.post_message(self.CursorMoved())

    def _cursor_after(self, earlier: Sequence[Placed]) -> int:
        cursor = self.cursor
        item = earlier[cursor].item if 0 <= cursor < len(earlier) else None
        if item is None:
            return self._nearest(cursor)
        if isinstance(item, Stop):
            # Not the item at the same index: editing a value as JSON adds and removes lines above it.
            alike = [(2 * (stop.node is item.node is not None) + (stop.key == item.key), -n) for n, stop in self.stops]
            likeness, minus_index = max(alike, default=(0, 0))  # of equal ones the first
            if likeness:
                return -minus_index
        # The line is gone. The cursor stays in the same section, if necessary on a line where it does not stop
        # otherwise: a second press of the key that deleted the last call must not delete the response.
        heading, old = next((heading, section) for heading, section in _sections(earlier) if cursor in section)
        section = next((section for text, section in _sections(self.placed) if text == heading), None)
        if section is None:  # a heading at that index at least belongs to no other list
            is_heading = old.start < len(self.placed) and isinstance(self.placed[old.start].item, Heading)
            return old.start if is_heading else self._nearest(cursor)
        if isinstance(item, Heading):
            return section.start
        nearest = self._nearest(cursor, section)
        return nearest if nearest >= 0 else section[-1]

    def _nearest(self, goal: int, among: range | None = None) -> int:
        """The selectable item nearest to an index; at equal distance, the later one."""
        numbers = (number for number, _ in self.stops if among is None or number in among)
        return min(numbers, key=lambda number: (abs(number - goal), number < goal), default=-1)

    @property
    def selected(self) -> Placed | None:
        """The item under the cursor."""
        return self.placed[self.cursor] if 0 <= self.cursor < len(self.placed) else None

    def on_resize(self) -> None:
        """Have the form laid out again."""
        super().on_resize()
        self._pane.wrap_anew()

    def is_active(self) -> bool:
        """True also while the text box has the focus."""
        return self._pane.has_pseudo_class("focus-within")

    # --- cursor --------------------------------------------------------------------------------------------

    def cursor_moved(self) -> None:
        """Ask the screen to show the commands for the item."""
        self.post_message(self.CursorMoved())

    def show_cursor(self) -> None:
        """Make the selected item visible; for the first one, the heading above it too."""
        placed = self.selected
        if placed is not None:
            last = placed.top + placed.height - 1
            is_first = self.cursor == self._nearest(0) and last < self.scrollable_content_region.height
            self.show_lines(0 if is_first else placed.top, last)

    def go_to(self, key: object) -> bool:
        """Select the item with a key; False if there is none."""
        number = next((number for number, stop in self.stops if stop.key == key), None)
        self.cursor = number if number is not None else self.cursor
        return number is not None

    def go_to_node(self, node: Node | None) -> None:
        """Select the last line that shows a value or leads to it."""
        stops = reversed(self.stops) if node is not None else ()
        self.cursor = next((number for number, stop in stops if stop.node is node), self.cursor)

    @property
    def following(self) -> Stop | None:
        """The item that the cursor would reach next; None at the end."""
        return next((stop for number, stop in self.stops if number > self.cursor), None)

    def index_of_field(self, step: int) -> int | None:
        """The index of the next (1) or previous (-1) field that is edited when tab reaches it; None at the ends."""
        fields = (number for number, stop in self.stops[::step] if isinstance(stop, Field) and not stop.enter_adds)
        return next((number for number in fields if (number - self.cursor) * step > 0), None)

    def move(self, step: int) -> None:
        """Go to the next or previous field or link; past the last one, scroll."""
        self._host.status.say("")
        stops = self.stops[:: 1 if step > 0 else -1]
        goal = next((number for number, _ in stops if (number - self.cursor) * step > 0), None)
        if goal is not None:
            self.cursor = goal
        else:
            self.scroll_relative(y=step, animate=False)

    def move_page(self, direction: int) -> None:
        """Go about a page up or down."""
        self._host.status.say("")
        goal = (self.selected.top if self.selected else 0) + direction * self.page()
        tops = {number: self.placed[number].top for number, _ in self.stops}
        self.cursor = min(tops, key=lambda number: abs(tops[number] - goal), default=-1)

    def move_end(self, direction: int) -> None:
        """Go to the first or last item."""
        self._host.status.say("")
        self.cursor = self._nearest(0 if direction < 0 else len(self.placed))


def _sections(placed: Sequence[Placed]) -> list[tuple[str, range]]:
    """The text of each heading with the range of it and its items; "" for items before the first heading."""
    items = [line.item for line in placed]
    starts = [number for number, item in enumerate(items) if not number or isinstance(item, Heading)]
    heads = (item.text if isinstance(item := items[start], Heading) else "" for start in starts)
    return [*zip(heads, starmap(range, pairwise([*starts, len(items)])), strict=True)]
