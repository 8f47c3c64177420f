"""Drafts as records of the journal, and back. Nodes are written as the path to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import node_on_path, path_to
from evaltui.tui.session.drafts import DraftPlace, FieldDraft
from evaltui.tui.session.session import Session


def drafts_as_data(session: Session) -> list[dict[str, Any]]:
    """The drafts of existing fields, as data."""
    root = session.document.root
    found: list[dict[str, Any]] = []
    if root is None:
        return found
    for (node, key), draft in session.drafts.live():
        path, by = path_to(root, node), _key_as_data(root, key)
        if path is not None and by is not None:
            found.append({"path": path, "by": by, "text": draft.text, "problem": draft.problem, "where": draft.where})
    return found


def _key_as_data(root: Node, key: Hashable) -> Any:
    """A key as text or texts, or as the path to its node; None for any other key, whose draft is left out."""
    if isinstance(key, Node):
        path = path_to(root, key)
        return {"path": path} if path is not None else None
    if isinstance(key, tuple) and all(isinstance(part, str) for part in key):
        return list(key)
    return key if isinstance(key, str) else None


def bring_back_drafts(session: Session, drafts: Iterable[dict[str, Any]]) -> int:
    """Restore drafts to their fields, as one step; returns how many found their field."""
    root = session.document.root
    if root is None:
        return 0
    found = []
    for data in drafts:
        try:
            at = DraftPlace(node_on_path(root, data["path"]), _key_of(root, data["by"]))
        except DocumentError:
            continue
        found.append(session.drafts.keeping(at, FieldDraft(data["text"], data["problem"], data["where"])))
    if found:
        session.document.set_aside(found, f"restore {len(found)} draft{'s' * (len(found) != 1)}")
    return len(found)


def _key_of(root: Node, by: Any) -> Hashable:
    if isinstance(by, dict):
        return node_on_path(root, by["path"])
    return tuple(by) if isinstance(by, list) else by
