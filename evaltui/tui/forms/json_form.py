"""The form of any JSON value, for files that are no eval set and for free-form values."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document.edits import Set
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.forms.form import Field, Form, Heading, Item, Note
from evaltui.tui.forms.value_lines import add_member, append, retyping, value_field, value_line
from evaltui.tui.forms.values import editable, is_base64, is_longer, shown_text, summary, type_of, value_edits
from evaltui.tui.lines import dim

_MANY = 500
_AS_TEXT = 4000
"""Bytes up to which a container is also shown as JSON text."""


def json_form(node: Node, named: str) -> Form:
    """The form of `node`, which is called `named`: its members, or its value."""
    if not node.is_container:
        return Form(named, [_own_field(node, named)])
    items: list[Item] = [Heading(type_of(node), str(len(node.items)))]
    items += [value_line(item, named, inline=False) for item in node.items[:_MANY]] or [_nothing()]
    if len(node.items) > _MANY:
        items.append(Note(dim(f"… {len(node.items) - _MANY:,} more in the tree")))
    if not is_longer(node, _AS_TEXT) and not any(map(is_base64, node.items)):
        items += [Heading("as JSON"), _as_json(node, named)]
    if node.kind == "object":
        add = add_member(lambda: node, "member", named, lambda source: Set(node.pointer(), source))
        return Form(named, items, add=add, adds="member", asks_name=True)
    return Form(named, items, add=lambda _: append(node, named), adds="item")


def _nothing() -> Note:
    return Note(dim("Nothing in here. a adds something in this form, A in the tree."))


def _as_json(node: Node, named: str) -> Field:
    return Field(
        node,
        "",
        shown_text(node),
        lambda text: Revision(f"edit {named}", value_edits(node, text)),
        node=node,
        kind=type_of(node),
        block=True,
        retype=lambda kind, origin: retyping(node, kind, origin, named),
        again=lambda: _as_json(node, named),
    )


def _own_field(node: Node, named: str) -> Item:
    if not editable(node):
        return Note([*summary(node), (", which is not edited here", "dim")], node)
    field = value_field(node, type_of(node), named, block=True)
    return replace(field, retype=lambda kind, origin: retyping(node, kind, origin, named))
