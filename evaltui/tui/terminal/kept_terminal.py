"""The terminal from the command line to the app and back: what is typed is kept for the app, and every end restores it.

The app needs 0.2 s to start. A key that is typed meanwhile would be echoed, and ctrl+q would be lost: with IXON, the
system reads it as *continue the output*. Keys that come before Python runs cannot be kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from evaltui.interrupt import ending_on_signals

if TYPE_CHECKING:
    from evaltui.tui.terminal.background import TerminalBackground


@contextmanager
def kept_terminal() -> Iterator[None]:
    """Within the context, keys are kept for the app, without echo. Its end leaves the terminal as it was found."""
    terminal = _terminal()  # imported first: a signal during the import could not use it
    with leaving_on_signals():
        try:
            if terminal is not None:
                terminal.begin()
            yield
        finally:
            leave_terminal()


def ask_background() -> None:
    """Ask the terminal for its background, if nothing has asked yet."""
    if (terminal := _terminal()) is not None:
        terminal.ask()


def is_light() -> bool:
    """Whether the terminal has a light background. Waits a moment for the answer if need be."""
    if (terminal := _terminal()) is None:
        return False
    terminal.ask()
    terminal.settle()
    return terminal.is_light()


def leave_terminal() -> None:
    """Leave the terminal as it was found, also if a signal ends the process meanwhile."""
    if (terminal := _terminal()) is not None:
        with ending_on_signals(terminal.restore):
            terminal.leave()


def drop_typed() -> None:
    """Drop what was typed and nobody has read."""
    if os.name == "posix" and sys.__stdin__ is not None:
        import termios  # only a program that the app starts needs it

        with suppress(OSError, ValueError, termios.error):
            termios.tcflush(sys.__stdin__.fileno(), termios.TCIFLUSH)


def leaving_on_signals() -> AbstractContextManager[None]:
    """Within the context, a signal that ends the process first leaves the terminal as it was found."""
    return ending_on_signals(leave_terminal) if os.name == "posix" else nullcontext()


def _terminal() -> TerminalBackground | None:
    """The terminal of this process; None on systems without termios."""
    if os.name != "posix":
        return None
    from evaltui.tui.terminal.background import TERMINAL

    return TERMINAL
