"""New contents with one part, and the order of their `role` and `parts`, copied from contents nearby."""

from __future__ import annotations

from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import in_order_of
from evaltui.evalset.keys import filled, text_of

_LOOKED_AT = 500
"""The most values to search for a content nearby."""


def text_content(model: Node | None, role: str, text: str) -> dict[str, Any]:
    """A content with one text part, in the format of `model`; the role of `model` wins over `role`."""
    return content(model, text_of(model, "role") or role, {"text": text})


def content(model: Node | None, role: str, part: dict[str, Any]) -> dict[str, Any]:
    """A content with one part, keys in the order of `model`; without a role if `model` has none."""
    members: dict[str, Any] = {"parts": [part]}
    if model is None or not model.items or filled(model, "role") is not None:
        members["role"] = role
    return in_order_of(model, members)


def in_order_near(model: Node | None, near: Node, members: dict[str, Any], *, role_first: bool) -> dict[str, Any]:
    """The keys of a new content in the order of `model`, else of a content around `near`.

    Without any, `role` comes first as in agents-cli, or last as in google-adk.
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
    """The first content with a role and parts inside `near`, else inside the values around it."""
    left = _LOOKED_AT
    for around in (near, *near.ancestors()):
        pending = [around]
        while pending and left:
            node, left = pending.pop(), left - 1
            if _has_both(node):
                return node
            pending += [item for item in reversed(node.items[:_LOOKED_AT]) if item.is_container]
    return None
