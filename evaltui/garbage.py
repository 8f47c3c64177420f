"""When Python looks for garbage: not while much is made that stays, seldom between keys, soon after keys rest."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

INTERVAL = 2.0
"""Seconds between two looks at whether to collect."""
_REST = 1.0
"""Seconds without a key after which nobody waits for a frame."""
BETWEEN_KEYS = 0.03
"""Seconds after a key in which its frames are drawn. A next key seldom comes as soon as that."""
_SOME = 4_000
"""New objects from which on it is worth a millisecond to look at them while nobody waits."""
_MUCH = 20
"""Collections of the youngest objects after which the older ones are worth a look."""


_LONG_REST = 5.0
"""Seconds without a key after which a tenth of a second may go to objects that were left out."""
_MOST_LEFT_OUT = 5
"""Times that objects were left out after which those among them that are garbage by now are freed."""


class _Collector:
    """Python's collector, which several threads at a time may want to be off."""

    def __init__(self) -> None:
        self.left_out = 0
        """Times that objects were left out since all were looked at."""
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
    """Keep the collector off: it takes half the time of reading a large file, to walk over objects that stay.

    Threads may overlap in this. The collector is off until the last of them ends, and then as it was before the first.
    """
    _collector.hold()
    try:
        yield
    finally:
        _collector.release()


@contextmanager
def seldom_collected(is_long: bool) -> Iterator[None]:
    """Keep the collector off while something long goes on beside the keys, and leave its objects out until a long rest.

    Otherwise the collector would take ten milliseconds and more from a key now and then.
    """
    if not is_long:
        yield
        return
    with without_collecting():
        try:
            yield
        finally:
            gc.freeze()  # most stay as long as the file is open
            _collector.left_out += 1


def begin_seldom() -> None:
    """Before an app runs: free the app before it, and let a frame pass without a collection.

    Of the young objects a frame makes thousands that die with it; `collect_young` looks at them between the keys. A
    collection of all takes 20 ms and more, so while keys are pressed without a rest it comes only when much may have
    gathered.
    """
    if gc.isenabled():  # an app ran before: it is garbage now, and part of it was left out for good
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def begin() -> None:
    """Collect from now on, or once `without_collecting` ends, but leave out the objects there are."""
    gc.freeze()
    _collector.begin()


def collect_young() -> None:
    """Collect the youngest garbage between two keys, so that no key has to wait for it."""
    if gc.isenabled() and gc.get_count()[0] >= _SOME:
        gc.collect(0)


def collect_at_rest(last_input: float) -> None:
    """Collect all garbage, where there may be much and no key came in the last second.

    `last_input` is by `time.monotonic`.
    """
    rest = time.monotonic() - last_input
    if gc.isenabled() and _collector.left_out >= _MOST_LEFT_OUT and rest >= _LONG_REST:
        # Of a watch that scores all day, each run leaves something behind that would never be freed.
        _collector.left_out = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        return
    _, young, old = gc.get_count()
    if gc.isenabled() and (old or young >= _MUCH) and rest >= _REST:
        gc.collect()
