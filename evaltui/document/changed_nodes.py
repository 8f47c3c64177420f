"""The nodes that differ from the save point. A change that a person reversed by hand does not count.

Each swap is noted once it is done. The first swap that touches a part of a node tells the part's state at the save
point. Each later swap compares the part with that state again. So the cost of an edit depends on the nodes it
touches, not on the size of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from evaltui.document.node import Content, Node
from evaltui.document.swaps import ContentSwap, ItemsSwap, KeySwap, Swap, TreeSwap

# An undone deletion or a replaced item can have the saved bytes again. To tell takes the bytes of both, so only few are
# compared: beyond these limits a list counts as changed, which at worst asks for a save that changes nothing.
_FEW = 20  # replaced items of a list
_MANY_PARTS = 2000  # changed parts of the document


_Part = tuple[Node, str]
"""A part of a node that a swap can change: its `value`, its `key`, or the `blanks` around it."""


class ChangedNodes:
    """The parts of the document that differ from the save point, and the nodes marked for them."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._then: dict[_Part, Any] = {}
        """The state at the save point of every part touched since."""
        self._shown_by: dict[_Part, tuple[Node, ...]] = {}
        """The nodes marked for each part that differs; none if the part is no longer in the document."""
        self._count: Counter[Node] = Counter()

    def begin(self, since: Sequence[Swap] = ()) -> None:
        """Make the present text the save point, except for the swaps in `since`, which were done after it."""
        self._then, self._shown_by, self._count = {}, {}, Counter()
        self.note(since)

    def add(self, nodes: Iterable[Node]) -> None:
        """Mark nodes that differ from the saved file although no swap changed them."""
        for node in nodes:
            self._show((node, "as read"), (node, *node.ancestors()))

    def is_changed(self, node: Node) -> bool:
        """Whether `node` or a node below it differs."""
        return self._count[node] > 0

    def changed_nodes(self) -> list[Node]:
        """All nodes that differ, with the containers around them."""
        return [node for node, count in self._count.items() if count > 0]

    def note(self, swaps: Sequence[Swap]) -> None:
        """Compare the parts that `swaps` changed. The swaps have just been done, in this order."""
        earlier, touched = _before(swaps)
        for part, value in earlier.items():
            self._then.setdefault(part, value)
        if touched:
            for part in [part for part in self._shown_by if _is_at_or_below(part[0], touched)]:
                self._show(part, self._marked_for(part, ()))
        moved = [item for swap in swaps if isinstance(swap, ItemsSwap) for item in swap.present]
        for part in earlier:
            if self._is_same(part):
                self._show(part, None)
            elif touched or not self._shown_by.get(part):  # more typing in a value does not change its place
                self._show(part, self._marked_for(part, moved))

    def _show(self, part: _Part, nodes: tuple[Node, ...] | None) -> None:
        """Mark these nodes for a part that differs; None if the part no longer differs."""
        self._count.subtract(self._shown_by.pop(part, ()))
        if nodes is not None:
            self._shown_by[part] = nodes
            self._count.update(nodes)

    def _marked_for(self, part: _Part, moved: Iterable[Node]) -> tuple[Node, ...]:
        node, what = part
        if node.path(self.root) is None:
            return ()
        if what == "blanks":  # the blanks belong to the list around the item
            return tuple(node.ancestors()) or (node,)
        items: list[Node] = []
        saved = self._then.get(part)
        if what == "value" and saved is not None and saved[2] is not None:
            had = set(saved[2])
            also = {*moved, *self._shown_by.get(part, ())}
            items = [item for item in node.content()[2] or () if item not in had or item in also]
        return (*items, node, *node.ancestors())

    def _is_same(self, part: _Part) -> bool:
        (node, what), saved = part, self._then[part]
        if what == "key":
            return bool(saved == (node.key, node.colon))
        if what == "blanks":
            return bool(saved == (node.lead, node.trail))
        content = node.content()
        if saved[0] != content[0]:
            return False
        if (text := _text_of(saved)) is not None and text == _text_of(content):
            return True
        items, present = saved[2], content[2]
        if not items or not present or len(items) != len(present):
            return False
        replaced = [pair for pair in zip(items, present, strict=True) if pair[0] is not pair[1]]
        if not replaced:
            return True
        if len(replaced) > _FEW or len(self._then) > _MANY_PARTS:
            return False
        either = {*chain.from_iterable(replaced)}
        # An item that was itself edited, before it came or before it left, no longer has its saved bytes.
        is_edited = any(_is_at_or_below(touched, either) for touched, _ in self._then)
        return not is_edited and all(_with_blanks(old) == _with_blanks(new) for old, new in replaced)


def _text_of(content: Content) -> bytes | None:
    """The bytes of a value; None if only its items have them."""
    kind, source, items, inner = content
    if items is None or items or source is not None:
        return source
    return b"{" + inner + b"}" if kind == "object" else b"[" + inner + b"]"


def _copied(content: Content) -> Content:
    """The content with a list of its own: an edit changes the list of the node."""
    kind, source, items, inner = content
    return kind, source, None if items is None else list(items), inner


def _before(swaps: Sequence[Swap]) -> tuple[dict[_Part, Any], set[Node]]:
    """The parts that the swaps changed, each in its state before the first swap, and the items that came or left."""
    earlier: dict[_Part, Any] = {}
    touched: set[Node] = set()
    for swap in reversed(swaps):
        match swap:
            case ContentSwap():
                earlier[swap.node, "value"] = _copied(swap.opposite)
                touched.update(swap.node.items if swap.node.is_unfolded else (), swap.opposite[2] or ())
            case KeySwap():
                earlier[swap.node, "key"] = (swap.key, swap.colon)
            case ItemsSwap():
                part = swap.node, "value"
                content: Any = earlier.get(part) or _copied(swap.node.content())
                kind, _, items, inner = content
                items[swap.index : swap.index + len(swap.present)] = swap.opposite
                earlier[part] = kind, None, items, inner
                earlier.update(((item, "blanks"), blanks) for item, blanks in swap.around)
                touched.update(swap.present, swap.opposite)
            case TreeSwap():
                for node, (content, lead, key, colon, trail) in swap.states:
                    earlier[node, "value"] = _copied(content)
                    earlier[node, "key"] = (key, colon)
                    earlier[node, "blanks"] = (lead, trail)
                    touched.update(node.items, content[2] or ())
    return earlier, touched


def _is_at_or_below(node: Node, nodes: set[Node]) -> bool:
    return node in nodes or any(container in nodes for container in node.ancestors())


def _with_blanks(node: Node) -> tuple[bytes, ...]:
    return node.lead, node.key, node.colon, node.source(), node.trail
