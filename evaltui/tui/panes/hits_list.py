"""What would be replaced: a line a hit, with before and after; each can be left out."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.reactive import reactive

from evaltui.document.prefix import shared_length
from evaltui.evalset.replacing import Hit
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineView

_AROUND, _CHANGED = 16, 30
"""Characters shown beside what changes, and of it."""


class HitsList(LineView):
    """Draws only the hits in sight."""

    PLACE = "hits"
    BINDINGS = bindings("hits")

    cursor: reactive[int] = reactive(0)

    class LeftOut(Message):
        """A hit was left out or taken in again."""

    def __init__(self) -> None:
        super().__init__(id="hits")
        self.hits: list[Hit] = []
        self.left_out: set[int] = set()

    def show(self, hits: list[Hit]) -> None:
        """Show other hits, all of them taken."""
        self.hits, self.left_out = hits, set()
        self.cursor = 0
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh_size()
        self.refresh()

    @property
    def chosen(self) -> list[Hit]:
        """The hits that are not left out."""
        return [hit for number, hit in enumerate(self.hits) if number not in self.left_out]

    def line_count(self) -> int:
        """One line a hit."""
        return len(self.hits)

    def line(self, index: int) -> Line:
        """Whether it is taken, its kind, and the change in its text."""
        hit = self.hits[index]
        taken = index not in self.left_out
        head, before, after, tail = _parts(hit.before, hit.after)
        mark = ("✓ ", "ok") if taken else ("– ", "dim")
        line: Line = [mark, (f"{hit.place.kind:<11}", "dim"), (head, ""), (before, "error")]
        return [*line, ("→", "dim"), (after or "∅", "ok"), (tail, "")] if taken else [*line[:3], (before + tail, "dim")]

    def is_selected(self, index: int) -> bool:
        """Whether the cursor is on this hit."""
        return index == self.cursor

    def watch_cursor(self) -> None:
        """Keep the cursor in sight."""
        self.show_lines(self.cursor, self.cursor)

    def action_move(self, step: int) -> None:
        """Go some hits up or down."""
        self.cursor = max(0, min(self.line_count() - 1, self.cursor + step))

    def action_move_page(self, direction: int) -> None:
        """Go a page up or down."""
        self.action_move(direction * self.page())

    def action_move_end(self, direction: int) -> None:
        """Go to the first or last hit."""
        self.action_move(direction * self.line_count())

    def action_leave_out(self) -> None:
        """Leave the hit out or take it in again, and go to the next."""
        if self.hits:
            self.left_out ^= {self.cursor}
            self.refresh_row(self.cursor)
            self.action_move(1)
            self.post_message(self.LeftOut())

    def on_click(self, event: events.Click) -> None:
        """Select a hit; on its mark leave it out."""
        row = self.line_at(event.get_content_offset_capture(self).y)
        if row is not None:
            self.cursor = row
            if event.x < 3:
                self.action_leave_out()


def _parts(before: str, after: str) -> tuple[str, str, str, str]:
    """What two texts share at their start, what differs in each, what they share at their end; each cut short."""
    head = shared_length(before, after)
    tail = shared_length(before[head:][::-1], after[head:][::-1])
    shared_head, shared_tail = before[:head], before[len(before) - tail :]
    return (
        _flat(shared_head if head <= _AROUND else f"…{shared_head[-_AROUND:]}"),
        _flat(_cut(before[head : len(before) - tail], _CHANGED)),
        _flat(_cut(after[head : len(after) - tail], _CHANGED)),
        _flat(_cut(shared_tail, 4 * _AROUND)),
    )


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _flat(text: str) -> str:
    return printable(text)
