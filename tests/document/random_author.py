"""Edits, undoes, saves and reads a document again at random, as no person would."""

from __future__ import annotations

from pathlib import Path
from random import Random

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from evaltui.document.errors import DocumentError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from tests.document.helpers import all_nodes, root_of

SOURCE = b'{"cases": [{"id": "a", "n": [1,2]}, {"id": "b", "n": 2}, {"id": "a", "n": [1,2]}], "tail": [], "e": { }}\n'
_VALUES = [b"1", b'"a"', b"null", b"[]", b"{}", b"[1, [2]]", b'{"p": 1, "q": {"r": []}}']
_NAMES = "pqrn"
_ACTS = (("edit", 8), ("undo", 5), ("redo", 3), ("save", 1), ("begin save", 1), ("end save", 1), ("reread", 1))


class Author:
    """One document and the bytes on its disk."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._now = 0.0
        self.document = Document(SOURCE, Path("set.json"), clock=lambda: self._now)
        self.disk = SOURCE
        self._saving: tuple[bytes, UndoStep | None] | None = None

    def act(self) -> None:
        """Do one thing, or nothing where that cannot be done."""
        self._now += self._chance.choice([0, 0.1, 5])
        [name] = self._chance.choices([act for act, _ in _ACTS], [weight for _, weight in _ACTS])
        try:
            getattr(self, f"_{name.replace(' ', '_')}")()
        except DocumentError:
            return

    def _edit(self) -> None:
        self.document.apply([self._any_edit() for _ in range(self._chance.choice([1, 1, 1, 2, 3]))], "edit")

    def _any_edit(self) -> Edit:
        at = self._any_node(self.document)
        kind = self._chance.randrange(5)
        if kind == 0:
            return Insert(self._place_in(at), self._any_value())
        if kind == 1:
            return Remove(at.pointer())
        if kind == 2:
            return Move(at.pointer(), self._place_in(self._any_node(self.document)))
        if kind == 3:
            return Rename(at.pointer(), self._chance.choice(_NAMES))
        return Set(at.pointer(), self._any_value())

    def _place_in(self, container: Node) -> str:
        last = self._chance.randrange(len(container.items) + 1) if container.kind == "array" else None
        return f"{container.pointer()}/{self._chance.choice(_NAMES) if last is None else last}"

    def _any_node(self, document: Document) -> Node:
        return self._chance.choice(list(all_nodes(root_of(document))))

    def _any_value(self) -> bytes:
        """Often one that the file has, so that a change is taken back by hand."""
        return self._chance.choice([*_VALUES, *[self._any_node(Document(self.disk)).source()] * 7])

    def _undo(self) -> None:
        self.document.undo()

    def _redo(self) -> None:
        self.document.redo()

    def _save(self) -> None:
        self._begin_save()
        self._end_save()

    def _begin_save(self) -> None:
        """What follows until the save ends is done while a thread writes."""
        self.document.history.settle()
        self._saving = self.document.to_bytes(), self.document.history.point()

    def _end_save(self) -> None:
        if self._saving is not None:
            (self.disk, point), self._saving = self._saving, None
            self.document.mark_saved(self.disk, point)

    def _reread(self) -> None:
        """Somebody else has written the file."""
        if self._saving is not None:
            return
        theirs = Document(self.disk)
        theirs.apply([Set(self._any_node(theirs).pointer(), self._any_value())], "theirs")
        on_disk = theirs.to_bytes().rstrip() + self._chance.choice([b"", b"\n", b"\n\n"])
        self.document.become(Document(on_disk), _pair, "read again", on_disk)
        self.disk = on_disk


def _pair(old: Node, new: Node) -> list[int | None]:
    """Members by their key, items by their place."""
    if new.kind == "object":
        keys = [item.key for item in old.items]
        return [keys.index(item.key) if item.key in keys else None for item in new.items]
    return [number if number < len(old.items) else None for number in range(len(new.items))]
