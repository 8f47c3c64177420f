"""Positions in the text: offsets, lines and columns of nodes, nodes at a line, nodes in file order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from evaltui.document.node import Node


class TextRange(NamedTuple):
    """A range of text; lines and columns count from 1, columns in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class NodeOffsets(NamedTuple):
    """Where a node stands in the text of its document, in bytes; ends are exclusive."""

    key: int
    """Where the key begins; where the value begins if there is no key."""
    key_end: int
    start: int
    end: int


def line_and_column(before: bytes) -> tuple[int, int]:
    """Where one stands behind the text `before`; only a newline ends a line."""
    last_line = before[before.rfind(b"\n") + 1 :]
    return before.count(b"\n") + 1, len(last_line.decode("utf-8", "replace")) + 1


def text_range_of(node: Node) -> TextRange:
    """Where the value of `node` stands in its document."""
    before = text_before(node)
    start = line_and_column(before)
    end = line_and_column(before + node.source())
    return TextRange(*start, *end)


def text_before(node: Node) -> bytes:
    """All text of the document in front of the value of `node`."""
    parts: list[bytes] = []
    at = node
    while at.parent is not None:
        parts.append(at.lead + at.key + at.colon)
        container = at.parent
        for item in reversed(container.items[: container.items.index(at)]):
            parts += [b",", item.trail, item.source(), item.colon, item.key, item.lead]
        parts.append(b"{" if container.kind == "object" else b"[")
        at = container
    return at.lead + b"".join(reversed(parts))


def node_at_line(root: Node, line: int) -> Node | None:
    """The innermost value that holds the first character of a line, with its key; None where there is no such line."""
    body = _body(root)
    start = 0
    for _ in range(line - 1):
        start = body.find(b"\n", start) + 1
        if not start:
            return None
    if line < 1 or (line > 1 and start >= len(body)):
        return None
    end = body.find(b"\n", start)
    text = body[start : end if end >= 0 else len(body)]
    return _node_at(root, start + len(text) - len(text.lstrip()))


def count_lines(root: Node) -> int:
    """How many lines the document of `root` has."""
    body = _body(root)
    return body.count(b"\n") + (not body.endswith(b"\n"))


def _body(root: Node) -> bytes:
    return b"".join([root.lead, root.source(), root.trail])


def _node_at(root: Node, offset: int) -> Node:
    at, start = root, len(root.lead)
    while True:
        inside = (each for each in _items_with_offsets(at, start) if offset < each[1] + len(each[0].source()))
        item, value = next(inside, (at, start))
        if item is at or offset < value - len(item.colon) - len(item.key):
            return at
        at, start = item, value


def _items_with_offsets(container: Node, start: int) -> Iterator[tuple[Node, int]]:
    """The items of a container whose value begins at `start`, each with the offset of its own value."""
    at = start + 1
    for item in container.items:
        at += len(item.lead) + len(item.key) + len(item.colon)
        yield item, at
        at += len(item.source()) + len(item.trail) + 1


def offsets_of(root: Node, wanted: Collection[Node]) -> dict[Node, NodeOffsets]:
    """The offsets of nodes below `root`. Only containers around one of them are unfolded."""
    holders = {holder for node in wanted for holder in node.ancestors()}
    found: dict[Node, NodeOffsets] = {}
    pending = [(root, len(root.lead))]
    while pending:
        node, start = pending.pop()
        if node in wanted:
            before = start - len(node.colon)
            found[node] = NodeOffsets(before - len(node.key), before, start, start + len(node.source()))
        if node in holders:
            pending += _items_with_offsets(node, start)
    return found


def text_ranges_of(body: bytes, spans: Collection[tuple[int, int]]) -> dict[tuple[int, int], TextRange]:
    """Lines and columns of stretches of a text, each given by its offsets; the text is gone through once."""
    at, line, column = 0, 1, 1
    points: dict[int, tuple[int, int]] = {}
    for offset in sorted({offset for span in spans for offset in span}):
        between = body[at:offset]
        lines = between.count(b"\n")
        column = (1 if lines else column) + len(between[between.rfind(b"\n") + 1 :].decode("utf-8", "replace"))
        line += lines
        points[offset] = line, column
        at = offset
    return {span: TextRange(*points[span[0]], *points[span[1]]) for span in spans}


def in_order(nodes: Iterable[Node], root: Node) -> list[Node]:
    """The `nodes` that are still in the document below `root`, in file order; quick for many of one list."""
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
