"""An edit of an eval set in terms of the field, ready for the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import model_for, place_in
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import filled, key_for, member

_OF_A_SET = ("eval_set_id", "name", "description", "eval_cases", "creation_timestamp")
"""The keys of an eval set in google-adk's order (`google.adk.evaluation.eval_set`)."""


@dataclass(slots=True, eq=False, repr=False)
class Revision:
    """Edits that belong together as one undo step, with a label for people."""

    label: str
    edits: list[Edit] = field(default_factory=list)
    remark: str = ""
    """A clause about a side effect, for the status line."""


def put(container: Node, name: str, value: Any) -> Edit:
    """Set key `name` (snake_case) of `container`; a new key is spelled and placed as in its neighbours."""
    existing = member(container, name)
    if existing is not None:
        return Set(existing.pointer(), json_text(value))
    key = key_for(container, name)
    return Insert(f"{container.pointer()}/{escape(key)}", json_text(value), before=_follower(container, key))


def add_item(owner: Node, name: str, value: Any, at: int | str = "-") -> Edit:
    """Add an item to the list `name` (snake_case) of `owner`, at the end or `at` an index; add the list if missing."""
    items = member(owner, name)
    if items is None or items.kind != "array":
        return put(owner, name, [value])
    return Insert(f"{items.pointer()}/{at}", json_text(value))


def model_of(node: Node) -> Node | None:
    """The sibling whose formatting `node` copies; None if there is none."""
    if node.parent is None:
        return None
    return model_for(node.parent, place_in(node), besides=node)


def _follower(container: Node, key: str) -> str | None:
    """The key before which the new `key` goes, copied from the sibling; None for the end.

    The eval set itself has no sibling: it keeps google-adk's order.
    """
    names = [*_OF_A_SET] if container.parent is None else _names_in(model_of(container))
    if key not in names:
        return None
    present = {item.name for item in container.items}
    return next((name for name in names[names.index(key) + 1 :] if name in present), None)


def written_like(model: Node | None, near: Node, members: dict[str, Any]) -> dict[str, Any]:
    """`members` (named in snake_case) in the spelling and order of `model`; without one, spelled as around `near`."""
    return in_order_of(model, {key_for(model or near, name): item for name, item in members.items()})


def in_order_of(model: Node | None, members: dict[str, Any]) -> dict[str, Any]:
    """`members` in the order of `model`; keys that it lacks come last."""
    names = _names_in(model)
    return dict(sorted(members.items(), key=lambda pair: names.index(pair[0]) if pair[0] in names else len(names)))


def _names_in(model: Node | None) -> list[str]:
    return [item.name for item in model.items] if model is not None and model.kind == "object" else []


def refuse_other_kind(owner: Node, name: str, kind: str) -> None:
    """Raise `EditError` if the value of `name` has another JSON type, because adding would replace it."""
    if owner.kind != "object":
        raise EditError(f"nothing can be added here: this value is JSON {owner.kind}, not an object")
    found = filled(owner, name)
    if found is not None and found.kind != kind:
        words = {"array": "a list", "object": "an object"}
        raise EditError(f"{name} is not {words[kind]}: change its type first")
