"""Names of recordings that are more than a path: `session.db#ID` for one session, `s3://bucket/key` in a store."""

from __future__ import annotations

import os
import re
from pathlib import Path, PosixPath

from evaltui.document.binary_files import SQLITE
from evaltui.file_access import open_regular

LOG_HEAD = 32
"""The bytes of the header of a write-ahead log. Each log has another one."""
_SIGN = "#"


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


def write_ahead_log(file: Path) -> Path:
    """The write-ahead log beside a database."""
    real = Path(os.path.realpath(file))  # SQLite follows links before it names the log
    return real.with_name(real.name + "-wal")


# --- files in a store ------------------------------------------------------------------------------------------------

_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


def is_remote(name: str) -> bool:
    """Whether a name has a scheme, as in `s3://bucket/key`."""
    return _scheme(name) is not None


class RemotePath(PosixPath):
    """A path that keeps the two slashes of its scheme. It only names a file: no local file has such a path."""

    def __str__(self) -> str:
        return super().__str__().replace(":/", "://", 1)

    def __reduce__(self) -> tuple[type[RemotePath], tuple[str]]:
        return RemotePath, (str(self),)


def named_path(name: str) -> Path:
    """The path with this name, local or remote."""
    return RemotePath(name) if is_remote(name) else Path(name)
