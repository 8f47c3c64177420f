"""The end of the process: after a signal, and without waiting for threads that hang, for example on a network mount."""

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
"""Seconds until the process is forced to end: writing to a closed terminal can block."""


def end_on_signals(app: App[Any], first: Callable[[], object]) -> None:
    """Handle SIGTERM, SIGHUP (closed terminal) and SIGINT: call `first`, then exit with 128 + the number."""
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, end, app, first, number)


def end(app: App[Any], first: Callable[[], object], number: int) -> None:
    """Call `first`, then end the app with exit code 128 + `number`."""
    code = 128 + number
    try:
        first()
    finally:
        end_at_all_events(code)
        app.exit(return_code=code)


def end_at_all_events(code: int) -> None:
    """Force the process to end with a code if it does not end by itself within `_PATIENCE`."""
    timer = threading.Timer(_PATIENCE, _end_now, [code])
    timer.daemon = True
    timer.start()


def _end_now(code: int) -> None:
    commands = sys.modules.get("evaltui.runs.command_process")  # not loaded means that no command was run
    if commands is not None:
        commands.end_all_commands(0)
    os._exit(code)


class UnawaitedThreads(ThreadPoolExecutor):
    """Thread pool that an event loop does not wait for when it ends."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel waiting work; running threads continue."""
        super().shutdown(wait=False, cancel_futures=True)


async def result_of(work: Callable[[], _Result]) -> _Result:
    """Run `work` in a daemon thread and return its result; errors of `work` are raised here.

    Textual's workers share a few threads, and Python waits for those at exit. A daemon thread occupies none of them,
    and the process can end without it.
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
