"""Nodes stay who they are: the cursor and results are bound to them."""

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Move, Remove, Set
from tests.document.helpers import undo_all
from tests.document.two_cases import SOURCE, node


@pytest.fixture
def document() -> Document:
    return Document(SOURCE)


def test_a_moved_case_is_the_same_node(document: Document) -> None:
    one = node(document, "/cases/0")
    document.apply([Move("/cases/0", "/cases/1")], "down")
    assert node(document, "/cases/1") is one
    document.apply([Move("/cases/1", "/first")], "out")
    assert node(document, "/first") is one
    assert one.pointer() == "/first"
    undo_all(document)
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
    undo_all(document)
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
