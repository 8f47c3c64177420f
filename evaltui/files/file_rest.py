"""The rest of a file after a write: one that cannot be parsed may only be half written, so it gets a moment."""

from __future__ import annotations

import time
from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError, UnreachableError
from evaltui.files.file_signature import Signature, signature

REST = 0.5
"""Seconds without a change after which a file counts as written to its end."""

_PATIENCE = (0.1, 0.2, 0.4)
"""Seconds to wait for a file that is just being written: git takes the old one away first."""


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


def read_settled(path: Path) -> bytes | ReadError:
    """The file; a moment of patience with one that is gone or half written."""
    for pause in (*_PATIENCE, None):
        try:
            data = read_file(path)
            if pause is None or not _is_cut_short(data):
                return data
        except ReadError as error:
            if pause is None or isinstance(error, UnreachableError):
                return error
        if pause is not None:
            time.sleep(pause)
    raise AssertionError


def _is_cut_short(data: bytes) -> bool:
    """Whether a file ends in the midst of its text, as one does that is being written."""
    return not data.rstrip().endswith((b"}", b"]"))
