"""A save writes the file whole or not at all, and never over somebody else's work."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.document import ChangedOnDiskError, Document, ReadError, SaveError, Set, storage

SOURCE = b'{"a": 1}\n'
CHANGED = b'{"a": 2}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "set.json"
    path.write_bytes(SOURCE)
    return path


def changed(path: Path) -> Document:
    document = Document.open(path)
    document.apply([Set("/a", b"2")], "set")
    return document


def only_file_in(folder: Path) -> str:
    [name] = [path.name for path in folder.iterdir()]
    return name


def test_a_save_writes_the_edits_and_moves_the_save_point(path: Path) -> None:
    document = changed(path)
    saved = document.save()
    assert path.read_bytes() == CHANGED
    assert (document.is_dirty, saved.remarks, only_file_in(path.parent)) == (False, (), "set.json")
    document.undo()
    document.save()
    assert path.read_bytes() == SOURCE


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o640])
def test_a_save_keeps_the_mode(path: Path, mode: int) -> None:
    path.chmod(mode)
    changed(path).save()
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_save_through_a_symlink_keeps_the_link(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.json"
    link.symlink_to(path)
    changed(link).save()
    assert link.is_symlink()
    assert (path.read_bytes(), only_file_in(folder)) == (CHANGED, "link.json")


def test_other_hard_links_are_remarked_on(path: Path) -> None:
    other = path.with_name("other.json")
    other.hardlink_to(path)
    saved = changed(path).save()
    assert saved.remarks == ("its other hard links keep the old content",)
    assert (path.read_bytes(), other.read_bytes()) == (CHANGED, SOURCE)


def test_a_read_only_file_is_refused(path: Path) -> None:
    document = changed(path)
    path.chmod(0o444)
    with pytest.raises(SaveError, match=r"set\.json: cannot be saved: the file is read-only"):
        document.save()
    assert (path.read_bytes(), document.is_dirty) == (SOURCE, True)


def test_a_file_changed_on_disk_is_not_written_over(path: Path) -> None:
    document = changed(path)
    path.write_bytes(b'{"a": 7}\n')
    with pytest.raises(ChangedOnDiskError, match="changed by another program; nothing was written"):
        document.save()
    assert path.read_bytes() == b'{"a": 7}\n'
    assert (document.to_bytes(), document.is_dirty) == (CHANGED, True)


def test_a_file_written_anew_with_the_same_bytes_has_not_changed(path: Path) -> None:
    document = changed(path)
    path.unlink()
    path.write_bytes(SOURCE)
    document.save()
    assert path.read_bytes() == CHANGED


def test_the_second_save_compares_with_the_first(path: Path) -> None:
    document = changed(path)
    document.save()
    document.apply([Set("/a", b"3")], "set")
    document.save()
    path.write_bytes(CHANGED)
    document.undo()
    with pytest.raises(ChangedOnDiskError):
        document.save()


def test_a_file_that_is_gone_is_written_anew(path: Path) -> None:
    document = changed(path)
    path.unlink()
    assert document.save().remarks == ("the file was gone and is written anew",)
    assert path.read_bytes() == CHANGED


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


def full(*_arguments: object) -> None:
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
    document = changed(path)
    monkeypatch.setattr(storage, "_sync_folder", lambda folder: path.write_bytes(b"torn"))
    with pytest.raises(SaveError, match="what was read back is not what was written"):
        document.save()
    assert document.is_dirty


def test_a_new_document_is_made_on_its_first_save(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    document = Document.new(path, b"{}\n")
    assert (document.is_new, path.exists()) == (True, False)
    document.save()
    assert (path.read_bytes(), document.is_new, document.is_dirty) == (b"{}\n", False, False)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_a_new_document_does_not_write_over_a_file_that_came_to_be(path: Path) -> None:
    document = Document.new(path, b"{}")
    with pytest.raises(SaveError, match="such a file has come to be meanwhile; nothing was written"):
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
