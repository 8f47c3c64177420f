"""A file that memory cannot hold is refused before it is read: exit 2 with one sentence."""

import os
from pathlib import Path

import pytest

from evaltui.document.disk import file_content
from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError
from tests.commands.conftest import Evaltui, Process
from tests.commands.runs import EXPECTED, eval_set, write
from tests.commands.test_edit_refusals import edit

SIZE = 10_000_000_000_000
SAID = "evaltui: huge.json: has 10,000.0 GB, too much for the memory; split the file\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    """A file with holes, which takes no room on disk."""
    write(tmp_path / "there.json", eval_set(EXPECTED))
    with (tmp_path / "huge.json").open("wb") as file:
        try:
            os.truncate(file.fileno(), SIZE)
        except OSError:
            pytest.skip("this file system has no files of this size")


@pytest.mark.parametrize(
    "command",
    [
        ("validate", "huge.json"),
        ("patch", "huge.json", "there.json"),
        ("patch", "there.json", "huge.json"),
        ("run", "huge.json"),
        ("run", "there.json", "--config", "huge.json"),
    ],
)
def test_commands_refuse_it(evaltui: Evaltui, command: tuple[str, ...]) -> None:
    done = evaltui(*command)
    assert (done.code, done.out, done.err) == (2, b"", SAID)


def test_a_recording_that_large_is_refused(evaltui: Evaltui) -> None:
    done = evaltui("run", "there.json", "-r", "huge.json")
    assert (done.code, done.out) == (2, b"")
    assert done.err.startswith("evaltui: huge.json:")
    assert done.err.count("\n") == 1


def test_edit_refuses_it(process: Process) -> None:
    assert edit(process, "huge.json") == (2, SAID)


def test_what_memory_says_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info, limit = tmp_path / "meminfo", tmp_path / "memory.max"
    monkeypatch.setattr(file_content, "_MEMORY_INFO", info)
    monkeypatch.setattr(file_content, "_LIMITS", (limit,))
    info.write_text("MemTotal: 8000 kB\nMemAvailable: 4000 kB\n")
    limit.write_text("max\n")
    assert file_content.available_memory() == 4_096_000
    limit.write_text("1000000\n")
    assert not file_content.is_too_large(500_000)
    assert file_content.is_too_large(500_001)


def test_a_file_that_outgrows_memory_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _largest: int) -> bytes:
        raise MemoryError

    monkeypatch.setattr(file_content, "read_regular", full)
    with pytest.raises(ReadError, match="too much for the memory"):
        read_file(tmp_path / "there.json")
