"""Textual's driver for Unix terminals, with an input thread that no input can crash."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import selectors
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from evaltui.tui.terminal.background import TERMINAL
from evaltui.tui.terminal.input_decoder import InputDecoder
from evaltui.tui.textual_compat import GuardedApp, InputThread, app_of, draw_on_stdout, is_debugged, loop_of

_PAUSE = 0.1
"""Seconds between two checks whether the app has ended."""
_AHEAD = 200
"""Messages sent before the thread waits for the app; meanwhile, further input stays in the system's buffer."""


class TerminalDriver(InputThread, LinuxDriver):
    """Driver with its own input thread. `BaseApp` handles errors of the thread like any other error."""

    _sent = 0
    """Messages sent since the thread last waited for the app."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        if sys.__stderr__ is None or not sys.__stderr__.isatty():  # closed by the shell (2>&-), or a file
            draw_on_stdout(self)

    def start_application_mode(self) -> None:
        """Take the terminal. At the end it gets the settings that it had before the question for its background."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self.attrs_before is not None and (settings := TERMINAL.hand_over()) is not None:
            self.attrs_before = settings

    def run_input_thread(self) -> None:
        """Read until the app ends or suspends, or the terminal closes."""
        decoder = InputDecoder(debug=is_debugged(self))
        with closing(decoder), selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            self._send(decoder.feed(TERMINAL.typed()))
            while not self.exit_event.is_set():
                if selector.select(_PAUSE):
                    data = self._read()
                    if data is None:
                        return
                    self._send(decoder.feed(self._without_answer(data)))
                else:
                    self._send(decoder.feed(TERMINAL.tick()))
                self._send(decoder.tick())

    def _without_answer(self, data: bytes) -> bytes:
        """The input without what the terminal answers late; the app is told."""
        before, data = TERMINAL.answer.is_light, TERMINAL.feed(data)
        if (now := TERMINAL.answer.is_light) is not None and now != before:
            take = partial(self._guarded_app.take_background, is_light=now)
            loop_of(self).call_soon_threadsafe(take)
        return data

    @property
    def _guarded_app(self) -> GuardedApp[Any]:
        app = app_of(self)
        assert isinstance(app, GuardedApp)
        return app

    def _read(self) -> bytes | None:
        """The next bytes; None if the terminal is closed."""
        try:
            data = os.read(self.fileno, 65536)
        except BlockingIOError:  # another program made the terminal non-blocking and consumed the input
            return b""
        except OSError:
            data = b""
        if not data:
            loop_of(self).call_soon_threadsafe(self._guarded_app.hang_up)
            return None
        return data

    def _send(self, messages: Iterator[Message]) -> None:
        for message in messages:
            if self.exit_event.is_set():
                return  # keys typed ahead are not for this app any more; Textual drops unread input too
            self.process_message(message)
            self._sent += 1
            if self._sent >= _AHEAD:
                self._wait_for_app()

    def _wait_for_app(self) -> None:
        """Wait until the app has caught up, unless the driver is told to end."""
        self._sent = 0
        caught_up = asyncio.run_coroutine_threadsafe(self._guarded_app.caught_up(), loop_of(self))
        while not self.exit_event.is_set() and not concurrent.futures.wait([caught_up], _PAUSE).done:
            pass
