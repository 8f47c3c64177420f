"""How a path that is being typed may go on, looked up beside the keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from textual.screen import Screen

from evaltui.path_completion import completions
from evaltui.tui.daemon_thread import result_of

_PATIENCE = 1.0
"""Seconds that tab waits for a folder which is slow to answer."""


class PathNames:
    """Looks up what follows the last path it was asked for; one thread at a time, however fast somebody types."""

    def __init__(
        self, screen: Screen[str | None], folder: Path | None, found: Callable[[str, list[str]], None]
    ) -> None:
        """`found` hears of each path that was looked up, with the rests of its names."""
        self._screen, self._folder, self._tell = screen, folder, found
        self._wanted = ""
        self._known: tuple[str, list[str]] = ("", [])
        self._idle = asyncio.Event()
        self._idle.set()

    def known(self, text: str) -> list[str]:
        """What may follow `text`, as far as that has been looked up."""
        return self._known[1] if self._known[0] == text else []

    def look_for(self, text: str) -> None:
        """Look up what may follow `text`, and tell once it is known."""
        self._wanted = text
        if self._idle.is_set():
            self._idle.clear()
            self._screen.run_worker(self._look(), group="path names", exit_on_error=False)

    async def _look(self) -> None:
        try:
            looked = None
            while looked != self._wanted:
                looked = self._wanted
                names = await result_of(partial(completions, looked, folder=self._folder))
                self._known = looked, names
            self._tell(*self._known)
        finally:
            self._idle.set()

    async def wait_for(self, text: str) -> None:
        """Wait until it is known what may follow `text`, or until that takes too long."""
        if self._known[0] != text:
            self.look_for(text)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), _PATIENCE)
