"""The times of garbage collection: never while a large file is read, rarely between keys, soon after the last key.

A collection walks over all living objects, and a large set has millions. So objects that stay are frozen (`gc.freeze`):
the collector then skips them, and also misses those of them that become garbage, until `gc.unfreeze`."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

INTERVAL = 2.0
"""Seconds between two checks whether to collect."""
_REST = 1.0
"""Seconds without a key after which a full collection disturbs nobody."""
BETWEEN_KEYS = 0.03
"""Seconds after a key in which its frames are drawn. The next key seldom comes so soon."""
_SOME = 4_000
"""The number of new objects that is worth a collection of a millisecond between two keys."""
_MUCH = 20
"""The number of collections of the youngest objects that is worth a collection of older ones."""
_FEW = 500
"""The most cases on which work takes a moment only."""
_LONG_REST = 5.0
"""Seconds without a key after which a tenth of a second may be spent on frozen objects."""
_MOST_LEFT_OUT = 5
"""After so many freezes, garbage among the frozen objects is collected at the next long rest."""


class _Collector:
    """The state of Python's collector. Several threads may switch it off at the same time."""

    lock = Lock()
    holders = 0
    is_on_after = False
    left_out = 0
    """The number of freezes since the last collection of all objects."""


@contextmanager
def without_collecting() -> Iterator[None]:
    """Switch the collector off: while a large file is read, it needs half the time, for objects that stay.

    Threads may overlap. The collector is off until the last thread leaves, and then as it was before the first.
    """
    with _Collector.lock:
        if not _Collector.holders:
            _Collector.is_on_after = gc.isenabled()
            gc.disable()
        _Collector.holders += 1
    try:
        yield
    finally:
        with _Collector.lock:
            _Collector.holders -= 1
            if not _Collector.holders and _Collector.is_on_after:
                gc.enable()


@contextmanager
def seldom_collected(cases: int) -> Iterator[None]:
    """Switch the collector off during work on many cases in the background; freeze what is new until a long rest.

    Otherwise a collection would sometimes delay a key by ten milliseconds or more.
    """
    if cases <= _FEW:
        yield
        return
    with without_collecting():
        try:
            yield
        finally:
            gc.freeze()  # most stay as long as the file is open
            _Collector.left_out += 1


def begin_seldom() -> None:
    """Prepare the collector for an app: free the previous app, and avoid collections during a frame.

    A frame makes thousands of objects that die with it; `collect_young` frees them between two keys. A collection of
    all objects takes 20 ms or more, so the thresholds allow it rarely while keys are pressed.
    """
    if gc.isenabled():  # an app ran before: it is garbage now, and part of it is frozen
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def begin() -> None:
    """Freeze all current objects, and switch the collector on, now or after `without_collecting`."""
    gc.freeze()
    with _Collector.lock:
        _Collector.is_on_after = True
        if not _Collector.holders:
            gc.enable()


def collect_young() -> None:
    """Collect the youngest garbage between two keys, so that no key waits for it."""
    if gc.isenabled() and gc.get_count()[0] >= _SOME:
        gc.collect(0)


def collect_at_rest(last_input: float) -> None:
    """Collect all garbage if there may be much and the last key is a second ago.

    `last_input` is the time of the last key by `time.monotonic`.
    """
    rest = time.monotonic() - last_input
    if gc.isenabled() and _Collector.left_out >= _MOST_LEFT_OUT and rest >= _LONG_REST:
        # In a watch that runs all day, each run leaves frozen garbage that nothing else would free.
        _Collector.left_out = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        return
    _, young, old = gc.get_count()
    if gc.isenabled() and (old or young >= _MUCH) and rest >= _REST:
        gc.collect()
