"""The end of the process: by a signal, and without waiting for threads that may hang, as a network mount can."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from textual.app import App

_Result = TypeVar("_Result")


_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
_PATIENCE = 3.0
"""Seconds after which the process ends at all events: a terminal that is gone can hold up its last words."""


def end_on_signals(app: App[Any], first: Callable[[], object]) -> None:
    """Let SIGTERM, SIGHUP (the terminal was closed) and SIGINT call `first` and end the app with 128 + their number."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, end, app, first, number)


def end(app: App[Any], first: Callable[[], object], number: int) -> None:
    """Call `first` and end the app as the signal `number` does."""
    code = 128 + number
    try:
        first()
    finally:
        end_at_all_events(code)
        app.exit(return_code=code)


def end_at_all_events(code: int) -> None:
    """End the process with a code, should it not have ended by itself soon."""
    timer = threading.Timer(_PATIENCE, _end_now, [code])
    timer.daemon = True
    timer.start()


def _end_now(code: int) -> None:
    commands = sys.modules.get("evaltui.runs.command_process")  # if not, no command was run
    if commands is not None:
        commands.end_all_commands(0)
    os._exit(code)


class UnawaitedThreads(ThreadPoolExecutor):
    """Threads for an event loop that ends without waiting for them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Begin no more work; threads that run may go on."""
        super().shutdown(wait=False, cancel_futures=True)


async def result_of(work: Callable[[], _Result]) -> _Result:
    """Run `work` in a daemon thread and return its result; errors of `work` are raised here.

    Textual's workers share a few threads, which Python waits for at its end. A daemon thread takes no place from them,
    and the process ends without it.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def run() -> None:
        try:
            settle = partial(future.set_result, work())
        except Exception as error:
            settle = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the app and its event loop have ended
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    threading.Thread(target=run, name="daemon work", daemon=True).start()
    return await future
