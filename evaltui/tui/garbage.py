"""When Python looks for garbage: seldom while keys are pressed, soon after they rest."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

from evaltui.collecting import begin_collecting, without_collecting

INTERVAL = 2.0
"""Seconds between two looks at whether to collect."""
_REST = 1.0
"""Seconds without a key after which nobody waits for a frame."""
_MUCH = 5
"""Collections of the youngest objects after which the older ones are worth a look: 100,000 new objects."""


def begin_seldom() -> None:
    """Before an app runs: free what an app before it has left, and let a frame pass without a collection.

    Of the young objects a frame makes thousands that die with it. A collection of all takes 20 ms and more, so while
    keys are pressed without a rest it comes only when much may have gathered.
    """
    if gc.isenabled():  # an app ran before: it is garbage now, some of it among what was left out for good
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def begin() -> None:
    """Collect from now on, but for what there is."""
    gc.freeze()
    begin_collecting()


def collect_at_rest(last_input: float) -> None:
    """Collect all garbage, where there may be much and no key came in the last second.

    `last_input` is by `time.monotonic`.
    """
    _, young, old = gc.get_count()
    if gc.isenabled() and (old or young >= _MUCH) and time.monotonic() - last_input >= _REST:
        gc.collect()


@contextmanager
def seldom_collected(is_long: bool) -> Iterator[None]:
    """No collection while something long goes on that makes much which stays.

    Otherwise the collector would take ten milliseconds and more now and then.
    """
    if not is_long:
        yield
        return
    with without_collecting():
        yield
        gc.freeze()  # what was found stays as long as the file is open
