"""Ctrl-C in commands without a screen: the process ends at once with exit code 130, and no file is half written.

Python's own handler raises KeyboardInterrupt wherever the interpreter is. In an import or a finalizer, Python prints
the exception and continues, and the command exits with 0. So the process ends in the handler itself. Work that must
not be cut off runs within `deferred`.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

CODE = 128 + signal.SIGINT

_last_words: list[Callable[[], object]] = []
_codes: list[Callable[[], int]] = []


def end_at_once() -> None:
    """Make SIGINT end the process, unless SIGINT is ignored, as under nohup."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def leave_to_python() -> None:
    """Make SIGINT raise KeyboardInterrupt again: an app with a screen must restore the terminal."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: FrameType | None) -> None:
    for say in reversed(_last_words):
        say()
    # Without finalizers: Python would print what they raise, and they might wait for threads.
    os._exit(_codes[-1]() if _codes else CODE)


@contextmanager
def saying_at_the_end(say: Callable[[], object]) -> Iterator[None]:
    """Within the context, call `say` before SIGINT ends the process."""
    _last_words.append(say)
    try:
        yield
    finally:
        _last_words.remove(say)


@contextmanager
def ending_on_signals(say: Callable[[], object]) -> Iterator[None]:
    """Within the context, call `say` before SIGTERM, SIGHUP or SIGINT ends the process; after the others it dies.

    Only the main thread can hear SIGTERM and SIGHUP. All that SIGINT would call is called for them, too.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        for say_last in reversed(_last_words):
            say_last()
        # The signal itself ends the process, so that its parent sees why: exit code 143 in a shell.
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    heard = (signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    # A handler of somebody else, or SIGHUP ignored under nohup, stays.
    handled = [number for number in heard if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        with saying_at_the_end(say):
            yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def exiting_with(code: Callable[[], int]) -> Iterator[None]:
    """Within the context, SIGINT ends the process with this exit code."""
    _codes.append(code)
    try:
        yield
    finally:
        _codes.remove(code)


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Delay SIGINT until the end of the context, then raise KeyboardInterrupt. Yields a function: has SIGINT come?

    In threads other than the main one there is no SIGINT, so nothing is delayed.
    """
    has_come = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal has_come
        has_come = True

    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: has_come
    finally:
        signal.signal(signal.SIGINT, handler)
    if has_come:
        raise KeyboardInterrupt
