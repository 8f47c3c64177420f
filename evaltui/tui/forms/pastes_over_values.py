"""Clipboard text that takes the place of the value on a line of a form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evaltui.document.edits import Set
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.document.strings import json_bytes
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Field, Stop
from evaltui.tui.forms.values import type_of
from evaltui.tui.widgets.pasted_text import on_one_line

if TYPE_CHECKING:
    pass


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
