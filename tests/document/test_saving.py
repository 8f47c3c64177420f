"""A save writes the file whole, and keeps what it was: mode, links, encoding."""

import os
import stat
from pathlib import Path

import pytest

from evaltui.document.disk.file_content import fingerprint
from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.errors import ChangedOnDiskError
from tests.document.conftest import CHANGED, SOURCE
from tests.document.helpers import changed, only_file_in


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o640])
def test_a_save_keeps_the_mode(path: Path, mode: int) -> None:
    path.chmod(mode)
    changed(path).save()
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_save_through_a_symlink_keeps_the_link(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "links"
    (tmp_path / ".git").mkdir()
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
    assert saved == ("other hard links to the file keep the old content",)
    assert (path.read_bytes(), other.read_bytes()) == (CHANGED, SOURCE)


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
    assert document.save() == ("the file was deleted, so evaltui created it again",)
    assert path.read_bytes() == CHANGED


def test_a_new_document_is_made_on_its_first_save(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    document = Document.new(path, b"{}\n")
    assert (document.is_new, path.exists()) == (True, False)
    document.save()
    assert (path.read_bytes(), document.is_new, document.is_dirty) == (b"{}\n", False, False)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_the_fingerprint_follows_the_file(tmp_path: Path) -> None:
    assert Document(SOURCE).on_disk is None
    document = Document.new(tmp_path / "set.json", SOURCE)
    assert (document.on_disk, document.is_on_disk(SOURCE)) == (None, False)
    document.save()
    assert (document.on_disk, document.is_on_disk(SOURCE)) == (fingerprint(SOURCE), True)
    theirs = SOURCE + b"\n"
    document.become(Document(theirs), lambda _, new: [None] * len(new.items), "reload", theirs)
    assert document.on_disk == fingerprint(theirs)
    assert (document.is_on_disk(SOURCE), document.is_on_disk(theirs)) == (False, True)
