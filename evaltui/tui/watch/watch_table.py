"""The table of a watch: a line for each case, headings if there are several sets, and notes on the run at the end."""

from __future__ import annotations

import time

from textual import events
from textual.content import Content

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line, text_of
from evaltui.tui.panes.score_columns import Columns, Lengths, lengths_of
from evaltui.tui.watch.shown_run import CaseKey, ShownSet
from evaltui.tui.watch.watch_state import TableLine, WatchState
from evaltui.tui.watch.watch_text import heading_line, note_line
from evaltui.tui.widgets.line_view import LineList

_SOME = 200
"""The number of first rows that are measured for the widths of the columns."""
_AGES = 60.0
"""Seconds until the ages of recordings are drawn again."""


class WatchTable(LineList):
    """Shows the lines of the state; the cursor stays on its case while they change."""

    widest = None  # columns take the whole width as they need it

    PLACE = "watch"
    BINDINGS = bindings("watch")

    def __init__(self, state: WatchState) -> None:
        super().__init__(id="watch-table")
        self._state = state
        self._lines: list[TableLine] = []
        self._now = time.time()
        """The time for which ages are shown, in seconds since 1970."""
        self.columns = Columns(80, [], [], Lengths(0, 0, 0))

    def on_mount(self) -> None:
        """Keep the ages of recordings up to date."""
        self.set_interval(_AGES, self._refresh_ages)

    def on_resize(self) -> None:
        """Keep the cursor in sight: the lines of a failed command take room."""
        super().on_resize()
        self.call_after_refresh(self.show_cursor)

    def _refresh_ages(self) -> None:
        self._now = time.time()
        self.refresh()

    # --- what is shown -------------------------------------------------------------------------------------

    def show_lines_of_state(self) -> None:
        """Show the lines that the state has now; the cursor stays on its case if that is still there."""
        before, lines = self.selected, self._state.lines
        is_first = not self._lines
        self._lines, self._now = lines, time.time()
        place = self._place_of(before)
        if place is None and is_first and lines and isinstance(lines[0], ShownSet):
            place = 1  # a case says more than the heading above it
        at = self.cursor if place is None else place
        self.set_reactive(WatchTable.cursor, max(0, min(at, len(lines) - 1)))
        self.lay_out_columns()
        self.refresh_size()
        self.show_cursor()
        self.refresh()

    def _place_of(self, wanted: TableLine | None) -> int | None:
        """The place of a line of an earlier run; None if it is gone."""
        if isinstance(wanted, ShownSet):
            names = (place for place, each in enumerate(self._lines) if isinstance(each, ShownSet))
            return next((place for place in names if _name_at(self._lines, place) == wanted.name), None)
        return self._lines.index(wanted) if wanted is not None and wanted in self._lines else None

    def lay_out_columns(self) -> None:
        """Lay out the columns in the present width."""
        state = self._state
        keys = [line for line in self._lines[:_SOME] if isinstance(line, CaseKey)]
        rows = [state.facts_of(key, self._now) for key in keys]
        longest = lengths_of(rows, has_changes=bool(state.run.changes) and not state.is_outdated)
        width = self.scrollable_content_region.width or self.app.size.width
        self.columns = Columns(width, state.judged(), state.informational(), longest)
        self.widest = self.columns.end

    def line_count(self) -> int:
        """Headings, cases and notes."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """A heading, a case or a note."""
        line = self._lines[index]
        if isinstance(line, ShownSet):
            return heading_line(line, is_outdated=self._state.is_outdated)
        if isinstance(line, CaseKey):
            return self.columns.case(self._state.facts_of(line, self._now))
        return note_line(line)

    # --- the selected line -----------------------------------------------------------------------------------

    @property
    def selected(self) -> TableLine | None:
        """The selected line; None where there are none."""
        return self._lines[self.cursor] if 0 <= self.cursor < len(self._lines) else None

    def left_out(self) -> str:
        """The facts of the selected line that do not fit into it."""
        selected = self.selected
        if not isinstance(selected, CaseKey):
            return ""
        is_cut = Content(text_of(self.line(self.cursor))).cell_length > self.size.width - 2
        return self.columns.left_out(self._state.facts_of(selected, self._now), is_cut=is_cut)

    def cursor_moved(self) -> None:
        """Have the screen show the facts of the line that do not fit into it."""
        self.post_message(self.Browsed())

    async def on_click(self, event: events.Click) -> None:
        """Select a line; a second click on it shows why."""
        row = self.entry_under(event)
        if row is not None and row == self.cursor and event.chain > 1:
            await self.run_action("app.run_command('watch.why')")
        elif row is not None:
            self.cursor = row


def _name_at(lines: list[TableLine], place: int) -> str:
    line = lines[place]
    return line.name if isinstance(line, ShownSet) else ""
