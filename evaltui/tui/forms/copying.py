"""The value that the copy key takes from a line of a form, whole and as JSON."""

from __future__ import annotations

from evaltui.document.layout import shifted
from evaltui.document.node import Node
from evaltui.document.strings import encode
from evaltui.document.style import line_indent
from evaltui.tui.forms.form import Field, Link, Stop, Told


def value_of(stop: Stop | None) -> Node | None:
    """The value that a line of a form shows or links to; None for a line without a value."""
    match stop:
        case Link():
            return stop.target
        case Told():
            return _told(stop)
        case Field() if stop.kind == "text":
            # The node of a field can be larger than its text: a text field of a content has the whole part.
            found = [node for node in (stop.node, *(stop.node.items if stop.node else ())) if _holds(node, stop.text)]
            return found[0] if found else Node(encode(stop.text, raw_bytes=True)) if stop.text else None
        case Field() if stop.kind != "absent":
            return stop.node
    return None


def _told(told: Told) -> Node | None:
    try:
        return Node(told.value()) if told.value is not None else None
    except (RecursionError, TypeError, ValueError):  # values in a recording can be invalid as JSON, or too deep
        return None


def _holds(node: Node | None, text: str) -> bool:
    return node is not None and node.kind == "string" and node.text() == text


def json_of(node: Node) -> str:
    """The JSON of a value as spelt in the file, without the indent around it."""
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "replace").replace("\r\n", "\n")
