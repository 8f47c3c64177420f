"""Short ways to say what the tests of the document do again and again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaltui.document.document import Change, Document
from evaltui.document.edits import Edit, Set
from evaltui.document.history import History
from evaltui.document.node import Node
from evaltui.document.patch import apply_patch, read_patch


def edited(source: bytes, *edits: Edit) -> bytes:
    """The bytes of a file that held `source`, after `edits` as one step; undo must bring `source` back."""
    document = Document(source)
    document.apply(edits, "edit")
    result = document.to_bytes()
    document.undo()
    assert document.to_bytes() == source
    return result


def pointers_of(change: Change) -> tuple[str, ...]:
    """The pointers of the changed nodes that are still in the document."""
    return tuple(node.pointer() for node in change.nodes if node.is_in(change.root))


def patched(source: bytes, *operations: dict[str, Any]) -> bytes:
    """The bytes of a file that held `source`, after a JSON Patch of `operations`."""
    document = Document(source)
    apply_patch(document, read_patch(json.dumps(operations).encode()))
    return document.to_bytes()


def labels_of(history: History) -> tuple[str | None, str | None]:
    """The labels of the steps that undo and redo would take."""
    undo, redo = history.point(), history.redo_point()
    return undo.label if undo else None, redo.label if redo else None


def root_of(document: Document) -> Node:
    """The root of a document that is JSON."""
    assert document.root is not None
    return document.root


def undo_all(document: Document) -> int:
    """Undo everything; how many steps that took."""
    count = 0
    while document.undo():
        count += 1
    return count


def all_nodes(node: Node) -> Iterator[Node]:
    """`node` and everything below it, unfolded."""
    pending = [node]
    while pending:
        at = pending.pop()
        yield at
        pending += reversed(at.items)


def unfold_wholly(document: Document) -> None:
    """Make the document join itself from its smallest pieces."""
    for node in all_nodes(root_of(document)):
        node.forget_source()


def changed(path: Path) -> Document:
    """The document in the file at `path`, with an edit that is not saved."""
    document = Document.open(path)
    document.apply([Set("/a", b"2")], "set")
    return document


def only_file_in(folder: Path) -> str:
    """The name of the one file in `folder`."""
    [name] = [path.name for path in folder.iterdir()]
    return name


class Clock:
    """Time that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Spelled(str):
    """A number as it is spelt, so that a test sees when the spelling changes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"number({self})"


def spelled_value(body: bytes) -> Any:
    """The value of a JSON text, with each number as its spelling and each object as a list of its members."""
    return json.loads(
        body.decode("utf-8", "surrogateescape"), parse_int=Spelled, parse_float=Spelled, parse_constant=Spelled
    )
