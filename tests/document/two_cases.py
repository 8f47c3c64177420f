"""A set of two cases and a name, and what the tests of undo and of saving do to it."""

from __future__ import annotations

from evaltui.document.document import Document
from evaltui.document.edits import Set, json_text
from evaltui.document.node import Node
from tests.document.helpers import root_of

SOURCE = b'{"cases": [{"id": "one"}, {"id": "two"}], "name": "set"}'


def node(document: Document, pointer: str) -> Node:
    """What stands at a place."""
    return root_of(document).at(pointer)


def save(document: Document) -> None:
    """Tell the document that it was saved as it is."""
    document.mark_saved(document.to_bytes(), document.history.point())


def type_in(document: Document, *texts: str, key: str = "name") -> None:
    """Put one text after another into a member, as typing does."""
    for text in texts:
        document.apply([Set(f"/{key}", json_text(text))], f"type {text}", merge_key=key)
