"""The list of rows of the selected conversation, with a cursor."""

from __future__ import annotations

from textual import events
from textual.message import Message

from evaltui.tui.commands import bindings
from evaltui.tui.conversations.chat_rows import ChatRow, ChatRows
from evaltui.tui.lines import Line
from evaltui.tui.recordings.found_conversations import FoundConversation
from evaltui.tui.recordings.turn_ticks import TICKED, TurnTicks, ValueDecisions
from evaltui.tui.widgets.line_view import LineList

_PORTION, _MANY = 60, 300
"""Turns that are laid out at once, and when a key goes to the end. Others are laid out when the cursor gets there."""


class ChatList(LineList):
    """A list of rows of one or more lines each."""

    PLACE = "chat"
    BINDINGS = bindings("lists", "adding", "chat")

    class ChatRowSelected(Message):
        """Another row is selected."""

    def __init__(self, ticks: TurnTicks, decided: ValueDecisions) -> None:
        super().__init__(id="chat")
        self._ticks, self._decided = ticks, decided
        self.found: FoundConversation | None = None
        """The conversation that is shown."""
        self._opened: set[str] = set()
        """The keys of the unfolded rows."""
        self._by_turn: list[list[ChatRow]] = []
        self._rows: list[ChatRow] = []
        self._lines: list[Line] = []
        self._spans: list[range] = []
        self._row_of_line: list[int] = []
        self._width = 0

    # --- what is shown -----------------------------------------------------------------------------------------

    def show(self, found: FoundConversation | None) -> None:
        """Show a conversation from its first row."""
        if found is self.found:
            return
        self.found, self._by_turn = found, []
        self._opened.clear()
        self._make_turns(_PORTION)
        self._arrange()
        self.set_reactive(LineList.cursor, 0)
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh()
        self.cursor_moved()

    @property
    def row(self) -> ChatRow | None:
        """The selected row."""
        return self._rows[self.cursor] if self.cursor < len(self._rows) else None

    def _make_turns(self, most: int) -> None:
        """Lay out at most `most` more turns."""
        self._width = self.scrollable_content_region.width
        if self.found is None or not self._width:
            return
        rows = ChatRows(self.found, self._decided, self._width, self._opened)
        first = len(self._by_turn)
        self._by_turn += [rows.of_turn(turn) for turn in range(first, min(first + most, len(self.found.turns)))]

    def _arrange(self) -> None:
        self._rows = [row for rows in self._by_turn for row in rows]
        if self.found is not None and self._width and not self._has_more():
            self._rows += ChatRows(self.found, self._decided, self._width, self._opened).at_end()
        self._lines, self._spans, self._row_of_line = [], [], []
        for number, row in enumerate(self._rows):
            self._spans.append(range(len(self._lines), len(self._lines) + len(row.lines)))
            self._lines += row.lines
            self._row_of_line += [number] * len(row.lines)
        self.refresh_size()

    def show_turn(self, turn: int) -> None:
        """Lay a changed turn out again; the cursor stays on its row."""
        if self.found is None or not 0 <= turn < len(self._by_turn):
            return
        key = self.row.key if self.row is not None else ""
        self._by_turn[turn] = ChatRows(self.found, self._decided, self._width, self._opened).of_turn(turn)
        self._arrange()
        self._keep(key)

    def show_again(self) -> None:
        """Lay all turns out again."""
        key, count = self.row.key if self.row is not None else "", max(_PORTION, len(self._by_turn))
        self._by_turn = []
        self._make_turns(count)
        self._arrange()
        self._keep(key)

    def _keep(self, key: str) -> None:
        at = next((number for number, row in enumerate(self._rows) if row.key == key), self.cursor)
        self.set_reactive(LineList.cursor, max(0, min(at, len(self._rows) - 1)))
        self.show_cursor()
        self.refresh()
        self.cursor_moved()

    def on_resize(self) -> None:
        """Wrap for another width."""
        if self.scrollable_content_region.width != self._width:
            self.show_again()

    # --- as the list asks for it -------------------------------------------------------------------------------

    def line_count(self) -> int:
        """All lines, and one that counts the turns that are not laid out yet."""
        return len(self._lines) + self._has_more()

    def _has_more(self) -> bool:
        return self.found is not None and len(self._by_turn) < len(self.found.turns)

    def line(self, index: int) -> Line:
        """One line; the first of a turn with its tick."""
        if index >= len(self._lines):
            assert self.found is not None
            return [(f"  … {len(self.found.turns) - len(self._by_turn):,} more turns", "dim")]
        number = self._row_of_line[index]
        row = self._rows[number]
        line = self._lines[index]
        if row.is_head and index == self._spans[number].start and self.found is not None:
            is_ticked = row.turn in self._ticks.turns(self.found)
            return [TICKED["all" if is_ticked else "none"], *line[1:]]
        return line

    def entry_count(self) -> int:
        """One entry for each row."""
        return len(self._rows)

    def lines_of(self, entry: int) -> range:
        """The lines of a row."""
        return self._spans[entry] if entry < len(self._spans) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The row of a line."""
        return self._row_of_line[line] if line < len(self._row_of_line) else None

    def is_selected(self, index: int) -> bool:
        """Whether a line belongs to the selected row; without the focus, no row is selected."""
        return self.has_focus and super().is_selected(index)

    def cursor_moved(self) -> None:
        """Another row is selected: the screen says what can be done there."""
        if self._has_more() and self.cursor >= len(self._rows) - 2:
            self._make_turns(_PORTION)
            self._arrange()
            self.refresh()
        self.post_message(self.ChatRowSelected())

    # --- keys --------------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Select the next row. A row that is higher than the view scrolls first."""
        lines, top, height = self.lines_of(self.cursor), self.scroll_offset.y, self.size.height
        if step > 0 and lines and lines.stop > top + height:
            self.scroll_to(y=min(top + height - 1, lines.stop - height), animate=False, force=True)
        elif step < 0 and lines and lines.start < top:
            self.scroll_to(y=max(top - height + 1, lines.start), animate=False, force=True)
        else:
            self.move_to(self.cursor + step)

    def move_end(self, direction: int) -> None:
        """Select the first or last row; for the last one, up to 300 more turns are laid out."""
        if direction > 0 and self._has_more():
            self._make_turns(_MANY)
            self._arrange()
        super().move_end(direction)

    def fold(self, *, is_open: bool) -> bool:
        """Unfold the selected row, or fold it; False if there is nothing to unfold or fold."""
        row = self.row
        if row is None or row.is_open is not (not is_open):
            return False
        if is_open:
            self._opened.add(row.key)
        else:
            self._opened.discard(row.key)
        self.show_turn(row.turn)
        return True

    def unfold(self, is_open: bool) -> None:
        """Show all of the selected row."""
        self.fold(is_open=is_open)

    def on_focus(self) -> None:
        """The cursor is shown only while keys act here."""
        self.refresh_entry(self.cursor)

    def on_blur(self) -> None:
        """The cursor is shown only while keys act here."""
        self.refresh_entry(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse."""
        entry = self.entry_under(event)
        if entry is not None:
            self.move_to(entry)
