"""Drafts as data for the journal, and back: their nodes by the path to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from evaltui.document import DocumentError, Node
from evaltui.document.redo_log import node_at, path_to
from evaltui.tui.session import Draft, Session


def drafts_as_data(session: Session) -> list[dict[str, Any]]:
    """The drafts of fields that are still there."""
    root = session.document.root
    found: list[dict[str, Any]] = []
    if root is None:
        return found
    for (node, key), draft in session.drafts.items():
        path, by = path_to(root, node), _key_as_data(root, key)
        if path is not None and by is not None:
            found.append({"path": path, "by": by, "text": draft.text, "problem": draft.problem, "where": draft.where})
    return found


def _key_as_data(root: Node, key: Hashable) -> Any:
    """A key as text, or as the path to the node that it is; None for another one, whose draft is left out."""
    if isinstance(key, Node):
        path = path_to(root, key)
        return {"path": path} if path is not None else None
    return key if isinstance(key, str) else None


def bring_back_drafts(session: Session, drafts: Iterable[dict[str, Any]]) -> int:
    """Give the fields their drafts again; how many found theirs."""
    root, count = session.document.root, 0
    if root is None:
        return count
    for data in drafts:
        try:
            node, by = node_at(root, data["path"]), data["by"]
            key = node_at(root, by["path"]) if isinstance(by, dict) else by
        except DocumentError:
            continue
        session.drafts[node, key] = Draft(data["text"], data["problem"], data["where"])
        count += 1
    return count
