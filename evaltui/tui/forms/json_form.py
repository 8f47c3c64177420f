"""The form of any JSON value, for files that are no eval set and for free-form values."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document import EditError, Insert, Node, Remove, Set
from evaltui.evalset.revision import Revision
from evaltui.tui.forms.form import Form, Heading, Item, Link, Note
from evaltui.tui.forms.values import (
    add_member,
    editable,
    is_base64,
    member_field,
    retyping,
    summary,
    type_of,
    value_field,
)
from evaltui.tui.lines import dim, preview

_MANY = 500
_AS_TEXT = 4000
"""Bytes up to which a container is also shown as JSON text."""


def json_form(node: Node, named: str) -> Form:
    """The form of `node`, which is called `named`: its members, or its value."""
    if not node.is_container:
        return Form(named, [_own_field(node, named)])
    items: list[Item] = [Heading(type_of(node), str(len(node.items)))]
    items += [_item(item, named) for item in node.items[:_MANY]] or [Note(dim("Nothing in here. a adds something."))]
    if len(node.items) > _MANY:
        items.append(Note(dim(f"… {len(node.items) - _MANY} more in the tree")))
    if 2 < sum(map(len, node.pieces())) <= _AS_TEXT and not any(map(is_base64, node.items)):
        items += [Heading("as JSON"), value_field(node, "json", "", named, block=True)]
    if node.kind == "object":
        add = add_member(lambda: node, "member", named, lambda source: Set(node.pointer(), source))
        return Form(named, items, add=add, adds="member", asks_name=True)
    return Form(named, items, add=lambda _: _append(node, named), adds="item")


def _own_field(node: Node, named: str) -> Item:
    field = value_field(node, node, type_of(node), named, block=True)
    if isinstance(field, Link):
        return Note([*summary(node), (", which is not edited here", "dim")], node)
    return replace(field, retype=lambda kind, origin: retyping(node, kind, origin, named))


def _item(item: Node, named: str) -> Item:
    if item.is_container or not editable(item):
        label = preview(item.name, 40) if item.key else str(item.index())
        return Link(item, [(f"{label}  ", "name"), *summary(item)], item, delete=lambda: _removal(item, named))
    if item.key:
        return member_field(item, "member", named)
    field = value_field(item, item, str(item.index()), f"item {item.index()} of {named}")
    if isinstance(field, Link):
        return field
    return replace(
        field,
        delete=lambda: _removal(item, named),
        retype=lambda kind, origin: retyping(item, kind, origin, f"item {item.index()} of {named}"),
    )


def _removal(item: Node, named: str) -> Revision:
    what = preview(item.name, 40) if item.key else f"item {item.index()}"
    return Revision(f"delete {what} of {named}", [Remove(item.pointer())])


def _append(node: Node, named: str) -> Revision:
    """A new item like the last one: a text among texts, an empty object among objects."""
    if node.kind != "array":
        raise EditError("nothing can be added here")
    kinds = {"object": b"{}", "array": b"[]", "number": b"0", "boolean": b"false", "null": b"null"}
    source = kinds.get(node.items[-1].kind, b'""') if node.items else b'""'
    return Revision(f"add item to {named}", [Insert(f"{node.pointer()}/-", source)])
