"""What is copied of a line: the value that it shows, whole and as JSON."""

from __future__ import annotations

from evaltui.document import Node
from evaltui.document.layout import shifted
from evaltui.document.strings import encode
from evaltui.document.style import line_indent
from evaltui.tui.forms.form import Field, Link, Stop, Told


def value_of(stop: Stop | None) -> Node | None:
    """The value that a line shows, leads to or tells of; None where there is none."""
    match stop:
        case Link():
            return stop.target
        case Told():
            return _told(stop)
        case Field() if stop.kind == "text":
            # A field can stand for more than its text: that of a part, for the part.
            found = [node for node in (stop.node, *(stop.node.items if stop.node else ())) if _holds(node, stop.text)]
            return found[0] if found else Node(encode(stop.text, raw_bytes=True)) if stop.text else None
        case Field() if stop.kind != "absent":
            return stop.node
    return None


def _told(told: Told) -> Node | None:
    try:
        return Node(told.value()) if told.value is not None else None
    except (RecursionError, TypeError, ValueError):  # what a recording holds may be no JSON, or too deep for it
        return None


def _holds(node: Node | None, text: str) -> bool:
    return node is not None and node.kind == "string" and node.text() == text


def json_of(node: Node) -> str:
    """A value as JSON as it stands in the file, moved to the left."""
    source = shifted(node.source(), line_indent(node), b"")
    return source.decode("utf-8", "replace").replace("\r\n", "\n")
