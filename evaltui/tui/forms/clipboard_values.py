"""Values and the clipboard: the value that the copy key takes from a line, and JSON pasted in the place of a value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evaltui.document.edits import Set
from evaltui.document.errors import EditError
from evaltui.document.layout import shifted
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import encode, json_bytes
from evaltui.document.style import line_indent
from evaltui.evalset.content_views import plain_text
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.set_views import EvalCaseView, InvocationView
from evaltui.tui.forms.form import Field, Link, Stop, WhyLine
from evaltui.tui.forms.values import shown_text, type_of
from evaltui.tui.widgets.pasted_text import on_one_line

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


def written_over(field: Field, text: str) -> Revision:
    """Writes a text in the place of what a field holds. Raises `EditError` for one that it does not take."""
    text = text if field.block else text.rstrip("\n")
    if not field.one_line or on_one_line(text) == text:
        return field.write(text)
    return replace(field.write(on_one_line(text)), remark="line breaks became spaces")


def value_over(field: Field, source: str, where: str) -> Revision | None:
    """Replaces what a field of texts holds by a value, its JSON copied from another line; None for other fields.

    A text is written as such; of another type, where the field may have that.
    """
    value = parse_value(json_bytes(source))
    if not field.takes_text:
        return None
    if value.kind == "string":
        return written_over(field, value.text())
    if field.node is not None and field.retype is not None and type_of(value) in field.types:
        return pasted_over(field, source, where)
    if value.is_container:
        raise EditError(f"what was copied is {_called(value)}; this line takes text")
    return None


def pasted_over(line: Stop, text: str, where: str) -> Revision:
    """Replaces the value of `line`, which stands at `where`, by JSON.

    Raises `EditError` for a text that is no JSON, and for JSON of a type that the line does not take.
    """
    node = line.node
    if node is None:
        raise EditError("this line takes no value")
    try:
        value = parse_value(json_bytes(text.strip()))
    except EditError as error:
        raise EditError(f"what was copied is no JSON, which this line takes: {error}") from error
    types = line.types if line.retype is not None else (type_of(node),)
    if type_of(value) not in types:
        raise EditError(f"what was copied is {_called(value)}; this line takes {' or '.join(types)}")
    count = len(node.items)
    what = "items" if node.kind == "array" else "members"
    lost = f"its {count} {what if count > 1 else what[:-1]} went" if count else ""
    return Revision(f"replace {where}", [Set(node.pointer(), value.source())], lost)


def _called(value: Node) -> str:
    name = type_of(value)
    return f"an {name}" if name == "object" else name if name == "null" else f"a {name}"
