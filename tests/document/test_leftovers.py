"""What a killed save leaves beside the file is removed later, unless it holds what nobody else has."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.document.disk import file_swap, temporary_file
from evaltui.document.disk.file_place import Entry, find_place
from evaltui.document.disk.temporary_file import TemporaryFile, remove_leftovers
from tests.document.conftest import CHANGED, SOURCE
from tests.document.helpers import changed, only_file_in


class KilledError(BaseException):
    """Stands for SIGKILL: nothing is tidied up behind it."""


def killed_at(monkeypatch: pytest.MonkeyPatch, path: Path, moment: str, before: Callable[[], object]) -> None:
    """Save a change, and be killed at a moment of that."""

    def die(*_arguments: object, **_named: object) -> None:
        raise KilledError

    exchange = file_swap.exchange

    def swap(one: Entry, other: Entry) -> bool:
        before()
        is_done = exchange(one, other)
        monkeypatch.setattr(file_swap, "exchange", die)
        monkeypatch.setattr(file_swap, "has_writers", die)
        return is_done

    monkeypatch.setattr(file_swap, "exchange", swap)
    if moment != "after the swap":
        monkeypatch.setattr(os, {"while writing": "fsync", "before the swap": "chmod"}[moment], die)
    monkeypatch.setattr(Entry, "delete", lambda _: None)
    with pytest.raises(KilledError):
        changed(path).save()
    monkeypatch.undo()
    assert len(list(path.parent.iterdir())) == 2


@pytest.mark.parametrize("moment", ["while writing", "before the swap", "after the swap"])
def test_what_a_kill_leaves_is_removed(path: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    killed_at(monkeypatch, path, moment, lambda: None)
    assert path.read_bytes() == (CHANGED if moment == "after the swap" else SOURCE)
    assert remove_leftovers(path) == []
    assert only_file_in(path.parent) == path.name


def test_what_another_program_wrote_at_that_moment_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write() -> None:
        new = path.with_name("theirs.json")
        new.write_bytes(b"theirs")
        new.replace(path)

    killed_at(monkeypatch, path, "after the swap", write)
    [kept] = remove_leftovers(path)
    assert kept.read_bytes() == b"theirs"


def test_the_file_of_a_running_save_stays(path: Path) -> None:
    with find_place(path) as place:
        running = TemporaryFile(place, b"")
        assert remove_leftovers(path) == []
        assert path.with_name(running.entry.name).exists()
        running.close()
    assert only_file_in(path.parent) == path.name


def test_files_of_others_stay(path: Path) -> None:
    others = [".set.json.tmp", ".set.json.abc.tmp", "set.json.1.2.tmp", ".other.json.1.2.tmp", ".set.json.1.2.tmpx"]
    for name in others:
        path.with_name(name).write_bytes(b"theirs")
    assert remove_leftovers(path) == []
    assert sorted(file.name for file in path.parent.iterdir()) == sorted([*others, path.name])


def test_a_folder_that_is_gone_is_no_matter(tmp_path: Path) -> None:
    assert remove_leftovers(tmp_path / "gone" / "set.json") == []


def test_a_file_that_was_taken_for_a_leftover_is_made_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_the_save, cleanups = temporary_file.lock, []

    def lock(handle: int) -> bool:
        monkeypatch.undo()
        cleanups.append(remove_leftovers(path))  # another evaltui, before the file is locked
        return of_the_save(handle)

    monkeypatch.setattr(temporary_file, "lock", lock)
    document = changed(path)
    document.save()
    assert cleanups == [[]]
    assert path.read_bytes() == CHANGED
    assert only_file_in(path.parent) == path.name
