"""The order of `role` and `parts` in new contents: that of the contents around."""

from __future__ import annotations

from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import in_order_of
from evaltui.evalset.keys import filled

_LOOKED_AT = 500
"""So many values around a new content are looked at for a content."""


def in_order_near(model: Node | None, near: Node, members: dict[str, Any], *, role_first: bool) -> dict[str, Any]:
    """The members of a new content in the order of `model`, else of a content around `near`.

    Without any, `role` comes first as agents-cli writes it, or last as google-adk does.
    """
    like = model if _has_both(model) else _content_around(near)
    if like is not None:
        return in_order_of(like, members)
    if not role_first or "role" not in members:
        return members
    return {"role": members["role"], **members}


def _has_both(node: Node | None) -> bool:
    return node is not None and node.kind == "object" and bool(filled(node, "role") and filled(node, "parts"))


def _content_around(near: Node) -> Node | None:
    """The first content with a role and parts in `near`, else in what is around it."""
    left = _LOOKED_AT
    for around in (near, *near.ancestors()):
        pending = [around]
        while pending and left:
            node, left = pending.pop(), left - 1
            if _has_both(node):
                return node
            pending += [item for item in reversed(node.items[:_LOOKED_AT]) if item.is_container]
    return None
