"""Conversations in a database of google-adk's session services: all of them, or some that are named."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.files.session_source import SessionSource
from evaltui.garbage_collection import without_collecting
from evaltui.printable import one_line
from evaltui.recordings.conversation import Conversation, Recording, RecordingError
from evaltui.recordings.recording_bytes import Progress
from evaltui.recordings.sessions.adk_session import StoredSession, conversation_of_session
from evaltui.recordings.sessions.database_access import LONGEST_VALUE, DatabaseAccess, bytes_in, is_corrupt
from evaltui.recordings.sessions.session_schemas import KEY, EventError, read_schema, time_of

_PICKLED = "rewinds are unknown: this older schema stores them as pickles, and evaltui never reads pickles"
_KEYS = """
    SELECT app_name, user_id, id, create_time, update_time,
    typeof(app_name) = 'text' AND typeof(user_id) = 'text' AND typeof(id) = 'text' FROM main.sessions
"""
_MOST_SESSIONS = 1_000_000
_MOST_OF_SESSION = 256 << 20
"""The most memory for the events of one session, as `_memory_for` estimates it."""
_SESSIONS_A_SCAN = 2_000
"""The number of sessions whose events are looked up with one scan, if there is no index."""
_BATCH = 20
_DAMAGED_FILE = (
    "pages of this database are damaged: sessions or turns may be missing. "
    "Copy it again, or recover it with `sqlite3 FILE .recover`"
)
_DAMAGED = "SQLite reports that this part of the database is damaged"
_NEAR = 3
_COMPARED = 2_000
"""The most ids that are compared with an unknown one."""
_SHOWN = 100


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
    """The sessions of a database, as they are when this object is made, and their conversations."""

    def __init__(self, source: SessionSource, progress: Progress | None = None) -> None:
        """Raises `RecordingError`: not a database of sessions, unreadable, or without the session of the source."""
        self.source = source
        self.warnings: list[str] = []
        self._progress = progress or (lambda _: None)
        self._access = DatabaseAccess(source.file)
        self._counted: set[SessionKey] = set()
        self._counted_bytes = 0
        """The bytes of the events of all sessions that were read."""
        with without_collecting(), self._access.limited_connection() as connection:
            self._schema = read_schema(connection, source.file)
            if self._schema.has_pickles:
                self.warnings.append(_PICKLED)
            self.keys = self._read_keys(connection)
            """The chosen sessions, last changed first."""
        if self._access.has_damage():
            self.warnings.append(_DAMAGED_FILE)
        self._id_counts = Counter(key.id for key in self.keys)
        self._bytes_a_session = 0
        """The estimated bytes of the file per session."""
        with suppress(OSError):
            self._bytes_a_session = source.file.stat().st_size // max(len(self.keys), 1)
        if source.session_id is not None:
            self.keys = [self._named_key(source.session_id)]

    def batches(
        self, most: int | None = None, *, skipped: int = 0, for_cases: bool = False
    ) -> Iterator[list[Conversation]]:
        """At most `most` conversations after the `skipped` newest ones. Raises `RecordingError`."""
        conversations = (
            conversation_of_session(session, self.source.file, self.warnings, for_cases=for_cases)
            for session in self._read_sessions(self.keys[skipped:][:most])
        )
        while batch := list(islice(conversations, _BATCH)):
            self._progress(self._bytes_a_session * len(batch))
            yield batch

    def choose(self, names: Iterable[str]) -> None:
        """Keep only the sessions with these names, as far as there are any."""
        self.keys = list(dict.fromkeys(key for key in map(self._find_key, names) if key is not None))

    def _named_key(self, name: str) -> SessionKey:
        if (key := self._find_key(name)) is not None:
            return key
        ids = [key.id for key in self.keys]
        near = [identifier for identifier in ids if name and identifier.startswith(name)][:_NEAR]
        if not near:  # ids may be long, and comparing takes the square of their length
            near = get_close_matches(name[:_SHOWN], [identifier[:_SHOWN] for identifier in ids[:_COMPARED]], _NEAR)
        if not near and len(ids) <= _NEAR:
            near = ids
        similar = f"; similar ids: {', '.join(map(_shown, near))}" if near else ""
        raise RecordingError(f"{self.source.file}: there is no session {_shown(name)}{similar}")

    def _find_key(self, name: str) -> SessionKey | None:
        """The session with this id, `USER/ID` or `APP/USER/ID`; of several, the one that changed last."""
        keys = [key for key in self.keys if name in (key.id, f"{key.user_id}/{key.id}", key.full_name)]
        if len(keys) > 1:
            alternatives = ", ".join(_shown(f"#{key.full_name}") for key in keys[1:][:_NEAR])
            self.warnings.append(
                f"{len(keys)} sessions have the id {_shown(name)}. evaltui uses the one that changed last, "
                f"{_shown(keys[0].full_name)}. To use another session, give {alternatives}"
            )
        return keys[0] if keys else None

    def _read_keys(self, connection: sqlite3.Connection) -> list[SessionKey]:
        keys: dict[tuple[str, ...], SessionKey] = {}
        count = unread = 0
        for *names, created, updated, are_texts in self._access.limited_rows(connection.execute(_KEYS)):
            try:
                app_name, user_id, identifier = map(bytes.decode, names if are_texts else ())
            except ValueError:  # bytes that are not UTF-8, or no three texts
                unread += 1
                continue
            if (count := count + 1) > _MOST_SESSIONS:
                raise RecordingError(
                    f"{self.source.file}: the database has more than {_MOST_SESSIONS:,} sessions; leave it out"
                )
            # Each once: google-adk's tables have no session twice, and all would share their events.
            key = SessionKey(app_name, user_id, identifier, time_of(created), time_of(updated))
            keys.setdefault(key[:3], key)
        if unread:
            self.warnings.append(f"{unread} session{'s' * (unread != 1)} skipped: id, app or user is not a string")
        return sorted(keys.values(), key=lambda key: key.updated or 0.0, reverse=True)

    def _read_sessions(self, keys: Sequence[SessionKey]) -> Iterator[StoredSession]:
        """Sessions with their events, one after another, in the order of their keys. Raises `RecordingError`."""
        step = 1 if self._schema.has_index else _SESSIONS_A_SCAN
        for start in range(0, len(keys), step):
            scanned_keys = keys[start : start + step]
            with self._access.limited_connection() as connection:
                rowids = self._rowids(connection, scanned_keys)
            for key in scanned_keys:
                with self._access.limited_connection() as connection:
                    session = self._read_session(connection, key, rowids[key])
                yield session

    def _rowids(self, connection: sqlite3.Connection, keys: Sequence[SessionKey]) -> dict[SessionKey, list[int]]:
        """The rows of the events of each session in order. Without an index, one scan of all events finds them."""
        rows_of: dict[SessionKey, list[tuple[Any, Any, int]]] = {key: [] for key in keys}
        rows_by_names = {tuple(map(str.encode, key[:3])): rows_of[key] for key in keys}
        query = f"SELECT {', '.join(KEY)}, timestamp, {self._schema.tie}, rowid FROM main.events"
        if self._schema.has_index:
            (key,) = keys
            condition = " AND ".join(f"{name} = ? COLLATE BINARY" for name in KEY)
            rows = connection.execute(f"{query} WHERE {condition}", key[:3])
        else:
            rows = connection.execute(query)
        for *names, timestamp, tie, rowid in self._access.limited_rows(rows):
            if (session_rows := rows_by_names.get(tuple(names))) is not None:
                session_rows.append((_order(timestamp), _order(tie), rowid))
            elif self._schema.has_index:  # a number equals many texts: all its events would come for each of them
                raise RecordingError(f"{self.source.file}: the ids in this database are not texts; leave it out")
        # They are sorted here, because SQLite would keep all values of all rows to sort them.
        return {key: [rowid for _, _, rowid in sorted(rows)] for key, rows in rows_of.items()}

    def _read_session(self, connection: sqlite3.Connection, key: SessionKey, rowids: Sequence[int]) -> StoredSession:
        events: list[Any] = []
        unread = None
        size = memory = 0
        query = f"SELECT {', '.join(self._schema.columns)} FROM main.events WHERE rowid = ?"
        try:
            for number, rowid in enumerate(rowids, 1):
                try:
                    row = connection.execute(query, (rowid,)).fetchone()
                    if row is None:  # the index names a row that the table lacks
                        unread = unread or f"event {number}: {_DAMAGED}"
                        continue
                    size, memory = size + bytes_in(row), memory + _memory_for(row)
                    self._access.refuse_more(self._counted_bytes + size)
                    if memory > _MOST_OF_SESSION:
                        unread = f"event {number}: this session takes more than {_MOST_OF_SESSION >> 20} MB of memory"
                        break
                    events.append(self._schema.read_event(row))
                except sqlite3.DataError:
                    unread = unread or f"event {number}: a value is larger than {LONGEST_VALUE >> 20} MB"
                except EventError as error:
                    unread = unread or f"event {number}: {error}"
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            unread = unread or _DAMAGED
        # A session that is read once more takes no further pages of the database.
        if key not in self._counted:
            self._counted.add(key)
            self._counted_bytes += size
        return StoredSession(
            key.full_name if self._id_counts[key.id] > 1 else key.id,
            key.app_name,
            key.user_id,
            events,
            key.created,
            key.updated,
            unread,
            knows_actions=not self._schema.has_pickles,
        )


def open_session_database(
    source: SessionSource, name: Path, progress: Progress | None = None, *, for_cases: bool = False
) -> Recording:
    """The recording of a database, or of one of its sessions; people know it as `name`. Raises `RecordingError`."""
    database = SessionDatabase(source, progress)
    conversations = [conversation for batch in database.batches(for_cases=for_cases) for conversation in batch]
    warnings = database.warnings or ([] if conversations else ["the database has no sessions"])
    return Recording(name, "adk_session_db", tuple(conversations), tuple(warnings))


def _order(value: Any) -> tuple[int, Any]:
    """The place of a value in SQLite's order: NULL, numbers, texts by their bytes."""
    return (0, 0) if value is None else (2, value) if isinstance(value, bytes) else (1, value)


def _memory_for(row: Sequence[Any]) -> int:
    """An estimate of the bytes that the values of a row take in memory, most for JSON of many small values."""
    texts = [value for value in row if isinstance(value, bytes)]
    lists = sum(text.count(b"[") + text.count(b"{") for text in texts)
    return 2 * bytes_in(texts) + 200 * lists + 50 * sum(text.count(b",") for text in texts)


def _shown(name: str) -> str:
    return one_line(name, _SHOWN)
