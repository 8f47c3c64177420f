"""Schemas of session databases: `SqliteSessionService`, and `DatabaseSessionService` (SQLAlchemy) of two versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from evaltui.recordings.conversation import RecordingError

KEY = ("app_name", "user_id", "session_id")
"""Columns of `events` that name its session."""
_SESSIONS = {"app_name", "user_id", "id", "create_time", "update_time"}
_EVENTS = {*KEY, "invocation_id", "timestamp"}
_EVENTS_V0 = {"id", "author", "content"}
V0_TEXTS = ("id", "invocation_id", "author", "error_code", "error_message")
V0_JSON = ("content", "grounding_metadata", "usage_metadata")
V0_IDS = "long_running_tool_ids_json"
V0_FLAG = "partial"
_METADATA = "adk_internal_metadata"


class SessionSchema(NamedTuple):
    """The tables and columns of a database that hold events."""

    is_v0: bool
    """Whether events lie in columns, with their actions as a pickle, which is never read."""
    columns: tuple[str, ...]
    """The columns of an event, in the order of the query."""
    tie: str
    """The order of events with equal times, in which google-adk's services differ."""
    has_index: bool
    """Whether the events of a session are found without looking at all others."""
    overrides_invocation: bool = False
    """Whether the invocation id comes from the column invocation_id instead of event_data."""


def read_schema(connection: sqlite3.Connection, file: Path) -> SessionSchema:
    """The schema of a database. Raises `RecordingError` if it is not a session database of google-adk.

    Only tables count: a view or a virtual table could run code from the file. `table_info` does not list generated
    columns.
    """
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
    tables = {_text(name): _text(sql).upper().lstrip() for name, sql in connection.execute(asked)}
    found = {
        name: _columns(connection, name)
        for name in ("sessions", "events")
        if name in tables and not tables[name].startswith("CREATE VIRTUAL")
    }
    events = found.get("events", set())
    if not found.get("sessions", set()) >= _SESSIONS or not events >= _EVENTS:
        others = f"{len(tables)} other table{'s' * (len(tables) != 1)}"
        held = f"it has {others}" if tables else "it has no tables"
        raise RecordingError(f"{file}: not a session database of google-adk: {held}; leave it out")
    has_index = _has_index(connection)
    if "event_data" in events:
        is_of_sqlalchemy = _METADATA in tables
        columns = ("event_data", "invocation_id", "timestamp")
        return SessionSchema(False, columns, "id" if is_of_sqlalchemy else "rowid", has_index, is_of_sqlalchemy)
    if not events >= _EVENTS_V0:
        raise RecordingError(f"{file}: the table events has neither event_data nor content; leave the file out")
    wanted = (*V0_TEXTS, "timestamp", *V0_JSON, V0_IDS, V0_FLAG)
    return SessionSchema(True, tuple(name for name in wanted if name in events), "id", has_index)


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {_text(row[1]) for row in connection.execute(f"PRAGMA main.table_info({table})")}


def _has_index(connection: sqlite3.Connection) -> bool:
    """Whether some index of `events` begins with a session's key; SQLAlchemy's older primary key begins with the id."""
    for row in connection.execute("PRAGMA main.index_list(events)").fetchall():
        is_partial = bool(row[4])
        name = _text(row[1]).replace('"', '""')
        first = [_text(each[2]) for each in connection.execute(f'PRAGMA main.index_info("{name}")')][: len(KEY)]
        if not is_partial and _is_key(first):
            return True
    return False


def _is_key(columns: Collection[str]) -> bool:
    return set(columns) == set(KEY)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
