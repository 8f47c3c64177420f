"""Where many nodes of a document stand, found in one pass over what holds them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.document.places import Place, items_with_offsets


class Span(NamedTuple):
    """Offsets in the text of the document, in bytes; ends are exclusive."""

    key: int
    """Where the key begins; where the value begins if there is no key."""
    key_end: int
    start: int
    end: int


def spans_of(root: Node, wanted: Collection[Node]) -> dict[Node, Span]:
    """The spans of nodes below `root`; only what holds one of them is looked into."""
    holders = {holder for node in wanted for holder in node.ancestors()}
    found: dict[Node, Span] = {}
    pending = [(root, len(root.lead))]
    while pending:
        node, start = pending.pop()
        if node in wanted:
            before = start - len(node.colon)
            found[node] = Span(before - len(node.key), before, start, start + len(node.source()))
        if node in holders:
            pending += items_with_offsets(node, start)
    return found


def places_of(body: bytes, spans: Collection[tuple[int, int]]) -> dict[tuple[int, int], Place]:
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
    return {span: Place(*points[span[0]], *points[span[1]]) for span in spans}
