"""Modification times of recordings without a time of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Recording


class FileTimes:
    """Reads modification times once for each reading of the recordings. Use it in a thread: a mount may be slow."""

    def __init__(self) -> None:
        self._known: tuple[Sequence[Recording], dict[Path, float]] = ((), {})

    def of(self, recordings: Sequence[Recording]) -> dict[Path, float]:
        """The time of each file with a conversation without one, in seconds since 1970. Unreachable files have none."""
        if self._known[0] is not recordings:
            self._known = recordings, times_of(recordings)
        return self._known[1]


def times_of(recordings: Iterable[Recording]) -> dict[Path, float]:
    """The time of each file with a conversation without one, in seconds since 1970. Unreachable files have none."""
    found: dict[Path, float] = {}
    for path in {each.path for recording in recordings for each in recording.conversations if each.recorded_at is None}:
        with suppress(OSError, ValueError):
            found[path] = path.stat().st_mtime
    return found
