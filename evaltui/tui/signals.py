"""Signals that end the app as quitting does: the journal is written, and the terminal gets its modes back."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from textual.app import App

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name))
_PATIENCE = 3.0
"""Seconds after which the process ends at all events: a terminal that is gone can hold up its last words."""


def end_on_signals(app: App[Any], first: Callable[[], object]) -> None:
    """Let SIGTERM, SIGHUP (the terminal was closed) and SIGINT call `first` and end the app with 128 + their number."""
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        code = 128 + number
        timer = threading.Timer(_PATIENCE, os._exit, [code])
        timer.daemon = True
        timer.start()
        try:
            first()
        finally:
            app.exit(return_code=code)

    for number in _ENDING:
        loop.add_signal_handler(number, end, number)
