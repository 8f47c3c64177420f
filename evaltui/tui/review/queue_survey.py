"""A look at all turns of the queue, between the keys, for what has to know all of them: orders and fills."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from textual.screen import Screen

from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.session.review_queue import ReviewQueue

_SLICE, _REST = 0.004, 0.001
"""Seconds of looking between two looks at the keyboard, and how long to rest then."""
_FEW = 100
"""So many turns are looked at within a frame or two."""
_FRAMES = 0.25
"""Seconds between two frames that say how far it is."""


class QueueSurvey:
    """Finds the facts of all entries, then does what waited for them."""

    def __init__(self, queue: ReviewQueue, screen: Screen[str], display: EntryDisplay) -> None:
        self._queue, self._screen, self._display = queue, screen, display

    def then(self, act: Callable[[], object]) -> None:
        """Do something once all entries are known: at once where few are not. The last such wish counts."""
        missing = self._queue.unknown()
        if len(missing) > _FEW:
            self._screen.run_worker(self._look(act), exclusive=True, group="survey")
            return
        for entry in missing:
            self._queue.items.facts(entry)
        act()

    def stop(self) -> None:
        """Forget what waits."""
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
