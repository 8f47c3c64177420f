"""Another text put into a tree whose nodes stay who they are."""

from __future__ import annotations

from collections.abc import Callable, Collection

from evaltui.document.node import Content, Node, NodeState
from evaltui.document.swaps import TreeSwap

ItemPairing = Callable[[Node, Node], "list[int | None]"]
"""For each item of the second container the index of the item of the first that it was; None for one that came."""

Twins = dict[Node, Node]
"""The nodes of a live tree by those of the one that was put into it."""


def graft(live: Node, target: Node, pair: ItemPairing, wanted: Collection[Node] = ()) -> tuple[TreeSwap, Twins]:
    """The change that makes the text below `live` that below `target`, and the twins of the nodes of `target`.

    Nodes that `pair` finds again stay the same objects; only what somebody looked into is looked into, and the nodes
    of `target` that are `wanted` as twins. `target` is used up. Needs no recursion.
    """
    twins: Twins = {}
    states: list[tuple[Node, NodeState]] = []
    changed: list[Node] = []
    pending = [(live, target)]
    while pending:
        old, new = pending.pop()
        twins[new] = old
        content, came = _content(old, new, pair, pending, new in wanted)
        changed += came
        state = (content, new.lead, new.key, new.colon, new.trail)
        if state != old.state():
            states.append((old, state))
    return TreeSwap(live, states, changed), twins


def _content(
    old: Node, new: Node, pair: ItemPairing, pending: list[tuple[Node, Node]], unfold: bool
) -> tuple[Content, list[Node]]:
    """What `old` is to hold, and which nodes are others then than before: itself, or items that come."""
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
