"""Lines and columns of a document's nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evaltui.document.node import Node


class Place(NamedTuple):
    """A range of text; lines and columns count from 1, columns in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def line_and_column(before: bytes) -> tuple[int, int]:
    """Where one stands behind the text `before`; only a newline ends a line."""
    last_line = before[before.rfind(b"\n") + 1 :]
    return before.count(b"\n") + 1, len(last_line.decode("utf-8", "replace")) + 1


def place_of(node: Node) -> Place:
    """Where the value of `node` stands in its document."""
    before = text_before(node)
    start = line_and_column(before)
    end = line_and_column(before + node.source())
    return Place(*start, *end)


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
        inside = (each for each in items_with_offsets(at, start) if offset < each[1] + len(each[0].source()))
        item, value = next(inside, (at, start))
        if item is at or offset < value - len(item.colon) - len(item.key):
            return at
        at, start = item, value


def items_with_offsets(container: Node, start: int) -> Iterator[tuple[Node, int]]:
    """The items of a container whose value begins at `start`, each with the offset of its own value."""
    at = start + 1
    for item in container.items:
        at += len(item.lead) + len(item.key) + len(item.colon)
        yield item, at
        at += len(item.source()) + len(item.trail) + 1
