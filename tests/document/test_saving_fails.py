"""A save that fails leaves the old file, the edits and no other file; nobody's work is written over."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.document.disk import file_replacement
from evaltui.document.document import Document
from evaltui.document.errors import ChangedOnDiskError, ReadError, SaveError
from tests.document.conftest import CHANGED, SOURCE
from tests.document.helpers import changed, only_file_in


def test_a_read_only_file_is_refused(path: Path) -> None:
    document = changed(path)
    path.chmod(0o444)
    with pytest.raises(SaveError, match=r"set\.json: cannot be saved: the file is read-only"):
        document.save()
    assert (path.read_bytes(), document.is_dirty) == (SOURCE, True)


def test_a_file_changed_on_disk_is_not_written_over(path: Path) -> None:
    document = changed(path)
    path.write_bytes(b'{"a": 7}\n')
    with pytest.raises(ChangedOnDiskError, match="another program changed the file on disk; nothing was written"):
        document.save()
    assert path.read_bytes() == b'{"a": 7}\n'
    assert (document.to_bytes(), document.is_dirty) == (CHANGED, True)


def test_a_folder_that_is_gone_is_said(path: Path, tmp_path: Path) -> None:
    document = changed(path)
    path.rename(tmp_path / "kept.json")
    document.path = tmp_path / "gone" / "set.json"
    with pytest.raises(SaveError, match="cannot be saved: no such file or directory"):
        document.save()
    assert document.is_dirty


def test_a_folder_in_the_place_of_the_file_is_said(path: Path) -> None:
    document = changed(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(SaveError, match="this is a folder, not a file"):
        document.save()


def full(*_arguments: object, **_named: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupted(*_arguments: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("failing", "failure"), [("fsync", full), ("fdopen", full), ("fsync", interrupted)])
def test_a_full_disk_leaves_the_old_file_and_no_other(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, failure: Callable[[], None]
) -> None:
    document = changed(path)
    monkeypatch.setattr(os, failing, failure)
    with pytest.raises(SaveError if failure is full else KeyboardInterrupt) as caught:
        document.save()
    monkeypatch.undo()
    if failure is full:
        assert str(caught.value) == f"{path}: cannot be saved: no space left on device"
    assert (path.read_bytes(), only_file_in(path.parent), document.is_dirty) == (SOURCE, "set.json", True)
    document.save()
    assert path.read_bytes() == CHANGED


def test_what_is_read_back_must_be_what_was_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tear(_: Path) -> None:
        written = path.stat()
        path.write_bytes(b"torn".ljust(len(CHANGED)))
        os.utime(path, ns=(written.st_atime_ns, written.st_mtime_ns))  # no program did this

    document = changed(path)
    monkeypatch.setattr(file_replacement, "_sync_folder", tear)
    with pytest.raises(SaveError, match="the file on disk differs from the text that was written"):
        document.save()
    assert document.is_dirty


def test_a_new_document_does_not_write_over_a_file_that_came_to_be(path: Path) -> None:
    document = Document.new(path, b"{}")
    with pytest.raises(SaveError, match="another program created this file meanwhile; nothing was written"):
        document.save()
    assert (path.read_bytes(), document.is_new) == (SOURCE, True)


def test_a_name_that_no_file_can_have_is_said(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot be saved: file name too long"):
        Document.new(tmp_path / ("x" * 300), b"{}").save()


def test_a_document_without_a_file_is_not_saved() -> None:
    with pytest.raises(SaveError, match="this document has no file"):
        Document(b"{}").save()


@pytest.mark.parametrize(("name", "sentence"), [("nothing.json", "there is no such file"), ("", "this is a folder")])
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(ReadError, match=sentence):
        Document.open(tmp_path / name)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReadError, match="this is a device or pipe, not a file"):
        Document.open(tmp_path / "pipe")


def test_a_working_folder_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SaveError, match=r"set\.json: cannot be saved: no such file or directory") as caught:
        Document.new(Path("set.json"), b"{}").save()
    assert caught.value.reason == "no such file or directory"
    assert "save again" in caught.value.advice


@pytest.mark.parametrize("letter", ["x", "é", "東", "😀"])
def test_a_name_as_long_as_names_can_be_is_saved(tmp_path: Path, letter: str) -> None:
    name = letter * (255 // len(letter.encode()))
    Document.new(tmp_path / name, b"{}").save()
    assert only_file_in(tmp_path) == name


def test_another_program_that_writes_within_one_tick_of_the_clock_changed_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_: Path) -> None:
        saved = path.stat()
        path.write_bytes(b"theirs")
        os.utime(path, ns=(saved.st_atime_ns, saved.st_mtime_ns))

    document = changed(path)
    monkeypatch.setattr(file_replacement, "_sync_folder", write)
    with pytest.raises(ChangedOnDiskError):
        document.save()
