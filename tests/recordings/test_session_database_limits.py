"""Databases that have more data than they seem to have: a sentence before they fill the memory or never end."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from struct import pack

import pytest

from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions import database_access, session_database
from evaltui.recordings.sessions.database_access import schema_size
from tests.recordings.session_files import (
    Json,
    event,
    exchange,
    part,
    refusal,
    session,
    write_older,
    write_sqlalchemy,
    write_sqlite,
)
from tests.recordings.shared_pages import LONG, SHORT, repeat_rows, share_long_text

WRITERS = (write_sqlite, write_sqlalchemy, write_older)
MAGIC = bytes.fromhex("d9d505f920a163d7")
MORE = "this database returns more data than its "


def without_index(path: Path, *sessions: Json) -> Path:
    return write_sqlalchemy(path, *sessions, index="")


def write_texts(path: Path, write: Callable[..., Path], sessions: int, events: int) -> Path:
    """A database with texts in its events: the first is long, the others are short and of one length."""
    made = []
    for number in range(sessions):
        texts = [part("x" * SHORT) for _ in range(events)]
        made.append(session(f"s{number:03}", *(event("e1", "user", text) for text in texts)))
        for place, each in enumerate(made[-1]["events"]):
            each["id"] = f"i{number:03}{place:03}"
    write(path, *made)
    column = "content" if write is write_older else "event_data"
    with closing(sqlite3.connect(path)) as database, database:
        for identifier, text in database.execute(f"SELECT id, {column} FROM events").fetchall():
            size = LONG if identifier == "i000000" else SHORT
            start, end = text[:300], text[-200:]
            value = start + "x" * (size - 500) + end
            database.execute(f"UPDATE events SET {column} = ? WHERE id = ?", (value, identifier))
    return path


@pytest.mark.parametrize("write", [*WRITERS, without_index])
@pytest.mark.parametrize(("sessions", "events"), [(1, 60), (60, 1)], ids=["one session", "many sessions"])
def test_events_that_share_their_pages_are_refused(
    tmp_path: Path, write: Callable[..., Path], sessions: int, events: int
) -> None:
    path = write_texts(tmp_path / "session.db", write, sessions, events)
    assert sum(len(each.turns) for each in open_recording(path).conversations) == sessions
    share_long_text(path)
    assert refusal(path).startswith(f"{path}: {MORE}{path.stat().st_size:,} bytes can hold. ")


ODD_TABLES = {
    "an index with another collation": ("", "COLLATE NOCASE", lambda number: f"s{number}"),
    "a column with another collation": ("COLLATE NOCASE", "", lambda number: f"s{number}"),
    "ids as spellings of one id": (
        "COLLATE NOCASE",
        "",
        lambda number: format(number, "09b").translate({48: "a", 49: "A"}),
    ),
    "one session many times": ("", "", lambda _: "s"),
    "no texts as ids": ("INTEGER", "", lambda number: "0" * number + "1"),
}


@pytest.mark.parametrize("name", ODD_TABLES)
def test_each_session_looks_at_its_own_events_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    of_column, of_index, id_of = ODD_TABLES[name]
    count, path = 400, tmp_path / "session.db"
    kind = of_column if of_column == "INTEGER" else f"text {of_column}"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("create table sessions(app_name, user_id, id, create_time, update_time)")
        database.execute(
            f"create table events(id, app_name text, user_id text, session_id {kind}, invocation_id,"
            " timestamp, event_data)"
        )
        key = ", ".join(f"{column} {of_index}" for column in ("app_name", "user_id", "session_id"))
        database.execute(f"create index i on events({key})")
        for number in range(count):
            database.execute("insert into sessions values ('a', 'u', ?, 1, ?)", (id_of(number), number))
            database.execute("insert into events values (?, 'a', 'u', ?, 'i', 1.0, '')", (number, id_of(number)))
    looked = 0
    counted = database_access.DatabaseAccess.limited_rows

    def noted(
        access: database_access.DatabaseAccess, rows: Iterable[tuple[object, ...]]
    ) -> Iterator[tuple[object, ...]]:
        nonlocal looked
        for row in counted(access, rows):
            looked += 1
            yield row

    monkeypatch.setattr(database_access.DatabaseAccess, "limited_rows", noted)
    with suppress(RecordingError):
        open_recording(path)
    assert looked <= 4 * count


def test_a_journal_cannot_make_a_database_seem_large(tmp_path: Path) -> None:
    """SQLite gives a copy the number of pages that the header of the journal names, here 1 GB of nothing."""
    path = write_texts(tmp_path / "session.db", write_sqlite, 1, 60)
    share_long_text(path)
    page_size = int.from_bytes(path.read_bytes()[16:18])
    header = MAGIC + pack(">IIIII", 0, 1, (1 << 30) // page_size, 512, page_size)
    path.with_name("session.db-journal").write_bytes(header.ljust(512, b"\0"))
    assert refusal(path).startswith(f"{path}: this database is damaged")


def test_one_session_of_many_that_share_their_pages_can_be_read(tmp_path: Path) -> None:
    path = write_texts(tmp_path / "session.db", write_sqlite, 60, 1)
    share_long_text(path)
    (conversation,) = open_recording(tmp_path / "session.db#s007").conversations
    assert len(conversation.turns[0].user_text) > LONG - 1000


def test_ids_that_share_their_pages_are_refused(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db")
    rows = [(f"s{n:03}" + "x" * ((LONG if n == 0 else SHORT) - 4),) for n in range(60)]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE sessions")
        database.execute("CREATE TABLE sessions (app_name, user_id, create_time, update_time, id)")
        database.executemany("INSERT INTO sessions VALUES ('a', 'u', 1.5, 2.5, ?)", rows)
    assert len(open_recording(path).conversations) == 60
    share_long_text(path)
    assert MORE in refusal(path)


def test_a_schema_whose_statements_share_their_pages_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_access, "_LARGEST_SCHEMA", 2 << 20)
    path = write_sqlite(tmp_path / "session.db", session("s1", *exchange("e1", "hi", "Hello")))
    with closing(sqlite3.connect(path)) as database, database:
        for number in range(12):
            size = LONG if number == 0 else SHORT
            database.execute(f"CREATE TABLE t{number:03} (a, /*".ljust(size - 5, "x") + "*/ b)")
    assert len(open_recording(path).conversations) == 1
    share_long_text(path)
    assert "the schema of this database has more than " in refusal(path)


@pytest.mark.parametrize("size", [0, 1, 2, 511, 512, 65535])
def test_a_page_size_that_is_none_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "database"
    path.write_bytes(b"SQLite format 3\0" + size.to_bytes(2) + bytes(200))
    with pytest.raises(ValueError, match="damaged"):
        schema_size(path)


@pytest.mark.parametrize("write", [*WRITERS, without_index])
@pytest.mark.parametrize("table", ["sessions", "events"])
def test_pages_that_lead_to_themselves_come_to_an_end(tmp_path: Path, write: Callable[..., Path], table: str) -> None:
    path = write(tmp_path / "session.db", session("s1", *exchange("e1", "hi", "Hello")))
    repeat_rows(path, table)
    if table == "events" and write in (write_sqlite, write_sqlalchemy):  # the index has the two rows
        (conversation,) = open_recording(path).conversations
        assert conversation.unread is None or "damaged" in conversation.unread
    else:
        assert MORE in refusal(path)


def test_a_session_twice_in_its_table_is_read_once(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", session("s1", *exchange("e1", "hi", "Hello")))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE copied AS SELECT * FROM sessions")
        database.execute("INSERT INTO copied SELECT * FROM sessions")
        database.execute("DROP TABLE sessions")
        database.execute("ALTER TABLE copied RENAME TO sessions")
    assert [each.id for each in open_recording(path).conversations] == ["s1"]


@pytest.mark.parametrize("value", ["[]", "{}", '{"a": 1}', "1.5", '"ab"', "[[]]"])
def test_a_session_that_takes_too_much_memory_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setattr(session_database, "_MOST_OF_SESSION", 1 << 20)
    small = session("small", *exchange("e1", "hi", "Hello"))
    large = session("large", *exchange("e2", "hi", "Hello"), event("e2", "trip", part("x"), custom_metadata=None))
    path = write_sqlite(tmp_path / "session.db", small, large)
    data = '{"author": "trip", "invocation_id": "e2", "custom_metadata": [' + ", ".join([value] * 20_000) + "]}"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET event_data = ? WHERE id = 'i2'", (data,))
    found = {each.id: each.unread for each in open_recording(path).conversations}
    assert found == {"small": None, "large": "event 3: this session takes more than 1 MB of memory"}
