"""The journal on disk: whose it is, what it holds, and that no damage to it does damage."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import Journal, JournalError
from evaltui.document.journals.recovery import LeftJournal, Unsaved, journals_of
from tests.sampling import sampled

SOURCE = b'{"a": 1, "b": [ ]}\r\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "set.json"
    path.write_bytes(SOURCE)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journals"


def edited(path: Path, *values: bytes) -> Document:
    document = Document.open(path)
    document.keep_log()
    for value in values:
        document.apply([Set("/a", value)], "edit a")
    return document


def write_all(journal: Journal, document: Document) -> None:
    assert document.log is not None
    journal.write(tuple(document.log.groups), document.on_disk, document.saved_bytes)


def left_behind(path: Path, folder: Path, *values: bytes) -> Path:
    """The journal of a process that was killed: its lock is gone."""
    journal = Journal(path, folder)
    journal.start()
    write_all(journal, edited(path, *values))
    journal.close()
    return journal.file


def only_one(path: Path, folder: Path) -> LeftJournal:
    others, (left,) = journals_of(path, folder)
    assert not others
    return left


def read(path: Path, folder: Path) -> Unsaved:
    left = only_one(path, folder)
    unsaved = left.read(Document.open(path).on_disk)
    left.release()
    assert unsaved is not None
    return unsaved


def test_what_was_unsaved_comes_back_with_its_base_count_and_time(path: Path, folder: Path) -> None:
    left_behind(path, folder, b"2", b"3")
    unsaved = read(path, folder)
    assert (unsaved.base, unsaved.mine, unsaved.steps) == (SOURCE, SOURCE.replace(b"1", b"3"), 2)
    assert abs(unsaved.time - path.stat().st_mtime) < 60
    assert unsaved.fits(Document.open(path).on_disk)


def test_only_the_owner_may_read_it(path: Path, folder: Path) -> None:
    left_behind(path, folder, b"2")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert len(list(folder.iterdir())) == 2


def test_a_running_process_is_named_and_its_journal_let_alone(path: Path, folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from evaltui.document.journals.journal import Journal\n"
        "Journal(Path(sys.argv[1]), Path(sys.argv[2])).start(); print('there', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(path), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"there\n"
        others, left = journals_of(path, folder)
        assert [process for process, _ in others] == [other.pid]
        assert not left
        other.kill()
        other.wait()
        assert only_one(path, folder).read(None) is None


def test_a_link_to_a_file_has_its_journals(path: Path, folder: Path, tmp_path: Path) -> None:
    left_behind(path, folder, b"2")
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert read(link, folder).mine == SOURCE.replace(b"1", b"2")
    assert journals_of(tmp_path / "other.json", folder) == ([], [])


def test_two_of_one_file_come_oldest_first(path: Path, folder: Path) -> None:
    first, second = left_behind(path, folder, b"2"), left_behind(path, folder, b"3")
    _, left = journals_of(path, folder)
    assert [journal.file for journal in left] == [first, second]


def test_one_that_somebody_looks_after_is_not_offered_twice(path: Path, folder: Path) -> None:
    left_behind(path, folder, b"2")
    left = only_one(path, folder)
    assert journals_of(path, folder)[1] == []
    left.release()
    assert only_one(path, folder).read(None) is not None


def test_removing_leaves_nothing_and_nothing_else_is_removed(path: Path, folder: Path) -> None:
    kept = left_behind(path, folder, b"2")
    journal = Journal(path, folder)
    journal.start()
    write_all(journal, edited(path, b"5"))
    journal.remove()
    assert {file.name.split(".")[0] for file in folder.iterdir()} == {
        kept.stem,
        *(f.stem for f in folder.glob("*.base")),
    }
    only_one(path, folder).remove()
    assert list(folder.iterdir()) == []


def test_a_file_changed_since_does_not_fit_and_its_base_is_still_there(path: Path, folder: Path) -> None:
    left_behind(path, folder, b"2")
    path.write_bytes(b'{"theirs": true}')
    unsaved = read(path, folder)
    assert not unsaved.fits(Document.open(path).on_disk)
    assert (unsaved.base, unsaved.mine) == (SOURCE, SOURCE.replace(b"1", b"2"))


def test_of_a_file_changed_before_the_first_step_the_base_is_what_was_read(path: Path, folder: Path) -> None:
    document = edited(path, b"2")
    path.write_bytes(b"{}")
    journal = Journal(path, folder)
    journal.start()
    write_all(journal, document)
    journal.close()
    assert read(path, folder).base == SOURCE


def test_killed_between_a_save_and_saying_so_only_later_steps_are_unsaved(path: Path, folder: Path) -> None:
    document = edited(path, b"2")
    journal = Journal(path, folder)
    journal.start()
    write_all(journal, document)
    journal.announce_save(document.to_bytes())
    path.write_bytes(document.to_bytes())
    assert document.log is not None
    before = document.log.groups[-1].number
    document.apply([Set("/a", b"7")], "edit a")
    journal.write(tuple(document.log.after(before)), document.on_disk, b"")
    journal.close()
    unsaved = read(path, folder)
    assert (unsaved.base, unsaved.mine, unsaved.steps) == (path.read_bytes(), document.to_bytes(), 1)
    assert unsaved.fits(Document.open(path).on_disk)


def test_what_was_saved_or_undone_is_not_offered(path: Path, folder: Path) -> None:
    left_behind(path, folder, b"2")
    path.write_bytes(SOURCE.replace(b"1", b"2"))
    assert only_one(path, folder).read(Document.open(path).on_disk) is None
    path.write_bytes(SOURCE)
    left_behind(path, folder, b"2", b"1")
    _, left = journals_of(path, folder)
    assert left[-1].read(Document.open(path).on_disk) is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_any_encoding(path: Path, folder: Path, encoding: str) -> None:
    path.write_bytes('{"a": "é😀"}'.encode(encoding))
    left_behind(path, folder, '"ü"'.encode())
    assert read(path, folder).mine.decode(encoding) == '{"a": "ü"}'


# --- damage ------------------------------------------------------------------------------------------------


def test_a_torn_last_line_loses_only_itself_and_is_said(path: Path, folder: Path) -> None:
    file = left_behind(path, folder, b"2", b"3")
    file.write_bytes(file.read_bytes()[:-5])
    unsaved = read(path, folder)
    assert unsaved.mine == SOURCE.replace(b"1", b"2")
    assert unsaved.damage == "line 3 of 3 is damaged"


@pytest.mark.parametrize("cut", sampled(range(0, 700, 7), 15))
def test_however_short_it_became_there_is_a_result_or_a_sentence(path: Path, folder: Path, cut: int) -> None:
    file = left_behind(path, folder, b"2", b"3")
    file.write_bytes(file.read_bytes()[:cut])
    left = only_one(path, folder)
    try:
        unsaved = left.read(Document.open(path).on_disk)
    except DocumentError as error:
        assert str(file) in str(error)
    else:
        assert unsaved is None or unsaved.mine in {SOURCE.replace(b"1", value) for value in (b"2", b"3")}
    assert file.exists()


@pytest.mark.parametrize("at", sampled(range(0, 700, 11), 12))
def test_whatever_byte_is_altered_nothing_wrong_is_restored(path: Path, folder: Path, at: int) -> None:
    file = left_behind(path, folder, b"2", b"3")
    data = bytearray(file.read_bytes())
    data[at % len(data)] ^= 0x15
    file.write_bytes(data)
    try:
        unsaved = only_one(path, folder).read(Document.open(path).on_disk)
    except DocumentError:
        return
    assert unsaved is not None
    assert unsaved.mine == SOURCE.replace(b"1", b"2")
    assert unsaved.damage


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"hello\n", b"\0" * 4096, b"00000000 {}\n", b"8587d865 [1]\n", b"44ab1e8a 1\n"]
)
def test_a_foreign_file_is_a_sentence(path: Path, folder: Path, data: bytes) -> None:
    file = left_behind(path, folder, b"2")
    file.write_bytes(data)
    with pytest.raises(DocumentError, match="not a journal of this version"):
        only_one(path, folder).read(None)
    assert file.exists()


@pytest.mark.parametrize("content", [None, b'{"a": 9}', b""])
def test_a_base_that_is_gone_or_another_is_a_sentence(path: Path, folder: Path, content: bytes | None) -> None:
    left_behind(path, folder, b"2")
    path.write_bytes(b'{"a": "theirs"}')
    (base,) = folder.glob("*.base")
    base.unlink() if content is None else base.write_bytes(content)
    with pytest.raises(DocumentError, match="the copy of the file at the start of the journal"):
        only_one(path, folder).read(None)


@pytest.mark.parametrize("content", [None, b'{"a": 9}', b""])
def test_for_a_base_that_is_gone_the_file_stands_in_while_it_is_the_same(
    path: Path, folder: Path, content: bytes | None
) -> None:
    left_behind(path, folder, b"2")
    (base,) = folder.glob("*.base")
    base.unlink() if content is None else base.write_bytes(content)
    unsaved = only_one(path, folder).read(None)
    assert unsaved is not None
    assert (unsaved.base, unsaved.mine) == (SOURCE, SOURCE.replace(b"1", b"2"))


def test_a_folder_that_cannot_be_made_is_said(path: Path, tmp_path: Path) -> None:
    (tmp_path / "occupied").touch()
    with pytest.raises(JournalError, match="the journal cannot be written"):
        Journal(path, tmp_path / "occupied" / "journals").start()


def test_a_journal_in_the_way_of_others_is_named_by_process(path: Path, folder: Path) -> None:
    journal = Journal(path, folder)
    assert str(os.getpid()) in journal.file.name
