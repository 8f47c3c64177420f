"""The log of a document: its swaps as data, which give the same bytes when applied to the same bytes.

Each swap is noted when it is done, undone or redone, as the path of item numbers to its node and the bytes that
stand there then. Applying the entries needs no style, model or clock. A property test holds them to the bytes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.document.history import History, UndoStep
from evaltui.document.node import Node
from evaltui.document.positions import NO_SUCH_NODE, NodePath, node_on_path
from evaltui.document.swaps import AsideSwap, ContentSwap, ItemsSwap, KeySwap, Swap, TreeSwap

Entry = tuple[Any, ...]
"""One swap: ("set", path, source), ("text", path, lead, source, trail), ("key", path, key, colon) or
("run", path, index, removed, added, around).

`added` are (lead, key, colon, source, trail) of each new item, `around` (index, lead, trail) of items beside them.
"""


class Group(NamedTuple):
    """The entries of one step, undo or redo; none if it changed no byte, as a draft does."""

    number: int
    label: str
    entries: tuple[Entry, ...]
    point: UndoStep | None
    """The place in the history after this group."""
    steps: int
    """The number of undo steps from the save point."""
    time: float
    """Seconds of the wall clock."""


class RedoLog:
    """All groups since the save point. Typing in one field is one group."""

    def __init__(self, root: Node, history: History) -> None:
        self._root = root
        self._history = history
        self._number = 0
        self._open: list[Entry] = []
        self.groups: list[Group] = []
        self.generation = 0
        """Counts how often groups were taken away at the front."""

    def note(self, swap: Swap) -> None:
        """A swap was just done; one on an item outside of the document is known when that comes back in."""
        if isinstance(swap, AsideSwap):  # the journal holds all side values at once, not their changes
            return
        if (path := swap.node.path(self._root)) is not None:
            self._open.append(_entry(swap, path))

    def entries(self) -> list[Entry]:
        """All entries, in order."""
        return [entry for group in self.groups for entry in group.entries]

    def begin_anew(self, entries: Iterable[Entry]) -> None:
        """Begin with the file on disk. `entries` lead from it to the present text, and are the first group."""
        self.clear()
        self._open = list(entries)

    def note_all(self) -> None:
        """Log the present text as a whole, in place of the steps that were not logged."""
        self._open.append(("set", (), self._root.source()))
        self.close("earlier steps")

    def drop(self) -> None:
        """Forget the entries since the last group: their swaps were reversed."""
        self._open.clear()

    def close(self, label: str) -> None:
        """Make one group of the entries since the last one. Without entries it only tells `mark_saved` its point."""
        entries, self._open = tuple(self._open), []
        point, steps = self._history.point(), self._history.unsaved_steps
        last = self.groups[-1] if self.groups else None
        if not entries and (last is None or last.point is point):
            return
        self._number += 1
        # More typing in a field sets all that the group before set, and nothing else.
        if last is not None and last.point is point:
            is_same_place = [entry[:2] for entry in entries] == [entry[:2] for entry in last.entries]
            if is_same_place and all(kind == "set" for kind, *_ in entries):
                self.groups.pop()
        self.groups.append(Group(self._number, label, entries, point, steps, time.time()))

    def mark_saved(self, point: UndoStep | None) -> None:
        """Drop the groups that led to the state at `point`, which is on disk now."""
        upto = max((number for number, group in enumerate(self.groups, 1) if group.point is point), default=0)
        del self.groups[:upto]
        self.generation += 1

    def clear(self) -> None:
        """Drop all groups, because the document equals the file on disk."""
        self.groups.clear()
        self.generation += 1

    def after(self, number: int) -> list[Group]:
        """The groups made or changed since the one of that number."""
        return [group for group in self.groups if group.number > number]


def _entry(swap: ContentSwap | KeySwap | TreeSwap | ItemsSwap, path: NodePath) -> Entry:
    node = swap.node
    match swap:
        case ContentSwap():
            return "set", path, node.source()
        case KeySwap():
            return "key", path, node.key, node.colon
        case TreeSwap():
            return "text", path, node.lead, node.source(), node.trail
        case ItemsSwap():
            if not node.items:  # the blanks between the brackets come with the source
                return "set", path, node.source()
            around = tuple((item.index(), item.lead, item.trail) for item, _ in swap.around if item.parent is node)
            added = tuple((item.lead, item.key, item.colon, item.source(), item.trail) for item in swap.present)
            return "run", path, swap.index, len(swap.opposite), added, around


def swaps_of(root: Node, entries: Iterable[Entry]) -> Iterator[Swap]:
    """The swaps to do. Each is made after the swaps before it are done. Raises `DocumentError` if one does not fit."""
    for kind, path, *rest in entries:
        node = node_on_path(root, path)
        if kind == "set":
            yield ContentSwap(node, Node(rest[0]).content())
        elif kind == "text":
            lead, source, trail = rest
            yield TreeSwap(node, [(node, (Node(source).content(), lead, node.key, node.colon, trail))], [node])
        elif kind == "key":
            yield KeySwap(node, rest[0], rest[1])
        else:
            index, removed, added, around = rest
            present, new_items = node.items[index : index + removed], [_item(*parts) for parts in added]
            if index < 0 or len(present) != removed:
                raise DocumentError(NO_SUCH_NODE)
            items = [*node.items[:index], *new_items, *node.items[index + removed :]]
            beside = [(items[number], (lead, trail)) for number, lead, trail in around]
            yield ItemsSwap(node, index, present, new_items, beside)


def _item(lead: bytes, key: bytes, colon: bytes, source: bytes, trail: bytes) -> Node:
    node = Node(source)
    node.lead, node.key, node.colon, node.trail = lead, key, colon, trail
    return node
