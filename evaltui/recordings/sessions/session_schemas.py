"""Schemas of session databases: `SqliteSessionService`, and `DatabaseSessionService` (SQLAlchemy) of two versions."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import moment
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.sessions.database_access import EVENTS, SESSIONS

KEY = ("app_name", "user_id", "session_id")
"""Columns of `events` that name its session."""
_COLUMNS_OF_SESSIONS = {"app_name", "user_id", "id", "create_time", "update_time"}
_COLUMNS_OF_EVENTS = {*KEY, "invocation_id", "timestamp"}
_COLUMNS_V0 = {"id", "author", "content"}
_V0_TEXTS = ("id", "invocation_id", "author", "error_code", "error_message")
_V0_JSON = ("content", "grounding_metadata", "usage_metadata")
_DATA = "event_data"
"""The column with the JSON of an event; an older schema has a column for each member of it."""
_V0_IDS, _V0_FLAG, _V0_ACTIONS = "long_running_tool_ids_json", "partial", "actions"
_FOREIGN = "not a session database of google-adk"
_TABLE, _NO_TABLES = "create table ", ("create index ", "create unique index ", "create view ", "create trigger ")
_METADATA = "adk_internal_metadata"
"""A table that only `DatabaseSessionService` creates."""
_SECONDS = 1e10
"""The largest number that is a time in seconds."""
_GO_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d{4}) .+", re.ASCII)
"""A time as Go's `time.Time.String` writes it: `2026-11-22 01:31:05.5359 +0000 UTC m=+0.012`."""


class EventError(ValueError):
    """A row that is not an event; the message says why."""


def read_event(values: dict[str, Any]) -> dict[str, Any]:
    """The event in the columns of a row, as google-adk's service reads it. Raises `EventError`."""
    if _DATA not in values:
        return _event_of_columns(values)
    # Of SQLAlchemy's table, the invocation id comes from its column, instead of the JSON.
    is_of_sqlalchemy = "invocation_id" in values
    data = b"{}" if values[_DATA] is None and is_of_sqlalchemy else values[_DATA]
    event = _read_json(data, _DATA)
    if not isinstance(event, dict):
        raise EventError("event_data is not an object")
    if is_of_sqlalchemy:
        event.pop("invocationId", None)
        event["invocation_id"] = _text_or_value(values["invocation_id"])
        if event.get("timestamp") is None:
            event["timestamp"] = time_of(values["timestamp"])
    return event


def _event_of_columns(values: dict[str, Any]) -> dict[str, Any]:
    event: dict[str, Any] = {}
    for name, value in values.items():
        if value is None:
            continue
        if name in _V0_JSON or (name == _V0_ACTIONS and value):
            event[name] = _read_json(value, name)
        elif name == _V0_IDS:
            event["long_running_tool_ids"] = _read_json(value, name) if value else None
        elif name == "timestamp":
            event[name] = time_of(value)
        else:
            event[name] = value if name == _V0_FLAG else _text_or_value(value)
    return {name: value for name, value in event.items() if value is not None}


def _read_json(value: Any, name: str) -> Any:
    if not isinstance(value, bytes):
        raise EventError(f"{name} is not a string")
    try:
        return read_json(value.decode())
    except RecursionError:
        raise EventError(f"{name} is nested too deeply") from None
    except ValueError:
        raise EventError(f"{name} is not valid JSON") from None


def time_of(value: Any) -> float | None:
    """A time in seconds since 1970, from a number, a text in UTC, or a text of adk-go; None for anything else."""
    if type(value) is float and 0.0 < value < _SECONDS:  # most of them
        return value
    text = _text_or_value(value)
    of_go = _GO_TIME.fullmatch(text) if isinstance(text, str) else None
    return moment(f"{of_go[1]}{of_go[2]}" if of_go is not None else text)


def read_schema(connection: sqlite3.Connection, file: Path) -> tuple[Sequence[str], str, bool]:
    """The columns of an event, the column that orders events with equal times, and whether there is an index.

    With it, the events of a session are found without looking at all others. Raises `RecordingError` if the database is
    not a session database of google-adk.
    """
    tables: set[str] = set()
    count = 0
    # Only tables count: a view or a virtual table could run code from the file. The statement shows what they are,
    # since SQLite follows it alone, and writes its first words in one way.
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        count += kind == b"table"
        statement = _text(sql).lower()
        names_ours = SESSIONS in statement or EVENTS in statement
        if statement.startswith(_TABLE):
            tables |= {_text(name)} & {SESSIONS, EVENTS, _METADATA}
        elif names_ours and "virtual" in statement and not statement.startswith(_NO_TABLES):
            raise RecordingError(f"{file}: {_FOREIGN}: its tables run code of their own; leave it out")
    sessions, events = (_columns(connection, name) if name in tables else set() for name in (SESSIONS, EVENTS))
    if not (sessions >= _COLUMNS_OF_SESSIONS and events >= _COLUMNS_OF_EVENTS):
        tables_text = f"it has {count} other table{'s' * (count != 1)}" if count else "it has no tables"
        raise RecordingError(f"{file}: {_FOREIGN}: {tables_text}; leave it out")
    # Such a column, also a generated one, which only `table_xinfo` lists, would stand for the number of the row.
    if "rowid" in map(str.lower, _columns(connection, EVENTS, "table_xinfo")):
        raise RecordingError(f"{file}: {_FOREIGN}: its table events has a column rowid; leave it out")
    has_index = _has_index(connection)
    # google-adk's services differ in the order of events with equal times.
    if _DATA in events:
        is_of_sqlalchemy = _METADATA in tables
        columns = (_DATA, "invocation_id", "timestamp") if is_of_sqlalchemy else (_DATA,)
        return columns, "id" if is_of_sqlalchemy else "rowid", has_index
    if not events >= _COLUMNS_V0:
        raise RecordingError(f"{file}: the table events has neither event_data nor content; leave the file out")
    names = [*_V0_TEXTS, "timestamp", *_V0_JSON, _V0_IDS, _V0_FLAG]
    if _V0_ACTIONS in events and _has_json_actions(connection):
        names.append(_V0_ACTIONS)
    return [name for name in names if name in events], "id", has_index


def _columns(connection: sqlite3.Connection, table: str, pragma: str = "table_info") -> set[str]:
    return {_text(row[1]) for row in connection.execute(f"PRAGMA main.{pragma}({table})")}


def _has_json_actions(connection: sqlite3.Connection) -> bool:
    """Whether adk-go wrote the events of this older schema: with JSON, or nothing, in the place of pickles."""
    # A crafted pickle can run code when it is read, so that only JSON is read.
    query = f"SELECT {_V0_ACTIONS} FROM main.events WHERE {_V0_ACTIONS} IS NOT NULL LIMIT 1"
    try:
        row = connection.execute(query).fetchone()
    except sqlite3.DatabaseError:  # too large, or damaged, which reading the events reports
        return False
    return row is None or (isinstance(row[0], bytes) and row[0].startswith(b"{"))


def _has_index(connection: sqlite3.Connection) -> bool:
    """Whether an index of `events` begins with a session's key; SQLAlchemy's older primary key begins with the id."""
    for row in connection.execute("PRAGMA main.index_list(events)").fetchall():
        is_partial = bool(row[4])
        name = _text(row[1]).replace('"', '""')
        columns = connection.execute(f'PRAGMA main.index_xinfo("{name}")').fetchall()[: len(KEY)]
        # With another collation, SQLite would not use the index, and look at all events for each session.
        is_binary = all(_text(column[4]).upper() == "BINARY" for column in columns)
        if not is_partial and is_binary and {_text(column[2]) for column in columns} == set(KEY):
            return True
    return False


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")


def _text_or_value(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
