"""Positions of nodes: offsets, lines and columns in the text, their order, and paths of item numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.document.json_stream import place_after
from evaltui.document.node import Node


class TextRange(NamedTuple):
    """A range of text; lines and columns count from 1, columns in code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


NodeSpans = tuple[tuple[int, int], tuple[int, int]]
"""The offsets of a node in the text of its document, in bytes: of its key, which may be empty, and of its value."""


def line_and_column(text: bytes) -> tuple[int, int]:
    """The line and column after a text; only a newline ends a line."""
    last_line = text[text.rfind(b"\n") + 1 :]
    return text.count(b"\n") + 1, len(last_line.decode("utf-8", "replace")) + 1


def node_at_line(root: Node, line: int) -> Node | None:
    """The innermost value that holds the first character of a line, with its key; None if there is no such line."""
    if not 1 <= line <= count_lines(root):
        return None
    *lines_before, text = b"".join([root.lead, root.source(), root.trail]).split(b"\n", line)[:line]
    offset = sum(map(len, lines_before)) + len(lines_before) + len(text) - len(text.lstrip())
    node, start = root, len(root.lead)
    while True:
        for item, value in _items_with_offsets(node, start):
            if offset < value + len(item.source()):
                break
        else:
            return node
        if offset < value - len(item.colon) - len(item.key):
            return node
        node, start = item, value


def count_lines(root: Node) -> int:
    """The number of lines in the document of `root`."""
    body = b"".join([root.lead, root.source(), root.trail])
    return body.count(b"\n") + (not body.endswith(b"\n"))


def _items_with_offsets(container: Node, start: int) -> Iterator[tuple[Node, int]]:
    """The items of a container whose value begins at `start`, each with the offset of its own value."""
    offset = start + 1
    for item in container.items:
        offset += len(item.lead) + len(item.key) + len(item.colon)
        yield item, offset
        offset += len(item.source()) + len(item.trail) + 1


def spans_of(root: Node, nodes: Collection[Node]) -> dict[Node, NodeSpans]:
    """The places of nodes below `root`. Only containers around one of them are unfolded."""
    holders = {holder for node in nodes for holder in node.ancestors()}
    spans: dict[Node, NodeSpans] = {}
    pending = [(root, len(root.lead))]
    while pending:
        node, start = pending.pop()
        if node in nodes:
            key_end = start - len(node.colon)
            spans[node] = (key_end - len(node.key), key_end), (start, start + len(node.source()))
        if node in holders:
            pending += _items_with_offsets(node, start)
    return spans


def text_ranges_of(body: bytes, spans: Collection[tuple[int, int]]) -> dict[tuple[int, int], TextRange]:
    """Lines and columns of stretches of a text, each given by its offsets; the text is gone through once."""
    start, point = 0, (1, 1)
    points: dict[int, tuple[int, int]] = {}
    for offset in sorted({offset for span in spans for offset in span}):
        points[offset] = point = place_after(*point, body[start:offset].decode("utf-8", "replace"))
        start = offset
    return {span: TextRange(*points[span[0]], *points[span[1]]) for span in spans}


def in_order(nodes: Iterable[Node], root: Node) -> list[Node]:
    """The `nodes` that are still in the document below `root`, in file order; quick for many of one list."""
    pairs = [(path, node) for node in nodes if (path := node.path(root)) is not None]
    return [node for _, node in sorted(pairs, key=lambda pair: pair[0])]


# --- paths of item numbers -------------------------------------------------------------------------------------

NodePath = tuple[int, ...]
"""The number of the item to go to at each level, from the root."""
NO_SUCH_NODE = "the journal does not match its file"
"""The sentence for a path that leads nowhere: only journals keep paths."""


def node_on_path(root: Node, path: Iterable[int]) -> Node:
    """The node at a path; raises `DocumentError` if there is none."""
    node = root
    for number in path:
        if not 0 <= number < len(node.items):
            raise DocumentError(NO_SUCH_NODE)
        node = node.items[number]
    return node
