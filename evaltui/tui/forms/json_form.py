"""The form of any JSON value, and the lines of its values, with all edits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evaltui.document.edits import Insert, Remove, Rename, Set, json_text
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision, check_name, insert_key, put
from evaltui.evalset.keys import member
from evaltui.printable import printable
from evaltui.tui.forms.form import Field, Form, Heading, Item, Link, Note, Write, empty_note, type_of
from evaltui.tui.forms.value_text import converted, editable, is_longer, shown_text, value_edits
from evaltui.tui.lines import dim, preview
from evaltui.tui.outlines.row_texts import is_base64, summary

_MANY = 500
_AS_TEXT = 4000
"""The most bytes of a container that is also shown as JSON text."""


def json_form(node: Node, named: str, *, inline: bool = False) -> Form:
    """The form of `node`: its keys or items, or its value. Undo labels call it `named`.

    With `inline`, its keys are fields as the arguments of a call are, also those with objects and lists.
    """
    if not node.is_container:
        if not editable(node):
            return Form(named, [Note([*summary(node), (", not editable here", "dim")], node)])
        return Form(named, [value_field(node, type_of(node), named, block=node.kind == "string", retypes=True)])
    what = "a key" if node.kind == "object" else "an item"
    empty = empty_note("Empty.", f"Outside the text box, press a to add {what}; in the tree, press A.")
    items: list[Item] = [Heading(type_of(node), str(len(node.items)))]
    items += [value_line(item, named, inline=inline) for item in node.items[:_MANY]] or [empty]
    if len(node.items) > _MANY:
        items.append(Note(dim(f"… {len(node.items) - _MANY:,} more in the tree")))
    # Base64 as JSON would fill the screen.
    if not is_longer(node, _AS_TEXT) and not any(map(is_base64, node.items)):
        items += [Heading("as JSON"), value_field(node, "", named, block=True, retypes=True)]
    if inline and not node.items:
        field = value_field(node, "", named, block=True, retypes=True)
        items = [replace(field, text="", placeholder="empty ({}) · a: add a key", in_list=True, enter_adds=True)]
    if node.kind == "object":
        return Form(named, items, add=partial(add_key, node, named), adds="key", asks_name=True)
    return Form(named, items, add=lambda _: append(node, named), adds="item")


def value_line(node: Node, owner: str, what: str = "key", *, inline: bool = True, help: str = "") -> Field | Link:
    """The line of a key (a `what`) or item: a field if it fits into a text box, else a link.

    `owner` is the name of its container in undo labels. Containers are fields only if `inline`.
    """
    named = f"{what} {preview(node.name, 40)} of {owner}" if node.key else f"item {node.index()} of {owner}"
    label = printable(node.name) if node.key else str(node.index())
    line: Field | Link
    if (inline or not node.is_container) and editable(node):
        line = replace(value_field(node, label, named), in_list=True)
    else:
        line = Link(node, summary(node), label=preview(label, 40), node=node)
    return replace(
        line,
        delete=partial(deletion, node, named),
        rename=(lambda text: renaming(node, text, named)) if node.key else None,
        retype=partial(retyping, node, named),
        move=partial(moving, node, named),
        help=help,
    )


def deletion(node: Node, named: str, case_file: CaseFile | None = None) -> Revision:
    """Deletes an item or key, or a row of a `case_file`."""
    if case_file is None:
        return Revision(f"delete {named}", [Remove(node.pointer())])
    # Each form offers deletions and moves of rows, and few people press their keys.
    from evaltui.evalset.editing.row_moves import delete_rows

    return delete_rows(case_file, [node])


def moving(node: Node, named: str, step: int, case_file: CaseFile | None = None) -> Revision:
    """Moves an item or key, or a row of a `case_file`, one place up (-1) or down (1); raises `EditError` at the end."""
    from evaltui.evalset.editing.row_moves import move_row, move_value

    return move_row(case_file, node, step) if case_file is not None else move_value(node, step, named)


def value_field(node: Node, label: str, named: str, *, block: bool = False, retypes: bool = False) -> Field:
    """A field for the value of `node`, `named` in undo labels; `retypes` tells whether t changes its type."""
    # JSON typed into a field is read as JSON even after it became a text: the quotes are still in the box.
    bare = node.kind == "string"
    return Field(
        node,
        label,
        shown_text(node),
        lambda text: Revision(f"edit {named}", value_edits(node, text, bare)),
        node=node,
        block=block,
        takes_text=bare,
        retype=partial(retyping, node, named) if retypes else None,
        read=partial(shown_text, node),
    )


def renaming(node: Node, name: str, named: str) -> Revision:
    """Rename a key. Raises `EditError` for an empty or used name."""
    if name == node.name:
        return Revision("")
    check_name(node.parent, name)
    return Revision(f"rename {named}", [Rename(node.pointer(), name)])


def retyping(node: Node, named: str, kind: str, origin: Node | None) -> Revision:
    """Change `node` to the type `kind`, converted from `origin`, the value before the first change of type."""
    origin = origin or node
    # A value that comes back to its first type comes back as it was written.
    indent = line_indent(node) if type_of(origin) == kind else None
    edit = Set(node.pointer(), converted(origin, kind), indent)
    return Revision(f"change type of {named} to {kind}", [edit])


def add_key(container: Node, owner: str, name: str, previous: Node | None = None) -> Revision:
    """Add an empty text under a name to an object, after `previous` or last."""
    edit = insert_key(container, name, "", previous) or Set(container.pointer(), json_text({name: ""}))
    return Revision(f"add key {preview(name, 40)} to {owner}", [edit])


def add_inside(node: Node, key: str, what: str, owner: str) -> Write:
    """A function that adds an empty text under a name (a `what`) to the member `key` of an object, absent or not."""

    def add(name: str) -> Revision:
        # Asked only when the name is given: edits in between may have replaced the member.
        edit = insert_key(member(node, key), name, "") or put(node, key, {name: ""})
        return Revision(f"add {what} {preview(name, 40)} to {owner}", [edit])

    return add


def append(node: Node, owner: str, index: int | None = None) -> Revision:
    """A new item like the one before it: an empty text after texts, an empty object after objects."""
    model = node.items[(index or 0) - 1] if node.items else None
    source = converted(Node(b'""'), type_of(model) if model is not None else "string")
    return Revision(f"add item to {owner}", [Insert(f"{node.pointer()}/{'-' if index is None else index}", source)])
