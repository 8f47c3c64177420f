"""The garbage collector, kept off while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class _Collector:
    """Python's collector, as several threads at a time may want it off."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._is_on_after = False

    def hold(self) -> None:
        with self._lock:
            if not self._holders:
                self._is_on_after = gc.isenabled()
                gc.disable()
            self._holders += 1

    def release(self) -> None:
        with self._lock:
            self._holders -= 1
            if not self._holders and self._is_on_after:
                gc.enable()

    def begin(self) -> None:
        with self._lock:
            self._is_on_after = True
            if not self._holders:
                gc.enable()


_collector = _Collector()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Half the time of reading a large file is the collector walking over what was just made.

    Threads may overlap in this: it is off until the last of them ends, and then as it was before the first.
    """
    _collector.hold()
    try:
        yield
    finally:
        _collector.release()


def begin_collecting() -> None:
    """Collect from now on, or from when what is under way ends."""
    _collector.begin()
