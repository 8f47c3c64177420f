"""A database of google-adk's session services: its sessions, and the events of chosen sessions."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.garbage import without_collecting
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.database_access import LONGEST_VALUE, DatabaseAccess, bytes_in, is_corrupt
from evaltui.recordings.sessions.database_schemas import EVENTS, KEY, SESSIONS, read_schema
from evaltui.recordings.sessions.session import StoredSession
from evaltui.recordings.sessions.stored_events import EventError, event_of_row, time_of

_PICKLED = "rewinds are unknown: this older schema stores them as pickles, and evaltui never reads pickles"
_KEYS = """
    SELECT app_name, user_id, id, create_time, update_time,
    typeof(app_name) = 'text' AND typeof(user_id) = 'text' AND typeof(id) = 'text' FROM main.sessions
"""
_MOST_SESSIONS = 1_000_000
_MOST_OF_SESSION = 256 << 20
"""The most memory for the events of one session, as `_memory_for` estimates it."""
_TOGETHER = 2_000
"""The number of sessions whose events are looked up with one scan, if there is no index."""
_Row = Sequence[Any]
"""The values of an event, in the order of the columns of its schema."""
_DAMAGED_FILE = (
    "pages of this database are damaged: sessions or turns may be missing. "
    "Copy it again, or recover it with `sqlite3 FILE .recover`"
)
_DAMAGED = "SQLite reports that this part of the database is damaged"


class SessionKey(NamedTuple):
    """A session in a database, and when it was made and changed last; None if that is unknown."""

    app_name: str
    user_id: str
    id: str
    created: float | None = None
    updated: float | None = None

    @property
    def full_name(self) -> str:
        """A name that no other session has."""
        return f"{self.app_name}/{self.user_id}/{self.id}"


class SessionDatabase:
    """The sessions of a database, as they are when this object is made."""

    def __init__(self, file: Path) -> None:
        """Raises `RecordingError` if the file is not a database of sessions, or cannot be read."""
        self.file = file
        self.keys: list[SessionKey] = []
        """All sessions, last changed first."""
        self.warnings: list[str] = []
        self._access = DatabaseAccess(file)
        self._read: set[SessionKey] = set()
        self._size = 0
        """The bytes of the events of all sessions that were read."""
        with without_collecting(), self._access.asking() as connection:
            self._read_keys(connection)
        if self._access.has_damage((SESSIONS, EVENTS)):
            self.warnings.append(_DAMAGED_FILE)

    def sessions(self, keys: Sequence[SessionKey]) -> Iterator[StoredSession]:
        """Sessions with their events, one after another, in the order of their keys. Raises `RecordingError`."""
        together = 1 if self._schema.has_index else _TOGETHER
        for start in range(0, len(keys), together):
            some = keys[start : start + together]
            with self._access.asking() as connection:
                places = self._places(connection, some)
            for key in some:
                with self._access.asking() as connection:
                    session = self._session(connection, key, places[key])
                yield session

    def name_of(self, key: SessionKey) -> str:
        """The id of a session, with app and user if several sessions have this id."""
        return key.full_name if self._count_of_ids[key.id] > 1 else key.id

    @cached_property
    def _count_of_ids(self) -> Counter[str]:
        return Counter(key.id for key in self.keys)

    def _read_keys(self, connection: sqlite3.Connection) -> None:
        self._schema = read_schema(connection, self.file)
        self.warnings = [_PICKLED] if self._schema.has_pickles else []
        lost = 0
        for row in self._access.counted(connection.execute(_KEYS)):
            if (key := _key(row)) is None:
                lost += 1
            elif len(self.keys) == _MOST_SESSIONS:
                raise RecordingError(
                    f"{self.file}: the database has more than {_MOST_SESSIONS:,} sessions; leave it out"
                )
            else:
                self.keys.append(key)
        # Each once: google-adk's tables have no session twice, and all would share their events.
        once: dict[tuple[str, ...], SessionKey] = {}
        for key in self.keys:
            once.setdefault(key[:3], key)
        self.keys = sorted(once.values(), key=lambda key: key.updated or 0.0, reverse=True)
        if lost:
            self.warnings.append(f"{lost} session{'s' * (lost != 1)} skipped: id, app or user is not a string")

    def _places(self, connection: sqlite3.Connection, keys: Sequence[SessionKey]) -> dict[SessionKey, list[int]]:
        """The rows of each session in order. Without an index, one scan of all events finds them.

        They are sorted here, because SQLite would keep all values of all rows to sort them.
        """
        found: dict[SessionKey, list[tuple[Any, Any, int]]] = {key: [] for key in keys}
        known = {tuple(map(str.encode, key[:3])): found[key] for key in keys}
        asked = f"SELECT {', '.join(KEY)}, timestamp, {self._schema.tie}, rowid FROM main.events"
        if self._schema.has_index:
            (key,) = keys
            wanted = " AND ".join(f"{name} = ? COLLATE BINARY" for name in KEY)
            rows = connection.execute(f"{asked} WHERE {wanted}", key[:3])
        else:
            rows = connection.execute(asked)
        for row in self._access.counted(rows):
            if (of_session := known.get(tuple(row[:3]))) is not None:
                of_session.append((_order(row[3]), _order(row[4]), row[5]))
            elif self._schema.has_index:  # a number equals many texts: all its events would come for each of them
                raise RecordingError(f"{self.file}: the ids in this database are not texts; leave it out")
        return {key: [rowid for _, _, rowid in sorted(places)] for key, places in found.items()}

    def _session(self, connection: sqlite3.Connection, key: SessionKey, places: Sequence[int]) -> StoredSession:
        events: list[Any] = []
        unread = None
        size = memory = 0
        try:
            for number, place in enumerate(places, 1):
                try:
                    row = self._row(connection, place)
                    size, memory = size + bytes_in(row), memory + _memory_for(row)
                    self._access.refuse_more(self._size + size)
                    if memory > _MOST_OF_SESSION:
                        unread = f"event {number}: this session takes more than {_MOST_OF_SESSION >> 20} MB of memory"
                        break
                    events.append(event_of_row(self._schema, row))
                except EventError as error:
                    unread = unread or f"event {number}: {error}"
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            unread = unread or _DAMAGED
        if key not in self._read:
            self._read.add(key)
            self._size += size
        known = not self._schema.has_pickles
        name, times = self.name_of(key), (key.created, key.updated)
        return StoredSession(name, key.app_name, key.user_id, events, *times, unread, knows_actions=known)

    def _row(self, connection: sqlite3.Connection, place: int) -> _Row:
        asked = f"SELECT {', '.join(self._schema.columns)} FROM main.events WHERE rowid = ?"
        try:
            row: _Row | None = connection.execute(asked, (place,)).fetchone()
        except sqlite3.DataError:
            raise EventError(f"a value is larger than {LONGEST_VALUE >> 20} MB") from None
        if row is None:
            raise EventError(_DAMAGED)
        return row


def _order(value: Any) -> tuple[int, Any]:
    """The place of a value in SQLite's order: NULL, numbers, texts by their bytes."""
    return (0, 0) if value is None else (2, value) if isinstance(value, bytes) else (1, value)


def _memory_for(row: _Row) -> int:
    """An estimate of the bytes that the values of a row take in memory, most for JSON of many small values."""
    texts = [value for value in row if isinstance(value, bytes)]
    lists = sum(text.count(b"[") + text.count(b"{") for text in texts)
    return 2 * bytes_in(texts) + 200 * lists + 50 * sum(text.count(b",") for text in texts)


def _key(row: Sequence[Any]) -> SessionKey | None:
    if not row[5]:
        return None
    try:
        app_name, user_id, identifier = row[0].decode(), row[1].decode(), row[2].decode()
    except UnicodeDecodeError:
        return None
    return SessionKey(app_name, user_id, identifier, time_of(row[3]), time_of(row[4]))
