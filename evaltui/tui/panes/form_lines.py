"""The lines of the form, with a cursor that stops at fields and links."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.document.node import Node
from evaltui.tui.commands import bindings
from evaltui.tui.forms.form import Field, Form, Heading, Link, Stop
from evaltui.tui.lines import Line
from evaltui.tui.panes.form_layout import FormLayout, Placed
from evaltui.tui.panes.requests import PaneHost, PasteText
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.tui.open_file.problem_list import Problem
    from evaltui.tui.outlines.case_outline import Outline
    from evaltui.tui.widgets.text_field import TextField


class FormLines(LineList):
    """Draws the form that its pane has laid out."""

    PLACE = "form"
    BINDINGS = bindings("list")

    cursor: reactive[int] = reactive(-1, repaint=False)
    """The index of the selected item; -1 if there is none."""

    class Resized(Message):
        """The width changed, so the form must be laid out again."""

    class CursorMoved(Message):
        """Another item is selected, or the selected item changed."""

    def __init__(self, host: PaneHost) -> None:
        super().__init__(id="form-lines")
        self._host = host
        self.layout_of_form = FormLayout([], [])

    def show(self, layout: FormLayout) -> None:
        """Draw another layout; the cursor stays on its value if it still exists."""
        before, was_selected = self.layout_of_form, self.selected
        self.layout_of_form = layout
        self.set_reactive(FormLines.cursor, self._cursor_after(before))
        self.refresh_size()
        self._refresh_differing(before.lines, was_selected)
        self.post_message(self.CursorMoved())

    def _refresh_differing(self, before: list[Line], was_selected: Placed | None) -> None:
        """Draw only the lines that changed, and those of the cursor."""
        now = self.layout_of_form.lines
        for number, (old, new) in enumerate(zip_longest(before, now)):
            if old != new:
                self.refresh_line(number)
        if was_selected is not None:
            self.refresh_lines(was_selected.top, was_selected.height)
        self.refresh_cursor()

    def refresh_cursor(self) -> None:
        """Draw the selected item again: its mark shows whether keys act here."""
        self.refresh_entry(self.cursor)

    def _found_again(self, stop: Stop) -> int | None:
        """The item that shows the same value as `stop`, else one with the same key; None if there is neither.

        Not the item at the same index: editing a value as JSON adds and removes lines above it.
        """
        stops = {n: placed.item for n, placed in enumerate(self.layout_of_form.placed) if isinstance(placed.item, Stop)}
        of_value = [n for n, item in stops.items() if stop.node is not None and item.node is stop.node]
        of_key = [n for n, item in stops.items() if item.key == stop.key]
        both = [n for n in of_value if n in of_key]
        return next(iter(both or of_value or of_key), None)

    def _cursor_after(self, before: FormLayout) -> int:
        """The index of the cursor in a new layout.

        If its line is gone, the cursor stays in the same section, if necessary on a line where it does not stop
        otherwise: a second press of the key that deleted the last call must not delete the response.
        """
        at, placed = self.cursor, self.layout_of_form.placed
        item = before.placed[at].item if 0 <= at < len(before.placed) else None
        if item is None:
            return self._nearest(at)
        found = self._found_again(item) if isinstance(item, Stop) else None
        if found is not None:
            return self._nearest(found)
        old = next(section for section in before.sections() if at in section)
        heading = before.heading_of(old)
        like_it = (each for each in self.layout_of_form.sections() if self.layout_of_form.heading_of(each) == heading)
        now = next(like_it, None)
        if now is None:  # a heading at that index at least belongs to no other list
            is_heading = old.start < len(placed) and isinstance(placed[old.start].item, Heading)
            return old.start if is_heading else self._nearest(at)
        if isinstance(item, Heading):
            return now.start
        return self._nearest(at, now) if any(placed[number].can_be_selected for number in now) else now[-1]

    def _nearest(self, wanted: int, among: range | None = None) -> int:
        """The selectable item nearest to an index; at equal distance, the later one."""
        among = among if among is not None else range(len(self.layout_of_form.placed))
        stops = [number for number in among if self.layout_of_form.placed[number].can_be_selected]
        return min(stops, key=lambda n: (abs(n - wanted), n < wanted), default=-1)

    @property
    def selected(self) -> Placed | None:
        """The item under the cursor."""
        placed = self.layout_of_form.placed
        return placed[self.cursor] if 0 <= self.cursor < len(placed) else None

    def on_resize(self) -> None:
        """Ask the pane to lay the form out again."""
        super().on_resize()
        self.post_message(self.Resized())

    # --- lines ---------------------------------------------------------------------------------------------

    def line_count(self) -> int:
        """All lines of the form."""
        return len(self.layout_of_form.lines)

    def line(self, index: int) -> Line:
        """One line of the form."""
        return self.layout_of_form.lines[index]

    def entry_count(self) -> int:
        """Number of items, including those where the cursor does not stop."""
        return len(self.layout_of_form.placed)

    def lines_of(self, entry: int) -> range:
        """The lines of an item, without the blank line above a heading."""
        placed = self.layout_of_form.placed[entry] if 0 <= entry < self.entry_count() else None
        if placed is None:
            return range(0)
        end = placed.top + placed.height
        return range(placed.top if placed.can_be_selected else end - 1, end)

    def is_active(self) -> bool:
        """True also while the text box has the focus."""
        return self.parent is not None and self.parent.has_pseudo_class("focus-within")

    def on_paste(self, event: events.Paste) -> None:
        """Replace the selected value with the pasted text."""
        event.stop()
        self.post_message(PasteText(event.text))

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
        for number, placed in enumerate(self.layout_of_form.placed):
            if isinstance(placed.item, Stop) and placed.item.key == key:
                self.cursor = number
                return True
        return False

    def go_to_node(self, node: Node | None) -> None:
        """Select the line of a value."""
        for number, placed in enumerate(self.layout_of_form.placed):
            if node is not None and isinstance(placed.item, Stop) and placed.item.node is node:
                self.cursor = number

    def go_to_target(self, node: Node) -> None:
        """Select the line that leads to a node."""
        for number, placed in enumerate(self.layout_of_form.placed):
            if isinstance(placed.item, Link) and placed.item.target is node:
                self.cursor = number

    def move(self, step: int) -> None:
        """Go to the next or previous field or link; past the last one, scroll."""
        self._host.forget_said()
        following = self._index_of_following(step)
        if following is not None:
            self.cursor = following
        else:
            self.scroll_relative(y=step, animate=False)

    def _index_of_following(self, step: int) -> int | None:
        placed = self.layout_of_form.placed
        at = self.cursor + (1 if step > 0 else -1)
        while 0 <= at < len(placed) and not placed[at].can_be_selected:
            at += 1 if step > 0 else -1
        return at if 0 <= at < len(placed) else None

    @property
    def following(self) -> Placed | None:
        """The item that the cursor would reach next; None at the end."""
        at = self._index_of_following(1)
        return self.layout_of_form.placed[at] if at is not None else None

    def index_of_field(self, step: int) -> int | None:
        """The index of the next (1) or previous (-1) field that is edited when tab reaches it; None at the ends."""
        placed = self.layout_of_form.placed
        ahead = range(self.cursor + step, len(placed) if step > 0 else -1, step)
        items = ((at, placed[at].item) for at in ahead if placed[at].can_be_selected)
        return next((at for at, item in items if isinstance(item, Field) and item.begins_by_tab), None)

    def move_page(self, direction: int) -> None:
        """Go about a page up or down."""
        self._host.forget_said()
        selected = self.selected
        goal = (selected.top if selected else 0) + direction * self.page()
        placed = self.layout_of_form.placed
        near = [n for n, p in enumerate(placed) if p.can_be_selected]
        self.cursor = min(near, key=lambda n: abs(placed[n].top - goal), default=-1)

    def move_end(self, direction: int) -> None:
        """Go to the first or last item."""
        self._host.forget_said()
        self.cursor = self._nearest(0 if direction < 0 else len(self.layout_of_form.placed))


class FormView(Protocol):
    """A form on screen: its lines, and the text box over them."""

    session: EditedDocument
    outline: Outline
    node: Node

    @property
    def form(self) -> Form:
        """The form of the node."""

    @property
    def lines(self) -> FormLines:
        """The form at rest."""

    @property
    def box(self) -> TextField:
        """The text box, hidden unless a field is edited."""

    @property
    def stop(self) -> Stop | None:
        """The line under the cursor, where it can be selected."""

    @property
    def problem(self) -> Problem | None:
        """The problem of that line, or of the head of the form."""

    def post_message(self, message: Message, /) -> bool:
        """Send a request to the screen."""

    def refresh_form(self) -> None:
        """Make the form again and lay it out."""

    def lay_out(self) -> None:
        """Lay the form out again."""

    def focus_on(self, part: Widget) -> None:
        """Give the keys to the lines or to the box."""
