"""A copy of one state of a database, with the log or journal that belongs to it.

SQLite opens more than the file that it is told to open: it follows what lies beside a database, and what a journal
names. So it opens only copies, in folders of evaltui, of files that were opened here.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from evaltui.file_access import is_link, open_regular
from evaltui.files.file_signature import Signature, signature
from evaltui.files.session_source import LOG_HEAD, head_of
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.rollback_journal import is_to_be_replayed

try:
    import fcntl
except ImportError:  # a system without locks of this kind: signatures show a change
    fcntl = None  # type: ignore[assignment]

LARGEST = 2 << 30
"""The most bytes of a database with its log and journal."""
_PATIENCE = 5.0
"""Seconds in which copies are tried while a program writes. The first copy of an idle database is good."""
_BUSY, _PAUSE = 1.0, 0.005
"""The longest wait for a lock of another program, and the pause between two tries, in seconds."""
_READ_LOCK = 510, (1 << 30) + 2
"""The bytes that SQLite locks while it reads: how many, and the first (https://sqlite.org/lockingv3.html)."""
_PIECE = 1 << 20
_WAL_AT, _WAL = 18, b"\x02\x02"
"""The header offset of the mark for a write-ahead log."""
_NAME = "database"


def copy_database(file: Path, folder: Path) -> Path:
    """Copy a database into an empty folder. Raises `RecordingError` and `OSError`.

    A program may write to the database meanwhile.
    """
    real = Path(os.path.realpath(file))
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends:
        for path in folder.iterdir():
            path.unlink()
        with open_regular(real) as database:
            _lock(file, database)
            copy = _Copy(file, real, folder)
            if copy.has_one_state(database):
                return folder / _NAME
    raise RecordingError(f"{file}: another program keeps writing to this database; try again")


def _lock(file: Path, database: BinaryIO) -> None:
    """Keep SQLite's lock for readers until the database is closed, so that no program changes its pages meanwhile."""
    ends = time.monotonic() + _BUSY
    while fcntl is not None:
        try:
            fcntl.lockf(database, fcntl.LOCK_SH | fcntl.LOCK_NB, *_READ_LOCK)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):  # a file system without locks
                return
            if time.monotonic() > ends:
                raise RecordingError(f"{file}: another program has locked this database; try again later") from error
            time.sleep(_PAUSE)
        else:
            return


class _Copy:
    """The files of a database while they are copied. All bytes are counted as they come."""

    def __init__(self, file: Path, real: Path, folder: Path) -> None:
        self._file, self._real, self._folder = file, real, folder
        self._free = shutil.disk_usage(folder).free // 2
        self._left = min(LARGEST, self._free)

    def has_one_state(self, database: BinaryIO) -> bool:
        """Copy the files, and return whether they show one state of the database.

        The lock ensures it for a database without a log. But POSIX drops all locks of a process when it closes the
        file anywhere, so the signatures count, too. With a log, pages may change while they are copied. They are in the
        log then, until a new log begins with another head.
        """
        self._refuse_odd("-shm")  # it is never copied: SQLite makes it again
        before = self._state()
        head = self._add(database, _NAME)[: _WAL_AT + 2]
        log = self._add_beside("-wal")[:LOG_HEAD]
        if self._add_beside("-journal"):
            self._check_journal()
        after = self._state()
        is_logged = bool(log) and head[_WAL_AT:] == _WAL
        return before[1] == after[1] == log and (is_logged or before[0] == after[0])

    def _state(self) -> tuple[Signature, bytes]:
        return signature(self._real), head_of(self._beside("-wal"), LOG_HEAD, follow=False)

    def _beside(self, ending: str) -> Path:
        return self._real.with_name(self._real.name + ending)

    def _refuse_odd(self, ending: str) -> None:
        """Raise `RecordingError` for a link, folder, pipe or device in the place of a companion."""
        path = self._beside(ending)
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(path.lstat().st_mode):
                kind = "a link" if is_link(path) else "not a regular file"
                raise RecordingError(
                    f"{self._file}: {path.name} beside it is {kind}; delete it, or leave the database out"
                )

    def _add_beside(self, ending: str) -> bytes:
        """Copy a companion, if it is there and not empty, and return its first bytes."""
        self._refuse_odd(ending)
        head = b""
        with suppress(FileNotFoundError), open_regular(self._beside(ending), follow=False) as companion:
            head = self._add(companion, _NAME + ending)
            if not head:
                (self._folder / (_NAME + ending)).unlink()
        return head

    def _add(self, source: BinaryIO, name: str) -> bytes:
        """Copy a file, and return its first bytes. Raises `RecordingError` if it is too large."""
        self._refuse_larger(os.fstat(source.fileno()).st_size)  # the usual case, known before anything is written
        head = b""
        with (self._folder / name).open("xb") as copy:
            while piece := source.read(_PIECE):
                self._refuse_larger(len(piece))
                self._left -= len(piece)
                head = head or piece[:100]
                copy.write(piece)
        return head

    def _refuse_larger(self, size: int) -> None:
        if size <= self._left:
            return
        if self._free < LARGEST:
            raise RecordingError(
                f"{self._file}: evaltui reads a copy of a database, and its temporary folder has no room for one. "
                "Set TMPDIR to a folder with more room"
            )
        raise RecordingError(
            f"{self._file}: this database is larger than {LARGEST >> 30} GB with the files beside it. "
            "Export its sessions as JSON, or leave it out"
        )

    def _check_journal(self) -> None:
        path = self._folder / f"{_NAME}-journal"
        with path.open("rb") as journal:
            is_needed = is_to_be_replayed(journal, f"{self._file}: {self._beside('-journal').name} beside it", LARGEST)
        if not is_needed:
            path.unlink()
