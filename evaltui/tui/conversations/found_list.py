"""The list of conversations, with a heading before those of other apps."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.tui.conversations.found_lines import FoundLines
from evaltui.tui.conversations.screen_words import heading_of_others
from evaltui.tui.lines import Line
from evaltui.tui.recordings.picker_list import PickerList
from evaltui.tui.session.found_conversations import FoundConversation, FoundConversations


class FoundList(PickerList[FoundConversation]):
    """One line for each conversation, and one for the heading if there is one. The heading is no entry."""

    def __init__(self, found: FoundConversations, lines: FoundLines) -> None:
        super().__init__(lines, "adding")
        self._found = found
        self._others_at = 0
        """The place of the first conversation of another app, which the heading stands before."""
        self._heading: Line = []
        """The heading; empty if no conversation of another app is listed."""

    def show(self, entries: Sequence[FoundConversation], selected: object = None) -> None:
        """Show other entries, with the heading at its place among them."""
        self._others_at = self._found.others_at
        self._heading = heading_of_others(self._found) if self._others_at < len(entries) else []
        super().show(entries, selected)

    def _is_after_heading(self, entry: int) -> bool:
        return bool(self._heading) and entry >= self._others_at

    def line_count(self) -> int:
        """One line for each entry, and one for the heading."""
        return super().line_count() + bool(self._heading)

    def lines_of(self, entry: int) -> range:
        """The line of an entry, without the heading."""
        if not self._is_after_heading(entry):
            return super().lines_of(entry)
        return range(entry + 1, entry + 2)

    def entry_at(self, line: int) -> int | None:
        """The entry of a line. The heading leads to the entry after it, so that page keys stop there."""
        return line - 1 if self._heading and line > self._others_at else line

    def line(self, index: int) -> Line:
        """The line of an entry, the heading, or the line of an empty list."""
        if self._heading and index == self._others_at:
            return self._heading
        return super().line(self.entry_at(index) or 0)

    def show_cursor(self) -> None:
        """Scroll the selected entry into sight, the first one of another app with its heading."""
        lines = self.lines_of(self.cursor)
        if self._heading and self.cursor == self._others_at and lines:
            self.show_lines(lines.start - 1, lines.stop - 1)
        else:
            super().show_cursor()
