"""Ctrl-C in commands without a screen: the process ends at once with 130, and leaves nothing half done.

Python's own handler raises KeyboardInterrupt wherever the interpreter is. In an import or a finalizer that is printed
and forgotten, and the command goes on to exit 0. So the process ends in the handler itself; what must not be cut off
is done within `deferred`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

CODE = 128 + signal.SIGINT

_last_words: list[Callable[[], object]] = []


def end_at_once() -> None:
    """From now on SIGINT ends the process; one that is ignored, as under nohup, stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def leave_to_python() -> None:
    """SIGINT raises KeyboardInterrupt again: an app with a screen has a terminal to put right."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: FrameType | None) -> None:
    for say in _last_words:
        say()
    os._exit(CODE)


@contextmanager
def saying_at_the_end(say: Callable[[], object]) -> Iterator[None]:
    """While in the context, `say` is called before SIGINT ends the process."""
    _last_words.append(say)
    try:
        yield
    finally:
        _last_words.remove(say)


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """While in the context, SIGINT only makes a note, which the value given tells; then KeyboardInterrupt is raised."""
    asked = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True

    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt
