"""A list with one line for each entry, and headings between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from textual import events
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.textual_compat import add_bindings
from evaltui.tui.widgets.line_view import LineList

Entry = TypeVar("Entry")
Heading = tuple[int, Line]
"""The index of an entry, and the line before it, which cannot be selected."""


class EntryList(LineList, Generic[Entry]):
    """One line for each entry, and one for each heading. The list is empty until `show`."""

    why_empty = ""
    """Why the list is empty, with the key that helps; "" for no line."""
    spans: Sequence[range] | None = ()

    class EntryOpened(Message):
        """The selected entry was clicked twice; in a list that cannot focus, an entry was clicked."""

    def __init__(self, *places: str, identity: Callable[[Entry], object] = lambda entry: entry) -> None:
        """Commands of all `places` act in the list; the last one is its own place and its id.

        `identity` gives a value by which an entry is found again among new entries.
        """
        super().__init__(id=places[-1])
        self.PLACE = places[-1]
        add_bindings(self, bindings(*places))
        self._identity = identity
        self._draw: Callable[[Entry, int], Line]
        self.entries: Sequence[Entry] = ()
        self._headings: dict[int, Line] = {}
        """The headings by the indexes of their lines."""

    def show(
        self,
        entries: Sequence[Entry],
        draw: Callable[[Entry, int], Line],
        selected: object = None,
        headings: Sequence[Heading] = (),
    ) -> None:
        """Show other entries, with headings in the order of the entries. `draw` makes the line of one for a width.

        The cursor goes to the identity `selected`, else stays on the same entry.
        """
        identity = self._identity
        # Places change when entries come or go, identities do not.
        target = selected if selected is not None or self.selected is None else identity(self.selected)
        self.entries, self._draw = entries, draw
        self._headings = {entry + number: heading for number, (entry, heading) in enumerate(headings)}
        free = (line for line in range(len(entries) + len(headings)) if line not in self._headings)
        self.spans = [range(line, line + 1) for line in free] if headings or not entries else None
        position = self.cursor
        if target is not None and not (position < len(entries) and identity(entries[position]) == target):
            position = next((number for number, entry in enumerate(entries) if identity(entry) == target), position)
        # No watcher: it would draw lines of the old entries.
        self.set_reactive(LineList.cursor, max(0, min(position, len(entries) - 1)))
        self.refresh_size()
        self.show_cursor()
        self.refresh()
        self.cursor_moved()

    @property
    def selected(self) -> Entry | None:
        """The entry under the cursor; None if there is none."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def line_count(self) -> int:
        """One line for each entry and heading; an empty list has one that says why it is empty."""
        return (len(self.entries) or bool(self.why_empty)) + len(self._headings)

    def entry_at(self, line: int) -> int:
        """The entry of a line; a heading leads to the entry below it, so that page keys go past it."""
        return line if self.spans is None else bisect_left(self.spans, line, key=lambda lines: lines.start)

    def line(self, index: int) -> Line:
        """The line of an entry, a heading, or the line of an empty list."""
        if index in self._headings:
            return self._headings[index]
        if not self.entries:
            return [(self.why_empty, "dim")]
        return self._draw(self.entries[self.entry_at(index)], self.size.width)

    def show_cursor(self) -> None:
        """Scroll the selected entry into sight."""
        # Its heading says to which file or state the entry belongs.
        if (line := self.lines_of(self.cursor).start) - 1 in self._headings:
            self.show_lines(line - 1, line)
        else:
            super().show_cursor()

    def on_click(self, event: events.Click) -> None:
        """Select an entry; open it by a second click."""
        entry = self.entry_under(event)
        if entry is not None and self.entries:
            if not self.can_focus or (entry == self.cursor and event.chain > 1):
                self.post_message(self.EntryOpened())
            self.cursor = entry
