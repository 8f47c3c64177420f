"""Databases that are damaged, locked, foreign or made to do harm: a sentence, or what can be read; bytes stay."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path

import pytest

from evaltui.printable import printable
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions import database_access
from tests.recordings.session_files import (
    SQLITE,
    START,
    Json,
    bytes_of,
    cut_off,
    event,
    exchange,
    part,
    refusal,
    session,
    write_older,
    write_sqlalchemy,
    write_sqlite,
)
from tests.sampling import Extent, sampled

TWO = [session("s1", *exchange("e1", "hi", "Hello")), session("s2", *exchange("e2", "book", "Booked"))]
SEED = os.environ.get("EVALTUI_MUTATION_SEED", "")
ROUNDS = (20 if Extent.is_thorough else 6) * int(os.environ.get("EVALTUI_MUTATIONS", "10"))


@contextmanager
def held(path: Path, *statements: str) -> Iterator[None]:
    """Another process that has the database open, and has run these statements."""
    program = (
        "import sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "[database.execute(each).fetchall() for each in sys.argv[2:]]\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(path), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            process.communicate()


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for each in statements:
            database.execute(each)


def texts(path: Path) -> dict[str, list[str]]:
    return {each.id: [turn.user_text for turn in each.turns] for each in open_recording(path).conversations}


def test_a_locked_database_is_said_and_left_alone(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    with held(path, "BEGIN EXCLUSIVE"):
        assert "another program has locked this database" in refusal(path)
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}


def test_a_database_is_read_while_a_server_writes_to_its_log(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    late = json.dumps({**event("e3", "user", part("late")), "id": "i9", "timestamp": START + 9})
    insert = f"INSERT INTO events VALUES ('i9', 'trip', 'user', 's1', 'e3', {START + 9}, '{late}')"
    with held(path, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", insert, "BEGIN IMMEDIATE"):
        before = bytes_of(tmp_path)
        assert texts(path)["s1"] == ["hi", "late"]
        assert bytes_of(tmp_path) == before
        assert {"session.db-wal", "session.db-shm"} < before.keys()


def test_no_file_appears_beside_a_database_with_a_log_that_nobody_has_open(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    change(path, "PRAGMA journal_mode = WAL")
    before = bytes_of(tmp_path)
    assert before.keys() == {"session.db"}
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert bytes_of(tmp_path) == before


def test_a_log_that_was_copied_with_its_database_counts(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "server.db", *TWO)
    copied = tmp_path / "copied"
    copied.mkdir()
    drop = "DELETE FROM sessions WHERE id = 's1'"
    with held(path, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", drop):
        for ending in ("", "-wal"):
            (copied / f"session.db{ending}").write_bytes((tmp_path / f"server.db{ending}").read_bytes())
    before = bytes_of(copied)
    assert texts(copied / "session.db") == {"s2": ["book"]}
    assert bytes_of(copied) == before


def test_a_database_is_copied_once_for_all_its_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = with_left_log(tmp_path, *(session(f"s{n}", *exchange(f"i{n}", f"hi {n}", "ok")) for n in range(90)))
    folders: list[str] = []
    make = tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *options: folders.append(make(*options)) or folders[-1])
    recording = open_recording(copied)
    assert len(recording.conversations) == 90
    assert len(folders) == 1
    assert not Path(folders[0]).exists()


def with_left_log(folder: Path, *sessions: Json) -> Path:
    """A database in mid-write with its log, as a copy of both has it."""
    path = write_sqlite(folder / "server.db", *sessions)
    copied = folder / "copied"
    copied.mkdir()
    with held(path, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "UPDATE sessions SET state = '{ }'"):
        for ending in ("", "-wal"):
            (copied / f"session.db{ending}").write_bytes((folder / f"server.db{ending}").read_bytes())
    return copied / "session.db"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_signal_leaves_no_copy(tmp_path: Path, number: signal.Signals, code: int) -> None:
    copied = with_left_log(tmp_path, *TWO)
    copied.with_name("session.db-journal").write_bytes(b"x")
    (tmp_path / "tmp").mkdir()
    script = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    script += "from evaltui.recordings.sessions import database_copy; from evaltui.__main__ import run\n"
    script += f"database_copy.is_hot_journal = lambda *_: os.kill(os.getpid(), {number:d})\nrun()"
    command = [sys.executable, "-c", script, "record", str(copied), "--list"]
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_write_that_was_cut_off_is_taken_back_in_a_copy(tmp_path: Path) -> None:
    path = cut_off(tmp_path / "session.db", *TWO)
    before = bytes_of(tmp_path)
    assert before["session.db"] != b"" != before["session.db-journal"]
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_bytes(b""), "the file is empty"),
        (lambda path: path.write_bytes(random.Random(1).randbytes(8192)), "damaged or encrypted"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(8192)), "damaged or encrypted"),
        (lambda path: change(path, "CREATE TABLE notes (text)"), "it has 1 other table;"),
        (lambda path: change(path, "CREATE TABLE a (b)", "DROP TABLE a"), "it has no tables"),
        (lambda path: path.mkdir(), "this is a folder"),
    ],
)
def test_what_is_no_database_of_sessions_is_refused(
    tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    path = tmp_path / "session.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    assert sentence in refusal(path)
    assert list(tmp_path.iterdir()) == [path]
    assert not path.is_file() or path.read_bytes() == before


def test_a_database_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *(session(f"s{n}", *exchange("e", "a", "b" * 999)) for n in range(50)))
    path.write_bytes(path.read_bytes()[:9000])
    assert "this database is damaged" in refusal(path)


LOOP = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a' AS app_name, 'b' AS user_id, "


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE sessions", f"CREATE VIEW sessions AS {LOOP}i AS id, 1 AS create_time, 2 AS update_time FROM n"),
        ("DROP TABLE events", f"CREATE VIEW events AS {LOOP}i AS session_id, '' AS event_data, 1 AS timestamp FROM n"),
        ("DROP TABLE sessions", "CREATE VIRTUAL TABLE sessions USING fts4(app_name, user_id, id)"),
        (
            "DROP TABLE sessions",
            "CREATE TABLE sessions (app_name, user_id, id, create_time, update_time AS (hex(zeroblob(1000000000))))",
        ),
    ],
    ids=["view of sessions", "view of events", "virtual table", "generated column"],
)
def test_a_schema_that_would_run_something_is_refused(tmp_path: Path, statements: tuple[str, ...]) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    change(path, *statements)
    before = bytes_of(tmp_path)
    assert "not a session database of google-adk" in refusal(path)
    assert bytes_of(tmp_path) == before


def _row(kind: str, name: str, root: str, sql: str) -> str:
    """Adds a row to the schema that may say one thing and mean another."""
    text = sql.replace("'", "''")
    return f"INSERT INTO sqlite_master VALUES ('{kind}', '{name}', '{name}', {root}, '{text}')"


VIEW = f"CREATE VIEW sessions AS {LOOP}i AS id, 1 AS create_time, 2 AS update_time FROM n"
OTHER = "CREATE TABLE other (app_name, user_id, id, create_time, update_time)"
ROOT = "(SELECT rootpage FROM sqlite_master WHERE name = 'events')"


@pytest.mark.parametrize(
    "rows",
    [
        [_row("table", "sessions", "0", VIEW)],
        [_row("table", "sessions", ROOT, OTHER), _row("view", "other", "0", VIEW)],
        [_row("table", "sessions", "0", "CREATE/**/VIRTUAL TABLE sessions USING fts4(id)")],
        [_row("index", "x", "0", "create  virtual table [sessions] using fts4(id)")],
        [_row("table", "sessions", "1", OTHER.replace("other", "sessions"))],
        [_row("table", "sessions", "99999", OTHER.replace("other", "sessions"))],
        [OTHER.replace("other", "sessions"), "ALTER TABLE events ADD COLUMN RowID"],
    ],
)
def test_a_schema_that_lies_is_refused(tmp_path: Path, rows: list[str]) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    change(path, "DROP TABLE sessions", "PRAGMA writable_schema = ON", *rows)
    before = bytes_of(tmp_path)
    told = ("this database is damaged", "not a session database", "run code of their own")
    assert any(sentence in refusal(path) for sentence in told)
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM seen",
        "SELECT * FROM notes",
        "SELECT load_extension('x')",
        "SELECT hex(zeroblob(1000000000)) FROM sessions",
        "SELECT * FROM json_each('[]')",
        "ATTACH '{}/new.db' AS new",
        "VACUUM INTO '{}/new.db'",
        "DELETE FROM sessions",
        "CREATE TEMP TABLE a (b)",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "PRAGMA temp_store_directory = '{}'",
    ],
)
def test_a_statement_may_only_read_two_tables(tmp_path: Path, statement: str) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    change(path, "CREATE TABLE notes (text)", "CREATE VIEW seen AS SELECT * FROM sessions")
    before = bytes_of(tmp_path)
    access = database_access.DatabaseAccess(path)
    with (
        pytest.raises(RecordingError, match=r"code of their own|SQLite cannot read"),
        access.limited_connection() as connection,
    ):
        connection.execute(statement.format(tmp_path))
    with access.limited_connection() as connection:
        assert connection.execute("SELECT count(*) FROM main.sessions").fetchone() == (2,)
    assert bytes_of(tmp_path) == before


def test_an_endless_question_comes_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_access, "_SECONDS", 0.0)
    monkeypatch.setattr(database_access, "_STEPS", 1)
    assert "takes too long to read" in refusal(write_sqlite(tmp_path / "session.db", *TWO))


def test_triggers_do_not_run(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", *TWO)
    change(path, "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM sessions; END")
    before = bytes_of(tmp_path)
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert bytes_of(tmp_path) == before


COLUMNS = ["update_time", "create_time", "state", "id", "app_name", "user_id"]
WRONG = ["NULL", "x'ff00'", "9223372036854775807", "'\x1b[2J'", "1e999", "-1", "''"]


@pytest.mark.parametrize(("column", "value"), sampled(product(COLUMNS, WRONG), most=4, kind=lambda pair: pair[0]))
def test_wrong_types_in_sessions_are_left_out_or_read(tmp_path: Path, column: str, value: str) -> None:
    path = write_sqlalchemy(tmp_path / "session.db", *TWO)
    change(path, f"UPDATE sessions SET {column} = {value} WHERE id = 's1'")
    recording = open_recording(path, for_cases=True)
    found = [each.id for each in recording.conversations]
    assert "s2" in found
    is_key = column in ("id", "app_name", "user_id")
    is_lost = is_key and value in ("NULL", "x'ff00'")
    assert len(found) == (1 if is_lost else 2)
    assert bool(recording.warnings) == is_lost


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("NULL", "event_data is not a string"),
        ("17", "event_data is not an object"),
        ("'{'", "event_data is not valid JSON"),
        ("x'22ff22'", "event_data is not valid JSON"),
        ("'[]'", "event_data is not an object"),
        ("'{\"author\": 1}'", "author is not a string"),
        ("'{\"content\": []}'", "content is not an object"),
        ('\'{"timestamp": "x"}\'', "timestamp is not a number"),
        (f"'{'[' * 200_000}'", "event_data"),
    ],
)
def test_an_event_that_cannot_be_read_is_named(tmp_path: Path, value: str, sentence: str) -> None:
    path = tmp_path / "session.db"
    write_sqlite(path, *TWO)
    change(
        path,
        "CREATE TABLE copied AS SELECT * FROM events",
        "DROP TABLE events",
        "ALTER TABLE copied RENAME TO events",
        f"UPDATE events SET event_data = {value} WHERE session_id = 's1' AND id = 'i1'",
    )
    found = {each.id: each.unread for each in open_recording(path).conversations}
    assert found["s2"] is None
    assert found["s1"] is not None
    assert found["s1"].startswith("event 2")
    assert sentence in found["s1"]


def test_a_value_that_is_too_long_makes_its_session_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_access, "LONGEST_VALUE", 100_000)
    long = session("s3", *exchange("e3", "x" * 200_000, "y"))
    for write in (write_sqlite, lambda path, *each: write_sqlalchemy(path, *each, index="")):
        path = write(tmp_path / f"{write.__name__}.db", *TWO, long)
        found = {each.id: each.unread for each in open_recording(path).conversations}
        assert found == {"s1": None, "s2": None, "s3": "event 1: a value is larger than 64 MB"}


def test_control_characters_of_ids_do_not_reach_a_sentence(tmp_path: Path) -> None:
    path = write_sqlite(tmp_path / "session.db", session("s\x1b[2J\n", *exchange("e", "hi", "Hello")))
    sentence = refusal(tmp_path / "session.db#s\x1b")
    assert sentence == printable(sentence)
    assert "there is no session s␛; similar ids: s␛[2J" in sentence.replace(str(path), "")


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    attack = b"cos\nsystem\n(S'touch " + os.fsencode(tmp_path / "ran") + b"'\ntR."
    path = write_older(tmp_path / "session.db", *TWO, actions=attack)
    recording = open_recording(path, for_cases=True)
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert recording.warnings == (
        "rewinds are unknown: this older schema stores them as pickles, and evaltui never reads pickles",
    )
    assert bytes_of(tmp_path).keys() == {"session.db"}
    assert "system" not in repr(recording)


@pytest.mark.parametrize("write", [write_sqlite, write_sqlalchemy, write_older])
def test_a_database_with_half_a_page_is_not_listed_as_if_it_were_whole(
    tmp_path: Path, write: Callable[..., Path]
) -> None:
    """SQLite answers from half an index, with fewer events; another damaged page leaves a session unread."""
    long = "x" * 300
    sessions = (
        session(f"s{n}", *(each for k in range(8) for each in exchange(f"e{n}-{k}", f"{k} {long}", long)))
        for n in range(6)
    )
    unique = [
        {**each, "events": [{**one, "id": f"{each['id']}-{one['id']}"} for one in each["events"]]} for each in sessions
    ]
    path = write(tmp_path / "session.db", *unique)
    whole = open_recording(path)
    assert not any("damaged" in each for each in whole.warnings)
    data = path.read_bytes()
    for start in range(4096, len(data), 4096):
        path.write_bytes(data[: start + 2048] + bytes(2048) + data[start + 4096 :])
        try:
            recording = open_recording(path)
        except RecordingError:
            continue
        is_warned = any("sessions or turns may be missing" in each for each in recording.warnings)
        is_same = [each.turns for each in recording.conversations] == [each.turns for each in whole.conversations]
        assert is_warned or is_same


@pytest.mark.parametrize("column", ["RowID TEXT AS (NULL) VIRTUAL", "rowid AS (nullif(id, 'i1')) STORED"])
def test_a_column_that_hides_the_rows_is_named(tmp_path: Path, column: str) -> None:
    """`table_info` does not list a generated column."""
    path = tmp_path / "session.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(SQLITE.replace("event_data TEXT", f"{column}, event_data TEXT"))
    assert "not a session database of google-adk: its table events has a column rowid" in refusal(path)


@pytest.mark.parametrize("write", [write_sqlite, write_sqlalchemy, write_older])
def test_any_bytes_give_a_recording_or_a_sentence(tmp_path: Path, write: Callable[..., Path]) -> None:
    chance = random.Random(f"bytes {write.__name__}{SEED}")
    path = tmp_path / "session.db"
    whole = write(path, *(session(f"s{n}", *exchange("e1", "hi", "Hello " * 99)) for n in range(8))).read_bytes()
    refused = 0
    for _ in range(ROUNDS):
        data = bytearray(whole)
        for _ in range(chance.choice([1, 1, 3, 30])):
            data[chance.randrange(chance.choice([100, 1000, len(data)]))] = chance.randrange(256)
        path.write_bytes(data)
        try:
            open_recording(path, for_cases=True)
        except RecordingError as error:
            refused += 1
            assert str(error).startswith(str(path))
        assert bytes_of(tmp_path) == {"session.db": bytes(data)}
    assert 0 < refused < ROUNDS
