"""Undo and redo, and typing that becomes one step."""

from collections.abc import Hashable
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Remove, Rename, Set
from evaltui.document.node import Node
from evaltui.document.swaps import AsideSwap
from tests.document.helpers import Clock, labels_of, undo_all
from tests.document.two_cases import SOURCE, node, save, type_in


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def document(clock: Clock) -> Document:
    return Document(SOURCE, clock=clock)


def test_typing_in_one_field_is_one_step(document: Document) -> None:
    type_in(document, "s", "se", "sea")
    typed = document.to_bytes()
    document.undo()
    assert document.to_bytes() == SOURCE
    document.redo()
    assert document.to_bytes() == typed
    assert undo_all(document) == 1


def test_a_pause_begins_a_new_step(document: Document, clock: Clock) -> None:
    type_in(document, "s", "se")
    clock.now += 0.9
    type_in(document, "sea")
    clock.now += 1.1
    type_in(document, "seal")
    document.undo()
    assert node(document, "/name").text() == "sea"
    assert undo_all(document) == 1


def test_leaving_the_field_begins_a_new_step(document: Document) -> None:
    type_in(document, "s")
    document.history.seal()
    type_in(document, "se")
    assert undo_all(document) == 2


def test_another_key_or_none_begins_a_new_step(document: Document) -> None:
    document.apply([Set("/name", b'"a"')], "one", merge_key=1)
    document.apply([Set("/name", b'"b"')], "two", merge_key=2)
    document.apply([Set("/name", b'"c"')], "three")
    document.apply([Set("/name", b'"d"')], "four")
    assert undo_all(document) == 4


def test_one_key_for_two_values_is_two_steps(document: Document) -> None:
    document.apply([Set("/name", b'"a"')], "one", merge_key=1)
    document.apply([Set("/cases/0/id", b'"b"')], "two", merge_key=1)
    assert undo_all(document) == 2


def test_structural_edits_never_merge(document: Document) -> None:
    document.apply([Remove("/cases/0")], "one", merge_key=1)
    document.apply([Remove("/cases/0")], "two", merge_key=1)
    assert undo_all(document) == 2


@pytest.mark.parametrize("before", [SOURCE, SOURCE.replace(b"{", b'{"note": null, ', 1)])
def test_typing_that_makes_its_value_is_one_step(clock: Clock, before: bytes) -> None:
    document = Document(before, clock=clock)
    first = Set if b"note" in before else Insert
    document.apply([first("/note", b'{"parts": [{"text": "B"}]}')], "one", merge_key=1)
    for text in (b'"Bo"', b'"Boo"', b'"Book"'):
        document.apply([Set("/note/parts/0/text", text)], "typed on", merge_key=1)
    typed = document.to_bytes()
    assert b'"Book"' in typed
    document.undo()
    assert document.to_bytes() == before
    assert not document.is_dirty
    document.redo()
    assert document.to_bytes() == typed
    assert document.is_dirty
    assert undo_all(document) == 1
    assert document.to_bytes() == before


def test_a_value_beside_the_new_one_is_a_step_of_its_own(document: Document) -> None:
    document.apply([Insert("/note", b'{"text": "B"}')], "one", merge_key=1)
    document.apply([Set("/name", b'"b"')], "two", merge_key=1)
    assert undo_all(document) == 2


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
    assert undo_all(document) == 3


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
    assert labels_of(history) == ("delete", None)
    undone = document.undo()
    assert undone is not None
    assert (undone.label, labels_of(history)) == ("delete", ("rename", "delete"))
    document.undo()
    assert (document.undo(), history.point()) == (None, None)


@pytest.mark.parametrize(
    "typed",
    [
        [Set("/name", b'"s"')],
        [Insert("/cases/0/note", b'"s"')],
        [Set("/name", b'"s"'), Set("/cases/0/id", b'"t"')],
        [Set("/name", b'"s"'), Insert("/cases/0/note", b'"s"'), Set("/cases/0/id", b'"t"')],
    ],
)
def test_drafts_typed_one_after_another_do_not_grow(document: Document, typed: list[Edit]) -> None:
    """Each draft goes back over all that was typed before it, drafts included."""
    kept: dict[tuple[Node, Hashable], Any] = {}
    document.apply(typed, "typing", merge_key="field")
    for number in range(12):
        aside = AsideSwap(node(document, "/cases"), "key", kept, f"draft {number}")
        document.set_aside([aside], "draft", "field")
        assert document.to_bytes() == SOURCE
    last = document.history.point()
    assert last is not None
    assert len(last.swaps) <= 4
    undo_all(document)
    assert (document.to_bytes(), kept) == (SOURCE, {})


def test_a_draft_that_becomes_a_value_is_one_step_with_it(document: Document) -> None:
    kept: dict[tuple[Node, Hashable], Any] = {}
    document.set_aside([AsideSwap(node(document, "/cases/0"), "note", kept, "12e")], "draft", "field")
    document.apply([Insert("/cases/0/note", b"12e3")], "typing", merge_key="field")
    assert undo_all(document) == 1
    assert (document.to_bytes(), kept) == (SOURCE, {})


def test_a_change_names_its_step_and_whether_it_was_undone() -> None:
    document = Document(b'{"a": 1}')
    change = document.apply([Set("/a", b"2")], "two")
    undone, redone = document.undo(), document.redo()
    assert undone is not None
    assert redone is not None
    assert change.step is undone.step is redone.step is document.history.point()
    assert [change.is_undone, undone.is_undone, redone.is_undone] == [False, True, False]
