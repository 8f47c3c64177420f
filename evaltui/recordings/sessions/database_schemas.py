"""Schemas of session databases: `SqliteSessionService`, and `DatabaseSessionService` (SQLAlchemy) of two versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from evaltui.recordings.conversation import RecordingError

SESSIONS, EVENTS = "sessions", "events"
"""The tables that are read."""
KEY = ("app_name", "user_id", "session_id")
"""Columns of `events` that name its session."""
_COLUMNS_OF_SESSIONS = {"app_name", "user_id", "id", "create_time", "update_time"}
_COLUMNS_OF_EVENTS = {*KEY, "invocation_id", "timestamp"}
_COLUMNS_V0 = {"id", "author", "content"}
V0_TEXTS = ("id", "invocation_id", "author", "error_code", "error_message")
V0_JSON = ("content", "grounding_metadata", "usage_metadata")
V0_IDS = "long_running_tool_ids_json"
V0_FLAG = "partial"
V0_ACTIONS = "actions"
_FOREIGN = "not a session database of google-adk"
_TABLE, _NO_TABLES = "create table ", ("create index ", "create unique index ", "create view ", "create trigger ")
_METADATA = "adk_internal_metadata"


class SessionSchema(NamedTuple):
    """The tables and columns of a database that hold events."""

    is_v0: bool
    """Whether events lie in columns. google-adk stores their actions as a pickle, which is never read."""
    columns: tuple[str, ...]
    """The columns of an event, in the order of the query."""
    tie: str
    """The order of events with equal times, in which google-adk's services differ."""
    has_index: bool
    """Whether the events of a session are found without looking at all others."""
    overrides_invocation: bool = False
    """Whether the invocation id comes from the column invocation_id instead of event_data."""

    @property
    def has_pickles(self) -> bool:
        """Whether the actions of events are unknown."""
        return self.is_v0 and V0_ACTIONS not in self.columns


def read_schema(connection: sqlite3.Connection, file: Path) -> SessionSchema:
    """The schema of a database. Raises `RecordingError` if it is not a session database of google-adk.

    Only tables count: a view or a virtual table could run code from the file. The statement shows what they are, since
    SQLite follows it alone, and writes its first words in one way. `table_info` does not list generated columns.
    """
    tables: set[str] = set()
    count = 0
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        count += kind == b"table"
        text = _text(sql).lower()
        if text.startswith(_TABLE):
            tables |= {_text(name)} & {SESSIONS, EVENTS, _METADATA}
        elif not text.startswith(_NO_TABLES) and "virtual" in text and (SESSIONS in text or EVENTS in text):
            raise RecordingError(f"{file}: {_FOREIGN}: its tables run code of their own; leave it out")
    found = {name: _columns(connection, name) for name in (SESSIONS, EVENTS) if name in tables}
    events = found.get(EVENTS, set())
    if not (found.get(SESSIONS, set()) >= _COLUMNS_OF_SESSIONS and events >= _COLUMNS_OF_EVENTS):
        others = f"{count} other table{'s' * (count != 1)}"
        raise RecordingError(f"{file}: {_FOREIGN}: it has {others if count else 'no tables'}; leave it out")
    if "rowid" in map(str.lower, _columns(connection, EVENTS, "table_xinfo")):
        raise RecordingError(f"{file}: {_FOREIGN}: its table events has a column rowid; leave it out")
    has_index = _has_index(connection)
    if "event_data" in events:
        is_of_sqlalchemy = _METADATA in tables
        columns = ("event_data", "invocation_id", "timestamp")
        return SessionSchema(False, columns, "id" if is_of_sqlalchemy else "rowid", has_index, is_of_sqlalchemy)
    if not events >= _COLUMNS_V0:
        raise RecordingError(f"{file}: the table events has neither event_data nor content; leave the file out")
    actions = (V0_ACTIONS,) if V0_ACTIONS in events and _are_json(connection, V0_ACTIONS) else ()
    wanted = (*V0_TEXTS, "timestamp", *V0_JSON, V0_IDS, V0_FLAG, *actions)
    return SessionSchema(True, tuple(name for name in wanted if name in events), "id", has_index)


def _columns(connection: sqlite3.Connection, table: str, pragma: str = "table_info") -> set[str]:
    """The columns of a table; with `table_xinfo` also generated ones, which `rowid` may mean instead of the row."""
    return {_text(row[1]) for row in connection.execute(f"PRAGMA main.{pragma}({table})")}


def _are_json(connection: sqlite3.Connection, column: str) -> bool:
    """Whether adk-go wrote the events: it has the schema v0 with JSON, or nothing, in the place of pickles."""
    try:
        row = connection.execute(f"SELECT {column} FROM main.events WHERE {column} IS NOT NULL LIMIT 1").fetchone()
    except sqlite3.DatabaseError:  # too large, or damaged, which reading the events reports
        return False
    return row is None or (isinstance(row[0], bytes) and row[0].startswith(b"{"))


def _has_index(connection: sqlite3.Connection) -> bool:
    """Whether some index of `events` begins with a session's key; SQLAlchemy's older primary key begins with the id.

    With another collation than BINARY, SQLite would not use the index, and look at all events for each session.
    """
    for row in connection.execute("PRAGMA main.index_list(events)").fetchall():
        is_partial = bool(row[4])
        name = _text(row[1]).replace('"', '""')
        columns = connection.execute(f'PRAGMA main.index_xinfo("{name}")').fetchall()[: len(KEY)]
        is_binary = all(_text(column[4]).upper() == "BINARY" for column in columns)
        if not is_partial and is_binary and _is_key([_text(column[2]) for column in columns]):
            return True
    return False


def _is_key(columns: Collection[str]) -> bool:
    return set(columns) == set(KEY)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
