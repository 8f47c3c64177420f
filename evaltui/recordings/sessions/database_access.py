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
from typing import Any
from urllib.parse import quote

from evaltui.file_access import why_unreadable
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.database_copy import copy_database

SESSIONS, EVENTS = "sessions", "events"
LONGEST_VALUE = 64 << 20
"""Bytes of the longest value that is read; SQLite refuses longer ones."""
_LARGEST_SCHEMA = 1 << 20
"""The most bytes of a schema; in memory, it takes up to fifty times as many."""
_SECONDS = 60.0
"""The longest time for a query."""
_STEPS = 2_000
"""Steps of SQLite between two looks at the clock, less than a tenth of a millisecond."""
_STEPS_PER_BYTE, _LEAST_STEPS = 10, 1_000_000
"""The most steps for a query. A row has at least 10 bytes; more steps are needed where pages are used twice."""
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
    "schema_version",  # reads the header: only then SQLite replays a journal, or sees that this is no database
)
_PRAGMAS = ("table_info", "table_xinfo", "index_list", "index_xinfo", "quick_check")
_DAMAGE = b"*** in database"
"""The start of a message of `quick_check` about a damaged page; other messages are about values."""
_TABLES = ("sqlite_master", "sqlite_schema", SESSIONS, EVENTS)
_FUNCTIONS = ("count", "typeof")
_FILE_HEADER, _SIZE_OF_PAGES, _LEAST_PAGE = 100, slice(16, 18), 512
_INNER, _LEAF = 5, 13
"""The kinds of pages of a table (https://sqlite.org/fileformat.html, 1.6)."""


class DatabaseAccess:
    """Answers queries about one state of a database: its state when this object is made."""

    def __init__(self, file: Path) -> None:
        """Raises `RecordingError`."""
        self._file = file
        self._deadline, self._steps_left = 0.0, 0
        with self._explained():
            self._connection, self.size = _connection_to_copy(file)
        weakref.finalize(self, self._connection.close)
        own = weakref.ref(self)  # SQLite keeps its functions: with a reference back, nothing would be closed in time
        self._connection.set_progress_handler(lambda: (access := own()) is None or access._is_over(), _STEPS)
        self._connection.set_authorizer(_permission)

    @contextmanager
    def limited_connection(self) -> Iterator[sqlite3.Connection]:
        """A connection, with time and steps for one query. Raises `RecordingError` if SQLite cannot answer it."""
        self._deadline, self._steps_left = time.monotonic() + _SECONDS, _LEAST_STEPS + _STEPS_PER_BYTE * self.size
        with self._explained():
            yield self._connection

    def limited_rows(self, rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
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
                f"{self._file}: this database returns more data than its {self.size:,} bytes can hold. "
                "It is damaged, or made to fill the memory; leave it out"
            )

    def has_damage(self) -> bool:
        """Whether pages of the tables, or of their indexes, are damaged. It takes as long as a copy of the database."""
        # SQLite itself reports a damaged page only if a query fails on it: half an index answers with fewer rows.
        for table in (SESSIONS, EVENTS):
            with self.limited_connection() as connection:
                try:
                    rows = connection.execute(f"PRAGMA main.quick_check({table})").fetchall()
                except sqlite3.Error as error:
                    rows = [(_DAMAGE,)] if is_corrupt(error) else []  # reading the events reports all else
            if any(isinstance(row[0], bytes) and row[0].startswith(_DAMAGE) for row in rows):
                return True
        return False

    def _is_over(self) -> bool:
        self._steps_left -= _STEPS
        return self._steps_left < 0 or time.monotonic() > self._deadline

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", None) or ""
            sentences = (sentence for start, sentence in _SENTENCES.items() if name.startswith(start))
            quoted = f"SQLite cannot read this database: {one_line(str(error), _SHOWN)}; copy it again or leave it out"
            raise RecordingError(f"{self._file}: {next(sentences, quoted)}") from error
        except UnicodeError as error:  # SQLite's own message quotes damaged bytes
            raise RecordingError(f"{self._file}: {_SENTENCES['SQLITE_CORRUPT']}") from error
        except OSError as error:
            raise RecordingError(f"{self._file}: {why_unreadable(error)}") from error


_SENTENCES = {
    "SQLITE_NOTADB": "not a readable SQLite database: damaged or encrypted",
    "SQLITE_CORRUPT": "this database is damaged; copy it again, or recover it with `sqlite3 FILE .recover`",
    "SQLITE_INTERRUPT": "SQLite takes too long to read this database: it is damaged, or made to hang; leave it out",
    "SQLITE_TOOBIG": f"this database has a value of more than {LONGEST_VALUE >> 20} MB; leave it out",
    "SQLITE_AUTH": "the tables of this database run code of their own; leave it out",
    "SQLITE_NOMEM": "this database does not fit into memory; leave it out",
    "SQLITE_FULL": "the temporary folder has no room for a copy of this database; set TMPDIR to another folder",
}
"""By the start of the name of an error: `SQLITE_CORRUPT_INDEX` is one of SQLITE_CORRUPT."""


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
        size = sum(path.stat().st_size for path in folder.iterdir())
        if len(list(folder.iterdir())) > 1:
            _connected(copy, "mode=rw").close()  # SQLite replays the journal, or moves the log into the database
        # A journal can name any size for the copy, so that limits by the size of the database would mean nothing.
        if len(list(folder.iterdir())) > 1 or copy.stat().st_size > size:
            raise RecordingError(f"{file}: {_SENTENCES['SQLITE_CORRUPT']}")
        connection = undo.enter_context(closing(_connected(copy, "mode=ro&immutable=1")))
        try:
            is_large = schema_size(copy) > _LARGEST_SCHEMA
        except ValueError as error:
            raise RecordingError(f"{file}: {_SENTENCES['SQLITE_CORRUPT']}") from error
        if is_large:
            raise RecordingError(f"{file}: the schema of this database has more than 1 MB; leave it out")
        undo.pop_all()
        return connection, size


def _connected(copy: Path, options: str) -> sqlite3.Connection:
    """A connection to a copy whose header was read. Its schema was not read."""
    address = f"file:{quote(os.fsencode(copy))}?{options}"
    # Any thread may close it: the one that drops the last reference.
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.text_factory = bytes  # no text is sure to be UTF-8
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def schema_size(database: Path) -> int:
    """The bytes of all rows of the schema. Raises `ValueError` if its pages are damaged or used twice.

    SQLite keeps all of the schema in memory, so its size is counted first. Many statements may share the pages of one
    long statement, so that a small file has a large schema.
    """

    def integer(start: int, size: int) -> int:
        return int.from_bytes(page[start : start + size])

    size = 0
    seen: set[int] = set()
    numbers = [1]
    with database.open("rb") as file:
        size_of_page = int.from_bytes(file.read(_FILE_HEADER)[_SIZE_OF_PAGES])
        size_of_page = 1 << 16 if size_of_page == 1 else max(size_of_page, _LEAST_PAGE)
        while numbers:
            number = numbers.pop()
            file.seek((number - 1) * size_of_page)
            page = file.read(size_of_page)
            start = _FILE_HEADER if number == 1 else 0
            if number in seen or len(page) < size_of_page or page[start] not in (_INNER, _LEAF):
                raise ValueError("the pages of the schema are damaged")
            seen.add(number)
            is_inner = page[start] == _INNER
            first_cell = start + (12 if is_inner else 8)
            cells = [integer(place, 2) for place in range(first_cell, first_cell + 2 * integer(start + 3, 2), 2)]
            if is_inner:
                numbers += [integer(place, 4) for place in (start + 8, *cells)]
                continue
            for cell in cells:
                row_size = 0
                # Of an integer of several bytes, all but the last have the highest bit. Eight bytes tell any size.
                for byte in page[cell : cell + 8]:
                    row_size = row_size << 7 | byte & 0x7F
                    if byte < 0x80:
                        break
                size += row_size
    return size


def _permission(action: int, first: str | None, second: str | None, _schema: str | None, view: str | None) -> int:
    """Whether a statement may do something: read the two tables and the schema, and nothing by way of a view."""
    name = (first or "").lower()
    is_right = view is None and (
        action == sqlite3.SQLITE_SELECT
        or (action == sqlite3.SQLITE_READ and name in _TABLES)
        or (action == sqlite3.SQLITE_PRAGMA and name in _PRAGMAS)
        or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
    )
    return sqlite3.SQLITE_OK if is_right else sqlite3.SQLITE_DENY
