"""Nodes in the order in which a document has them."""

from __future__ import annotations

from collections.abc import Iterable

from evaltui.document.node import Node


def in_order(nodes: Iterable[Node], root: Node) -> list[Node]:
    """Those of `nodes` that are still in the document below `root`, in file order; quick for many of one list."""
    places: dict[Node, dict[Node, int]] = {}
    found: list[tuple[list[int], Node]] = []
    for node in nodes:
        path = _path(node, root, places)
        if path is not None:
            found.append((path, node))
    found.sort(key=lambda pair: pair[0])
    return [node for _, node in found]


def _path(node: Node, root: Node, places: dict[Node, dict[Node, int]]) -> list[int] | None:
    path: list[int] = []
    at = node
    while at.parent is not None:
        if at.parent not in places:
            places[at.parent] = {item: place for place, item in enumerate(at.parent.items)}
        place = places[at.parent].get(at)
        if place is None:
            return None
        path.append(place)
        at = at.parent
    return path[::-1] if at is root else None
