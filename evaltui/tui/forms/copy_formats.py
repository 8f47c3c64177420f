"""Forms in which a value or row is copied: JSON, text, pointer or selector of `adk eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node
from evaltui.document.strings import encode
from evaltui.evalset.content_views import plain_text
from evaltui.evalset.set_views import EvalCaseView, InvocationView
from evaltui.tui.forms.form import Field, Link, Stop, WhyLine
from evaltui.tui.forms.values import shown_text

if TYPE_CHECKING:
    from evaltui.tui.session.session import Session


def value_of(stop: Stop | None) -> Node | None:
    """The value that a line of a form shows or links to; None for a line without a value."""
    match stop:
        case Link():
            return stop.target
        case WhyLine():
            return _told(stop)
        case Field() if stop.kind == "text":
            # The node of a field can be larger than its text: a text field of a content has the whole part.
            found = [node for node in (stop.node, *(stop.node.items if stop.node else ())) if _holds(node, stop.text)]
            return found[0] if found else Node(encode(stop.text, raw_bytes=True)) if stop.text else None
        case Field() if stop.kind != "absent":
            return stop.node
    return None


def _told(told: WhyLine) -> Node | None:
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


def copy_forms(session: Session, node: Node) -> dict[str, str]:
    """The forms in which a node can be copied, with their texts."""
    forms = {"JSON": json_of(node)}
    if (root := session.document.root) is not None and node.is_in(root):
        forms["pointer"] = node.pointer()
    text = _spoken(session, node)
    if text:
        forms["text"] = text
    eval_set = session.eval_set
    case = eval_set.enclosing(node, "case") if eval_set is not None else None
    if case is not None and EvalCaseView(case).eval_id and session.document.path is not None:
        forms["selector"] = f"{session.document.path}:{EvalCaseView(case).eval_id}"
    return forms


def _spoken(session: Session, node: Node) -> str:
    """The text of a string; of a turn or a case, what is said in it."""
    if node.kind == "string":
        return shown_text(node)
    kind = session.eval_set.kind(node) if session.eval_set is not None else "value"
    turns = EvalCaseView(node).invocations if kind == "case" else [node] if kind == "turn" else []
    said = [
        plain_text(content) for at in map(InvocationView, turns) for content in (at.user_content, at.final_response)
    ]
    return "\n\n".join(filter(None, said))
