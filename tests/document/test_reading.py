"""Files that another program changes while they are read: read again, then refused with a sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaltui.document.disk import file_content
from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ChangedFileError, MissingFileError

OLD, NEW = b'["old", "old"]', b'["new", "new"]'
Change = Callable[[Path, int], object]
"""Changes a file; the number counts the reads before."""


def overwritten(path: Path, number: int) -> None:
    """Write over a file in place, with the same length and another time."""
    with path.open("r+b") as file:
        file.write(NEW if number % 2 == 0 else OLD)
    os.utime(path, ns=(0, 2_000_000_000 + number))


def grown(path: Path, _: int) -> None:
    """Add to the end of a file."""
    with path.open("ab") as file:
        file.write(b"\n")


def replaced(path: Path, number: int) -> None:
    """Replace a file as editors do."""
    other = path.with_name("other")
    other.write_bytes(NEW if number % 2 == 0 else OLD)
    os.replace(other, path)  # noqa: PTH105


def deleted(path: Path, _: int) -> None:
    path.unlink()


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Change, int], bytes]]:
    """Reads a file that changes after each of its first reads, and gives what was read."""
    path = tmp_path / "set.json"
    path.write_bytes(OLD)
    os.utime(path, ns=(0, 1_000_000_000))
    monkeypatch.setattr(file_content, "_PAUSE", 0)
    from_disk = file_content.read_regular

    def changing(change: Change, times: int) -> bytes:
        reads = iter(range(times))

        def read_regular(path: Path, largest: int) -> bytes:
            data = from_disk(path, largest)
            if (number := next(reads, None)) is not None:
                change(path, number)
            return data

        monkeypatch.setattr(file_content, "read_regular", read_regular)
        return read_file(path)

    yield changing


@pytest.mark.parametrize(
    ("change", "times", "data"),
    [
        (overwritten, 0, OLD),
        (overwritten, 1, NEW),
        (overwritten, 2, OLD),
        (replaced, 1, NEW),
        (grown, 1, OLD + b"\n"),
        (grown, 9, OLD + b"\n"),
        (deleted, 1, OLD),
    ],
)
def test_a_file_is_read_as_it_is_at_one_moment(
    read: Callable[[Change, int], bytes], change: Change, times: int, data: bytes
) -> None:
    assert read(change, times).rstrip() == data.rstrip()


@pytest.mark.parametrize("change", [overwritten, replaced])
def test_a_file_that_keeps_changing_is_refused(
    read: Callable[[Change, int], bytes], tmp_path: Path, change: Change
) -> None:
    with pytest.raises(ChangedFileError) as caught:
        read(change, 99)
    assert str(caught.value).startswith(f"{tmp_path / 'set.json'}: the file changed while it was read; try again")


def test_a_write_that_leaves_the_time_as_it_is_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems count time in steps of some milliseconds, so a file that was just written is read twice."""
    path = tmp_path / "set.json"
    path.write_bytes(NEW)
    pieces = iter([OLD[:6] + NEW[6:], NEW])
    monkeypatch.setattr(file_content, "read_regular", lambda *_: next(pieces, NEW))
    monkeypatch.setattr(file_content, "is_fresh", lambda _: True)
    monkeypatch.setattr(file_content, "_PAUSE", 0)
    assert read_file(path) == NEW


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        read_file(tmp_path / "none.json")
