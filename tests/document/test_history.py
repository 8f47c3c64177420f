"""Undo, redo, the save point, typing that becomes one step, and nodes that stay who they are."""

import pytest

from evaltui.document import Document, Insert, Move, Node, Remove, Rename, Set, json_text
from evaltui.document.storage import Saved, fingerprint

from .helpers import Clock, root_of

SOURCE = b'{"cases": [{"id": "one"}, {"id": "two"}], "name": "set"}'


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def document(clock: Clock) -> Document:
    return Document(SOURCE, clock=clock)


def node(document: Document, pointer: str) -> Node:
    return root_of(document).at(pointer)


def save(document: Document) -> None:
    document.mark_saved(Saved(fingerprint(document.to_bytes())), document.history.point())


def type_in(document: Document, *texts: str, key: str = "name") -> None:
    for text in texts:
        document.apply([Set(f"/{key}", json_text(text))], f"type {text}", merge_key=key)


def undo_count(document: Document) -> int:
    count = 0
    while document.undo():
        count += 1
    return count


def test_typing_in_one_field_is_one_step(document: Document) -> None:
    type_in(document, "s", "se", "sea")
    typed = document.to_bytes()
    document.undo()
    assert document.to_bytes() == SOURCE
    document.redo()
    assert document.to_bytes() == typed
    assert undo_count(document) == 1


def test_a_pause_begins_a_new_step(document: Document, clock: Clock) -> None:
    type_in(document, "s", "se")
    clock.now += 0.9
    type_in(document, "sea")
    clock.now += 1.1
    type_in(document, "seal")
    document.undo()
    assert node(document, "/name").text() == "sea"
    assert undo_count(document) == 1


def test_leaving_the_field_begins_a_new_step(document: Document) -> None:
    type_in(document, "s")
    document.history.seal()
    type_in(document, "se")
    assert undo_count(document) == 2


def test_another_key_or_none_begins_a_new_step(document: Document) -> None:
    document.apply([Set("/name", b'"a"')], "one", merge_key=1)
    document.apply([Set("/name", b'"b"')], "two", merge_key=2)
    document.apply([Set("/name", b'"c"')], "three")
    document.apply([Set("/name", b'"d"')], "four")
    assert undo_count(document) == 4


def test_one_key_for_two_values_is_two_steps(document: Document) -> None:
    document.apply([Set("/name", b'"a"')], "one", merge_key=1)
    document.apply([Set("/cases/0/id", b'"b"')], "two", merge_key=1)
    assert undo_count(document) == 2


def test_structural_edits_never_merge(document: Document) -> None:
    document.apply([Remove("/cases/0")], "one", merge_key=1)
    document.apply([Remove("/cases/0")], "two", merge_key=1)
    assert undo_count(document) == 2


def test_typing_on_after_undo_or_redo_is_a_new_step(document: Document, clock: Clock) -> None:
    type_in(document, "s")
    clock.now += 5
    type_in(document, "se")
    document.undo()
    type_in(document, "sx")
    assert document.redo() is None
    document.undo()
    assert node(document, "/name").text() == "s"
    document.redo()
    type_in(document, "sxy")
    assert undo_count(document) == 3


def test_typing_does_not_merge_across_the_save_point(document: Document) -> None:
    type_in(document, "s")
    save(document)
    type_in(document, "se")
    document.undo()
    assert node(document, "/name").text() == "s"
    assert not document.is_dirty


def test_steps_have_names(document: Document) -> None:
    history = document.history
    document.apply([Rename("/name", "title")], "rename")
    document.apply([Remove("/title")], "delete")
    assert (history.next_undo, history.next_redo) == ("delete", None)
    undone = document.undo()
    assert undone is not None
    assert (undone.label, history.next_undo, history.next_redo) == ("delete", "rename", "delete")
    document.undo()
    assert (document.undo(), history.next_undo) == (None, None)


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
    assert {node.pointer() for node in document.history.changed_nodes()} == changed
    document.undo()
    assert document.is_dirty
    assert document.is_changed(node(document, "/name"))
    assert not document.is_changed(node(document, "/cases/1"))
    save(document)
    assert (document.is_dirty, document.history.changed_nodes()) == (False, [])


def test_what_is_edited_while_a_save_is_under_way_stays_unsaved(document: Document) -> None:
    type_in(document, "s")
    document.history.seal()
    saved, point = Saved(fingerprint(document.to_bytes())), document.history.point()
    type_in(document, "se")
    document.mark_saved(saved, point)
    assert document.is_dirty
    assert document.is_changed(node(document, "/name"))
    document.undo()
    assert not document.is_dirty
    assert document.history.changed_nodes() == []


def test_a_state_that_was_left_while_its_save_was_under_way_is_out_of_reach(document: Document) -> None:
    type_in(document, "s")
    saved, point = Saved(fingerprint(document.to_bytes())), document.history.point()
    document.undo()
    document.apply([Set("/cases/0/id", b"1")], "other way")
    document.mark_saved(saved, point)
    document.undo()
    assert document.is_dirty


def test_a_save_of_what_was_opened_is_a_save_point(document: Document) -> None:
    type_in(document, "s")
    document.mark_saved(Saved(fingerprint(SOURCE)), None)
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


def test_a_moved_case_is_the_same_node(document: Document) -> None:
    one = node(document, "/cases/0")
    document.apply([Move("/cases/0", "/cases/1")], "down")
    assert node(document, "/cases/1") is one
    document.apply([Move("/cases/1", "/first")], "out")
    assert node(document, "/first") is one
    assert one.pointer() == "/first"
    undo_count(document)
    assert node(document, "/cases/0") is one
    assert (one.pointer(), one.name, document.to_bytes()) == ("/cases/0", "", SOURCE)


def test_a_removed_case_comes_back_as_the_same_node(document: Document) -> None:
    one, text = node(document, "/cases/0"), node(document, "/cases/0/id")
    document.apply([Remove("/cases/0")], "delete")
    assert one.parent is None
    document.undo()
    assert node(document, "/cases/0") is one
    assert node(document, "/cases/0/id") is text


def test_an_inserted_case_that_is_undone_and_redone_is_the_same_node(document: Document) -> None:
    document.apply([Insert("/cases/1", b'{"id": "new"}')], "add")
    new = node(document, "/cases/1")
    document.apply([Set("/cases/1/id", b'"newer"')], "set")
    undo_count(document)
    document.redo()
    document.redo()
    assert node(document, "/cases/1") is new
    assert new.source() == b'{"id": "newer"}'


def test_a_set_container_is_the_same_node_and_undo_brings_its_items_back(document: Document) -> None:
    cases, one = node(document, "/cases"), node(document, "/cases/0")
    document.apply([Set("/cases", b"[]")], "clear")
    assert node(document, "/cases") is cases
    document.undo()
    assert node(document, "/cases/0") is one
    assert one.pointer() == "/cases/0"


def test_a_member_moved_over_another_leaves_that_one_its_identity(document: Document) -> None:
    name = node(document, "/name")
    document.apply([Move("/cases/0", "/name")], "over")
    assert node(document, "/name") is name
    assert name.source() == b'{"id": "one"}'
    document.undo()
    assert document.to_bytes() == SOURCE
