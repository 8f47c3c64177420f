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
from evaltui.document.swaps import AsideSwap, ContentSwap, ItemsSwap, KeySwap, Swap, TreeSwap

Path = tuple[int, ...]
"""The number of the item to go to at each level, from the root."""

Entry = tuple[Any, ...]
"""One swap: ("set", path, source), ("text", path, lead, source, trail), ("key", path, key, colon) or
("run", path, index, removed, added, around).

`added` are (lead, key, colon, source, trail) of each new item, `around` (index, lead, trail) of items beside them.
"""

_MANY = 8
"""The number of look-ups in one list from which on the places of all its items are kept in a dictionary."""


class Group(NamedTuple):
    """The entries of one step, undo or redo."""

    number: int
    label: str
    entries: tuple[Entry, ...]
    point: UndoStep | None
    """Where the history stands after it."""
    steps: int
    """How many undo steps that is from the save point."""
    time: float
    """Seconds of the wall clock."""


class RedoLog:
    """All groups since the save point; what is typed on in one field is one group."""

    def __init__(self, root: Node, history: History) -> None:
        self._root = root
        self._history = history
        self._number = 0
        self._open: list[Entry] = []
        self._places = _Places(root)
        self.groups: list[Group] = []
        self.generation = 0
        """Counts how often groups were taken away at the front."""

    def note(self, swap: Swap) -> None:
        """A swap was just done; one on an item outside of the document is known when that comes back in."""
        if isinstance(swap, AsideSwap):  # the journal has what is kept beside the text as a whole
            return
        path = self._places.path(swap.node)
        if path is not None:
            self._open.append(_entry(swap, path))
        if isinstance(swap, ItemsSwap):
            self._places.forget(swap.node)
        elif isinstance(swap, TreeSwap):
            self._places = _Places(self._root)

    def entries(self) -> list[Entry]:
        """All entries, in order."""
        return [entry for group in self.groups for entry in group.entries]

    def begin_anew(self, entries: Iterable[Entry]) -> None:
        """Begin from the file on disk; `entries`, which lead from it to the present text, are the first group."""
        self.clear()
        self._open = list(entries)

    def note_all(self) -> None:
        """Log the present text as a whole, in place of the steps that were not logged."""
        self._open.append(("set", (), self._root.source()))
        self.close("earlier steps")

    def drop(self) -> None:
        """Forget the entries since the last group: their swaps were reversed."""
        self._open.clear()
        self._places = _Places(self._root)

    def close(self, label: str) -> None:
        """Make one group of the entries since the last one."""
        entries, self._open, self._places = tuple(self._open), [], _Places(self._root)
        if not entries:
            return
        self._number += 1
        point, steps = self._history.point(), self._history.unsaved_steps
        last = self.groups[-1] if self.groups else None
        if last is not None and last.point is point and _overwrites(entries, last.entries):
            self.groups.pop()
        self.groups.append(Group(self._number, label, entries, point, steps, time.time()))

    def mark_saved(self, point: UndoStep | None) -> None:
        """Drop the groups that led to the state at `point`, which is on disk now."""
        upto = max((at for at, group in enumerate(self.groups, 1) if group.point is point), default=0)
        del self.groups[:upto]
        self.generation += 1

    def clear(self) -> None:
        """Drop all groups: the document is what is on disk."""
        self.groups.clear()
        self.generation += 1

    def after(self, number: int) -> list[Group]:
        """The groups made or changed since the one of that number."""
        return [group for group in self.groups if group.number > number]


def _overwrites(entries: tuple[Entry, ...], earlier: tuple[Entry, ...]) -> bool:
    """Whether the entries set all that the earlier ones set, as typing on in a field does."""
    return [entry[:2] for entry in entries] == [entry[:2] for entry in earlier] and all(e[0] == "set" for e in entries)


def _entry(swap: ContentSwap | KeySwap | TreeSwap | ItemsSwap, path: Path) -> Entry:
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
            numbers = {item: number for number, item in enumerate(node.items)} if len(swap.around) > 3 else None
            present = [item for item, _ in swap.around if item.parent is node]
            around = tuple((numbers[i] if numbers else node.items.index(i), i.lead, i.trail) for i in present)
            added = tuple((item.lead, item.key, item.colon, item.source(), item.trail) for item in swap.present)
            return "run", path, swap.index, len(swap.other), added, around


class _Places:
    """The paths of nodes while one step is done; of a list in which many are looked up, each place once."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._asked: dict[Node, int] = {}
        self._numbers: dict[Node, dict[Node, int]] = {}

    def path(self, node: Node) -> Path | None:
        """The path to `node`; None where it is not in the document."""
        numbers: list[int] = []
        while node.parent is not None:
            number = self._number(node.parent, node)
            if number is None:
                return None
            numbers.append(number)
            node = node.parent
        return tuple(reversed(numbers)) if node is self._root else None

    def _number(self, parent: Node, node: Node) -> int | None:
        if parent in self._numbers:
            return self._numbers[parent].get(node)
        asked = self._asked[parent] = self._asked.get(parent, 0) + 1
        if asked > _MANY:
            self._numbers[parent] = {item: number for number, item in enumerate(parent.items)}
            return self._numbers[parent].get(node)
        try:
            return parent.items.index(node)
        except ValueError:
            return None

    def forget(self, parent: Node) -> None:
        """Forget the places in `parent`: its items have come, gone or moved."""
        self._numbers.pop(parent, None)
        self._asked.pop(parent, None)


def path_to(root: Node, node: Node) -> Path | None:
    """The path from `root` to `node`; None where it is not below it."""
    return _Places(root).path(node)


def node_at(root: Node, path: Iterable[int]) -> Node:
    """The node that a path leads to; raises `DocumentError` where there is none."""
    node = root
    for number in path:
        if not 0 <= number < len(node.items):
            raise DocumentError("the journal does not fit its file")
        node = node.items[number]
    return node


def swaps_of(root: Node, entries: Iterable[Entry]) -> Iterator[Swap]:
    """The swaps to do, each made when those before it are done; raises `DocumentError` where one does not fit."""
    for kind, path, *rest in entries:
        node = node_at(root, path)
        if kind == "set":
            yield ContentSwap(node, Node(rest[0]).content())
        elif kind == "text":
            lead, source, trail = rest
            yield TreeSwap(node, [(node, (Node(source).content(), lead, node.key, node.colon, trail))], [node])
        elif kind == "key":
            yield KeySwap(node, rest[0], rest[1])
        else:
            yield _run(node, *rest)


def _run(node: Node, index: int, removed: int, added: Iterable[Any], around: Iterable[Any]) -> ItemsSwap:
    present, other = node.items[index : index + removed], [_item(*parts) for parts in added]
    if index < 0 or len(present) != removed:
        raise DocumentError("the journal does not fit its file")
    items = [*node.items[:index], *other, *node.items[index + removed :]]
    beside = [(items[number], (lead, trail)) for number, lead, trail in around]
    return ItemsSwap(node, index, present, other, beside)


def _item(lead: bytes, key: bytes, colon: bytes, source: bytes, trail: bytes) -> Node:
    node = Node(source)
    node.lead, node.trail = lead, trail
    if key:
        node.rename(key, colon)
    return node
