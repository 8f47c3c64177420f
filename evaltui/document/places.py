"""Lines and columns of a document's nodes."""

from __future__ import annotations

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
