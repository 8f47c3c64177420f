"""Whole JSON texts as nodes."""

from __future__ import annotations

from evaltui.document.errors import EditError, JsonSyntaxError
from evaltui.document.node import Node
from evaltui.document.scanner import after_blanks
from evaltui.document.unfolding import Unfolder


def read_document(body: bytes) -> Node:
    """The root of a whole JSON text, its two outermost levels unfolded; raises `JsonSyntaxError`.

    Two levels are the size at which one edit concerns one case: the root's members, and the cases in their list.
    """
    unfolder = Unfolder(Node, body)
    start = after_blanks(unfolder.text, 0)
    if start == len(body):
        raise JsonSyntaxError("the file is empty" if not body else "the file holds nothing but blanks", start)
    root, end = unfolder.value(start, 2)
    root.lead = body[:start]
    root.trail = body[end:]
    rest = after_blanks(unfolder.text, end)
    if rest < len(body):
        raise JsonSyntaxError("the JSON text has ended before this", rest)
    return root


def parse(source: bytes) -> Node:
    """JSON text as a node of its own; raises `EditError` where it is no JSON."""
    unfolder = Unfolder(Node, source)
    try:
        node, end = unfolder.value(after_blanks(unfolder.text, 0), 1)
    except JsonSyntaxError as error:
        raise EditError(f"not JSON: {error}") from error
    if after_blanks(unfolder.text, end) < len(source):
        raise EditError("not JSON: something follows behind the value")
    return node
