"""Keys typed before the app runs are kept for it, and every end of the process restores the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

from evaltui.interrupt import ending_on_signals

_to_restore: list[list[Any]] = []
"""The settings of the terminal line to restore; empty if the line is as it was found, or a driver restores it."""


@contextmanager
def kept_terminal() -> Iterator[None]:
    """Within the context, keys are kept for the app, without echo. Its end leaves the terminal as it was found.

    The app needs 0.2 s to start. Keys that come before Python runs cannot be kept.
    """
    with leaving_on_signals():
        try:
            if os.name == "posix":
                _keep_keys()
            yield
        finally:
            leave_terminal()


def _keep_keys() -> None:
    """Pass each byte on as it was typed, without echo, if input and output are a terminal of this process."""
    import termios  # Windows has none

    reads, writes = sys.__stdin__, sys.__stdout__
    if reads is None or writes is None or not (reads.isatty() and writes.isatty()):
        return
    with suppress(OSError, ValueError, termios.error):
        fd = reads.fileno()
        if os.tcgetpgrp(fd) != os.getpgrp():
            return  # in the background, a change of the settings would stop the process
        settings = termios.tcgetattr(fd)
        # With IXON, ctrl+q and ctrl+s would be lost: the system takes ctrl+q as *continue the output*.
        quiet = [settings[0] & ~(termios.ICRNL | termios.IXON), *settings[1:]]
        quiet[3] &= ~(termios.ECHO | termios.ICANON)
        _to_restore[:] = [settings]  # before the change: a signal may end the process at any point
        termios.tcsetattr(fd, termios.TCSANOW, quiet)


def hand_over() -> list[Any] | None:
    """Leave the terminal to a driver. Returns the settings that it must restore; None if it found them itself."""
    return _to_restore.pop() if _to_restore else None


def leave_terminal() -> None:
    """Restore the settings of the terminal, unless a driver does."""
    settings = hand_over()
    if settings is not None and sys.__stdin__ is not None:
        import termios

        with suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, settings)


def leaving_on_signals() -> AbstractContextManager[None]:
    """Within the context, a signal that ends the process first leaves the terminal as it was found."""
    return ending_on_signals(leave_terminal) if os.name == "posix" else nullcontext()


def drop_typed() -> None:
    """Drop what was typed and nobody has read."""
    if os.name == "posix" and sys.__stdin__ is not None:
        import termios  # late: only a program that the app starts needs it

        with suppress(OSError, ValueError, termios.error):
            termios.tcflush(sys.__stdin__.fileno(), termios.TCIFLUSH)
