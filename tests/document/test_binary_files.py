"""Files that are no text are refused with what they are and the command for them; text with any fault is not."""

import gzip
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from evaltui.document.binary_files import kind_of_binary, why_binary
from evaltui.document.disk import file_content
from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError

SET = '{"eval_set_id": "a", "eval_cases": []}'


def database(path: Path, *tables: str) -> Path:
    connection = sqlite3.connect(path)
    for table in tables:
        connection.execute(f"CREATE TABLE {table} (id)")
    connection.close()
    return path


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"),
        (b"GIF89a\1\0\1\0", "a GIF image"),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF file"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "an image or a sound"),
        (b"PK\3\4\x14\0", "a zip archive"),
        (b"BZh91AY&SY", "a compressed file"),
        (b"\x28\xb5\x2f\xfd\x04", "a compressed file"),
        (b"PAR1\x15\4", "a table of a data program"),
        (b"\x7fELF\2\1\1", "a program"),
        (gzip.compress(b"{}", mtime=0), "a gzip file"),
        (b"\xcb\r\r\n\0\0\0\0 code of Python", "a binary file"),
        (b"\0" * 5000, "a binary file"),
        (b"\1\0\2\0\3\0\4\0", "a binary file"),
        (b"\x81\xa4name\xa1\x01\xff", "a MessagePack file"),
        (b"\x82\xabeval_set_id\xa1s\xaaeval_cases\x90", "a MessagePack file"),  # no control byte
        (b"\x91\x81\xa7eval_id\xa1a", "a MessagePack file"),
        (b"\xf1\1\xff text", "a binary file"),
        (b"\xe9\1" + b"\xc3\xa9" * 3000, "a binary file"),
    ],
)
def test_the_first_bytes_tell_what_a_file_is(data: bytes, kind: str) -> None:
    assert kind_of_binary(data) == kind
    assert why_binary(data, "x") == f"this is {kind}, not a text file; {why_binary(data, 'x').split('; ', 1)[1]}"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        SET.encode(),
        SET.encode("utf-16"),
        SET.encode("utf-16-le"),
        SET.encode("utf-16-be"),
        SET.encode("utf-32"),
        SET.encode("utf-32-be"),
        ("\n" + SET).encode("utf-16-be"),
        f"# trips\n{SET}".encode("utf-16-le"),
        "\ufeff{\0".encode(),
        b'\n {"a": "\0\1\xff',
        b'["\x89PNG\r\n\x1a\n\0"]',
        b"caf\xe9: [1]\n",
        b"\x93name\x94: 1\n",
        "\u0780\u078b\u07a0: 1\n".encode(),
        b"a: \x1b[1m\tb\n",
        b"a: \1\n",
        "ü: 1\n".encode() * 3000,
        ("a" + "ü" * 5000).encode(),
    ],
)
def test_text_with_any_fault_stays_text(data: bytes) -> None:
    assert kind_of_binary(data) == ""
    assert why_binary(data, "x") == ""


def test_a_database_is_named_with_the_commands_that_read_it(tmp_path: Path) -> None:
    sessions = database(tmp_path / "my session.db", "sessions", "events")
    with pytest.raises(ReadError) as refused:
        read_file(sessions)
    command = f"`evaltui record '{sessions}' --list`"
    assert str(refused.value).startswith(f"{sessions}: this is a session database of google-adk, not a text file; ")
    assert command in str(refused.value) and f"`evaltui run SET -r '{sessions}'`" in str(refused.value)

    other = database(tmp_path / "other.db", "books")
    with pytest.raises(ReadError, match="this is an SQLite database, not a text file; if it has sessions of"):
        read_file(other)


def test_archives_are_told_by_their_content(tmp_path: Path) -> None:
    wheel, bundle = tmp_path / "agent.evalset.json", tmp_path / "bundle.json"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("agent.py", "x")
    with tarfile.open(bundle, "w") as tar:
        tar.add(wheel)
    with pytest.raises(ReadError, match="this is a zip archive"):
        read_file(wheel)
    with pytest.raises(ReadError, match="this is a tar archive"):
        read_file(bundle)


def test_a_database_too_large_for_the_memory_is_no_text_to_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_content, "available_memory", lambda: 1)
    monkeypatch.setattr(file_content, "_SURELY_FITS", 0)
    with pytest.raises(ReadError, match="this is a session database"):
        read_file(database(tmp_path / "session.db", "sessions"))
    text = tmp_path / "set.json"
    text.write_text(SET)
    with pytest.raises(ReadError, match="too much for the memory"):
        read_file(text)
