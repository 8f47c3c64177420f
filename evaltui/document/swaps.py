"""The reversible changes that make up every edit.

Each swap holds the other state. `swap` exchanges it with the present state, so do, undo and redo are the same
operation, and undo restores exactly the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Any

from evaltui.document.node import Content, Node, NodeState

Around = tuple[bytes, bytes]
"""The blanks before and behind an item: its lead and its trail."""

ItemPairing = Callable[[Node, Node], "list[int | None]"]
"""For each item of the second container the index of the same item in the first; None for a new item."""


@dataclass(slots=True, eq=False, repr=False)
class ContentSwap:
    """The content of `node`."""

    node: Node
    opposite: Content

    @property
    def changes_nothing(self) -> bool:
        """Whether both states are the same text; False if the comparison would have to unfold a container."""
        source = self.node.content()[1]
        return source is not None and source == self.opposite[1]

    def swap(self) -> None:
        """Exchange the content."""
        present = self.node.content()
        self.node.put_content(self.opposite)
        self.opposite = present


@dataclass(slots=True, eq=False, repr=False)
class KeySwap:
    """The key under which `node` stands, and the colon with the blanks around it; both are empty in a list."""

    node: Node
    key: bytes
    colon: bytes

    def swap(self) -> None:
        """Exchange the key."""
        present = self.node.key, self.node.colon
        self.node.rename(self.key, self.colon)
        self.key, self.colon = present


@dataclass(slots=True, eq=False, repr=False)
class ItemsSwap:
    """A run of items of the container `node`, and the blanks around the items beside it."""

    node: Node
    index: int
    present: list[Node]
    """The items of the run as it is."""
    opposite: list[Node]
    """The items of the run in the other state."""
    around: list[tuple[Node, Around]] = field(default_factory=list)

    def swap(self) -> None:
        """Exchange the run."""
        self.node.replace_items(self.index, len(self.present), self.opposite)
        # An item may be in both states of the run, so parents of new items are set after those of removed items.
        for item in self.present:
            item.parent = None
        for item in self.opposite:
            item.parent = self.node
        self.present, self.opposite = self.opposite, self.present
        # A new list: copies of a swap share the old one.
        around, self.around = self.around, []
        for item, blanks in around:
            self.around.append((item, (item.lead, item.trail)))
            item.lead, item.trail = blanks


@dataclass(slots=True, eq=False, repr=False)
class TreeSwap:
    """Any number of nodes below `node`, the root, as when the file is read again."""

    node: Node
    states: list[tuple[Node, NodeState]]
    present: list[Node]
    """The nodes whose value or list of items differs between both states, and the items that were added."""

    def swap(self) -> None:
        """Exchange all states."""
        opposites = [(node, node.state()) for node, _ in self.states]
        for node, (content, lead, key, colon, trail) in self.states:
            node.lead, node.trail = lead, trail
            node.put_content(content)
            node.rename(key, colon)
        self.states = opposites


@dataclass(slots=True, eq=False, repr=False)
class AsideSwap:
    """A side value of `node` under `key`, such as a draft. It changes no byte of the document."""

    node: Node
    key: Hashable
    store: dict[tuple[Node, Hashable], Any]
    """The store of all side values."""
    opposite: Any
    """None for nothing."""

    @property
    def changes_nothing(self) -> bool:
        """Whether both states are the same."""
        return bool(self.store.get((self.node, self.key)) == self.opposite)

    def swap(self) -> None:
        """Exchange the side value."""
        present = self.store.pop((self.node, self.key), None)
        if self.opposite is not None:
            self.store[self.node, self.key] = self.opposite
        self.opposite = present


Swap = ContentSwap | KeySwap | ItemsSwap | TreeSwap | AsideSwap


def graft(
    live: Node, target: Node, pair: ItemPairing, containers: Collection[Node] = ()
) -> tuple[TreeSwap, dict[Node, Node]]:
    """The swap that gives `live` the text of `target`, and the node of `live` for each node of `target`.

    Nodes that `pair` matches stay the same objects, so selections and open panes stay valid. `target` is unfolded only
    where `live` is unfolded, and for these `containers`: a change in a large file must not cost the whole file.
    `target` cannot be used afterwards. Needs no recursion.
    """
    twins: dict[Node, Node] = {}
    states: list[tuple[Node, NodeState]] = []
    changed: list[Node] = []
    pending = [(live, target)]
    while pending:
        old, new = pending.pop()
        twins[new] = old
        content, came = _content(old, new, pair, pending, new in containers)
        changed += came
        state = (content, new.lead, new.key, new.colon, new.trail)
        if state != old.state():
            states.append((old, state))
    return TreeSwap(live, states, changed), twins


def _content(
    old: Node, new: Node, pair: ItemPairing, pending: list[tuple[Node, Node]], unfold: bool
) -> tuple[Content, list[Node]]:
    """The new content of `old`, and the nodes that are new or get other items."""
    source = new.content()[1]
    if source is not None and source == old.content()[1] and not unfold:
        return old.content(), []
    if not ((old.is_unfolded or unfold) and old.is_container and old.kind == new.kind):
        text = new.source()
        return (new.kind, text, None, b""), [] if text == old.source() else [old]
    items: list[Node] = []
    came: list[Node] = []
    for item, index in zip(new.items, pair(old, new), strict=True):
        if index is None:
            item.parent = old
            came.append(item)
            items.append(item)
        else:
            items.append(old.items[index])
            pending.append((old.items[index], item))
    order_differs = len(items) != len(old.items) or any(a is not b for a, b in zip(items, old.items, strict=True))
    return (old.kind, source, items, new.inner), [old, *came] if order_differs else came
