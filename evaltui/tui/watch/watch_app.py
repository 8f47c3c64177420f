"""The app of `evaltui watch`. The loop of the watch runs in a thread; its news are messages for the screen."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress

from textual.screen import Screen

from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import bindings
from evaltui.tui.launch import run_app, settings_in_force
from evaltui.tui.process_end import end_at_all_events
from evaltui.tui.watch.shown_run import News, RunNews, WatchControl
from evaltui.tui.watch.watch_screen import WatchScreen
from evaltui.tui.watch.watch_state import WatchState


class WatchApp(BaseApp):
    """The app with the table. It ends with the exit code of the run on screen."""

    BINDINGS = bindings("anywhere", "watching")

    def __init__(self, first: RunNews, control: WatchControl, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.state = WatchState(first)
        self._control = control
        self._table = WatchScreen(self.state, control)

    def get_default_screen(self) -> Screen[str]:
        """The table."""
        self.read_rest_of_css()
        return self._table

    def on_ready(self) -> None:
        """The first run is on screen: begin to watch. From now on SIGINT ends the watch as ctrl+c does."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._table.quit)
        if self.settings.first_complaint():
            self._table.status.say(self.settings.first_complaint())
        threading.Thread(target=self._control.run, name="watch", daemon=True).start()

    def tell(self, news: News) -> None:
        """Pass news of the watch to the table; from any thread."""
        with suppress(RuntimeError):  # the app and its event loop have ended
            self._table.post_message(WatchScreen.Told(news))

    def keep_work(self) -> None:
        """End the watch and the command that it runs: the app ends by a signal."""
        self._control.stop()


def show_watch(first: RunNews, control: WatchControl, listen: Callable[[Callable[[News], None]], None]) -> int:
    """Show the table until the person ends it; `listen` is told who takes the news. Returns the exit code."""
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    app = WatchApp(first, control, settings_in_force())
    listen(app.tell)
    run_app(app)
    code = app.return_code or 0
    end_at_all_events(code)  # Python would wait for all threads, and one may hang
    return code
