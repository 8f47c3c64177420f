"""A list of the recordings picker. When the entries change, the cursor stays on the entry with the same identity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from textual import events
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.textual_compat import add_bindings
from evaltui.tui.widgets.line_view import LineList

_Entry = TypeVar("_Entry")
_Shown_contra = TypeVar("_Shown_contra", contravariant=True)


class ListHeading(NamedTuple):
    """A line before one of the entries, which cannot be selected."""

    before: int
    """The place of the entry that it stands before."""
    line: Line


class EntryLines(Protocol[_Shown_contra]):
    """Draws the entries of a list."""

    place: str
    """The place of the list in the registry of commands."""

    def measure(self, entries: Sequence[_Shown_contra], /) -> None:
        """Measure the columns for these entries."""

    def identity(self, entry: _Shown_contra, /) -> object:
        """A value by which the entry is found again among new entries."""

    def none_line(self) -> Line:
        """The line of an empty list."""

    def entry_line(self, entry: _Shown_contra, width: int, /) -> Line:
        """The line of an entry in a list that is `width` cells wide."""


class PickerList(LineList, Generic[_Entry]):
    """One line for each entry, and one for each heading. The list is empty until `show`."""

    class EntrySelected(Message):
        """Another entry is selected."""

    class EntryOpened(Message):
        """The selected entry was clicked twice."""

    def __init__(self, lines: EntryLines[_Entry], around: str = "picker") -> None:
        """`around` is the place in the registry whose commands act in this list, too."""
        super().__init__(id=lines.place)
        self.PLACE = lines.place
        add_bindings(self, bindings(around, lines.place))
        self._lines = lines
        self.entries: Sequence[_Entry] = ()
        self._headings: Sequence[ListHeading] = ()

    def show(self, entries: Sequence[_Entry], selected: object = None, headings: Sequence[ListHeading] = ()) -> None:
        """Show other entries, with headings in the order of the entries.

        The cursor goes to the identity `selected`, else stays on the same entry.
        """
        self._headings = headings
        identity = self._lines.identity
        wanted = selected if selected is not None or self.selected is None else identity(self.selected)
        self.entries = entries
        self._lines.measure(entries)
        at = self.cursor
        if wanted is not None and not (at < len(entries) and identity(entries[at]) == wanted):
            at = next((number for number, each in enumerate(entries) if identity(each) == wanted), at)
        # No watcher: it would draw lines of the old entries.
        self.set_reactive(LineList.cursor, max(0, min(at, len(entries) - 1)))
        self.refresh_size()
        self.show_cursor()
        self.refresh()
        self.cursor_moved()

    @property
    def selected(self) -> _Entry | None:
        """The entry under the cursor; None if there is none."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    def line_count(self) -> int:
        """One line for each entry and heading; an empty list has one that says what to do."""
        return max(1, len(self.entries)) + len(self._headings)

    def entry_count(self) -> int:
        """Number of entries."""
        return len(self.entries)

    def lines_of(self, entry: int) -> range:
        """The line of an entry; no line is selected in an empty list."""
        line = entry + sum(heading.before <= entry for heading in self._headings)
        return range(line, line + 1) if self.entries else range(0)

    def entry_at(self, line: int) -> int:
        """The entry of a line. A heading leads to the entry below it, so that page keys go past it."""
        return line - sum(heading.before + place < line for place, heading in enumerate(self._headings))

    def line(self, index: int) -> Line:
        """The line of an entry, a heading, or the line of an empty list."""
        for place, heading in enumerate(self._headings):
            if index == heading.before + place:
                return heading.line
        entry = self.entry_at(index)
        return self._lines.entry_line(self.entries[entry], self.size.width) if self.entries else self._lines.none_line()

    def show_cursor(self) -> None:
        """Scroll the selected entry into sight, together with a heading that stands before this entry."""
        if any(self.cursor == heading.before for heading in self._headings):
            line = self.lines_of(self.cursor).start
            self.show_lines(line - 1, line)
        else:
            super().show_cursor()

    def cursor_moved(self) -> None:
        """Have the screen show more of the selected entry."""
        self.post_message(self.EntrySelected())

    def on_click(self, event: events.Click) -> None:
        """Select an entry; open it by a second click."""
        entry = self.entry_under(event)
        if entry is None or not self.entries:
            return
        if entry == self.cursor and event.chain > 1:
            self.post_message(self.EntryOpened())
        self.cursor = entry
