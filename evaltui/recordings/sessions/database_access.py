"""Read-only access to a private copy of a database: SQLite opens no file of somebody else, and no code in it runs."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from evaltui.file_access import why_unreadable
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.database_copy import copy_database
from evaltui.recordings.sessions.database_schemas import EVENTS, SESSIONS
from evaltui.recordings.sessions.schema_size import schema_size

Row = TypeVar("Row", bound=Sequence[Any])

LONGEST_VALUE = 64 << 20
"""Bytes of the longest value that is read; SQLite refuses longer ones."""
_LARGEST_SCHEMA = 1 << 20
"""The most bytes of a schema; in memory, it takes up to fifty times as many."""
_SECONDS = 60.0
"""The longest time for a question."""
_STEPS = 2_000
"""Steps of SQLite between two looks at the clock, less than a tenth of a millisecond."""
_STEPS_PER_BYTE, _LEAST_STEPS = 10, 1_000_000
"""The most steps for a question. A row has at least 10 bytes; more steps are needed where pages are used twice."""
_ROW = 8
"""The least bytes that a row takes beside its texts."""
_TIMES_IN_FILE = 2
"""A database in UTF-16 may hold a text in two thirds of the bytes that SQLite returns."""
_SHOWN = 100
_SETTINGS = (
    "query_only = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
    "temp_store = MEMORY",
    "ignore_check_constraints = ON",
)
_PRAGMAS = ("table_info", "table_xinfo", "index_list", "index_xinfo", "quick_check")
_DAMAGE = b"*** in database"
"""The start of a message of `quick_check` about a damaged page; other messages are about values."""
_READ = ("sqlite_master", "sqlite_schema", SESSIONS, EVENTS)
_FUNCTIONS = ("count", "typeof")


class DatabaseAccess:
    """Answers questions about one state of a database: its state when this object is made."""

    def __init__(self, file: Path) -> None:
        """Raises `RecordingError`."""
        self.file = file
        self._ends, self._steps = 0.0, 0
        with self._explained():
            self._connection, self.size = _connection_to_copy(file)
        weakref.finalize(self, self._connection.close)
        own = weakref.ref(self)  # SQLite keeps its functions: with a reference back, nothing would be closed in time
        self._connection.set_progress_handler(lambda: (access := own()) is None or access._is_over(), _STEPS)
        self._connection.set_authorizer(_permission)

    @contextmanager
    def asking(self) -> Iterator[sqlite3.Connection]:
        """A connection for one question. Raises `RecordingError` if SQLite cannot answer it."""
        self._ends, self._steps = time.monotonic() + _SECONDS, _LEAST_STEPS + _STEPS_PER_BYTE * self.size
        with self._explained():
            yield self._connection

    def has_damage(self, tables: Iterable[str]) -> bool:
        """Whether pages of these tables, or of their indexes, are damaged. It takes as long as a copy of the database.

        SQLite itself reports a damaged page only if a question fails on it: half an index answers with fewer rows.
        """
        for table in tables:
            with self.asking() as connection:
                try:
                    rows = connection.execute(f"PRAGMA main.quick_check({table})").fetchall()
                except sqlite3.Error as error:
                    rows = [(_DAMAGE,)] if is_corrupt(error) else []  # reading the events reports all else
            if any(isinstance(row[0], bytes) and row[0].startswith(_DAMAGE) for row in rows):
                return True
        return False

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows of one answer. Raises `RecordingError` if they have more bytes than the database."""
        size = 0
        for row in rows:
            size += _ROW + bytes_in(row)
            self.refuse_more(size)
            yield row

    def refuse_more(self, size: int) -> None:
        """Raise `RecordingError` if so many bytes are more than the database can hold: pages are used twice."""
        if size > _TIMES_IN_FILE * self.size:
            raise RecordingError(
                f"{self.file}: this database returns more data than its {self.size:,} bytes can hold. "
                "It is damaged, or made to fill the memory; leave it out"
            )

    def _is_over(self) -> bool:
        self._steps -= _STEPS
        return self._steps < 0 or time.monotonic() > self._ends

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite and of the system into `RecordingError`."""
        try:
            yield
        except sqlite3.Error as error:
            raise RecordingError(f"{self.file}: {_sentence(error)}") from error
        except UnicodeError as error:  # SQLite's own message quotes damaged bytes
            raise RecordingError(f"{self.file}: {_SENTENCES['SQLITE_CORRUPT']}") from error
        except OSError as error:
            raise RecordingError(f"{self.file}: {why_unreadable(error)}") from error


def is_corrupt(error: sqlite3.Error) -> bool:
    """Whether SQLite found a damaged page."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def bytes_in(row: Sequence[Any]) -> int:
    """The bytes of the texts and blobs in a row."""
    return sum(len(value) for value in row if isinstance(value, bytes))


def _connection_to_copy(file: Path) -> tuple[sqlite3.Connection, int]:
    """A connection to a copy whose name is gone already, and its bytes. Signals delete the folder of the copy, too."""
    temporary = tempfile.TemporaryDirectory(prefix="evaltui-", ignore_cleanup_errors=True)
    with temporary as name, ending_on_signals(temporary.cleanup), ExitStack() as undo:
        folder = Path(name)
        copy = copy_database(file, folder)
        size = sum(path.stat().st_size for path in folder.iterdir())  # what follows from it must not be larger
        if len(list(folder.iterdir())) > 1:
            _connected(copy, "mode=rw").close()  # SQLite replays the journal, or moves the log into the database
        if len(list(folder.iterdir())) > 1 or copy.stat().st_size > size:
            raise RecordingError(f"{file}: {_SENTENCES['SQLITE_CORRUPT']}")
        connection = undo.enter_context(closing(_connected(copy, "mode=ro&immutable=1")))
        _refuse_large_schema(file, copy)
        undo.pop_all()
        return connection, size


def _refuse_large_schema(file: Path, copy: Path) -> None:
    try:
        size = schema_size(copy)
    except ValueError as error:
        raise RecordingError(f"{file}: {_SENTENCES['SQLITE_CORRUPT']}") from error
    if size > _LARGEST_SCHEMA:
        raise RecordingError(f"{file}: the schema of this database has more than 1 MB; leave it out")


def _connected(copy: Path, options: str) -> sqlite3.Connection:
    """A connection to a copy whose header was read. Its schema was not read."""
    address = f"file:{quote(os.fsencode(copy))}?{options}"
    # Any thread may close it: the one that drops the last reference.
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.text_factory = bytes  # no text is sure to be UTF-8
        for setting in (*_SETTINGS, "schema_version"):
            connection.execute(f"PRAGMA {setting}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _permission(action: int, first: str | None, second: str | None, _schema: str | None, view: str | None) -> int:
    """Whether a statement may do something: read the two tables and the schema, and nothing by way of a view."""
    name = (first or "").lower()
    is_right = view is None and (
        action == sqlite3.SQLITE_SELECT
        or (action == sqlite3.SQLITE_READ and name in _READ)
        or (action == sqlite3.SQLITE_PRAGMA and name in _PRAGMAS)
        or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
    )
    return sqlite3.SQLITE_OK if is_right else sqlite3.SQLITE_DENY


_SENTENCES = {
    "SQLITE_NOTADB": "not a readable SQLite database: damaged or encrypted",
    "SQLITE_CORRUPT": "this database is damaged; copy it again, or recover it with `sqlite3 FILE .recover`",
    "SQLITE_INTERRUPT": "SQLite takes too long to read this database: it is damaged, or made to hang; leave it out",
    "SQLITE_TOOBIG": f"this database has a value of more than {LONGEST_VALUE >> 20} MB; leave it out",
    "SQLITE_AUTH": "the tables of this database run code of their own; leave it out",
    "SQLITE_NOMEM": "this database does not fit into memory; leave it out",
    "SQLITE_FULL": "the temporary folder has no room for a copy of this database; set TMPDIR to another folder",
}


def _sentence(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    for start, sentence in _SENTENCES.items():
        if name.startswith(start):
            return sentence
    return f"SQLite cannot read this database: {one_line(str(error), _SHOWN)}; copy it again or leave it out"
