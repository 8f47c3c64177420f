"""Sessions, as events, as JSON, and as databases in the three schemas of google-adk's services."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_file import open_recording

Json = dict[str, Any]
START = 1_795_311_063.5

Date = Callable[[float], str]
"""Writes a time of a database, given in seconds."""


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


SQLITE = """
CREATE TABLE sessions (app_name TEXT NOT NULL, user_id TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL,
  create_time REAL NOT NULL, update_time REAL NOT NULL, PRIMARY KEY (app_name, user_id, id));
CREATE TABLE events (id TEXT NOT NULL, app_name TEXT NOT NULL, user_id TEXT NOT NULL, session_id TEXT NOT NULL,
  invocation_id TEXT NOT NULL, timestamp REAL NOT NULL, event_data TEXT NOT NULL,
  PRIMARY KEY (app_name, user_id, session_id, id));
"""
SQLALCHEMY = """
CREATE TABLE adk_internal_metadata ("key" VARCHAR(128) PRIMARY KEY, value VARCHAR(256) NOT NULL);
INSERT INTO adk_internal_metadata VALUES ('schema_version', '1');
CREATE TABLE sessions (app_name VARCHAR(128), user_id VARCHAR(128), id VARCHAR(128), state TEXT,
  create_time DATETIME, update_time DATETIME, PRIMARY KEY (app_name, user_id, id));
CREATE TABLE events (id VARCHAR(128), app_name VARCHAR(128), user_id VARCHAR(128), session_id VARCHAR(128),
  invocation_id VARCHAR(256), timestamp DATETIME, event_data TEXT, PRIMARY KEY (id, app_name, user_id, session_id));
"""
INDEX = "CREATE INDEX by_session ON events (app_name, user_id, session_id, timestamp DESC, id DESC);"
OLDER = """
CREATE TABLE sessions (app_name VARCHAR(128), user_id VARCHAR(128), id VARCHAR(128), state TEXT,
  create_time DATETIME, update_time DATETIME, PRIMARY KEY (app_name, user_id, id));
CREATE TABLE events (id VARCHAR(128), app_name VARCHAR(128), user_id VARCHAR(128), session_id VARCHAR(128),
  invocation_id VARCHAR(256), author VARCHAR(256), actions BLOB, long_running_tool_ids_json TEXT,
  branch VARCHAR(256), timestamp DATETIME, content TEXT, grounding_metadata TEXT, usage_metadata TEXT,
  partial BOOLEAN, error_code VARCHAR(256), error_message TEXT,
  PRIMARY KEY (id, app_name, user_id, session_id));
"""


def part(text: str) -> Json:
    return {"text": text}


def call(name: str, identifier: str = "c1", **args: Any) -> Json:
    return {"function_call": {"id": identifier, "name": name, "args": args}}


def response(name: str, identifier: str = "c1", **values: Any) -> Json:
    return {"function_response": {"id": identifier, "name": name, "response": values}}


def event(invocation: str, author: str | None, *parts: Json, **members: Any) -> Json:
    """An event; its id and time are added by `numbered`."""
    found: Json = {"invocation_id": invocation}
    if author is not None:
        found["author"] = author
    if parts:
        found["content"] = {"role": "user" if author == "user" else "model", "parts": list(parts)}
    return {**found, **members}


def exchange(invocation: str, asked: str, answered: str) -> list[Json]:
    return [event(invocation, "user", part(asked)), event(invocation, "trip", part(answered))]


def numbered(events: Iterable[Mapping[str, Any]]) -> list[Json]:
    return [{"id": f"i{n}", "timestamp": START + n, **each} for n, each in enumerate(events)]


def session(identifier: str, *events: Json, app: str = "trip", user: str = "user") -> Json:
    """A session as google-adk exports it, in snake_case."""
    found = numbered(events)
    last = found[-1]["timestamp"] if found else START
    return {"id": identifier, "app_name": app, "user_id": user, "events": found, "last_update_time": last}


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def write_sqlite(path: Path, *sessions: Json) -> Path:
    """A database as `SqliteSessionService` writes it."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SQLITE)
        for each in sessions:
            key = each["app_name"], each["user_id"], each["id"]
            database.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, '{}', ?, ?)", (*key, START, each["last_update_time"])
            )
            for one in each["events"]:
                row = (one["id"], *key, one["invocation_id"], one["timestamp"], json.dumps(one))
                database.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return path


def write_sqlalchemy(path: Path, *sessions: Json, index: str = INDEX) -> Path:
    """A database as `DatabaseSessionService` writes it, schema v1."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SQLALCHEMY + index)
        for each in sessions:
            key = _add_session(database, each)
            for one in each["events"]:
                row = (one["id"], *key, one["invocation_id"], _date(one["timestamp"]), json.dumps(one))
                database.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    return path


def write_older(path: Path, *sessions: Json, actions: bytes = b"", date: Date | None = None) -> Path:
    """A database as older releases of `DatabaseSessionService` write it, schema v0; with `date`, as adk-go does.

    adk-go stores the actions of an event as JSON, and writes times as `date` does.
    """
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(OLDER)
        for each in sessions:
            key = _add_session(database, each, date or _date)
            for one in each["events"]:
                row = {
                    **{name: one.get(name) for name in ("id", "invocation_id", "author", "partial")},
                    **{name: one.get(name) for name in ("error_code", "error_message")},
                    **{name: json.dumps(one[name]) for name in ("content", "usage_metadata") if name in one},
                    "app_name": key[0],
                    "user_id": key[1],
                    "session_id": key[2],
                    "timestamp": (date or _date)(one["timestamp"]),
                    "actions": actions if date is None else json.dumps(one.get("actions", {})).encode(),
                    "long_running_tool_ids_json": json.dumps(one.get("long_running_tool_ids", [])),
                }
                places = ", ".join("?" * len(row))
                database.execute(f"INSERT INTO events ({', '.join(row)}) VALUES ({places})", list(row.values()))
    return path


def _add_session(database: sqlite3.Connection, each: Json, date: Date = _date) -> tuple[str, str, str]:
    key = each["app_name"], each["user_id"], each["id"]
    times = date(START), date(each["last_update_time"])
    database.execute("INSERT INTO sessions VALUES (?, ?, ?, '{}', ?, ?)", (*key, *times))
    return key


def cut_off(path: Path, *sessions: Json) -> Path:
    """A database with the journal of a program that was ended in the middle of deleting all sessions."""
    with tempfile.TemporaryDirectory() as name:
        original = write_sqlite(Path(name) / "session.db", *sessions)
        with closing(sqlite3.connect(original, isolation_level=None)) as server:
            for statement in ("PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN", "DELETE FROM sessions"):
                server.execute(statement).fetchall()
            server.execute(
                "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
                "INSERT INTO events SELECT 'x' || i, 'a', 'b', 'c', 'd', 1, hex(zeroblob(2000)) FROM n"
            )
            for ending in ("", "-journal"):
                beside(path, ending).write_bytes(beside(original, ending).read_bytes())
    return path


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def refusal(path: Path) -> str:
    """The sentence with which a recording is refused."""
    try:
        open_recording(path, for_cases=True)
    except RecordingError as error:
        return str(error)
    raise AssertionError(f"{path} was read")


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder with their bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
