"""No garbage collection while something long goes on that makes much which stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_under_way: set[object] = set()


@contextmanager
def seldom_collected(is_long: bool) -> Iterator[None]:
    """Otherwise the collector would take ten milliseconds and more now and then; several of these may overlap."""
    if not is_long or (not gc.isenabled() and not _under_way):
        yield
        return
    this = object()
    _under_way.add(this)
    gc.disable()
    try:
        yield
    finally:
        _under_way.discard(this)
        if not _under_way:
            gc.freeze()  # what was found stays as long as the file is open
            gc.enable()
