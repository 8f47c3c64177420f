"""Conversations in a database of google-adk's session services: all of them, or some that are named."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evaltui.file_access import size_of
from evaltui.files.session_source import session_source
from evaltui.garbage_collection import without_collecting
from evaltui.printable import one_line
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, Recording, RecordingError
from evaltui.recordings.recording_bytes import Progress
from evaltui.recordings.sessions.adk_session import with_events
from evaltui.recordings.sessions.database_access import LONGEST_VALUE, DatabaseAccess, bytes_in, is_corrupt
from evaltui.recordings.sessions.session_schemas import KEY, EventError, read_event, read_schema, time_of

_Names = tuple[str, str, str]
"""The app, the user and the id of a session, which together identify it."""
_Times = tuple[float | None, float | None]
"""When a session was created and last changed, in seconds since 1970; None if unknown."""
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
_DAMAGED_FILE = (
    "pages of this database are damaged: sessions or turns may be missing. "
    "Copy it again, or recover it with `sqlite3 FILE .recover`"
)
_DAMAGED = "SQLite reports that this part of the database is damaged"
_NEAR = 3
_COMPARED = 2_000
"""The most ids that are compared with an unknown one."""
_SHOWN = 100


class SessionDatabase:
    """The sessions of a database, as they are when this object is made, and their conversations."""

    def __init__(self, file: Path, session_id: str | None = None, progress: Progress | None = None) -> None:
        """Raises `RecordingError`: not a database of sessions, unreadable, or without the session."""
        self.file = file
        self.warnings: list[str] = []
        self._progress = progress or (lambda _: None)
        self._access = DatabaseAccess(file)
        self._counted: set[_Names] = set()
        self._counted_bytes = 0
        """The bytes of the events of all sessions that were read."""
        with without_collecting(), self._access.limited_connection() as connection:
            self._columns, self._tie, self._has_index = read_schema(connection, file)
            self._knows_actions = not {"event_data", "actions"}.isdisjoint(self._columns)
            if not self._knows_actions:
                self.warnings.append(_PICKLED)
            self.sessions = self._list_sessions(connection)
            """The chosen sessions, last changed first."""
        if self._access.has_damage():
            self.warnings.append(_DAMAGED_FILE)
        self._id_counts = Counter(identifier for *_, identifier in self.sessions)
        self._bytes_a_session = size_of(file) // max(len(self.sessions), 1)
        """The estimated bytes of the file per session."""
        if session_id is not None:
            ids = [identifier for *_, identifier in self.sessions]
            self.choose([session_id])
            if not self.sessions:
                raise RecordingError(
                    f"{file}: there is no session {_shown(session_id)}{_similar_text(session_id, ids)}"
                )

    def conversations(
        self, most: int | None = None, *, skipped: int = 0, for_cases: bool = False
    ) -> Iterator[Conversation]:
        """At most `most` conversations after the `skipped` newest ones. Raises `RecordingError`."""
        sessions, step = [*self.sessions.items()][skipped:][:most], 1 if self._has_index else _SESSIONS_A_SCAN
        for start in range(0, len(sessions), step):
            scanned = sessions[start : start + step]
            with self._access.limited_connection() as connection:
                rowids_of = self._rowids(connection, [names for names, _ in scanned])
            for (names, (created, updated)), rowids in zip(scanned, rowids_of, strict=True):
                with self._access.limited_connection() as connection:
                    events, unread = self._read_events(connection, names, rowids)
                self._progress(self._bytes_a_session)
                app_name, user_id, identifier = names
                session = Conversation(
                    self.file,
                    "/".join(names) if self._id_counts[identifier] > 1 else identifier,
                    (),
                    recorded_at=updated,
                    unread=unread,
                    agent_names=AgentNames(app_name),
                    user_id=user_id,
                    started=created,
                )
                yield with_events(
                    session, events, self.warnings, knows_actions=self._knows_actions, for_cases=for_cases
                )

    def choose(self, names: Iterable[str]) -> None:
        """Keep only the sessions with these names, as far as there are any."""
        self.sessions = {session: self.sessions[session] for session in filter(None, map(self._find_session, names))}

    def _find_session(self, name: str) -> _Names | None:
        """The session with this id, `USER/ID` or `APP/USER/ID`; of several, the one that changed last."""
        sessions = [names for names in self.sessions if name in (names[2], "/".join(names[1:]), "/".join(names))]
        if len(sessions) > 1:
            alternatives = ", ".join(_shown(f"#{'/'.join(session)}") for session in sessions[1:][:_NEAR])
            self.warnings.append(
                f"{len(sessions)} sessions have the id {_shown(name)}. evaltui uses the one that changed last, "
                f"{_shown('/'.join(sessions[0]))}. To use another session, give {alternatives}"
            )
        return sessions[0] if sessions else None

    def _list_sessions(self, connection: sqlite3.Connection) -> dict[_Names, _Times]:
        sessions: dict[_Names, _Times] = {}
        count = unread = 0
        for *names, created, updated, are_texts in self._access.limited_rows(connection.execute(_KEYS)):
            try:
                app_name, user_id, identifier = map(bytes.decode, names if are_texts else ())
            except ValueError:  # bytes that are not UTF-8, or no three texts
                unread += 1
                continue
            if (count := count + 1) > _MOST_SESSIONS:
                raise RecordingError(
                    f"{self.file}: the database has more than {_MOST_SESSIONS:,} sessions; leave it out"
                )
            # Each once: google-adk's tables have no session twice, and all would share their events.
            sessions.setdefault((app_name, user_id, identifier), (time_of(created), time_of(updated)))
        if unread:
            self.warnings.append(f"{unread} session{'s' * (unread != 1)} skipped: id, app or user is not a string")
        return dict(sorted(sessions.items(), key=lambda session: session[1][1] or 0.0, reverse=True))

    def _rowids(self, connection: sqlite3.Connection, sessions: Sequence[_Names]) -> list[list[int]]:
        """The rows of the events of each session in order. Without an index, one scan of all events finds them."""
        rows_by_names: dict[tuple[bytes, ...], list[tuple[Any, Any, int]]] = {
            tuple(name.encode() for name in session): [] for session in sessions
        }
        query = f"SELECT {', '.join(KEY)}, timestamp, {self._tie}, rowid FROM main.events"
        if self._has_index:
            (session,) = sessions
            condition = " AND ".join(f"{name} = ? COLLATE BINARY" for name in KEY)
            rows = connection.execute(f"{query} WHERE {condition}", session)
        else:
            rows = connection.execute(query)
        for *names, timestamp, tie, rowid in self._access.limited_rows(rows):
            if (session_rows := rows_by_names.get(tuple(names))) is not None:
                session_rows.append((_order(timestamp), _order(tie), rowid))
            elif self._has_index:  # a number equals many texts: all its events would come for each of them
                raise RecordingError(f"{self.file}: the ids in this database are not texts; leave it out")
        # They are sorted here, because SQLite would keep all values of all rows to sort them.
        return [[rowid for _, _, rowid in sorted(rows)] for rows in rows_by_names.values()]

    def _read_events(
        self, connection: sqlite3.Connection, session: _Names, rowids: Sequence[int]
    ) -> tuple[list[Any], str | None]:
        """The events of a session, and a sentence about a part that cannot be read."""
        events: list[Any] = []
        unread = None
        size = memory = 0
        query = f"SELECT {', '.join(self._columns)} FROM main.events WHERE rowid = ?"
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
                    events.append(read_event(dict(zip(self._columns, row, strict=True))))
                except sqlite3.DataError:
                    unread = unread or f"event {number}: a value is larger than {LONGEST_VALUE >> 20} MB"
                except EventError as error:
                    unread = unread or f"event {number}: {error}"
        except sqlite3.DatabaseError as error:
            if not is_corrupt(error):
                raise
            unread = unread or _DAMAGED
        # A session that is read once more takes no further pages of the database.
        if session not in self._counted:
            self._counted.add(session)
            self._counted_bytes += size
        return events, unread


def open_session_database(path: Path, progress: Progress | None = None, *, for_cases: bool = False) -> Recording:
    """The recording of a database, or of the session that the path names. Raises `RecordingError`."""
    database = SessionDatabase(*session_source(path), progress)
    conversations = tuple(database.conversations(for_cases=for_cases))
    warnings = database.warnings or ([] if conversations else ["the database has no sessions"])
    return Recording(path, "adk_session_db", conversations, tuple(warnings))


def _similar_text(name: str, ids: Sequence[str]) -> str:
    near = [identifier for identifier in ids if name and identifier.startswith(name)][:_NEAR]
    if not near:  # ids may be long, and comparing takes the square of their length
        near = get_close_matches(name[:_SHOWN], [identifier[:_SHOWN] for identifier in ids[:_COMPARED]], _NEAR)
    if not near and len(ids) <= _NEAR:
        near = [*ids]
    return f"; similar ids: {', '.join(map(_shown, near))}" if near else ""


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
