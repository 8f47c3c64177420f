"""A pass over all turns of the queue, in slices between the keys, for sorting and filling."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from textual.screen import Screen

from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.review.review_queue import ReviewQueue

_SLICE, _REST = 0.004, 0.001
"""Seconds of work between two looks at the keyboard, and seconds to rest then."""
_FEW = 100
"""The number of turns that take no longer than a frame or two."""
_FRAMES = 0.25
"""Seconds between two messages about the progress."""


class QueueSurvey:
    """Finds the facts of all entries, then calls the function that needs them."""

    def __init__(self, queue: ReviewQueue, screen: Screen[str], display: EntryDisplay) -> None:
        self._queue, self._screen, self._display = queue, screen, display

    def then(self, act: Callable[[], object]) -> None:
        """Call `act` once the facts of all entries are known: at once if few are missing. A later call replaces it."""
        missing = self._queue.unknown()
        if len(missing) > _FEW:
            self._screen.run_worker(self._look(act), exclusive=True, group="survey")
            return
        for entry in missing:
            self._queue.items.facts(entry)
        act()

    def stop(self) -> None:
        """Drop the waiting call."""
        self._screen.workers.cancel_group(self._screen, "survey")

    async def _look(self, act: Callable[[], object]) -> None:
        queue = self._queue
        missing = queue.unknown()
        end = drawn = 0.0
        for done, entry in enumerate(missing):
            queue.items.facts(entry)
            now = time.monotonic()
            if now < end:
                continue
            if now > drawn + _FRAMES:
                drawn = now
                self._display.status.say(f"Comparing {len(missing):,} turns … {100 * done // len(missing)} %")
            await asyncio.sleep(_REST)
            end = time.monotonic() + _SLICE
        act()
