"""The app and screen of `evaltui watch`: title, head, table, the last lines of a failed command, and the bars below."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import getters, on
from textual.app import ComposeResult
from textual.screen import Screen
from textual.timer import Timer

from evaltui.printable import one_line
from evaltui.report.scores_text import case_name
from evaltui.runs.run_comparison import ROW_ORDERS, ShownCases
from evaltui.runs.watched_runs import ComparedRun
from evaltui.scoring.scored_set import ScoredSet
from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_WATCH
from evaltui.tui.lines import Line
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.text_pages import TextScreen
from evaltui.tui.watch.watch_table import WatchState
from evaltui.tui.watch.watch_text import (
    failure_lines,
    head_of_table,
    heading_text,
    outcome_text,
    sources_text,
    title_line,
    why_text,
)
from evaltui.tui.widgets.entry_list import EntryList
from evaltui.tui.widgets.line_view import LineBar, LineList

if TYPE_CHECKING:
    from evaltui.runs.watch_loop import WatchLoop

_OF_USE = ("quit", "help", "messages", "list.theme", "list.settings")
_SHOWN: dict[str, ShownCases] = {"watch.failing": "failing", "watch.changed": "changed", "watch.all": "all"}
_AGES = 60.0
"""Seconds until the ages of recordings are drawn again."""
_TICK = 0.2
"""Seconds between two looks at the clock while work goes on."""
_MOST_OF_FAILURE = 21
"""The most lines of a failed command, if a third of the screen is not less."""


class WatchApp(BaseApp):
    """The app with the table. It ends with the exit code of the run on screen."""

    BINDINGS = bindings("anywhere", "watching")

    def __init__(self, first: ComparedRun, loop: WatchLoop, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._watch_loop = loop
        self.table = WatchScreen(first, loop)

    def get_default_screen(self) -> Screen[str]:
        """The table."""
        self.read_rest_of_css()
        return self.table

    def on_ready(self) -> None:
        """The first run is on screen: begin to watch."""
        # A signal from outside ends the watch as ctrl+c does, with the exit code of the run on screen.
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self.table.quit)
        self.table.status.say(self.settings.first_complaint())
        threading.Thread(target=self._watch_loop.run, name="watch", daemon=True).start()

    def tell(self, news: Callable[[WatchScreen], None]) -> None:
        """Have the table take news of the watch; from any thread."""
        with suppress(RuntimeError):  # the app and its event loop have ended
            self.table.call_later(news, self.table)

    def keep_work(self) -> None:
        """End the watch and the command that it runs: the app ends by a signal."""
        self._watch_loop.stop()


class FixedLines(LineBar):
    """A few lines above or below the table. As high as its lines; hidden without lines."""

    _lines: Sequence[Line] = ()

    def show(self, lines: list[Line], end: int | None = None) -> None:
        """Show other lines, which end at most at `end`."""
        widest = end + 1 if end is not None else None
        # The clock shows the title five times a second, mostly with the same text.
        if lines == self._lines and widest == self.widest:
            return
        if len(lines) != len(self._lines):
            self.styles.height = len(lines) + self.gutter.height
            self.display = bool(lines)
        self.widest, self._lines = widest, lines
        self.refresh()

    def line(self, index: int) -> Line:
        """A line, indented by one blank: lists have the mark of their cursor there."""
        return [(" ", ""), *self._lines[index]] if index < len(self._lines) else []


class WatchScreen(CommandScreen):
    """Shows the news of the watch, and passes keys to the watch."""

    PLACE = "watch"
    OWN_WAYS = IN_WATCH
    app = getters.app(WatchApp)
    AUTO_FOCUS = "#watch"

    _clock: Timer

    def __init__(self, first: ComparedRun, loop: WatchLoop) -> None:
        super().__init__()
        self.state, self._watch_loop = WatchState(first), loop
        self._title, self._head, self._failure = map(FixedLines, ("title", "watch-head", "watch-failure"))
        self.table = EntryList("watch", identity=self.state.identity)
        self.status, self._keys = StatusBar(), KeysBar(self.title_of, "watch")
        self._is_asked = False
        """Whether f5 was pressed and its scores are not shown yet."""

    def compose(self) -> ComposeResult:
        """All lines from the top to the bottom."""
        yield from (self._title, self._head, self.table, self._failure, self.status, self._keys)

    def on_mount(self) -> None:
        """Show the first run."""
        # It rests while nothing is scored: a watch stays open for hours.
        self._clock = self.set_interval(_TICK, self._show_work, pause=True)
        self.set_interval(_AGES, self._refresh_ages)
        # The columns need the width of the table, which has none before its layout.
        self.call_after_refresh(self._show_run)

    # --- news of the watch -----------------------------------------------------------------------------------

    def take_run(self, run: ComparedRun, troubles: Sequence[str] = ()) -> None:
        """Show a run, and what it changed. `troubles` are sentences about deleted sources."""
        is_other = run.ended_at != self.state.run.ended_at
        # A source that was broken or missing may have its old content again.
        is_same = self.state.is_outdated and run.changes == self.state.run.changes
        self.state.show_run(run, troubles)
        if run.trigger and is_other:
            same = f"{sources_text(run)}: usable again, no score changed."
            self.status.say(same if is_same else outcome_text(run))
        elif self._is_asked:
            self.status.say("Scored again. No source has changed.")
        self._is_asked = False
        self._show_run()

    def take_troubles(self, sentences: Sequence[str]) -> None:
        """Show why the scores are outdated: a source is broken or deleted."""
        self.state.troubles, self.state.is_outdated = sentences, True
        self.status.say("")  # the head shows the trouble; an older sentence below it would mislead
        self._show_run()

    def take_failure(self, lines: Sequence[str]) -> None:
        """Show how the person's command failed, with its last lines; no lines hide an earlier failure."""
        self.state.failure, self.state.is_failure_old = lines, False
        self._show_run()

    def begin_work(self, command: str) -> None:
        """Show that the person's command runs, or with "" that sets are scored."""
        self.state.command, self.state.work_began = command, time.monotonic()
        self.state.failure = () if command else self.state.failure
        self._clock.resume()
        self._show_work()

    def end_work(self) -> None:
        """Show that all work is done."""
        self.state.is_failure_old, self.state.command = self.state.command == "", None
        self._clock.pause()
        self._show_work()

    # --- what is shown ---------------------------------------------------------------------------------------

    def _refresh_ages(self) -> None:
        self.state.now = time.time()
        self.table.refresh()

    def _show_run(self) -> None:
        table = self.table
        width = table.scrollable_content_region.width or self.app.size.width
        self.state.lay_out(width)
        columns, lines = self.state.columns, self.state.lines
        table.widest = columns.end
        # A case says more than the heading above it.
        is_heading = not table.entries and len(lines) > 1 and isinstance(lines[0], ScoredSet)
        with self.prevent(LineList.Browsed):  # else the message about the run would go
            table.show(lines, self.state.line, self.state.identity(lines[1]) if is_heading else None)
        self._head.show(head_of_table(self.state, columns.head(), width), columns.end)
        self._show_work()
        self._keys.update()
        self.status.hint(self.state.left_out(table.selected, table.size.width))

    def _show_work(self) -> None:
        self._title.show([title_line(self.state, self.app.size.width - 1, time.monotonic())])
        self._failure.show(failure_lines(self.state.failure, min(_MOST_OF_FAILURE, self.app.size.height // 3)))

    def on_resize(self) -> None:
        """Lay the columns out for another width."""
        self.call_after_refresh(self._show_run)

    def on_line_list_browsed(self) -> None:
        """Another line is selected."""
        self.status.say("")
        self.status.hint(self.state.left_out(self.table.selected, self.table.size.width))
        self._keys.update()

    # --- keys ------------------------------------------------------------------------------------------------

    def title_of(self, command: Command) -> str:
        """The title of a command; "" where it is of no use now."""
        if command.place != "watch":
            return command.title if command.id in _OF_USE else ""
        if command.id in _SHOWN:
            selection = _SHOWN[command.id]
            return command.title if selection != self.state.shown and self.state.count_of(selection) else ""
        if command.id == "watch.why":
            selected = self.table.selected
            return "" if selected is None else command.title if isinstance(selected, tuple) else "read"
        if command.id == "watch.order":
            return command.title if self.state.row_count > 1 else ""
        return "resume" if command.id == "watch.pause" and self.state.is_paused else command.title

    def show_cases(self, selection: ShownCases) -> None:
        """Show all cases, failing cases, or changed cases."""
        self.state.shown = selection
        self._show_run()

    def next_order(self) -> None:
        """Sort the cases in the next order."""
        self.state.order = ROW_ORDERS[(ROW_ORDERS.index(self.state.order) + 1) % len(ROW_ORDERS)]
        self._show_run()
        self.status.say(f"Sorted: {self.state.order}.")

    def pause_watch(self) -> None:
        """Pause the watch, or go on with it."""
        self.state.is_paused = not self.state.is_paused
        self._watch_loop.pause(is_paused=self.state.is_paused)
        paused = f"Paused: changes on disk are not scored. Press {key_of('watch.pause')} to resume."
        self.status.say(paused if self.state.is_paused else "Scoring resumed.")
        self._show_work()
        self._keys.update()

    def run_again(self) -> None:
        """Score all sources now, and hide the failure of the last command."""
        self._is_asked = True
        # Only sources are scored, without the command: its failure is no fact about these scores.
        self.state.failure = ()
        self._show_work()
        self._watch_loop.score_again()

    @on(EntryList.EntryOpened)
    def show_why(self) -> None:
        """Show why the selected case is as it is, or a note or heading in full."""
        selected = self.table.selected
        if isinstance(selected, tuple):
            clock = time.strftime("%H:%M:%S", time.localtime(self.state.run.ended_at))
            name = one_line(case_name(self.state.results[selected]), 60)
            page = TextScreen(f"{name} · {clock}", why_text(self.state, selected, time.time()))
        elif isinstance(selected, ScoredSet):
            page = TextScreen(selected.subject.name, heading_text(selected))
        elif selected is not None:
            page = TextScreen("Note", selected)
        else:
            return
        self.app.push_screen(page)

    def quit(self) -> None:
        """End with the exit code of the run that is shown."""
        self._watch_loop.stop()
        self.app.exit(return_code=self.state.run.exit_code)
