"""The rest of a file after a write: one that cannot be parsed may only be half written, so it gets a moment."""

from __future__ import annotations

import time
from pathlib import Path

from evaltui.files.file_watch import Signature, signature

REST = 0.5
"""Seconds without a change after which a file counts as written to its end."""


class FileRest:
    """Remembers which files could not be used, and since when each has been as it is."""

    def __init__(self) -> None:
        self._failed: dict[Path, tuple[Signature, float]] = {}
        self.is_waiting = False
        """Whether some file was not at rest since `begin`: look again soon."""

    def begin(self) -> None:
        """A new round of looking at files."""
        self.is_waiting = False

    def is_at_rest(self, path: Path, *, was_good: bool = False) -> bool:
        """Whether a file that cannot be used will stay as it is: nothing has changed for half a second.

        A file that is gone gets that time if it `was_good` before: git and editors put a new one in its place.
        """
        sign, now = signature(path), time.monotonic()
        failed = self._failed.get(path)
        if failed is None or failed[0] != sign:
            may_change = was_good if sign is None else was_written_within(REST, sign)
            failed = self._failed[path] = sign, now if may_change else now - REST
        rests = now - failed[1] >= REST
        self.is_waiting |= not rests
        return rests

    def forget(self, path: Path) -> None:
        """A file could be used."""
        self._failed.pop(path, None)


def was_written_within(seconds: float, sign: Signature) -> bool:
    """Whether a file was written in the last seconds, by its own time."""
    return sign is not None and len(sign) > 1 and abs(time.time() - sign[-1] / 1e9) < seconds
