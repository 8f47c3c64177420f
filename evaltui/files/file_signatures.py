"""Signatures of files, which show a change cheaply, and the pause between two writes.

A file that cannot be parsed may be half written, so evaltui waits before it says so.
"""

from __future__ import annotations

import time
from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError, UnreachableError

Signature = tuple[int, ...] | None
"""Device, inode, size, change time and modification time of a file.

None if there is no file; the error number if it is unreachable. Different signatures may mean the same content.
"""


def signature(path: Path) -> Signature:
    """The current signature of a file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return (error.errno or 0,)
    return status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns


def is_older(state: Signature, time_ns: int) -> bool:
    """Whether a file was last changed before a time, in nanoseconds since 1970."""
    # The change time, not the modification time: programs that copy or unpack files set the latter to the past.
    return state is not None and len(state) > 1 and state[3] < time_ns


REST = 0.5
"""Seconds without a change after which a file counts as written to its end."""

_PATIENCE = (0.1, 0.2, 0.4)  # seconds to wait for a file that is being written: git deletes the old file first


class WritePause:
    """Remembers files that could not be used, and the time of their last change."""

    def __init__(self) -> None:
        self._failed: dict[Path, tuple[Signature, float]] = {}
        self.is_waiting = False
        """Whether a file was not at rest since `begin`: check again soon."""

    def begin(self) -> None:
        """A new round of looking at files."""
        self.is_waiting = False

    def is_at_rest(self, path: Path, *, was_good: bool = False) -> bool:
        """Whether a file that cannot be used has not changed for half a second.

        A deleted file gets this time only if it `was_good` before: git and editors replace files.
        """
        sign, time_now = signature(path), time.monotonic()
        failed = self._failed.get(path)
        if failed is None or failed[0] != sign:
            # A file that was written long ago is at rest at once, so its fault is reported without a pause.
            may_change = was_good if sign is None else was_written_within(REST, sign)
            failed = self._failed[path] = sign, time_now if may_change else time_now - REST
        rests = time_now - failed[1] >= REST
        self.is_waiting |= not rests
        return rests

    def forget(self, path: Path) -> None:
        """A file could be used."""
        self._failed.pop(path, None)


def was_written_within(seconds: float, sign: Signature) -> bool:
    """Whether a file was written in the last seconds, by its own time."""
    return sign is not None and len(sign) > 1 and abs(time.time() - sign[-1] / 1e9) < seconds


def read_settled(path: Path) -> bytes | ReadError:
    """Read a file, with short waits if it is missing or half written."""
    for pause in (*_PATIENCE, None):
        try:
            data = read_file(path)
            # A JSON text that is written to its end has a closing bracket there.
            if pause is None or data.rstrip().endswith((b"}", b"]")):
                return data
        except ReadError as error:
            if pause is None or isinstance(error, UnreachableError):
                return error
        if pause is not None:
            time.sleep(pause)
    raise AssertionError
