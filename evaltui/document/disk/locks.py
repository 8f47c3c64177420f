"""Locks on open files and on folders. A lock ends with its process, whatever ends that."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from evaltui.document.errors import DocumentError

if sys.platform != "win32":
    import fcntl

_PAUSE = 0.01
_PATIENCE = 2.0
"""Seconds to wait for another evaltui that saves in the same folder."""


def lock(handle: int) -> bool:
    """Lock the open file; False if another process holds the lock. Raises `DocumentError` if there are no locks."""
    if sys.platform == "win32":
        raise DocumentError("this system has no file locks, so evaltui keeps no journal")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def folder_lock(folder: int) -> Iterator[bool]:
    """Keep other evaltui processes from replacing files in an open folder; yields whether the lock was taken.

    The lock is on the folder itself, so no lock file is left behind. A save continues without the lock if the disk has
    no locks, or if another process holds it for more than two seconds (that process may be suspended). The save then
    notices a foreign change because it compares the file that it replaced.
    """
    try:
        handle = os.open(".", os.O_RDONLY | getattr(os, "O_CLOEXEC", 0), dir_fd=folder)
    except OSError:
        handle = -1
    is_locked, until = False, time.monotonic() + _PATIENCE
    try:
        with contextlib.suppress(DocumentError, OSError):  # a system or a network folder without locks
            while handle >= 0 and not (is_locked := lock(handle)) and time.monotonic() <= until:
                time.sleep(_PAUSE)
        yield is_locked
    finally:
        if handle >= 0:
            os.close(handle)
