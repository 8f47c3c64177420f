"""A private copy of one state of a session database, with the write-ahead log or journal that belongs to it.

SQLite opens more than the file that it is told to open: it follows what lies beside a database, and what a journal
names. So SQLite opens only copies, in folders of evaltui, of files that this module opened.
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
from evaltui.files.file_changes import Signature, signature
from evaltui.files.session_source import LOG_HEAD, head_of
from evaltui.recordings.conversation import RecordingError

try:
    import fcntl
except ImportError:  # a system without locks of this kind: signatures show a change
    fcntl = None  # type: ignore[assignment]

LARGEST = 2 << 30
"""The most bytes of a database with its log and journal."""
_PATIENCE = 5.0
"""Seconds in which copies are tried while a program writes. The first copy of an idle database is good."""
_LONGEST_WAIT, _PAUSE = 1.0, 0.005
"""The longest wait for a lock of another program, and the pause between two tries, in seconds."""
_READ_LOCK = 510, (1 << 30) + 2
"""The bytes that SQLite locks while it reads: how many, and the first (https://sqlite.org/lockingv3.html)."""
_PIECE = 1 << 20
_HEAD = 100
"""The bytes of the header of a database. Those of a log and of a journal are shorter."""
_LOG_MARK = slice(18, 20)
"""The place in the header of a database of the mark for a write-ahead log."""
_NAME = "database"
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_PAGE_COUNT, _SECTOR_SIZE, _PAGE_SIZE = slice(16, 20), slice(20, 24), slice(24, 28)
"""Places in the header of a rollback journal (https://sqlite.org/fileformat.html, 3)."""
_SIZES = [1 << power for power in range(9, 17)]
"""The sizes of a page and of a sector, in bytes."""


def copy_database(file: Path, folder: Path) -> Path:
    """Copy a database, to which a program may write, into an empty folder. Raises `RecordingError` and `OSError`."""
    real_file = Path(os.path.realpath(file))
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        for path in folder.iterdir():
            path.unlink()
        with open_regular(real_file) as database:
            _lock(file, database)
            if _Copy(file, real_file, folder).has_one_state(database):
                return folder / _NAME
    raise RecordingError(f"{file}: another program keeps writing to this database; try again")


def _lock(file: Path, database: BinaryIO) -> None:
    """Keep SQLite's lock for readers until the database is closed, so that no program changes its pages meanwhile."""
    deadline = time.monotonic() + _LONGEST_WAIT
    while fcntl is not None:
        try:
            fcntl.lockf(database, fcntl.LOCK_SH | fcntl.LOCK_NB, *_READ_LOCK)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):  # a file system without locks
                return
            if time.monotonic() > deadline:
                raise RecordingError(f"{file}: another program has locked this database; try again later") from error
            time.sleep(_PAUSE)
        else:
            return


class _Copy:
    """The files of a database while they are copied. All bytes are counted as they come."""

    def __init__(self, file: Path, real_file: Path, folder: Path) -> None:
        self._file, self._real_file, self._folder = file, real_file, folder
        # Only half of the free room counts: SQLite may write all pages of the log into the copy, too.
        self._room = shutil.disk_usage(folder).free // 2
        self._bytes_left = min(LARGEST, self._room)

    def has_one_state(self, database: BinaryIO) -> bool:
        """Copy the files, and return whether they show one state of the database."""
        self._refuse_odd(self._beside("-shm"))  # it is never copied: SQLite makes it again
        first_state = self._state()
        head = self._add(database, _NAME)
        log = self._add_beside("-wal")[:LOG_HEAD]
        if self._add_beside("-journal"):
            journal = self._folder / f"{_NAME}-journal"
            if not is_hot_journal(journal, f"{self._file}: {self._beside('-journal').name} beside it"):
                journal.unlink()
        last_state = self._state()
        # The lock ensures one state of a database without a log. But POSIX drops all locks of a process when it closes
        # the file anywhere, so the signatures count, too. With a log, pages may change while they are copied: they are
        # in the log then, until a new log begins with another head.
        is_logged = bool(log) and head[_LOG_MARK] == b"\x02\x02"
        return first_state[1] == last_state[1] == log and (is_logged or first_state[0] == last_state[0])

    def _state(self) -> tuple[Signature, bytes]:
        return signature(self._real_file), head_of(self._beside("-wal"), LOG_HEAD, follow=False)

    def _beside(self, ending: str) -> Path:
        return self._real_file.with_name(self._real_file.name + ending)

    def _refuse_odd(self, companion: Path) -> None:
        """Raise `RecordingError` for a link, folder, pipe or device in the place of a companion."""
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(companion.lstat().st_mode):
                kind = "a link" if is_link(companion) else "not a regular file"
                raise RecordingError(
                    f"{self._file}: {companion.name} beside it is {kind}; delete it, or leave the database out"
                )

    def _add_beside(self, ending: str) -> bytes:
        """Copy a companion, if it is there and not empty, and return its first bytes."""
        companion = self._beside(ending)
        self._refuse_odd(companion)
        head = b""
        with suppress(FileNotFoundError), open_regular(companion, follow=False) as source:
            head = self._add(source, _NAME + ending)
            if not head:
                (self._folder / (_NAME + ending)).unlink()
        return head

    def _add(self, source: BinaryIO, name: str) -> bytes:
        """Copy a file, and return its first bytes. Raises `RecordingError` if it is too large."""
        self._refuse_larger(os.fstat(source.fileno()).st_size)  # the usual case, known before anything is written
        head = b""
        with (self._folder / name).open("xb") as copy:
            while piece := source.read(_PIECE):
                self._refuse_larger(len(piece))  # the size of a file such as those of /proc is not its length
                self._bytes_left -= len(piece)
                head = head or piece[:_HEAD]
                copy.write(piece)
        return head

    def _refuse_larger(self, size: int) -> None:
        if size <= self._bytes_left:
            return
        if self._room < LARGEST:
            raise RecordingError(
                f"{self._file}: evaltui reads a copy of a database, and its temporary folder has no room for one. "
                "Set TMPDIR to a folder with more room"
            )
        raise RecordingError(
            f"{self._file}: this database is larger than {LARGEST >> 30} GB with the files beside it. "
            "Export its sessions as JSON, or leave it out"
        )


def is_hot_journal(journal: Path, name: str) -> bool:
    """Whether SQLite would replay a rollback journal, as after a program was ended while it wrote.

    `name` begins the sentences. Raises `RecordingError` for a journal that SQLite does not write, and for one that
    names another file.
    """
    with journal.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(-min(len(_JOURNAL_MAGIC), file.seek(0, os.SEEK_END)), os.SEEK_END)
        end = file.read()
    if head[0] == 0:  # SQLite so marks a journal that has been used
        return False
    # Such a journal names a super-journal at its end. SQLite deletes that file after it has replayed the journal,
    # wherever the file lies, and waits without end if it is a pipe.
    if end == _JOURNAL_MAGIC:
        raise RecordingError(
            f"{name} names another file, which SQLite would delete. "
            "Start the program that wrote this database to repair it, or leave the database out"
        )
    pages, sector, page = (int.from_bytes(head[place]) for place in (_PAGE_COUNT, _SECTOR_SIZE, _PAGE_SIZE))
    is_sound = head.startswith(_JOURNAL_MAGIC) and sector in _SIZES and page in _SIZES
    # SQLite gives the copy the size that the header names.
    if not is_sound or pages * page > LARGEST:
        raise RecordingError(f"{name} is not a journal of SQLite. Delete it if no program uses this database")
    return True
