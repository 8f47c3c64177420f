"""Every command that opens a file says of one that is no text what it is, with exit code 2, and writes nothing."""

import gzip
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.commands.conftest import Evaltui, Process
from tests.commands.runs import EXPECTED, eval_set, write
from tests.commands.test_edit_refusals import edit

SAID = "this is a PNG image, not a text file"
COMMANDS = [
    ["validate", "X"],
    ["validate", "set.json", "--config", "X"],
    ["convert", "X", "--to", "ces", "-o", "out.json"],
    ["convert", "set.json", "--to", "ces", "-o", "out.json", "--mapping", "X"],
    ["run", "X", "-r", "set.json"],
    ["run", "set.json", "-r", "set.json", "--config", "X"],
    ["run", "set.json", "-r", "set.json", "--baseline", "X"],
    ["review", "X", "--format", "text"],
    ["accept", "X", "-r", "set.json", "--fills"],
    ["watch", "X", "-r", "set.json", "--format", "jsonl"],
    ["patch", "X", "set.json", "-o", "out.json"],
    ["patch", "set.json", "X", "-o", "out.json"],
    ["record", "set.json", "--into", "X"],
]
RECORDINGS = [
    ["run", "set.json", "-r", "X"],
    ["review", "set.json", "-r", "X", "--format", "text"],
    ["accept", "set.json", "-r", "X", "--fills"],
    ["record", "X", "--list"],
    ["record", "X", "-o", "out.json"],
]
IMAGE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.fixture(autouse=True)
def unchanged(tmp_path: Path) -> Iterator[None]:
    """A set and an image; no command makes or changes a file."""
    write(tmp_path / "set.json", eval_set(EXPECTED))
    (tmp_path / "shot.png").write_bytes(IMAGE)
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    yield
    assert {path: path.read_bytes() for path in before} == before
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_file_that_is_no_text_is_named(evaltui: Evaltui, words: Sequence[str]) -> None:
    done = evaltui(*("shot.png" if word == "X" else word for word in words))
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith(f"evaltui: shot.png: {SAID}; ") and done.err.count("\n") == 1


@pytest.mark.parametrize("words", COMMANDS[:-4], ids=" ".join)
def test_standard_input_that_is_no_text_is_named(evaltui: Evaltui, words: Sequence[str]) -> None:
    if words[0] in ("accept", "watch", "review"):
        return
    done = evaltui(*("-" if word == "X" else word for word in words), stdin=IMAGE)
    assert (done.code, done.out) == (2, b"")
    assert SAID in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("words", RECORDINGS, ids=" ".join)
def test_a_recording_that_is_no_text_is_named(evaltui: Evaltui, words: Sequence[str]) -> None:
    done = evaltui(*("shot.png" if word == "X" else word for word in words))
    assert (done.code, done.out) == (2, b"")
    assert "shot.png: this is a PNG image, not a recording. Recordings are result files" in done.err


def test_a_packed_database_is_unpacked_first(evaltui: Evaltui, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "session.db").executescript("CREATE TABLE sessions (id);").connection.close()
    (tmp_path / "session.json.gz").write_bytes(gzip.compress((tmp_path / "session.db").read_bytes()))
    done = evaltui("run", "set.json", "-r", "session.json.gz")
    assert (done.code, done.out) == (2, b"")
    assert "a session database is read only from a file of its own; unpack it (`gunzip -k session.json.gz`)" in done.err
    done = evaltui("run", "set.json", "-r", "-", stdin=(tmp_path / "session.db").read_bytes())
    assert done.code == 2 and "a session database is read only from a file of its own; give its file name" in done.err


def test_a_result_that_is_no_text_is_named(evaltui: Evaltui) -> None:
    done = evaltui("compare", "shot.png", "set.json")
    assert (done.code, done.out) == (2, b"")
    assert "shot.png: this is a PNG image, not a result; results are" in done.err


def test_in_a_folder_such_a_file_is_said_and_left_out(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "shot.evalset.json").write_bytes(IMAGE)
    done = evaltui("validate", ".", "--format", "json")
    assert [file["path"] for file in json.loads(done.out)["files"]] == ["set.json"]
    assert f"shot.evalset.json: {SAID}" in done.err


def test_a_config_beside_a_set_that_is_no_text_is_named(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "test_config.json").write_bytes(IMAGE)
    done = evaltui("validate", "set.json")
    assert done.code == 0 and f"test_config.json: {SAID}" in done.err


def test_edit_does_not_open_it(process: Process) -> None:
    code, said = edit(process, "shot.png")
    assert code == 2 and said.startswith(f"evaltui: shot.png: {SAID}; ") and said.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\xa2\x6beval_set_id\x64shop", "a CBOR file"),
        (b"\xd9\xd9\xf7\x81\xa1\x62id\x01", "a CBOR file"),
        (b"\n\x1a\n\x10\n\x0cservice.name\x12\x06\x0a\x04shop", "a binary file"),
        (b"\x04\x22\x4d\x18\x64\x40\xa7", "a compressed file"),
        (b"\x9e\x1c\x22\x8b\x10\x00\x01", "a binary file"),
    ],
    ids=["cbor", "tagged cbor", "protobuf", "lz4", "log"],
)
def test_data_of_other_programs_are_no_text(evaltui: Evaltui, tmp_path: Path, data: bytes, kind: str) -> None:
    (tmp_path / "data.json").write_bytes(data)
    for command in (["validate", "data.json"], ["record", "data.json", "--list"]):
        done = evaltui(*command)
        assert (done.code, done.err.startswith(f"evaltui: data.json: this is {kind}, not a ")) == (2, True)


@pytest.mark.parametrize("text", ["\xbfqu\xe9 pasa?", "\xabla\xbb", "\x1b[1mlog\x1b[0m", "\xa1hola"])
def test_a_text_in_another_alphabet_is_not_called_binary(evaltui: Evaltui, tmp_path: Path, text: str) -> None:
    (tmp_path / "text.json").write_bytes(text.encode("latin-1"))
    assert evaltui("validate", "text.json").code == 1
