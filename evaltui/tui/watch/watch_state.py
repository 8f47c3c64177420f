"""The state of the table of a watch: the run that is shown, whether it is outdated, and which rows there are.

Widgets read it; keys and the news of the watch change it.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from evaltui.report.scores_text import case_name
from evaltui.runs.run_comparison import ROW_ORDERS, RowOrder, RunCase, ShownCases, select_rows
from evaltui.tui.panes.score_columns import RowFacts
from evaltui.tui.watch.shown_run import (
    CaseKey,
    FailureNews,
    News,
    RunNews,
    ShownSet,
    TroubleNews,
    WorkNews,
)

TableLine = ShownSet | CaseKey | str
"""A line of the table: the heading of a set, a case, or a note on the run."""


class Work(NamedTuple):
    """Work that goes on."""

    command: str
    """The person's command; "" while sets are scored."""
    since: float
    """When it began, by `time.monotonic`."""


class WatchState:
    """All that the screen shows."""

    def __init__(self, first: RunNews) -> None:
        self.run = first.run
        self.troubles = first.troubles
        self.is_outdated = False
        """Whether the scores are from before a source broke."""
        self.is_paused = False
        self.work: Work | None = None
        self.failure: tuple[str, ...] = ()
        """How the person's command failed, with its last lines."""
        self._is_failure_old = False
        """Whether the look after the failed command is over. The next change then removes the failure."""
        self.shown: ShownCases = "all"
        self.order: RowOrder = "failing first"
        self.lines: list[TableLine] = []
        self.row_count = 0
        """The number of cases among the lines."""
        self._cases: dict[CaseKey, RunCase[CaseKey]] = {}
        self._sets: dict[str, ShownSet] = {}
        self._take_run(first)

    # --- what changes ----------------------------------------------------------------------------------------

    def take(self, news: News) -> None:
        """Take in news of the watch."""
        match news:
            case RunNews():
                if self._is_failure_old and news.run.trigger and news.run.at != self.run.at:
                    self.failure = ()
                self._take_run(news)
            case TroubleNews(sentences):
                self.troubles, self.is_outdated = sentences, True
            case WorkNews(command):
                self.work = Work(command, time.monotonic())
                self.failure = () if command else self.failure
            case FailureNews(lines):
                self.failure, self._is_failure_old = lines, False
            case _:
                self._is_failure_old = self.work is not None and not self.work.command
                self.work = None

    def _take_run(self, news: RunNews) -> None:
        self.run, self.troubles, self.is_outdated = news.run, news.troubles, False
        self._sets = {each.name: each for each in news.run.sets}
        self._cases = {case.key: case for each in news.run.sets for case in each.cases}
        self.arrange()

    def arrange(self) -> None:
        """Choose and sort the lines: the cases of each set below its heading, then the notes."""
        self.lines, self.row_count = [], 0
        for each in self.run.sets:
            rows = select_rows(each.cases, self.run.changes, self.shown, self.order)
            if len(self.run.sets) > 1 and (rows or self.shown == "all"):
                self.lines.append(each)
            self.lines += rows
            self.row_count += len(rows)
        self.lines += self.run.notes

    def show(self, shown: ShownCases) -> None:
        """Show all cases, failing cases, or changed cases."""
        self.shown = shown
        self.arrange()

    def next_order(self) -> None:
        """Sort the cases of each set in the next order."""
        self.order = ROW_ORDERS[(ROW_ORDERS.index(self.order) + 1) % len(ROW_ORDERS)]
        self.arrange()

    # --- questions -------------------------------------------------------------------------------------------

    def facts_of(self, key: CaseKey, now: float) -> RowFacts:
        """All that the line of a case shows at a time, in seconds since 1970."""
        result = self._cases[key].result
        recorded_at = None
        if result is not None and result.run is not None:
            recorded_at = result.run.conversation.recorded_at
            if recorded_at is None:
                recorded_at = self.run.written.get(result.run.conversation.path)
        name = case_name(result) if result is not None else key.eval_id
        age = now - recorded_at if recorded_at is not None else None
        return RowFacts(name, result, self.is_outdated, self.run.changes.get(key), age)

    def set_of(self, key: CaseKey) -> ShownSet:
        """The set of a case."""
        return self._sets[key.set_name]

    def judged(self) -> list[str]:
        """The metrics with a threshold, of all sets, each once."""
        return list(dict.fromkeys(each.name for one in self.run.sets for each in one.criteria.judged))

    def informational(self) -> list[str]:
        """The metrics without a threshold, of all sets, each once."""
        return list(dict.fromkeys(name for one in self.run.sets for name in one.criteria.informational))

    def count_of(self, shown: ShownCases) -> int:
        """The number of cases that a filter shows."""
        if shown == "failing":
            return self.run.totals.failed
        return sum(self.run.totals.changes.values()) if shown == "changed" else len(self._cases)
