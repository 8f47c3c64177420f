"""Signals that end the app as quitting does: the journal is written, and the terminal gets its modes back."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

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
    timer = threading.Timer(_PATIENCE, os._exit, [code])
    timer.daemon = True
    timer.start()
