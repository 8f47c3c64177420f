"""Revisions that arrange the values of any JSON: copies, other places, and what is pasted."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.call_edits import last_first
from evaltui.evalset.editing.item_moves import move_value, moves, shifted
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import one_line


def named(node: Node) -> str:
    """The name of a value: its key, or its place in a list."""
    return one_line(node.name, 40) if node.key else f"item {node.index()}"


def _said(nodes: Sequence[Node]) -> str:
    return named(nodes[0]) if len(nodes) == 1 else f"{len(nodes)} values"


def clone_values(nodes: Sequence[Node]) -> Revision:
    """A copy of each value behind it; a member's under another name."""
    edits: list[Edit] = []
    for node in reversed(nodes):
        container = node.parent
        if container is None:
            raise EditError("the outermost value cannot be cloned")
        if container.kind == "array":
            edits.append(_copied(f"{container.pointer()}/{node.index() + 1}", node))
        else:
            edits.append(_copied(f"{container.pointer()}/{escape(_free_name(container, node.name))}", node))
    return Revision(f"clone {_said(nodes)}", edits)


def _copied(pointer: str, node: Node) -> Insert:
    following = node.parent.items[node.index() + 1 :] if node.parent is not None else []
    before = following[0].name if following and following[0].key else None
    return Insert(pointer, node.source(), before=before, origin_indent=line_indent(node))


def _free_name(container: Node, name: str) -> str:
    taken, number = {item.name for item in container.items}, 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def shift_values(nodes: Sequence[Node], step: int, path: str) -> Revision:
    """Move a value called `path`, or several items of one list, a place up or down among their siblings."""
    if len(nodes) == 1:
        return move_value(nodes[0], step, path)
    container, chosen = nodes[0].parent, set(nodes)
    if container is None or container.kind != "array" or any(node.parent is not container for node in nodes):
        raise EditError("of several values only items of one list move together")
    edits = moves(container.pointer(), container.items, shifted(container.items, chosen, step), chosen)
    return Revision(f"move {_said(nodes)} {'up' if step < 0 else 'down'}", edits)


def delete_values(nodes: Sequence[Node]) -> Revision:
    """Take values out as one step."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(at in chosen for at in node.ancestors())]
    return Revision(f"delete {_said(outermost)}", [Remove(pointer) for pointer in last_first(outermost)])


def paste_value(source: bytes, indent: bytes | None, at: Node, before: bool, is_root: bool) -> Revision:
    """JSON text beside an item of a list, or into an empty list; in the place of a member's value."""
    container = at.parent
    if container is not None and container.kind == "array" and not is_root:
        pointer = f"{container.pointer()}/{at.index() + (not before)}"
        return Revision(f"paste behind {named(at)}", [Insert(pointer, source, origin_indent=indent)])
    if at.kind == "array":
        return Revision(f"paste into {named(at)}", [Insert(f"{at.pointer()}/-", source, origin_indent=indent)])
    return Revision(f"paste over {named(at)}", [Set(at.pointer(), source, origin_indent=indent)])
