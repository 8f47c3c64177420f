"""The table of a watch: a line for each case, headings if there are several sets, and notes on the run at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence

from textual import events

from evaltui.printable import printable
from evaltui.report.changes_text import rate_text
from evaltui.report.scores_text import case_name
from evaltui.runs.row_order import RowOrder, ShownCases, select_rows
from evaltui.runs.watched_runs import CaseKey, ComparedRun, ComparedSet
from evaltui.tui.commands import bindings
from evaltui.tui.lines import FILL, WARNING, Line, cells_of
from evaltui.tui.panes.score_columns import Columns, Lengths, RowFacts, lengths_of
from evaltui.tui.widgets.line_view import LineList

TableLine = ComparedSet | CaseKey | str
"""A line of the table: the heading of a set, a case, or a note on the run."""
_MEASURED = 200
"""The number of first rows that are measured for the widths of the columns."""
_AGES = 60.0
"""Seconds until the ages of recordings are drawn again."""


class WatchState:
    """All that the screen shows. Widgets read it; keys and the news of the watch change it."""

    def __init__(self, first: ComparedRun) -> None:
        self.is_paused = False
        self.command: str | None = None
        """The person's command that runs; "" while sets are scored; None between two changes."""
        self.work_began = 0.0
        """When the command or the scoring began, by `time.monotonic`."""
        self.failure: Sequence[str] = ()
        """How the person's command failed, with its last lines."""
        self.is_failure_old = False
        """Whether the look after the failed command is over. The next change then removes the failure."""
        self.shown: ShownCases = "all"
        self.order: RowOrder = "failing first"
        self.lines: list[TableLine] = []
        self.row_count = 0
        """The number of cases among the lines."""
        self.run = first
        self.show_run(first, ())

    def show_run(self, run: ComparedRun, troubles: Sequence[str]) -> None:
        """All sources were scored as they are. `troubles` are sentences about deleted ones."""
        if self.is_failure_old and run.trigger and run.ended_at != self.run.ended_at:
            self.failure = ()
        self.run = run
        self.troubles, self.is_outdated = troubles, False
        self.sets = {compared_set.name: compared_set for compared_set in run.sets}
        self.results = {key: result for compared_set in run.sets for key, result in compared_set.cases.items()}
        self.arrange()

    def arrange(self) -> None:
        """Choose and sort the lines: the cases of each set below its heading, then the notes."""
        self.lines, self.row_count = [], 0
        for compared_set in self.run.sets:
            rows = select_rows(compared_set.cases, self.run.changes, self.shown, self.order)
            # Below a filter, a heading without cases would only take room.
            if len(self.run.sets) > 1 and (rows or self.shown == "all"):
                self.lines.append(compared_set)
            self.lines += rows
            self.row_count += len(rows)
        self.lines += self.run.notes

    # --- questions -------------------------------------------------------------------------------------------

    def facts_of(self, key: CaseKey, time_shown: float) -> RowFacts:
        """All that the line of a case shows at a time, in seconds since 1970."""
        result, recorded_at = self.results[key], None
        if result.run is not None:
            conversation = result.run.conversation
            recorded_at = conversation.recorded_at
            if recorded_at is None:  # formats without times: then the recording is as old as its file
                recorded_at = self.run.written.get(conversation.path)
        age = time_shown - recorded_at if recorded_at is not None else None
        return RowFacts(case_name(result), result, self.is_outdated, self.run.changes.get(key), age)

    def count_of(self, selection: ShownCases) -> int:
        """The number of cases that a filter shows."""
        if selection == "failing":
            return self.run.totals.failed
        return sum(self.run.totals.changes.values()) if selection == "changed" else len(self.results)


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
        selected, lines = self.selected, self._state.lines
        is_first = not self._lines
        # Lines are drawn for the time for which the columns are measured: an age may get one more digit.
        self._lines, self._now = lines, time.time()
        index = self.cursor
        if isinstance(selected, ComparedSet):  # an equal name, because its cases and totals may be others
            names = [line.name if isinstance(line, ComparedSet) else "" for line in lines]
            index = names.index(selected.name) if selected.name in names else index
        elif selected is not None and selected in lines:
            index = lines.index(selected)
        elif is_first and lines and isinstance(lines[0], ComparedSet):
            index = 1  # a case says more than the heading above it
        # No watcher: it would draw lines of the earlier run.
        self.set_reactive(WatchTable.cursor, max(0, min(index, len(lines) - 1)))
        self._lay_out_columns()
        self.refresh_size()
        self.show_cursor()
        self.refresh()

    def _lay_out_columns(self) -> None:
        state = self._state
        keys = [line for line in self._lines[:_MEASURED] if isinstance(line, CaseKey)]
        rows = [state.facts_of(key, self._now) for key in keys]
        longest = lengths_of(rows, has_changes=bool(state.run.changes) and not state.is_outdated)
        width = self.scrollable_content_region.width or self.app.size.width
        criteria = [compared_set.criteria for compared_set in state.run.sets]
        judged = dict.fromkeys(metric.name for part in criteria for metric in part.judged)
        informational = dict.fromkeys(name for part in criteria for name in part.informational)
        self.columns = Columns(width, list(judged), list(informational), longest)
        self.widest = self.columns.end

    def line_count(self) -> int:
        """Headings, cases and notes."""
        return len(self._lines)

    def line(self, index: int) -> Line:
        """A heading, a case or a note."""
        line = self._lines[index]
        if isinstance(line, ComparedSet):
            totals, is_outdated = line.totals, self._state.is_outdated
            rate = "outdated" if is_outdated else rate_text(totals.passed, totals.scored)
            return [(printable(line.name), "heading"), ("", FILL), (f"  {rate} ", "dim")]
        if isinstance(line, CaseKey):
            return self.columns.case(self._state.facts_of(line, self._now))
        return [WARNING, (printable(line), "prose")]

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
        is_cut = cells_of(self.line(self.cursor)) > self.size.width - 2
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
