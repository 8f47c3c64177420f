"""What is unsaved, and which values that concerns."""

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from tests.document.helpers import root_of
from tests.document.two_cases import SOURCE, node, save, type_in


@pytest.fixture
def document() -> Document:
    return Document(SOURCE)


def test_dirty_is_being_away_from_the_save_point(document: Document) -> None:
    assert not document.is_dirty
    type_in(document, "a")
    assert document.is_dirty
    save(document)
    assert not document.is_dirty
    document.undo()
    assert document.is_dirty
    document.redo()
    assert not document.is_dirty


def test_a_save_point_that_was_left_for_another_way_is_lost(document: Document) -> None:
    document.apply([Set("/name", b"1")], "one")
    document.apply([Set("/cases/0/id", b"2")], "two")
    save(document)
    document.undo()
    document.undo()
    document.apply([Set("/cases/1/id", b"3")], "other way")
    changed = {"/name", "/cases/0/id", "/cases/1/id", "/cases/0", "/cases/1", "/cases", ""}
    assert {node.pointer() for node in document.history.differences.changed_nodes()} == changed
    document.undo()
    assert document.is_dirty
    assert document.is_changed(node(document, "/name"))
    assert not document.is_changed(node(document, "/cases/1"))
    save(document)
    assert (document.is_dirty, document.history.differences.changed_nodes()) == (False, [])


def test_what_is_edited_while_a_save_is_under_way_stays_unsaved(document: Document) -> None:
    type_in(document, "s")
    document.history.seal()
    saved, point = document.to_bytes(), document.history.point()
    type_in(document, "se")
    document.mark_saved(saved, point)
    assert document.is_dirty
    assert document.is_changed(node(document, "/name"))
    document.undo()
    assert not document.is_dirty
    assert document.history.differences.changed_nodes() == []


def test_a_state_that_was_left_while_its_save_was_under_way_is_out_of_reach(document: Document) -> None:
    type_in(document, "s")
    saved, point = document.to_bytes(), document.history.point()
    document.undo()
    document.apply([Set("/cases/0/id", b"1")], "other way")
    document.mark_saved(saved, point)
    document.undo()
    assert document.is_dirty


def test_a_save_of_what_was_opened_is_a_save_point(document: Document) -> None:
    type_in(document, "s")
    document.mark_saved(SOURCE, None)
    assert document.is_dirty
    document.undo()
    assert not document.is_dirty


def test_a_change_marks_its_node_and_what_is_around_it(document: Document) -> None:
    one, two = node(document, "/cases/0"), node(document, "/cases/1")
    document.apply([Set("/cases/0/id", b'"x"')], "set")
    assert [document.is_changed(at) for at in (one, one.items[0], two, root_of(document))] == [True, True, False, True]
    save(document)
    assert not document.is_changed(one)
    document.undo()
    assert document.is_changed(one)
    document.redo()
    assert not document.is_changed(one)


def test_a_value_changed_twice_is_changed_until_both_are_undone(document: Document) -> None:
    name = node(document, "/name")
    document.apply([Set("/name", b"1")], "one")
    document.apply([Set("/name", b"2")], "two")
    document.undo()
    assert document.is_changed(name)
    document.undo()
    assert not document.is_changed(name)
