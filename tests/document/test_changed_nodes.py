"""Dirty is what differs from the saved bytes, not what has a history."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from tests.document.random_author import Author
from tests.sampling import sampled

SOURCE = b'{"cases": [{"id": "a", "n": 600}, {"id": "b", "n": 2}, {"id": "c", "n": 3}], "name": "x", "tail": []}'

NO_CHANGE: dict[str, list[list[Edit]]] = {
    "clone, then delete": [[Insert("/cases/1", b'{"id": "a2", "n": 600}')], [Remove("/cases/1")]],
    "clone, edit the copy, delete it": [
        [Insert("/cases/1", b'{"id": "a2", "n": 600}')],
        [Set("/cases/1/n", b"1")],
        [Remove("/cases/1")],
    ],
    "delete, then write the same again": [[Remove("/cases/1")], [Insert("/cases/1", b'{"id": "b", "n": 2}')]],
    "cut the last and paste it": [[Remove("/cases/2")], [Insert("/cases/2", b'{"id": "c", "n": 3}')]],
    "move there and back": [[Move("/cases/0", "/cases/2")], [Move("/cases/2", "/cases/0")]],
    "rename there and back": [[Rename("/name", "nom")], [Rename("/nom", "name")]],
    "write another value, then the old one": [[Set("/cases/0/n", b"6")], [Set("/cases/0/n", b"600")]],
    "write another list, then the old one": [[Set("/tail", b"[1]")], [Set("/tail", b"[]")]],
    "fill a list and empty it": [[Insert("/tail/0", b"1")], [Remove("/tail/0")]],
}


@pytest.mark.parametrize("steps", NO_CHANGE.values(), ids=NO_CHANGE)
def test_what_was_taken_back_by_hand_is_saved(steps: list[list[Edit]]) -> None:
    document = Document(SOURCE, clock=lambda: 0.0)
    for edits in steps:
        document.apply(edits, "step")
    assert document.to_bytes() == SOURCE
    assert not document.is_dirty
    assert document.history.differences.changed_nodes() == []
    document.undo()
    assert document.is_dirty
    for _ in steps[1:]:
        document.undo()
    assert (document.is_dirty, document.to_bytes()) == (False, SOURCE)


@pytest.mark.parametrize("steps", NO_CHANGE.values(), ids=NO_CHANGE)
def test_beside_another_change_nothing_else_is_marked(steps: list[list[Edit]]) -> None:
    document = Document(SOURCE, clock=lambda: 0.0)
    document.apply([Set("/cases/2/id", b'"z"')], "other")
    for edits in steps:
        document.apply(edits, "step")
    changed = {node.pointer() for node in document.history.differences.changed_nodes()}
    moved = {"/cases/2", "/cases/2/id"}
    assert changed - moved <= {"", "/cases"}
    assert document.is_dirty


def test_the_neighbour_of_what_comes_or_goes_is_not_marked() -> None:
    document = Document(json.dumps(json.loads(SOURCE), indent=2).encode())
    assert document.root is not None
    first, second = document.root.at("/cases/0"), document.root.at("/cases/1")
    document.apply([Move("/cases/1", "/cases/0")], "move")
    assert document.is_changed(second)
    assert not document.is_changed(first)


def test_a_copy_that_is_changed_later_is_a_change() -> None:
    document = Document(SOURCE, clock=lambda: 0.0)
    document.apply([Remove("/cases/1")], "cut")
    document.apply([Insert("/cases/1", b'{"id": "b", "n": 2}')], "paste")
    document.apply([Set("/cases/1/n", b"4")], "edit")
    assert document.is_dirty
    document.undo()
    assert not document.is_dirty


def test_what_was_saved_meanwhile_counts() -> None:
    document = Document(SOURCE, clock=lambda: 0.0)
    document.apply([Insert("/cases/1", b'{"id": "a2", "n": 600}')], "clone")
    document.history.mark_saved(document.history.point())
    assert not document.is_dirty
    document.apply([Remove("/cases/1")], "delete")
    assert document.is_dirty
    document.apply([Insert("/cases/1", b'{"id": "a2", "n": 600}')], "again")
    assert not document.is_dirty


@pytest.mark.parametrize("edits", [
    [Remove("/cases/0"), Insert("/cases/0", b'{"id": "a", "n": 600}'), Set("/cases/0/id", b'"z"')],
    [Set("/tail", b"[[1]]"), Set("/tail/0/0", b"2"), Set("/tail", b"[[1]]")],
])  # fmt: skip
def test_an_edit_inside_what_the_same_step_brought_is_saved_and_its_undo_is_unsaved(edits: list[Edit]) -> None:
    document = Document(SOURCE)
    document.apply(edits, "edit")
    saved = document.to_bytes()
    document.history.mark_saved(document.history.point())
    document.undo()
    assert document.to_bytes() != saved
    assert document.is_dirty


def test_what_is_done_while_a_save_runs_is_unsaved() -> None:
    document = Document(SOURCE)
    document.apply([Set("/name", b'"y"')], "edit")
    point = document.history.point()
    document.apply([Set("/cases/0/id", b'"aZ"')], "edit")
    document.apply([Move("/cases/0", "/cases/1")], "move")
    document.apply([Move("/cases/1", "/cases/0")], "move back")
    document.history.mark_saved(point)
    assert document.is_dirty


def test_undoing_a_reading_that_changed_the_end_of_the_file_is_unsaved(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(b'{"a": 1}')
    document = Document.open(path)
    path.write_bytes(b'{"a": 1}\n')
    document.become(Document(path.read_bytes()), lambda _, new: list(range(len(new.items))), "reread", b'{"a": 1}\n')
    assert not document.is_dirty
    document.undo()
    assert document.is_dirty


@pytest.mark.parametrize("seed", sampled(range(int(os.environ.get("EVALTUI_ROUNDS", "150"))), 25))
def test_what_is_not_dirty_is_what_is_on_disk(seed: int) -> None:
    author = Author(seed)
    for _ in range(30):
        author.act()
        assert author.document.is_dirty or author.document.to_bytes() == author.disk
    while author.document.undo() is not None:
        assert author.document.is_dirty or author.document.to_bytes() == author.disk
