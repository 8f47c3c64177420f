"""Another program writes the file at the very moment of a save: nothing that it wrote is lost.

A hook stands for the moment: it runs just before or after the files are swapped.
"""

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaltui.document.disk import file_replacement, file_swap, locks
from evaltui.document.disk.file_place import Entry
from evaltui.document.disk.locks import lock
from evaltui.document.document import Document
from evaltui.document.errors import ChangedOnDiskError, SaveError
from tests.document.conftest import CHANGED, SOURCE
from tests.document.helpers import changed, only_file_in

THEIRS = b'{"a": "theirs"}\n'
LATER = b'{"a": "theirs, later"}\n'


def replace(path: Path, data: bytes) -> None:
    new = path.with_name("new of another program")
    new.write_bytes(data)
    new.replace(path)


def write_in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def take_away_and_write(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


WRITERS = [replace, write_in_place, take_away_and_write]
Writer = Callable[[Path, bytes], None]


class Moments:
    """What happens at the n-th swap of a save: before it, and after it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.before: dict[int, Callable[[], object]] = {}
        self.after: dict[int, Callable[[], object]] = {}
        self._count = 0
        self._exchange = file_swap.exchange
        monkeypatch.setattr(file_swap, "exchange", self)

    def __call__(self, one: Entry, other: Entry) -> bool:
        number, self._count = self._count, self._count + 1
        self.before.get(number, lambda: None)()
        is_done = self._exchange(one, other)
        self.after.get(number, lambda: None)()
        return is_done


@pytest.fixture
def moments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Moments:
    one, other = tmp_path / "one", tmp_path / "other"
    one.touch(), other.touch()
    is_possible = file_swap.exchange(Entry(str(one)), Entry(str(other)))
    one.unlink(), other.unlink()
    if not is_possible:
        pytest.skip("files cannot be swapped here")
    return Moments(monkeypatch)


def no_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_swap, "_system_call", lambda: None)


def no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    no_swaps(monkeypatch)
    monkeypatch.setattr(os, "link", refuse)


def assert_refused(document: Document, path: Path, on_disk: bytes) -> None:
    """The save writes nothing: the file holds `on_disk`, and the document keeps its edit."""
    with pytest.raises(ChangedOnDiskError, match="nothing was written"):
        document.save()
    assert (path.read_bytes(), only_file_in(path.parent)) == (on_disk, path.name)
    assert (document.to_bytes(), document.is_dirty) == (CHANGED, True)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_written_just_before_the_swap_is_put_back(path: Path, moments: Moments, writer: Writer) -> None:
    document = changed(path)
    moments.before[0] = lambda: writer(path, THEIRS)
    assert_refused(document, path, THEIRS)


@pytest.mark.parametrize("writer", WRITERS)
def test_of_two_that_write_around_the_swap_the_later_one_stays(path: Path, moments: Moments, writer: Writer) -> None:
    document = changed(path)
    moments.before[0] = lambda: replace(path, THEIRS)
    moments.after[0] = lambda: writer(path, LATER)
    assert_refused(document, path, LATER)


def test_a_program_that_is_still_writing_in_place_is_waited_for(
    path: Path, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = changed(path)
    writer = path.open("wb")

    def finish(_: float) -> None:
        writer.write(THEIRS)
        writer.close()

    monkeypatch.setattr(file_swap.time, "sleep", finish)
    path.write_bytes(SOURCE)  # what was expected, so that only the open handle tells
    assert_refused(document, path, THEIRS)


def test_a_program_that_never_closes_the_file_holds_no_save_back(
    path: Path, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_swap, "_PATIENCE_WITH_WRITERS", 0)
    with path.open("r+b"):
        saved = changed(path).save()
    assert saved == ("another program still has the old file open, so its next changes will be lost",)
    assert (path.read_bytes(), only_file_in(path.parent)) == (CHANGED, path.name)


def test_a_program_that_only_reads_is_not_waited_for(
    path: Path, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_swap.time, "sleep", lambda _: pytest.fail("waited"))
    with path.open("rb") as reader:
        assert changed(path).save() == ()
        assert reader.read() == SOURCE


def test_a_file_deleted_just_before_the_swap_is_not_written_at_that_moment(path: Path, moments: Moments) -> None:
    document = changed(path)
    moments.before[0] = path.unlink
    with pytest.raises(ChangedOnDiskError):
        document.save()
    assert list(path.parent.iterdir()) == []
    assert document.save() == ("the file was deleted, so evaltui created it again",)


def test_a_file_deleted_just_after_the_swap_comes_back(path: Path, moments: Moments) -> None:
    document = changed(path)
    moments.before[0] = lambda: replace(path, THEIRS)
    moments.after[0] = path.unlink
    assert_refused(document, path, THEIRS)


def test_a_text_that_cannot_be_put_back_is_kept_beside(path: Path, moments: Moments) -> None:
    def fail() -> None:
        raise OSError(5, "Input/output error")

    document = changed(path)
    moments.before[0] = lambda: replace(path, THEIRS)
    moments.before[1] = fail
    with pytest.raises(SaveError, match="input/output error"):
        document.save()
    [kept] = [file for file in path.parent.iterdir() if file != path]
    assert kept.read_bytes() == THEIRS


@pytest.mark.parametrize("kind", ["symlink", "folder"])
def test_what_is_no_file_any_more_is_put_back(path: Path, moments: Moments, tmp_path: Path, kind: str) -> None:
    def become_something_else() -> None:
        path.unlink()
        if kind == "folder":
            path.mkdir()
        else:
            path.symlink_to("elsewhere.json")

    document = changed(path)
    moments.before[0] = become_something_else
    with pytest.raises(ChangedOnDiskError):
        document.save()
    assert (path.is_symlink(), path.is_dir()) == (kind == "symlink", kind == "folder")
    assert only_file_in(tmp_path) == path.name


@pytest.mark.parametrize("limits", [no_swaps, no_links])
@pytest.mark.parametrize("writer", WRITERS)
def test_where_files_cannot_be_swapped_it_is_looked_at_once_more(
    path: Path, monkeypatch: pytest.MonkeyPatch, writer: Writer, limits: Callable[[pytest.MonkeyPatch], None]
) -> None:
    limits(monkeypatch)
    document = changed(path)
    exchange = file_swap.exchange

    def written_before(one: Entry, other: Entry) -> bool:
        writer(path, THEIRS)
        return exchange(one, other)

    monkeypatch.setattr(file_swap, "exchange", written_before)
    assert_refused(document, path, THEIRS)


@pytest.mark.parametrize("limits", [no_swaps, no_links])
def test_where_files_cannot_be_swapped_they_are_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, limits: Callable[[pytest.MonkeyPatch], None]
) -> None:
    limits(monkeypatch)
    changed(path).save()
    assert (path.read_bytes(), only_file_in(path.parent)) == (CHANGED, path.name)


def test_a_second_name_finds_who_wrote_in_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_swaps(monkeypatch)
    document, looks = changed(path), []
    look = file_swap._look_at

    def written_between(old: Entry, expected: bytes | None) -> tuple[bool, list[str]]:
        looks.append(old)
        if len(looks) == 2:
            path.with_name(old.name).write_bytes(THEIRS)
        return look(old, expected)

    monkeypatch.setattr(file_swap, "_look_at", written_between)
    assert_refused(document, path, THEIRS)


@pytest.mark.parametrize("limits", [lambda _: None, no_swaps, no_links])
def test_a_file_that_comes_to_be_at_the_last_moment_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: Callable[[pytest.MonkeyPatch], None]
) -> None:
    limits(monkeypatch)
    path, put = tmp_path / "new.json", file_swap.put_where_nothing_is

    def written_before(file: Entry, name: Entry) -> None:
        path.write_bytes(THEIRS)
        put(file, name)

    monkeypatch.setattr(file_swap, "put_where_nothing_is", written_before)
    with pytest.raises(ChangedOnDiskError, match="another program created this file meanwhile"):
        Document.new(path, b"{}").save()
    assert (path.read_bytes(), only_file_in(tmp_path)) == (THEIRS, "new.json")


def test_a_file_written_right_after_the_save_is_not_called_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = changed(path)
    monkeypatch.setattr(file_replacement, "_sync_folder", lambda _: replace(path, THEIRS))
    assert_refused(document, path, THEIRS)


@pytest.mark.parametrize("moment", ["_refuse_foreign_change", "_read_back"])
def test_a_file_that_is_taken_away_meanwhile_was_changed(
    path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    look = getattr(file_replacement, moment)

    def take_away(*arguments: object) -> None:
        path.unlink()
        look(*arguments)

    document = changed(path)
    monkeypatch.setattr(file_replacement, moment, take_away)
    with pytest.raises(ChangedOnDiskError):
        document.save()
    assert (document.to_bytes(), document.is_dirty) == (CHANGED, True)


# --- other evaltui processes -----------------------------------------------------------------------------------


@pytest.fixture
def locked(path: Path) -> Iterator[int]:
    handle = os.open(path.parent, os.O_RDONLY)
    assert lock(handle)
    yield handle
    os.close(handle)


def test_another_evaltui_that_saves_is_waited_for(path: Path, locked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one saves while this one waits, so this one is refused."""

    def save_over_there(_: float) -> None:
        path.write_bytes(THEIRS)

        fcntl.flock(locked, fcntl.LOCK_UN)

    document = changed(path)
    monkeypatch.setattr(file_swap.time, "sleep", save_over_there)
    assert_refused(document, path, THEIRS)


def test_another_evaltui_that_stands_still_holds_no_save_back(
    path: Path, locked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "_PATIENCE", -1)
    changed(path).save()
    assert path.read_bytes() == CHANGED


def test_a_folder_that_cannot_be_read_holds_no_save_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_file = os.open

    def refuse_folders(name: str, flags: int, mode: int = 0o777, **named: int) -> int:
        if Path(name).is_dir() and not flags & getattr(os, "O_PATH", 0):  # needs no permission
            raise PermissionError(13, "Permission denied")
        return open_file(name, flags, mode, **named)

    monkeypatch.setattr(os, "open", refuse_folders)
    changed(path).save()
    assert (path.read_bytes(), stat.S_ISREG(path.stat().st_mode)) == (CHANGED, True)
