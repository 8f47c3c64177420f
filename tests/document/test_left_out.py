"""What others wrote, taken over and undone: a save would take it out of the file."""

from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.evalset.merge.paired_items import paired

BASE, THEIRS, LATER = b'{"a": 1, "b": 1}', b'{"a": 1, "b": 2}', b'{"a": 1, "b": 3}'


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "set.json"
    path.write_bytes(BASE)
    return Document.open(path)


def take_over(document: Document, data: bytes) -> None:
    assert document.path is not None
    document.path.write_bytes(data)
    document.become(Document(data), paired, "read again", data)


def edit(document: Document, value: bytes = b"9") -> None:
    document.apply([Set("/a", value)], "edit")


def test_undo_leaves_it_out_and_redo_brings_it_back(document: Document) -> None:
    take_over(document, THEIRS)
    assert not document.lacks_theirs
    document.undo()
    assert document.lacks_theirs
    assert (document.base, document.merge_base) == (THEIRS, BASE)
    document.redo()
    assert not document.lacks_theirs
    assert document.merge_base == THEIRS


def test_it_is_left_out_also_when_it_cannot_be_redone(document: Document) -> None:
    take_over(document, THEIRS)
    document.undo()
    edit(document)
    assert document.lacks_theirs
    document.undo()
    assert document.lacks_theirs
    assert document.merge_base == BASE


def test_a_merge_begins_before_the_first_of_several(document: Document) -> None:
    take_over(document, THEIRS)
    take_over(document, LATER)
    document.undo()
    assert document.merge_base == THEIRS
    edit(document)
    document.undo()
    document.undo()
    assert document.merge_base == BASE


def test_a_save_without_it_settles_it(document: Document) -> None:
    take_over(document, THEIRS)
    document.undo()
    document.save()
    assert not document.lacks_theirs
    document.redo()
    document.undo()
    assert not document.lacks_theirs


def test_what_is_undone_while_it_is_saved_is_left_out(document: Document) -> None:
    edit(document, b"8")
    merged = Document(THEIRS)
    edit(merged, b"8")
    assert document.path is not None
    document.path.write_bytes(THEIRS)
    document.become(merged, paired, "merge", THEIRS)
    data, expected, point = document.to_bytes(), document.on_disk, document.history.point()
    digest, _ = document.write(data, expected)
    document.undo()
    edit(document)
    document.mark_saved(data, point, digest)
    assert document.lacks_theirs
    assert document.merge_base == BASE


def test_taking_over_again_settles_it_until_that_is_undone(document: Document) -> None:
    take_over(document, THEIRS)
    document.undo()
    take_over(document, THEIRS)
    assert not document.lacks_theirs
    document.undo()
    assert document.merge_base == BASE


def test_reading_the_same_again_takes_nothing_over(document: Document) -> None:
    edit(document)
    take_over(document, BASE)
    document.undo()
    assert not document.lacks_theirs
