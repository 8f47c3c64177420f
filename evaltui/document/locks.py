"""Locks on open files: they end with the process however that ends, whatever becomes of its number."""

from __future__ import annotations

import sys

from evaltui.document.errors import DocumentError

if sys.platform != "win32":
    import fcntl


def lock(handle: int) -> bool:
    """Lock the open file; False where another process has it. Raises `DocumentError` where there are no locks."""
    if sys.platform == "win32":
        raise DocumentError("this system has no file locks, so no journal is kept")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
