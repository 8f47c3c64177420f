"""Names of session databases: `session.db` for all sessions, `session.db#ID` for one of them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from evaltui.files.file_signature import Signature, signature

MAGIC = b"SQLite format 3\0"
"""The first bytes of a database (https://sqlite.org/fileformat.html)."""
_SIGN = "#"
_COUNTER, _LOG_HEAD = (24, 28), 32
"""Where the header has the number of changes; bytes of the header of a log."""


class SessionSource(NamedTuple):
    """A file, and the session that is wanted of it."""

    file: Path
    session_id: str | None = None
    """None for all sessions."""


def session_source(path: Path) -> SessionSource:
    """The file and session that a path names. A file whose own name has a # in it comes first.

    A part behind # counts only if a database stands in front of it.
    """
    name = str(path)
    if _SIGN in name and not os.path.lexists(path):
        at = name.find(_SIGN)
        while at >= 0:
            if at and is_database(file := Path(name[:at])):
                return SessionSource(file, name[at + 1 :] or None)
            at = name.find(_SIGN, at + 1)
    return SessionSource(path)


def is_database(file: Path) -> bool:
    """Whether a file begins as SQLite's do; False where it cannot be read, of which opening it tells."""
    return head_of(file, len(MAGIC)) == MAGIC


def head_of(file: Path, size: int) -> bytes:
    """The first bytes of a regular file; none where it is none or cannot be read."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # reading takes bytes out of a pipe
            return b""
        with file.open("rb") as opened:
            return opened.read(size)
    except (OSError, ValueError):
        return b""


def database_signature(file: Path) -> Signature:
    """A cheap sign that a database may have changed, also while a server writes to its log.

    A database of some GB is not hashed: its header counts changes, and the header of its log is another one after each
    round (https://sqlite.org/fileformat.html, 1.3.7 and 4.1). The time of the last write is the last number.
    """
    log = write_ahead_log(file)
    signs = [signature(file) or (), signature(log) or ()]
    counts = head_of(file, _COUNTER[1])[_COUNTER[0] :] + head_of(log, _LOG_HEAD)
    written = max((sign[-1] for sign in signs if len(sign) > 1), default=0)
    return (*signs[0], *signs[1], int.from_bytes(counts), written)


def write_ahead_log(file: Path) -> Path:
    """The log beside a database in which a server writes first."""
    real = Path(os.path.realpath(file))
    return real.with_name(real.name + "-wal")
