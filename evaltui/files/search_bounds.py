"""Limits of one search: a number of entries, a time, and a request to stop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from evaltui.document.errors import DocumentError

MOST_ENTRIES = 1_000_000
"""The most files and folders that one search looks at."""
LONGEST = 60.0
"""The most seconds that one search takes."""


class SearchLimitError(DocumentError):
    """The search reached a limit; `reason` is the message without the folder."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"{folder}: {reason}")
        self.reason = reason


class SearchCancelledError(DocumentError):
    """The search was cancelled."""


class Bounds:
    """Counts the entries of one search; `count` raises once a limit is reached or the search is cancelled."""

    def __init__(
        self,
        entries: int | None = None,
        seconds: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._most = MOST_ENTRIES if entries is None else entries
        self._seconds = LONGEST if seconds is None else seconds
        self._cancelled = cancelled
        self._entries = 0
        self._began = time.monotonic()

    def count(self, folder: Path) -> None:
        """Count one more entry, of `folder`. Raises `SearchLimitError` or `SearchCancelledError`."""
        if self._cancelled():
            raise SearchCancelledError("the search was cancelled")
        self._entries += 1
        if self._entries > self._most:
            reason = f"the search ended after {self._most:,} files and folders; name a folder with fewer"
            raise SearchLimitError(folder, reason)
        if time.monotonic() - self._began > self._seconds:
            reason = f"the search ended after {self._seconds:g} seconds; name a folder with fewer files"
            raise SearchLimitError(folder, reason)

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        """The entries of a folder, each counted; none where it is no folder or not readable. Raises as `count`."""
        found = []
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                self.count(folder)
                found.append(entry)
        return found
