"""Completions of a path while it is typed, looked up in a thread so that keys never wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from textual.screen import Screen

from evaltui.files.typed_paths import completions
from evaltui.tui.unawaited_threads import result_of

_PATIENCE = 1.0
"""The most seconds that tab waits for a slow folder."""


class PathNames:
    """Looks up the completions of the last path asked for, with at most one thread at a time."""

    def __init__(
        self, screen: Screen[str | None], folder: Path | None, found: Callable[[str, list[str]], None]
    ) -> None:
        """`found` is called with each path that was looked up and the rests of the names that complete it."""
        self._screen, self._folder, self._tell = screen, folder, found
        self._wanted = ""
        self._known: tuple[str, list[str]] = ("", [])
        self._idle = asyncio.Event()
        self._idle.set()

    def known(self, text: str) -> list[str]:
        """The rests of names that complete `text`; empty if they are not known yet."""
        return self._known[1] if self._known[0] == text else []

    def look_for(self, text: str) -> None:
        """Start to look up the completions of `text`; `found` gets them."""
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
        """Wait until the completions of `text` are known, at most `_PATIENCE` seconds."""
        if self._known[0] != text:
            self.look_for(text)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), _PATIENCE)
