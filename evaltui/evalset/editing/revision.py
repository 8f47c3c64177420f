"""A change of an eval set in its own terms, ready for the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.layout import model_for, place_in
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import key_for, member

_OF_A_SET = ("eval_set_id", "name", "description", "eval_cases", "creation_timestamp")
"""The members of a set as google-adk writes them (`google.adk.evaluation.eval_set`)."""


@dataclass(slots=True, eq=False, repr=False)
class Revision:
    """Edits that belong together as one undo step, with a label for people."""

    label: str
    edits: list[Edit] = field(default_factory=list)
    remark: str = ""
    """A side effect that the person should know of, as a clause."""


def put(container: Node, name: str, value: Any) -> Edit:
    """Set the member `name` (snake_case) of `container`; a new one is spelt and placed as its neighbours have it."""
    existing = member(container, name)
    if existing is not None:
        return Set(existing.pointer(), json_text(value))
    key = key_for(container, name)
    return Insert(f"{container.pointer()}/{escape(key)}", json_text(value), before=_follower(container, key))


def add_item(owner: Node, name: str, value: Any, at: int | str = "-") -> Edit:
    """Add to the list `name` (snake_case) of `owner`, at its end or `at` a place; make the list where there is none."""
    items = member(owner, name)
    if items is None or items.kind != "array":
        return put(owner, name, [value])
    return Insert(f"{items.pointer()}/{at}", json_text(value))


def model_of(node: Node) -> Node | None:
    """The neighbour whose formatting `node` copies; None if there is none."""
    if node.parent is None:
        return None
    return model_for(node.parent, place_in(node), besides=node)


def _follower(container: Node, key: str) -> str | None:
    """The name of the member before which `key` stands in the neighbour, of those that `container` has.

    The set itself has no neighbours: google-adk's own order holds for it.
    """
    names = [*_OF_A_SET] if container.parent is None else _names_in(model_of(container))
    if key not in names:
        return None
    present = {item.name for item in container.items}
    return next((name for name in names[names.index(key) + 1 :] if name in present), None)


def written_like(model: Node | None, near: Node, members: dict[str, Any]) -> dict[str, Any]:
    """`members` (named in snake_case) in the spelling and order of `model`; without one spelt as around `near`."""
    return in_order_of(model, {key_for(model or near, name): item for name, item in members.items()})


def in_order_of(model: Node | None, members: dict[str, Any]) -> dict[str, Any]:
    """`members` in the order in which `model` has them; those it lacks go last."""
    names = _names_in(model)
    return dict(sorted(members.items(), key=lambda pair: names.index(pair[0]) if pair[0] in names else len(names)))


def _names_in(model: Node | None) -> list[str]:
    return [item.name for item in model.items] if model is not None and model.kind == "object" else []
