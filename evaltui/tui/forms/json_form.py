"""The form of any JSON value, and the lines of its values, with all edits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaltui.document.edits import Edit, Insert, Remove, Rename, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import move_value
from evaltui.printable import printable
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Note, Write, empty_note
from evaltui.tui.forms.line_texts import is_base64, summary
from evaltui.tui.forms.value_text import converted, editable, is_longer, shown_text, type_of, value_edits
from evaltui.tui.lines import dim, preview

_MANY = 500
_AS_TEXT = 4000
"""The most bytes of a container that is also shown as JSON text."""


def json_form(node: Node, named: str, *, inline: bool = False) -> Form:
    """The form of `node`: its keys or items, or its value. Undo labels call it `named`.

    With `inline`, objects and lists in it are fields, too.
    """
    if not node.is_container:
        return Form(named, [_own_field(node, named)])
    items: list[Item] = [Heading(type_of(node), str(len(node.items)))]
    items += [value_line(item, named, inline=inline) for item in node.items[:_MANY]] or [_nothing(node)]
    if len(node.items) > _MANY:
        items.append(Note(dim(f"… {len(node.items) - _MANY:,} more in the tree")))
    if not is_longer(node, _AS_TEXT) and not any(map(is_base64, node.items)):
        items += [Heading("as JSON"), _as_json(node, named)]
    if node.kind == "object":
        add = add_member(lambda: node, "key", named, lambda source: Set(node.pointer(), source))
        return Form(named, items, add=add, adds="key", asks_name=True)
    return Form(named, items, add=lambda _: append(node, named), adds="item")


def fields_form(node: Node, named: str) -> Form:
    """The form of an object whose keys are fields, as the arguments of a call are. Undo labels call it `named`."""
    form = json_form(node, named, inline=True)
    if node.items:
        return form
    line = replace(
        _as_json(node, named),
        text="",
        placeholder="empty ({}) · a: add a key",
        in_list=True,
        begins_by_tab=False,
        enter_adds=True,
    )
    return replace(form, items=[line])


def _nothing(node: Node) -> Note:
    what = "a key" if node.kind == "object" else "an item"
    return empty_note("Empty.", f"Outside the text box, press a to add {what}; in the tree, press A.")


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
        return Note([*summary(node), (", not editable here", "dim")], node)
    field = value_field(node, type_of(node), named, block=node.kind == "string")
    return replace(field, retype=lambda kind, origin: retyping(node, kind, origin, named))


def value_line(node: Node, of: str, what: str = "key", *, inline: bool = True) -> Field | Link:
    """The line of a key (a `what`) or item: a field if it fits into a text box, else a link.

    `of` names its container in undo labels. Containers are fields only if `inline`.
    """
    named = f"{what} {preview(node.name, 40)} of {of}" if node.key else f"item {node.index()} of {of}"
    label = printable(node.name) if node.key else str(node.index())
    line: Field | Link
    if (inline or not node.is_container) and editable(node):
        line = replace(value_field(node, label, named), in_list=True)
    else:
        line = Link(node, summary(node), node, label=preview(label, 40), node=node, kind=type_of(node))
    return replace(
        line,
        delete=lambda: Revision(f"delete {named}", [Remove(node.pointer())]),
        rename=(lambda text: renaming(node, text, named)) if node.key else None,
        retype=lambda kind, origin: retyping(node, kind, origin, named),
        move=lambda step: move_value(node, step, named),
    )


def value_field(node: Node, label: str, named: str, *, block: bool = False) -> Field:
    """A field for the value of `node`; `named` is its name in undo labels."""
    # JSON typed into a field is read as JSON even after it became a text: the quotes are still in the box.
    bare = node.kind == "string"
    return Field(
        node,
        label,
        shown_text(node),
        lambda text: Revision(f"edit {named}", value_edits(node, text, bare)),
        node=node,
        kind=type_of(node),
        block=block,
        takes_text=bare,
        again=lambda: value_field(node, label, named, block=block),
    )


def renaming(node: Node, name: str, named: str) -> Revision:
    """Rename a key. Raises `EditError` for an empty or used name."""
    if name == node.name:
        return Revision("")
    check_name(node.parent, name)
    return Revision(f"rename {named}", [Rename(node.pointer(), name)])


def check_name(container: Node | None, name: str) -> None:
    """Raise `EditError` if `name` is empty or already a key of `container`."""
    if not name:
        raise EditError("the name is empty")
    if container is not None and container.member(name) is not None:
        raise EditError(f'"{printable(name)}" already exists')


def retyping(node: Node, kind: str, origin: Node | None, named: str) -> Revision:
    """Change `node` to the type `kind`, converted from `origin`, the value before the first change of type."""
    origin = origin or node
    came_back = type_of(origin) == kind
    edit = Set(node.pointer(), converted(origin, kind), line_indent(node) if came_back else None)
    return Revision(f"change type of {named} to {kind}", [edit])


def add_member(container: Callable[[], Node | None], what: str, of: str, absent: Callable[[bytes], Edit]) -> Write:
    """A function that adds an empty text under a name; it also adds the object if that is absent."""

    def add(name: str) -> Revision:
        node = container()
        check_name(node, name)
        label = f"add {what} {preview(name, 40)} to {of}"
        if node is None or node.kind != "object":
            return Revision(label, [absent(json_text({name: ""}))])
        return Revision(label, [Insert(f"{node.pointer()}/{escape(name)}", b'""')])

    return add


def add_behind(member: Node, of: str) -> Write:
    """A function that adds an empty text under a name, after `member` in its object."""

    def add(name: str) -> Revision:
        container = member.parent
        if container is None:
            raise EditError("the preceding value was deleted")
        check_name(container, name)
        following = container.items[member.index() + 1 :][:1]
        before = following[0].name if following else None
        pointer = f"{container.pointer()}/{escape(name)}"
        label = f"add key {preview(name, 40)} to {of}"
        return Revision(label, [Insert(pointer, b'""', before)])

    return add


def append(node: Node, of: str, at: int | None = None) -> Revision:
    """A new item like the one before it: an empty text after texts, an empty object after objects."""
    if node.kind != "array":
        raise EditError("nothing can be added here")
    kinds = {"object": b"{}", "array": b"[]", "number": b"0", "boolean": b"false", "null": b"null"}
    model = node.items[(at or 0) - 1] if node.items else None
    source = kinds.get(model.kind, b'""') if model else b'""'
    return Revision(f"add item to {of}", [Insert(f"{node.pointer()}/{'-' if at is None else at}", source)])
