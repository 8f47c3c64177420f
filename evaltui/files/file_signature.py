"""The signature of a file: a cheap sign by which a change shows."""

from __future__ import annotations

from pathlib import Path

Signature = tuple[int, ...] | None
"""Device, inode, size and times of a file, that of its content last.

None where there is no file, or the error number where nobody can say. Another signature may mean the same content.
"""


def signature(path: Path) -> Signature:
    """A cheap sign that a file may have changed."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return (error.errno or 0,)
    return status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns
