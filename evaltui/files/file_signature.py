"""The signature of a file: a cheap value that shows a change."""

from __future__ import annotations

from pathlib import Path

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
