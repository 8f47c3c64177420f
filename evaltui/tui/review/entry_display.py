"""The entry on screen: its view (turn, conversation or JSON), its unfolded rows, and moves to other entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from evaltui.tui.commands import key_of
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.review.entry_view import EntryView, Mode
from evaltui.tui.review.offered_keys import OfferedKeys, accepting_text
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_head import ReviewHead
from evaltui.tui.review.review_list import ReviewList
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.text_differences import TextDifferences
from evaltui.tui.review.why_lines import WhyLines
from evaltui.tui.screens.text_pages import TextScreen

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_AROUND = 6
"""Lines of the screen that are neither rows nor sentences below them: head, borders, status and keys."""


class EntryDisplay:
    """Shows the present entry of the queue in the widgets of the review. The screen composes the widgets."""

    def __init__(self, file: OpenFile, queue: ReviewQueue, *, is_first: bool) -> None:
        """`is_first`: evaltui started in the review, so there is no editor behind it."""
        self._file, self._queue = file, queue
        self._view = view = EntryView(queue, file, TextDifferences(file.app, self.show_again))
        self.head = ReviewHead(queue)
        self.rows = ReviewList()
        offered = OfferedKeys(
            file,
            queue,
            view,
            self.rows,
            is_first=is_first,
            shows_conversation=lambda: self._mode == "conversation",
        )
        self.why = WhyLines()
        self.status = StatusBar()
        self.keys = KeysBar(offered.title_of)
        self.keys.first = OfferedKeys.FIRST
        self.keys.place = "review"
        self._mode: Mode = "turn"
        self._opened: frozenset[str] = frozenset()
        self._shown: QueueEntry | None = None
        """The entry that was shown last."""

    # --- showing -----------------------------------------------------------------------------------------------

    def show_entry(self, *, key: str | None = None) -> None:
        """Show the present entry, with the cursor on the row with this key, else on the first difference."""
        self.rows.show(self._view.rows(self._mode, self._opened), key)
        self.show_around(keeps_height=self._queue.entry is self._shown)
        self._shown = self._queue.entry

    def show_again(self) -> None:
        """Show the entry as it is now, with the cursor where it is."""
        row = self.rows.row
        self.show_entry(key=row.key if row is not None else None)

    def show_around(self, *, keeps_height: bool = True) -> None:
        """Show head, column titles, reasons and keys."""
        self.head.refresh()
        self.rows.border_title = Content(self._view.sources(self.rows.size.width))
        size = self.rows.screen.size
        free = size.height - _AROUND - self.rows.line_count()
        self.why.show(self._view.words(), max(20, size.width - 2), free, keeps_height=keeps_height)
        self.keys.update()

    def row_selected(self) -> None:
        """Show the keys that accept the selected row."""
        row = self.rows.row
        self.status.hint(accepting_text(row.changes) if row is not None else "")
        self.keys.update()

    def explain(self) -> None:
        """Show in full why the turn fails, and what people noted."""
        entry, words = self._queue.entry, self._view.words(whole=True)
        if entry is None or not words:
            return
        self._file.app.push_screen(TextScreen(f"Why: {self._queue.name(entry)}", "\n\n".join(words)))

    # --- more of the entry ---------------------------------------------------------------------------------------

    def fold(self) -> None:
        """Show all of the selected row, or fold it. On a line of the summary, go to its first turn."""
        row = self.rows.row
        if row is not None and row.goal is not None:
            self._queue.select(row.goal)
            self.go()
            return
        if row is None or row.fold is None:
            self.status.say("This line has nothing more to show.")
            return
        self._opened ^= {row.key}
        self.show_entry(key=row.key)

    def conversation(self) -> None:
        """Show the whole conversation, or the turn again."""
        back = f"Press {key_of('review.conversation')} to go back to the turn."
        self._show_mode("conversation", f"The whole conversation. {back}")

    def show_json(self) -> None:
        """Show both sides as JSON, or the turn again."""
        self._show_mode("json", f"Both sides as JSON. Press {key_of('review.json')} to go back to the turn.")

    def _show_mode(self, mode: Mode, said: str) -> None:
        entry = self._queue.entry
        if self._queue.is_over or entry is None or entry.case is None:
            return
        self._mode = "turn" if self._mode == mode else mode
        self.show_entry()
        self.status.say(said if self._mode == mode else "")

    def leave_mode(self) -> bool:
        """Go back to the turn from another view of it; False where the turn is shown."""
        if self._mode == "turn":
            return False
        self._show_mode(self._mode, "")
        return True

    # --- going about ---------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Go to the next row."""
        self.status.say("")
        self.rows.move(step)

    def move_page(self, direction: int) -> None:
        """Go a page on."""
        self.status.say("")
        self.rows.move_page(direction)

    def move_end(self, direction: int) -> None:
        """Go to the first or last line."""
        self.status.say("")
        self.rows.move_end(direction)

    def step_difference(self, step: int) -> None:
        """Go to the next difference, if need be in the next turn."""
        self.status.say("")
        if not self.rows.next_difference(step):
            self.step_item(step)

    def step_item(self, step: int) -> None:
        """Go to the next entry of the queue; the summary follows the last one."""
        queue = self._queue
        if queue.is_over and step < 0:
            queue.is_over = False
            queue.go_to_last_turn()
        elif queue.is_over or not queue.step(step):
            if step < 0:
                self.status.say("This is the first turn of the queue.")
                return
            queue.is_over = True
        self.go(_said_at_end() if queue.is_over else "")

    def go(self, said: str = "", aside: str = "", *, key: str | None = None) -> None:
        """Show the present entry, `said` in the status line, and `aside` at its right end.

        The row with `key` is selected, else the first difference.
        """
        self._opened, self._mode = frozenset(), "turn"
        self.show_entry(key=key)
        self.status.say(said, aside)

    def go_on(self, said: str, aside: str = "") -> None:
        """Go to the next undecided entry; the summary follows the last one."""
        self._queue.is_over = not self._queue.go_to_open()
        self.go(said, aside)


def _said_at_end() -> str:
    """The message behind the last turn of the queue, with the keys that go on."""
    back, editor = key_of("review.previous_item"), key_of("review.editor")
    return f"There are no more turns. Press {back} to go back, or {editor} for the editor."
