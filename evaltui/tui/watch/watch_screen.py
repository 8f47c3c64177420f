"""The screen of `evaltui watch`: title, head, table, the last lines of a failed command, and the bars below."""

from __future__ import annotations

import time

from textual import getters
from textual.app import ComposeResult
from textual.message import Message
from textual.timer import Timer

from evaltui.runs.run_comparison import ShownCases
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.text_pages import TextScreen
from evaltui.tui.watch.shown_lines import ShownLines
from evaltui.tui.watch.shown_run import CaseKey, News, RestNews, RunNews, ShownSet, TroubleNews, WatchControl, WorkNews
from evaltui.tui.watch.watch_state import WatchState
from evaltui.tui.watch.watch_table import WatchTable
from evaltui.tui.watch.watch_text import (
    failure_lines,
    head_of_table,
    heading_text,
    run_said,
    title_line,
    why_text,
    why_title,
)
from evaltui.tui.watch_commands import IN_WATCH

_OF_USE = ("quit", "help", "messages", "list.theme", "list.settings")
_SHOWN: dict[str, ShownCases] = {"watch.failing": "failing", "watch.changed": "changed", "watch.all": "all"}
_TICK = 0.2
"""Seconds between two looks at the clock while work goes on."""
_MOST_OF_FAILURE = 21
"""The most lines of a failed command, if a third of the screen is not less."""


class WatchScreen(CommandScreen):
    """Shows the news of the watch, and passes keys to the watch."""

    PLACE = "watch"
    OWN_WAYS = IN_WATCH
    AUTO_FOCUS = "#watch-table"

    table = getters.query_one(WatchTable)
    status = getters.query_one(StatusBar)
    _title = getters.query_one("#title", ShownLines)
    _head = getters.query_one("#watch-head", ShownLines)
    _failure = getters.query_one("#watch-failure", ShownLines)
    _keys = getters.query_one(KeysBar)

    class Told(Message):
        """The watch has news."""

        def __init__(self, news: News) -> None:
            super().__init__()
            self.news = news

    def __init__(self, state: WatchState, control: WatchControl) -> None:
        super().__init__()
        self.state, self._control = state, control
        self._clock: Timer | None = None
        self._is_asked = False
        """Whether f5 was pressed and its scores are not shown yet."""

    def compose(self) -> ComposeResult:
        """All lines from the top to the bottom."""
        yield ShownLines(id="title")
        yield ShownLines(id="watch-head")
        yield WatchTable(self.state)
        yield ShownLines(id="watch-failure")
        yield StatusBar()
        yield KeysBar(self.title_of)

    def on_mount(self) -> None:
        """Show the first run."""
        self._keys.show_place("watch")
        self._clock = self.set_interval(_TICK, self._show_title, pause=True)
        self.call_after_refresh(self._show_run)

    # --- what is shown ---------------------------------------------------------------------------------------

    def on_watch_screen_told(self, event: Told) -> None:
        """Take in and show news of the watch."""
        news, before = event.news, self.state.run.at
        self.state.take(news)
        if isinstance(news, WorkNews | RestNews):
            self._follow_clock()
        self._show_title()
        if isinstance(news, RestNews | WorkNews):
            self._show_failure()
            return
        if isinstance(news, RunNews):
            self._say_of(news, before)
        elif isinstance(news, TroubleNews):
            self.status.say("")  # the head shows the trouble; an older sentence below it would mislead
        self._show_run()

    def _follow_clock(self) -> None:
        if self._clock is not None:
            (self._clock.resume if self.state.work is not None else self._clock.pause)()

    def _say_of(self, news: RunNews, before: float) -> None:
        if news.run.trigger and news.run.at != before:
            self.status.say(run_said(news.run))
        elif self._is_asked:
            self.status.say("Scored again. No source has changed.")
        self._is_asked = False

    def _show_run(self) -> None:
        self.table.show_lines_of_state()
        self._show_head()
        self._show_failure()
        self._show_title()
        self._keys.update()
        self.status.hint(self.table.left_out())

    def _show_title(self) -> None:
        self._title.show([title_line(self.state, self.app.size.width - 1, time.monotonic())])

    def _show_head(self) -> None:
        width = self.table.scrollable_content_region.width or self.app.size.width
        self._head.show(head_of_table(self.state, self.table.columns.head(), width), self.table.columns.end)

    def _show_failure(self) -> None:
        self._failure.show(failure_lines(self.state, min(_MOST_OF_FAILURE, self.app.size.height // 3)))

    def on_resize(self) -> None:
        """Lay the columns out for another width."""
        self.call_after_refresh(self._show_run)

    def on_line_list_browsed(self) -> None:
        """Another line is selected."""
        self.status.say("")
        self.status.hint(self.table.left_out())
        self._keys.update()

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """The title of a command; "" where it is of no use now."""
        if command.place != "watch":
            return command.title if command.id in _OF_USE else ""
        if command.id in _SHOWN:
            shown = _SHOWN[command.id]
            return command.title if shown != self.state.shown and self.state.count_of(shown) else ""
        if command.id == "watch.why":
            selected = self.table.selected
            return "" if selected is None else command.title if isinstance(selected, CaseKey) else "read"
        if command.id == "watch.order":
            return command.title if self.state.row_count > 1 else ""
        return "resume" if command.id == "watch.pause" and self.state.is_paused else command.title

    def show_cases(self, shown: ShownCases) -> None:
        """Show all cases, failing cases, or changed cases."""
        self.state.show(shown)
        self._show_run()

    def next_order(self) -> None:
        """Sort the cases in the next order."""
        self.state.next_order()
        self._show_run()
        self.status.say(f"Sorted: {self.state.order}.")

    def pause_watch(self) -> None:
        """Pause the watch, or go on with it."""
        self.state.is_paused = not self.state.is_paused
        self._control.pause(is_paused=self.state.is_paused)
        paused = f"Paused: changes on disk are not scored. Press {key_of('watch.pause')} to resume."
        self.status.say(paused if self.state.is_paused else "Scoring resumed.")
        self._show_title()
        self._keys.update()

    def run_again(self) -> None:
        """Score all sources now, and hide the failure of the last command."""
        self._is_asked = True
        self.state.failure = ()
        self._show_failure()
        self._control.score_again()

    def show_why(self) -> None:
        """Show why the selected case is as it is, or a note or heading in full."""
        selected = self.table.selected
        if isinstance(selected, CaseKey):
            page = TextScreen(why_title(self.state, selected), why_text(self.state, selected, time.time()))
        elif isinstance(selected, ShownSet):
            page = TextScreen(selected.name, heading_text(selected))
        elif selected is not None:
            page = TextScreen("Note", selected)
        else:
            return
        self.app.push_screen(page)

    def quit(self) -> None:
        """End with the exit code of the run that is shown."""
        self._control.stop()
        self.app.exit(return_code=self.state.run.exit_code)
