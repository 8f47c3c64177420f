"""Names of session databases: `session.db` for all sessions, `session.db#ID` for one of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.binary_files import SQLITE
from evaltui.file_access import open_regular

if TYPE_CHECKING:
    from evaltui.files.file_signatures import Signature

LOG_HEAD = 32
"""The bytes of the header of a write-ahead log. Each log has another one."""
_SIGN = "#"
_COUNTER = 24, 28
"""The place of the change counter in a database header."""


def session_file(path: Path) -> Path:
    """The file that a path names, whatever session in it."""
    return session_source(path)[0]


def session_source(path: Path) -> tuple[Path, str | None]:
    """The file that a path names, and the id of the session; None for all. A file with # in its name comes first.

    The part after # is a session id only if the part before it is a database; the longest such name counts.
    """
    name = str(path)
    if _SIGN in name and not os.path.lexists(path):
        sign = name.rfind(_SIGN)  # an id may have # in it as well, so each part before one may be the file
        while sign > 0:
            if is_database(file := Path(name[:sign])):
                return file, name[sign + 1 :] or None
            sign = name.rfind(_SIGN, 0, sign)
    return path, None


def is_database(file: Path) -> bool:
    """Whether a file starts like an SQLite database; False if it cannot be read."""
    return head_of(file, len(SQLITE)) == SQLITE


def head_of(file: Path, size: int, *, follow: bool = True) -> bytes:
    """The first bytes of a regular file; none if it is not one or cannot be read. Without `follow`, none of a link."""
    try:
        with open_regular(file, follow=follow) as opened:
            return opened.read(size) or b""
    except (OSError, ValueError):
        return b""


def database_signature(file: Path) -> Signature:
    """The signature of a database. It also changes while a server writes to the write-ahead log."""
    from evaltui.files.file_signatures import signature  # noqa: PLC0415 - few recordings are databases

    log = write_ahead_log(file)
    # SQLite sets the owner of a log when it opens it, even for reading, so the change time means nothing.
    of_log = signature(log) or ()
    signs = [signature(file) or (), of_log[:3] + of_log[4:]]
    # A large database need not be hashed: its header counts changes, and the header of its log changes with each
    # restart (https://sqlite.org/fileformat.html, 1.3.7 and 4.1).
    counts = head_of(file, _COUNTER[1])[_COUNTER[0] :] + head_of(log, LOG_HEAD, follow=False)
    return (*signs[0], *signs[1], int.from_bytes(counts))


def write_ahead_log(file: Path) -> Path:
    """The write-ahead log beside a database."""
    real = Path(os.path.realpath(file))  # SQLite follows links before it names the log
    return real.with_name(real.name + "-wal")
