"""Values change places with their neighbours."""

from __future__ import annotations

from evaltui.document import EditError, Insert, Move, Node, Remove
from evaltui.document.style import line_indent
from evaltui.evalset.editing.revision import Revision


def moved(node: Node, step: int, named: str) -> Revision:
    """A revision that moves an item or member one place up (-1) or down (1) among its siblings.

    Raises `EditError` at the end of them. An item stays the same node; a member becomes a new one, for JSON
    Patch knows no order of members.
    """
    container = node.parent
    if container is None:
        raise EditError("the outermost value has no place to move to")
    at, last = node.index(), len(container.items) - 1
    goal = at + step
    if not 0 <= goal <= last:
        raise EditError(f"{named} is {'first' if step < 0 else 'last'} already")
    label = f"move {named} {'up' if step < 0 else 'down'}"
    if container.kind == "array":
        return Revision(label, [Move(node.pointer(), f"{container.pointer()}/{goal}")])
    behind = container.items[goal + 1].name if step > 0 and goal < last else None
    before = container.items[goal].name if step < 0 else behind
    copy = Insert(node.pointer(), node.source(), before, origin_indent=line_indent(node))
    return Revision(label, [Remove(node.pointer()), copy])
