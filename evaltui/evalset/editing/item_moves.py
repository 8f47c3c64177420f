"""Moves items of a list, or keys of an object, past their neighbours."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TypeVar

from evaltui.document.edits import Edit, Insert, Move, Remove
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision

_FEW = 100
"""Up to this many chosen items move one by one; of more, the fewer items between them move instead."""

Item = TypeVar("Item")


def move_value(node: Node, step: int, named: str) -> Revision:
    """Move an item or key one place up (-1) or down (1) among its siblings.

    Raises `EditError` at the end of them. An item stays the same node. A key becomes a new node, because JSON Patch
    knows no order of keys.
    """
    container = node.parent
    if container is None:
        raise EditError("the outermost value cannot move")
    at, last = node.index(), len(container.items) - 1
    goal = at + step
    if not 0 <= goal <= last:
        raise EditError(f"{named} is already {'first' if step < 0 else 'last'}")
    label = f"move {named} {'up' if step < 0 else 'down'}"
    if container.kind == "array":
        return Revision(label, [Move(node.pointer(), f"{container.pointer()}/{goal}")])
    behind = container.items[goal + 1].name if step > 0 and goal < last else None
    before = container.items[goal].name if step < 0 else behind
    copy = Insert(node.pointer(), node.source(), before, origin_indent=line_indent(node))
    return Revision(label, [Remove(node.pointer()), copy])


def shifted(items: Sequence[Item], chosen: Set[Item], step: int) -> list[Item]:
    """`items` with each chosen item moved up (-1) or down (1) past its neighbour, unless that is chosen, too."""
    order = list(items)
    places = range(len(order)) if step < 0 else range(len(order) - 1, -1, -1)
    for at in places:
        beside = at + step
        if order[at] in chosen and 0 <= beside < len(order) and order[beside] not in chosen:
            order[at], order[beside] = order[beside], order[at]
    return order


def moves(pointer: str, items: Sequence[Item], order: Sequence[Item], chosen: Set[Item], head: int = 0) -> list[Edit]:
    """The moves that bring `items` of the list at `pointer` into another order; few chosen items move themselves.

    `items` come after `head` other items, which stay.
    """
    now, edits = list(items), list[Edit]()

    def move(at: int, place: int) -> None:
        edits.append(Move(f"{pointer}/{head + at}", f"{pointer}/{head + place}"))
        now.insert(place, now.pop(at))

    if 0 < len(chosen) <= _FEW:  # moved nodes are marked as changed, so they must be the nodes that the person moved
        # Look up only the chosen items: a search for every item takes a second per key press with 10,000 cases.
        for place in [place for place, item in enumerate(order) if item in chosen]:
            at = now.index(order[place])
            goal = now.index(order[place - 1]) + 1 if place else 0
            if at != goal:
                move(at, goal - (at < goal))
    places: dict[Item, int] = {}
    for place, item in enumerate(order):
        if now[place] == item:
            continue
        if now[place + 1] == item:
            # Either of two swapped neighbours may move; moving the first past the other keeps the later moves few.
            places = places or {each: goal for goal, each in enumerate(order)}
            move(place, places[now[place]])
        if now[place] != item:
            move(now.index(item, place), place)
    return edits
