"""The garbage collector, kept off while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_under_way = 0
_was_on = False


@contextmanager
def without_collecting() -> Iterator[None]:
    """Half the time of reading a large file is the collector walking over what was just made.

    Threads may overlap in this: it is off until the last of them ends, and then as it was before the first.
    """
    global _under_way, _was_on
    with _lock:
        if not _under_way:
            _was_on = gc.isenabled()
            gc.disable()
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way and _was_on:
                gc.enable()


def begin_collecting() -> None:
    """Collect from now on, or from when what is under way ends."""
    global _was_on
    with _lock:
        if _under_way:
            _was_on = True
        else:
            gc.enable()
