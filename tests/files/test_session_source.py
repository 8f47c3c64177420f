"""Names of session databases, and the sign by which a changed one is known."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evaltui.files.file_changes import FileContents, database_signature
from evaltui.files.session_source import head_of, session_source, write_ahead_log
from evaltui.runs.watched_sources import signs_of


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "session.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE a (b)")
    return path


def test_a_database_may_be_named_with_a_session(database: Path) -> None:
    assert session_source(database) == (database, None)
    assert session_source(Path(f"{database}#s1")) == (database, "s1")
    assert session_source(Path(f"{database}#a#b")) == (database, "a#b")
    assert session_source(Path(f"{database}#")) == (database, None)


def test_a_file_with_the_sign_in_its_name_comes_first(database: Path) -> None:
    other = database.with_name("session.db#s1")
    other.write_bytes(database.read_bytes())
    assert session_source(other) == (other, None)
    assert session_source(Path(f"{other}#s2")) == (other, "s2")


@pytest.mark.parametrize("name", ["missing.db#s1", "text.json#s1", "#s1", "a\0b#s1"])
def test_the_sign_counts_behind_a_database_only(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.json").write_text("{}")
    assert session_source(tmp_path / name) == (tmp_path / name, None)


def test_a_change_shows_also_where_it_stands_in_the_log_only(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as server:
        server.execute("PRAGMA journal_mode = WAL")
        before, own = database_signature(database), database.read_bytes()
        contents = FileContents().of(database)
        server.execute("INSERT INTO a VALUES (1)")
        assert database.read_bytes() == own
        assert write_ahead_log(database).stat().st_size > 0
        assert database_signature(database) != before
        assert FileContents().of(Path(f"{database}#s1")) != contents


def test_a_run_follows_the_database_of_a_named_session(database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as server:
        server.execute("PRAGMA journal_mode = WAL")
        before, folders = signs_of(None, [f"{database}#s1"], None)
        server.execute("INSERT INTO a VALUES (1)")
        after, _ = signs_of(None, [f"{database}#s1"], None)
    assert before.keys() == after.keys() == {database}
    assert before != after
    assert folders == {database.parent}


@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_a_log_that_is_no_file_is_not_read(database: Path, kind: str) -> None:
    log, other = write_ahead_log(database), database.with_name("other")
    other.write_bytes(b"x" * 99)
    {"pipe": os.mkfifo, "link": lambda path: path.symlink_to(other), "folder": Path.mkdir}[kind](log)
    before = database_signature(database)
    other.write_bytes(b"y" * 99)
    assert before is not None
    assert head_of(log, 9) == (b"y" * 9 if kind == "link" else b"")
    assert head_of(log, 9, follow=False) == b""
    assert before[-1] == database_signature(database)[-1]
