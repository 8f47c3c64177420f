"""The list of hits to replace: place, old and new text of each, which can be left out."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from textual import events
from textual.message import Message

from evaltui.evalset.search.replacement import Hit
from evaltui.evalset.set_views import EvalSetView
from evaltui.evalset.titles import field_title
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.panes import hit_lines
from evaltui.tui.widgets.line_list import LineList


class HitsList(LineList):
    """Draws only the hits in sight."""

    PLACE = "hits"
    BINDINGS = bindings("hits")

    class LeftOut(Message):
        """A hit was left out or taken in again."""

    def __init__(self, eval_set: EvalSetView) -> None:
        super().__init__(id="hits")
        self._eval_set = eval_set
        self._tops = [0]
        """The first line of each hit, and how many lines there are."""
        self._width = 80
        """The cells for which the hits are laid out."""
        self.hits: list[Hit] = []
        self.left_out: set[int] = set()

    def show(self, hits: list[Hit]) -> None:
        """Show other hits, all of them taken."""
        self.hits, self.left_out = hits, set()
        self._arrange()
        self.cursor = 0
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh_size()
        self.refresh()

    def _arrange(self) -> None:
        """Lay the hits out; a column is left for the scrollbar, which comes and goes with the number of lines."""
        self._width = (self.size.width or self.app.size.width) - 1
        self._tops = [0, *accumulate(hit_lines.height(hit, self._width) for hit in self.hits)]

    def on_resize(self) -> None:
        """Another width takes other lines."""
        self._arrange()
        super().on_resize()
        self.show_cursor()

    @property
    def chosen(self) -> list[Hit]:
        """The hits that are not left out."""
        return [hit for number, hit in enumerate(self.hits) if number not in self.left_out]

    def line_count(self) -> int:
        """Two lines a hit, more where what changes is long."""
        return self._tops[-1]

    def entry_count(self) -> int:
        """Number of hits."""
        return len(self.hits)

    def lines_of(self, entry: int) -> range:
        """The lines of a hit; none if there are no hits."""
        return range(*self._tops[entry : entry + 2]) if entry < len(self.hits) else range(0)

    def entry_at(self, line: int) -> int:
        """The hit to which a line belongs."""
        return bisect_right(self._tops, line) - 1

    def line(self, index: int) -> Line:
        """The place of a hit, or a line of what becomes of it."""
        number = self.entry_at(index)
        hit, is_taken = self.hits[number], number not in self.left_out
        below = index - self._tops[number]
        if below:
            return hit_lines.body(hit, self._width, is_taken=is_taken)[below - 1]
        where = field_title(self._eval_set, hit.place.nodes[0])
        return hit_lines.heading(where, hit, self._width, is_taken=is_taken)

    def action_leave_out(self) -> None:
        """Leave the hit out or take it in again, and go to the next."""
        if self.hits:
            self.left_out ^= {self.cursor}
            self.refresh()
            self.action_move(1)
            self.post_message(self.LeftOut())

    def on_click(self, event: events.Click) -> None:
        """Select a hit; on its mark leave it out."""
        hit = self.entry_under(event)
        if hit is not None:
            self.cursor = hit
            if event.x < 3:
                self.action_leave_out()
