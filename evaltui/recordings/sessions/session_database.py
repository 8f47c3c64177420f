"""A database of google-adk's session services: its sessions, and the events of chosen sessions."""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.garbage import without_collecting
from evaltui.recordings.sessions.database_access import LONGEST_VALUE, DatabaseAccess
from evaltui.recordings.sessions.database_schemas import KEY, SessionSchema, read_schema
from evaltui.recordings.sessions.session import StoredSession
from evaltui.recordings.sessions.stored_events import EventError, event_of_row, time_of

_PICKLED = "rewinds are unknown: this older schema stores them as pickles, and evaltui never reads pickles"
_KEYS = """
    SELECT app_name, user_id, id, create_time, update_time FROM main.sessions
    WHERE typeof(app_name) = 'text' AND typeof(user_id) = 'text' AND typeof(id) = 'text'
"""
_COUNT = "SELECT count(*) FROM main.sessions"
_Row = Sequence[Any]
"""The values of an event, in the order of the columns of its schema."""
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
    """The sessions of a database. Each query is one short transaction."""

    def __init__(self, file: Path) -> None:
        """Raises `RecordingError` if the file is not a database of sessions, or cannot be read."""
        self.file = file
        self.keys: list[SessionKey] = []
        """All sessions, last changed first."""
        self.warnings: list[str] = []
        self._access = DatabaseAccess(file)
        with without_collecting():
            self._access.ask(self._read_keys)

    @property
    def has_index(self) -> bool:
        """Whether a session can be read without a scan of all events."""
        return self._schema.has_index

    def sessions(self, keys: Sequence[SessionKey]) -> list[StoredSession]:
        """Sessions with their events, in the order of their keys. Raises `RecordingError`."""
        return self._access.ask(lambda connection: self._read(connection, keys))

    def name_of(self, key: SessionKey) -> str:
        """The id of a session, with app and user if several sessions have this id."""
        return key.full_name if self._count_of_ids[key.id] > 1 else key.id

    @cached_property
    def _count_of_ids(self) -> Counter[str]:
        return Counter(key.id for key in self.keys)

    def _read_keys(self, connection: sqlite3.Connection) -> None:
        self._schema = read_schema(connection, self.file)
        self.warnings = [_PICKLED] if self._schema.is_v0 else []
        keys = [key for row in connection.execute(_KEYS) if (key := _key(row)) is not None]
        self.keys = sorted(keys, key=lambda key: key.updated or 0.0, reverse=True)
        (count,) = connection.execute(_COUNT).fetchone()
        if lost := count - len(keys):
            self.warnings.append(f"{lost} session{'s' * (lost != 1)} skipped: id, app or user is not a string")

    def _read(self, connection: sqlite3.Connection, keys: Sequence[SessionKey]) -> list[StoredSession]:
        if self._schema.has_index:
            return [self._session(key, self._rows(connection, key)) for key in keys]
        places = self._places(connection, keys)
        return [self._session(key, _rows_at(connection, self._schema, places[key])) for key in keys]

    def _session(self, key: SessionKey, rows: Iterator[_Row | None]) -> StoredSession:
        events: list[Any] = []
        unread = None
        try:
            for number, row in enumerate(rows, 1):
                try:
                    events.append(event_of_row(self._schema, row) if row is not None else _too_long())
                except EventError as error:
                    unread = unread or f"event {number}: {error}"
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_CORRUPT:
                raise
            unread = unread or _DAMAGED
        name = self.name_of(key)
        return StoredSession(name, key.app_name, key.user_id, events, key.created, key.updated, unread)

    def _rows(self, connection: sqlite3.Connection, key: SessionKey) -> Iterator[_Row | None]:
        """The events of a session as rows; None for a row with a value that is too long."""
        where = f"WHERE {' AND '.join(f'{name} = ?' for name in KEY)} ORDER BY timestamp, {self._schema.tie}"
        columns = ", ".join(self._schema.columns)
        try:
            rows = connection.execute(f"SELECT {columns} FROM main.events {where}", key[:3]).fetchall()
        except sqlite3.DataError:  # a value that is too long
            places = [rowid for (rowid,) in connection.execute(f"SELECT rowid FROM main.events {where}", key[:3])]
            yield from _rows_at(connection, self._schema, places)
        else:
            yield from rows

    def _places(self, connection: sqlite3.Connection, keys: Sequence[SessionKey]) -> dict[SessionKey, array[int]]:
        """The rows of each session in order, found with one scan of all events."""
        places = {key: array("q") for key in keys}
        known = {tuple(map(str.encode, key[:3])): places[key] for key in keys}
        asked = f"SELECT rowid, {', '.join(KEY)} FROM main.events ORDER BY timestamp, {self._schema.tie}"
        for rowid, *of_session in connection.execute(asked):
            if (found := known.get(tuple(of_session))) is not None:
                found.append(rowid)
        return places


def _rows_at(connection: sqlite3.Connection, schema: SessionSchema, places: Sequence[int]) -> Iterator[_Row | None]:
    asked = f"SELECT {', '.join(schema.columns)} FROM main.events WHERE rowid = ?"
    for place in places:
        try:
            yield connection.execute(asked, (place,)).fetchone()
        except sqlite3.DataError:
            yield None


def _too_long() -> Any:
    raise EventError(f"a value is larger than {LONGEST_VALUE >> 20} MB")


def _key(row: Sequence[Any]) -> SessionKey | None:
    try:
        app_name, user_id, identifier = row[0].decode(), row[1].decode(), row[2].decode()
    except UnicodeDecodeError:
        return None
    return SessionKey(app_name, user_id, identifier, time_of(row[3]), time_of(row[4]))
