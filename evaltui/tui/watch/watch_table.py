"""The table of a watch: a line for each case, headings of several sets, and notes on the run; its columns and order."""

from __future__ import annotations

import time
from collections.abc import Sequence

from evaltui.printable import printable
from evaltui.report.scores_text import case_name, rate_text
from evaltui.runs.run_comparison import RowOrder, ShownCases, select_rows
from evaltui.runs.watched_runs import CaseKey, ComparedRun
from evaltui.scoring.scored_set import ScoredSet
from evaltui.tui.lines import FILL, WARNING, Line, cells_of
from evaltui.tui.panes.score_columns import Columns, RowFacts, lengths_of

TableLine = ScoredSet | CaseKey | str
"""A line of the table: the heading of a set, a case, or a note on the run."""
_MEASURED = 200
"""The number of first rows that are measured for the widths of the columns."""


class WatchState:
    """All that the screen shows, with the lines of its table. Keys and the news of the watch change it."""

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
        self.now = time.time()
        """The time for which ages are shown, in seconds since 1970."""
        self.run = first
        self.show_run(first, ())
        self.lay_out(80)

    def show_run(self, run: ComparedRun, troubles: Sequence[str]) -> None:
        """All sources were scored as they are. `troubles` are sentences about deleted ones."""
        if self.is_failure_old and run.trigger and run.ended_at != self.run.ended_at:
            self.failure = ()
        self.run = run
        self.troubles, self.is_outdated = troubles, False
        self.sets = {scored_set.subject.name: scored_set for scored_set in run.sets}
        self.results = {key: result for cases in run.cases.values() for key, result in cases.items()}

    def lay_out(self, width: int) -> None:
        """Choose and sort the lines (cases below the heading of a set, then notes), for a table of `width` cells."""
        self.lines, self.row_count = [], 0
        for name, scored_set in self.sets.items():
            rows = select_rows(self.run.cases[name], self.run.changes, self.shown, self.order)
            # Below a filter, a heading without cases would only take room.
            if len(self.run.sets) > 1 and (rows or self.shown == "all"):
                self.lines.append(scored_set)
            self.lines += rows
            self.row_count += len(rows)
        self.lines += self.run.notes
        # Lines are drawn for the time for which the columns are measured: an age may get one more digit.
        self.now = time.time()
        keys = [line for line in self.lines[:_MEASURED] if isinstance(line, tuple)]
        measured = [self.facts_of(key, self.now) for key in keys]
        longest = lengths_of(measured, has_changes=bool(self.run.changes) and not self.is_outdated)
        criteria = [scored_set.criteria for scored_set in self.run.sets]
        judged = dict.fromkeys(metric.name for part in criteria for metric in part.judged)
        informational = dict.fromkeys(name for part in criteria for name in part.informational)
        self.columns = Columns(width, list(judged), list(informational), longest)

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
            return self.run.counts["failed"]
        return self.run.changed.total() if selection == "changed" else len(self.results)

    def identity(self, entry: TableLine) -> object:
        """The case, the note, or the name of the set: its cases and totals may be others."""
        return ("set", entry.subject.name) if isinstance(entry, ScoredSet) else entry

    def line(self, entry: TableLine, width: int) -> Line:
        """A heading, a case or a note."""
        if isinstance(entry, ScoredSet):
            totals = entry.totals
            rate = "outdated" if self.is_outdated else rate_text(totals.counts["passed"], totals.cases)
            return [(printable(entry.subject.name), "heading"), ("", FILL), (f"  {rate} ", "dim")]
        if isinstance(entry, tuple):
            return self.columns.case(self.facts_of(entry, self.now))
        return [WARNING, (printable(entry), "prose")]

    def left_out(self, entry: TableLine | None, width: int) -> str:
        """The facts of a line that do not fit into it."""
        if not isinstance(entry, tuple):
            return ""
        is_cut = cells_of(self.line(entry, width)) > width - 2
        return self.columns.left_out(self.facts_of(entry, self.now), is_cut=is_cut)
