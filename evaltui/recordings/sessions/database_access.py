"""Read-only access to a database of another program: no writes, no new files beside it, no code in it runs.

SQLite creates `-shm` and `-wal` files even for a reader (measured with 3.40), unless one of the three ways below is
used. The right way depends on the files beside the database.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote

from evaltui.file_access import exists
from evaltui.files.file_signature import Signature, signature
from evaltui.files.session_source import head_of
from evaltui.printable import one_line
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.database_copy import DatabaseCopy

T = TypeVar("T")
_Way = Literal["shared", "alone", "copy"]
"""The way to open a database: beside a server, alone if no program has it open, or a copy that SQLite may recover."""

LONGEST_VALUE = 64 << 20
"""Bytes of the longest value that is read; SQLite refuses longer ones."""
_BUSY = 1.0
"""The longest wait for a lock of another program, in seconds."""
_SECONDS = 60.0
"""A question that SQLite works on for longer ends: only a database made to hang takes so long."""
_STEPS = 20_000
"""Steps of SQLite between two looks at the clock, about a millisecond."""
_TRIES = 4
_LARGEST_COPY = 1 << 30
_WAL_AT, _WAL = 18, b"\x02\x02"
"""The header offset of the mark for a write-ahead log."""
_SHOWN = 100


class DatabaseAccess:
    """Reads a database in short transactions, so that a server can write between them."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._real = Path(os.path.realpath(file))
        self._copy: DatabaseCopy | None = None

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """The result of `question`, which is called again if a server writes meanwhile. Raises `RecordingError`."""
        fault: sqlite3.Error | None = None
        for _ in range(_TRIES):
            before, way = self._signs(), self._way(fault)
            try:
                with self._opened(way) as connection:
                    answer = question(connection)
            except sqlite3.Error as error:
                fault = error
                if self._signs() == before and not self._is_worth_a_copy(error):
                    break
            except UnicodeError as error:  # SQLite's own message quotes damaged bytes
                raise RecordingError(f"{self.file}: {_SENTENCES['SQLITE_CORRUPT']}") from error
            except OSError as error:
                raise RecordingError(
                    f"{self.file}: cannot be read: {(error.strerror or str(error)).lower()}"
                ) from error
            else:
                if self._is_one_state(way, before, self._signs()):
                    return answer
        if fault is None:
            raise RecordingError(f"{self.file}: another program keeps writing to this database; try again")
        raise RecordingError(f"{self.file}: {_sentence(fault)}") from fault

    def _is_one_state(self, way: _Way, before: list[Signature], after: list[Signature]) -> bool:
        """Whether the result was read from one single state of the database.

        Beside a server, locks ensure it. But POSIX drops all locks of a process when it closes the file anywhere, and
        another thread does so when it checks the file for changes. A write-ahead log has its locks in another file.
        """
        if way == "shared":
            return self._is_wal() or before[0] == after[0]
        return before == after

    def _way(self, fault: sqlite3.Error | None) -> _Way:
        if fault is not None and self._is_worth_a_copy(fault):
            return "copy"
        if not self._is_wal():
            return "shared"
        log, index = self._beside("-wal"), self._beside("-shm")
        if not _size(log) and not (exists(log) and exists(index)):
            return "alone"
        return "shared" if exists(index) else "copy"

    def _is_worth_a_copy(self, fault: sqlite3.Error) -> bool:
        """Whether a program stopped during a write: SQLite must write to recover from it."""
        names = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR")
        return bool(_size(self._beside("-journal"))) and _name(fault).startswith(names)

    @contextmanager
    def _opened(self, way: _Way) -> Iterator[sqlite3.Connection]:
        if way == "copy":
            with _connected(self._copied().file, "mode=rw") as connection:
                yield connection
            return
        # `readonly_shm` is read by SQLite's Unix layer only; elsewhere it changes nothing.
        options = "mode=ro&immutable=1" if way == "alone" else "mode=ro&readonly_shm=1"
        with _connected(self._real, options) as connection:
            yield connection

    def _copied(self) -> DatabaseCopy:
        """A copy of the present state, kept for the next question: a large one takes a second to make."""
        state = self._signs()
        if self._copy is not None and self._copy.state == state:
            return self._copy
        self._copy = None  # deletes the old copy first, so that there are never two
        others = [path for path in map(self._beside, ("-wal", "-journal")) if exists(path)]
        if sum(map(_size, (self._real, *others))) > _LARGEST_COPY:
            raise RecordingError(
                f"{self.file}: a program stopped while it was writing to this database; "
                "start that program again to repair it"
            )
        self._copy = DatabaseCopy([self._real, *others], state)
        return self._copy

    def _is_wal(self) -> bool:
        return head_of(self._real, _WAL_AT + 2)[_WAL_AT:] == _WAL

    def _signs(self) -> list[Signature]:
        return [signature(path) for path in (self._real, *map(self._beside, ("-wal", "-journal")))]

    def _beside(self, ending: str) -> Path:
        return self._real.with_name(self._real.name + ending)


@contextmanager
def _connected(file: Path, options: str) -> Iterator[sqlite3.Connection]:
    address = f"file:{quote(os.fsencode(file))}?{options}"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY, isolation_level=None)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.text_factory = bytes  # no text is sure to be UTF-8
        ends = time.monotonic() + _SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
        for setting in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            connection.execute(f"PRAGMA {setting}").close()
        connection.execute("BEGIN")
        yield connection


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


_SENTENCES = {
    "SQLITE_BUSY": "another program has locked this database; try again later",
    "SQLITE_LOCKED": "another program has locked this database; try again later",
    "SQLITE_NOTADB": "not a readable SQLite database: damaged or encrypted",
    "SQLITE_CORRUPT": "this database is damaged; copy it again, or recover it with `sqlite3 FILE .recover`",
    "SQLITE_INTERRUPT": "reading this database takes more than a minute; leave it out",
    "SQLITE_TOOBIG": f"this database has a value of more than {LONGEST_VALUE >> 20} MB; leave it out",
    "SQLITE_CANTOPEN": "this database cannot be opened; check the permissions of its file, folder and -wal file",
    "SQLITE_NOMEM": "this database does not fit into memory; leave it out",
}


def _sentence(error: sqlite3.Error) -> str:
    name = _name(error)
    for start, sentence in _SENTENCES.items():
        if name.startswith(start):
            return sentence
    return f"SQLite cannot read this database: {one_line(str(error), _SHOWN)}; copy it again or leave it out"
