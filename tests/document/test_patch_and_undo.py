"""A patch is one undo step, and one that cannot be done leaves no trace."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.patch import PatchError, apply_patch, read_patch
from tests.document.helpers import pointers_of, undo_all
from tests.document.operations import add, copy, holds, move, remove, replace

SOURCE = b'{"a": [1, 2], "b": {"c": "\\u00e9"}, "d": { }}'
CHANGES = [replace("/a/0", 5), move("/b/c", "/d/c"), copy("/d", "/b/e"), remove("/a/1"), add("/a/-", 7)]
RESULT = b'{"a": [5, 7], "b": {"e": {"c": "\\u00e9"}}, "d": {"c": "\\u00e9"}}'
FAILURES = {
    "a test": holds("/a/0", 1),
    "a place that is none": remove("/x"),
    "an index past the end": add("/a/9", 1),
    "into itself": move("/b", "/b/e/f"),
    "nothing is left": remove(""),
}


def operations(*given: dict[str, Any]) -> Any:
    return read_patch(json.dumps(given).encode())


def state_of(document: Document) -> tuple[object, ...]:
    """All that a step leaves behind."""
    history, root = document.history, document.root
    changed = {node.pointer() for node in history.changed_nodes() if root and node.is_in(root)}
    return document.to_bytes(), document.is_dirty, history.next_undo, history.next_redo, changed


def with_history() -> Document:
    """A document with a step done and one undone."""
    document = Document(SOURCE)
    document.apply([Set("/a/0", b"3")], "first")
    document.apply([Set("/a/0", b"4")], "second")
    document.undo()
    return document


def test_a_patch_is_one_step() -> None:
    document = Document(SOURCE)
    change = apply_patch(document, operations(*CHANGES), label="fix it")
    assert (document.to_bytes(), document.history.next_undo, change.label) == (RESULT, "fix it", "fix it")
    assert change.structural
    assert {"/a/0", "/d", "/b"} <= set(pointers_of(change))
    assert undo_all(document) == 1
    assert (document.to_bytes(), document.is_dirty) == (SOURCE, False)
    assert document.redo()
    assert (document.to_bytes(), document.redo()) == (RESULT, None)


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_patch_that_fails_leaves_no_trace(failure: dict[str, Any]) -> None:
    document = with_history()
    before = state_of(document)
    with pytest.raises(PatchError, match=r"operation 6 \("):
        apply_patch(document, operations(*CHANGES, failure))
    assert state_of(document) == before
    document.redo()
    assert document.to_bytes() == SOURCE.replace(b"1", b"4")
    assert undo_all(document) == 2
    assert (document.to_bytes(), document.is_dirty) == (SOURCE, False)


def test_a_patch_that_changes_nothing_is_no_step() -> None:
    document = with_history()
    before = state_of(document)
    assert apply_patch(document, operations(holds("/a/1", 2), replace("/a/1", 2.0))).nodes == ()
    assert state_of(document) == before


def test_edits_that_break_off_are_taken_back() -> None:
    document = with_history()
    before = state_of(document)
    with pytest.raises(ZeroDivisionError):
        document.apply((Set("/a/0", b"%d" % (1 // number)) for number in (1, 0)), "break off")
    assert state_of(document) == before
