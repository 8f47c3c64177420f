"""How a change of a file is noticed: signatures, which show it cheaply, fingerprints, and the pause between two writes.

A file that cannot be parsed may be half written, so evaltui waits before it says so.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, fingerprint, fingerprint_of_file, read_file
from evaltui.document.errors import ReadError, UnreachableError
from evaltui.file_access import open_regular
from evaltui.files.session_source import LOG_HEAD, head_of, is_database, session_file, write_ahead_log

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


# --- databases and contents ------------------------------------------------------------------------------------------

_COUNTER = 24, 28
"""The place of the change counter in a database header."""


def database_signature(file: Path) -> Signature:
    """The signature of a database. It also changes while a server writes to the write-ahead log."""
    log = write_ahead_log(file)
    # SQLite sets the owner of a log when it opens it, even for reading, so the change time means nothing.
    of_log = signature(log) or ()
    signs = [signature(file) or (), of_log[:3] + of_log[4:]]
    # A large database need not be hashed: its header counts changes, and the header of its log changes with each
    # restart (https://sqlite.org/fileformat.html, 1.3.7 and 4.1).
    counts = head_of(file, _COUNTER[1])[_COUNTER[0] :] + head_of(log, LOG_HEAD, follow=False)
    return (*signs[0], *signs[1], int.from_bytes(counts))


_FRESH = 0.1
"""Seconds in which a second write may not change time and size of a file."""


class FileContents:
    """A cache of the fingerprints of files."""

    def __init__(self) -> None:
        self._cache: dict[Path, tuple[Signature, Fingerprint]] = {}

    def of(self, path: Path) -> Fingerprint | None:
        """The fingerprint of a regular file; None if it cannot be read. For a session database, of its signature."""
        sign = signature(path)
        cached = self._cache.get(path)
        if cached is not None and cached[0] == sign:
            return cached[1]
        if is_database(file := session_file(path)):
            return fingerprint(repr(database_signature(file)).encode())
        content = None
        with suppress(OSError, ValueError), open_regular(path) as opened:
            content = fingerprint_of_file(opened.fileno())
        # Not cached if the file may have changed while it was read, or may change within the step of its time.
        if content is None or sign != signature(path) or was_written_within(_FRESH, sign):
            self._cache.pop(path, None)
        else:
            self._cache[path] = sign, content
        return content
