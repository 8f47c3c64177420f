"""Files beside a database that somebody else made: none of them is followed, deleted or waited for."""

from __future__ import annotations

import ast
import io
import os
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from evaltui.file_access import open_regular
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions import database_copy
from evaltui.recordings.sessions.session_database import SessionDatabase
from tests.package_source import trees
from tests.recordings.session_files import beside, cut_off, exchange, refusal, session, write_sqlite
from tests.sampling import sampled

TWO = [session("s1", *exchange("e1", "hi", "Hello")), session("s2", *exchange("e2", "book", "Booked"))]
MAGIC = bytes.fromhex("d9d505f920a163d7")
VICTIM = "victim.txt"


@pytest.fixture
def device() -> Iterator[str]:
    """A device that gives nothing, so that reading it hangs. A fault deletes a link to it, never the device."""
    handles = os.openpty()
    yield os.ttyname(handles[1])
    for handle in handles:
        os.close(handle)


@pytest.fixture
def folder(tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that must stay, which is the working folder. The temporary folder lies in it, too."""
    inner = tmp_path / "clone" / ".adk"
    inner.mkdir(parents=True)
    (tmp_path / "tmp").mkdir()
    for place in (tmp_path, tmp_path / "clone", inner, tmp_path / "tmp"):
        (place / VICTIM).write_text("precious")
    os.mkfifo(tmp_path / "clone" / "fifo")
    (tmp_path / "clone" / "empty").mkdir()
    (tmp_path / "clone" / "device").symlink_to(device)
    monkeypatch.chdir(tmp_path / "clone")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return inner


def fingerprint(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that lies in a folder: kinds, sizes, times, bytes and targets of links."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(status.st_mode) and status.st_size < 1 << 20 else b""
        target = str(path.readlink()) if path.is_symlink() else ""
        time = status.st_mtime_ns if path.name != "tmp" else 0  # copies come and go in there
        found[str(path)] = (status.st_mode, status.st_ino, status.st_size, time, content, target)
    return found


def texts(path: Path) -> dict[str, list[str]]:
    return {each.id: [turn.user_text for turn in each.turns] for each in open_recording(path).conversations}


def with_log(path: Path) -> Path:
    write_sqlite(path, *TWO)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    return path


# --- a journal that names another file -------------------------------------------------------------------------------


def super_journal(name: bytes) -> bytes:
    """The end of a journal that names another file."""
    numbers = b"".join(number.to_bytes(4, "big") for number in (len(name), sum(name) & 0xFFFFFFFF))
    return (1).to_bytes(4, "big") + name + numbers + MAGIC


NAMES: dict[str, Callable[[Path], str]] = {
    "relative": lambda _: VICTIM,
    "below": lambda _: f".adk/{VICTIM}",
    "above": lambda _: f"../{VICTIM}",
    "absolute": lambda clone: str(clone / VICTIM),
    "in the temporary folder": lambda clone: str(clone.parent / "tmp" / VICTIM),
    "the database": lambda _: ".adk/session.db",
    "a folder": lambda _: "empty",
    "a pipe": lambda _: "fifo",
    "a device": lambda _: "device",
    "missing": lambda _: "missing",
    "too long": lambda _: "a" * 5000,
}
JOURNALS: dict[str, Callable[[bytes], bytes]] = {
    "only the end": lambda end: b"\1" * 28 + end,
    "a header of its own": lambda end: MAGIC + (b"\0" * 8 + b"\0\0\0\1" + b"\0\0\2\0" * 2).ljust(504, b"\0") + end,
    "no records": lambda end: MAGIC + b"\xff\xff\xff\xff" + (b"\0" * 4 + b"\0\0\0\1" + b"\0\0\2\0" * 2) + end,
}


@pytest.mark.parametrize(("name", "journal", "mode"), sampled(product(NAMES, JOURNALS, ["rollback", "log"]), most=14))
def test_a_journal_that_names_another_file_is_refused(folder: Path, mode: str, journal: str, name: str) -> None:
    path = folder / "session.db"
    with_log(path) if mode == "log" else write_sqlite(path, *TWO)
    end = super_journal(os.fsencode(NAMES[name](folder.parent)))
    beside(path, "-journal").write_bytes(JOURNALS[journal](end))
    before = fingerprint(folder.parent.parent)
    assert "session.db-journal beside it names another file, which SQLite would delete." in refusal(path)
    assert fingerprint(folder.parent.parent) == before


@pytest.mark.parametrize("name", NAMES)
def test_the_journal_of_an_ended_program_cannot_name_another_file(folder: Path, name: str) -> None:
    path = cut_off(folder / "session.db", *TWO)
    with beside(path, "-journal").open("ab") as journal:
        journal.write(super_journal(os.fsencode(NAMES[name](folder.parent))))
    before = fingerprint(folder.parent.parent)
    assert "names another file" in refusal(path)
    assert fingerprint(folder.parent.parent) == before


@pytest.mark.parametrize(
    "head",
    [
        b"x",
        b"x" * 4096,
        MAGIC,
        MAGIC + b"\0" * 4096,
        MAGIC + b"\0" * 12 + (31).to_bytes(4, "big") + (4096).to_bytes(4, "big"),
        MAGIC + b"\0" * 12 + (512).to_bytes(4, "big") + (4095).to_bytes(4, "big"),
        MAGIC + b"\0" * 8 + b"\xff\xff\xff\xff" + (512).to_bytes(4, "big") + (4096).to_bytes(4, "big") + bytes(999),
    ],
    ids=["letter", "letters", "magic", "zeros", "odd sector", "odd page", "endless database"],
)
def test_a_journal_that_is_none_is_refused(folder: Path, head: bytes) -> None:
    path = write_sqlite(folder / "session.db", *TWO)
    beside(path, "-journal").write_bytes(head)
    before = fingerprint(folder.parent.parent)
    assert "session.db-journal beside it " in refusal(path)
    assert fingerprint(folder.parent.parent) == before


@pytest.mark.parametrize("head", [b"", bytes(28) + b"rest" * 999 + super_journal(VICTIM.encode())])
def test_a_journal_that_was_used_changes_nothing(folder: Path, head: bytes) -> None:
    """As after `PRAGMA journal_mode = TRUNCATE` or `PERSIST`."""
    path = write_sqlite(folder / "session.db", *TWO)
    beside(path, "-journal").write_bytes(head)
    before = fingerprint(folder.parent.parent)
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert fingerprint(folder.parent.parent) == before


# --- companions that are no files ------------------------------------------------------------------------------------


def _socket(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        os.chdir(path.parent)  # the address of a socket is short
        made.bind(path.name)


KINDS: dict[str, Callable[[Path], object]] = {
    "a link to a file": lambda path: path.symlink_to(f"../{VICTIM}"),
    "a link to a device": lambda path: path.symlink_to((path.parent.parent / "device").readlink()),
    "a link to nothing": lambda path: path.symlink_to("missing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a pipe": lambda path: path.symlink_to("../fifo"),
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a socket": _socket,
}


@pytest.mark.parametrize(
    ("kind", "ending", "mode"), sampled(product(KINDS, ["-journal", "-wal", "-shm"], ["rollback", "log"]), most=14)
)
def test_what_is_no_file_beside_a_database_is_refused(folder: Path, mode: str, ending: str, kind: str) -> None:
    path = folder / "session.db"
    with_log(path) if mode == "log" else cut_off(path, *TWO)
    beside(path, ending).unlink(missing_ok=True)
    KINDS[kind](beside(path, ending))
    before = fingerprint(folder.parent.parent)
    assert f"session.db{ending} beside it is {'a link' if 'link' in kind else 'not a regular file'};" in refusal(path)
    assert fingerprint(folder.parent.parent) == before


def test_a_companion_that_becomes_a_pipe_after_the_look_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_log(folder / "session.db")
    os.mkfifo(beside(path, "-wal"))
    monkeypatch.setattr(database_copy._Copy, "_refuse_odd", lambda *_: None)
    assert "not a regular file" in refusal(path)


@pytest.mark.parametrize("kind", ["a link to a device", "a pipe", "a folder", "a socket"])
def test_a_database_that_is_no_file_is_refused(folder: Path, kind: str) -> None:
    path = folder / "session.db"
    KINDS[kind](path)
    before = fingerprint(folder.parent.parent)
    assert "this is a " in refusal(path)
    assert fingerprint(folder.parent.parent) == before


@pytest.mark.parametrize("name", ["a?mode=rwc.db", "a%00b%2f..db", "-wal", "file:x?vfs=none", "a\nb #1.db", "ü €.db"])
def test_a_name_is_never_an_address(folder: Path, name: str) -> None:
    path = write_sqlite(folder / "session.db", *TWO).rename(folder / name)
    before = fingerprint(folder.parent.parent)
    assert texts(path) == {"s2": ["book"], "s1": ["hi"]}
    assert fingerprint(folder.parent.parent) == before


def test_a_link_may_lead_to_a_database_and_its_log(folder: Path) -> None:
    path = write_sqlite(folder / "session.db", *TWO)
    (folder / "link.db").symlink_to("session.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as server:
        server.execute("PRAGMA journal_mode = WAL")
        server.execute("DELETE FROM sessions WHERE id = 's1'")
        assert texts(folder / "link.db") == {"s2": ["book"]}


# --- the size of copies ----------------------------------------------------------------------------------------------


class Endless(io.FileIO):
    """A file that gives more than its size says, like those of /proc."""

    given = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        Endless.given += size
        return b"x" * size


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_bytes_are_counted_while_they_are_copied(folder: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    path = write_sqlite(folder / "session.db", *TWO)
    beside(path, ending).open("ab").close()
    endless = beside(path, ending)
    monkeypatch.setattr(
        database_copy,
        "open_regular",
        lambda path, *, follow=True: Endless(path) if path == endless else open_regular(path, follow=follow),
    )
    monkeypatch.setattr(database_copy, "LARGEST", 10 << 20)
    monkeypatch.setattr(Endless, "given", 0)
    before = fingerprint(folder.parent.parent)
    assert "this database is larger than " in refusal(path)
    assert fingerprint(folder.parent.parent) == before
    assert 0 < Endless.given <= 11 << 20


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_a_database_with_large_files_is_refused_before_it_is_copied(folder: Path, ending: str) -> None:
    path = write_sqlite(folder / "session.db", *TWO)
    with beside(path, ending).open("ab") as file:
        file.truncate(1 << 40)
    before = fingerprint(folder.parent.parent)
    assert "this database is larger than 2 GB with the files beside it." in refusal(path)
    assert fingerprint(folder.parent.parent) == before


def test_a_full_temporary_folder_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_sqlite(folder / "session.db", *TWO)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 20_000}))
    assert "Set TMPDIR to a folder with more room" in refusal(path)


# --- servers that write meanwhile ------------------------------------------------------------------------------------

SERVER = """
import sqlite3, sys
server = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
for statement in sys.argv[2:]:
    server.execute(statement).fetchall()
number = 0
while True:
    number += 1
    server.execute("BEGIN IMMEDIATE")
    server.execute("DELETE FROM sessions")
    rows = [(f"s{n}", "x" * 500, number, number) for n in range(200)]
    server.executemany("INSERT INTO sessions VALUES ('a', 'u', ?, ?, ?, ?)", rows)
    server.execute("COMMIT")
    if number == 1:
        print("ready", flush=True)
"""


@pytest.mark.parametrize(
    "settings",
    [
        ("PRAGMA cache_size = 5",),
        ("PRAGMA journal_mode = PERSIST",),
        ("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 1"),
        ("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 100"),
    ],
    ids=["delete", "persist", "log of a page", "log"],
)
def test_a_copy_is_one_state_while_a_server_writes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, settings: tuple[str, ...]
) -> None:
    monkeypatch.setattr(database_copy, "_LONGEST_WAIT", 60)  # this server hardly ever rests
    monkeypatch.setattr(database_copy, "_PATIENCE", 60)
    path = write_sqlite(folder / "session.db")
    command = [sys.executable, "-c", SERVER, str(path), "PRAGMA synchronous = OFF", *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        try:
            states = [SessionDatabase(path).sessions for _ in range(4)]
            while states[-1] == states[0]:
                states.append(SessionDatabase(path).sessions)
        finally:
            server.kill()
    assert {(len(keys), len({updated for _, updated in keys.values()})) for keys in states} == {(200, 1)}


def test_only_copies_and_databases_without_a_name_are_opened() -> None:
    """All of SQLite in the package: a path is opened in one place."""
    opened = {
        (path, ast.unparse(node.args[0]))
        for path, tree in trees("connect", "sqlite3.Connection")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sqlite3.connect", "connect", "sqlite3.Connection")
    }
    others = {(path, address) for path, address in opened if address not in ("''", "':memory:'")}
    assert others == {("recordings/sessions/database_access.py", "address")}
