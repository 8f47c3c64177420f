"""Labelled edits of a file of cases, and new keys and items that look like their siblings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import model_of
from evaltui.document.node import Node
from evaltui.document.pointer import escape, join
from evaltui.evalset.keys import filled, key_for, key_in, member
from evaltui.printable import printable

_OF_A_SET = ("eval_set_id", "name", "description", "eval_cases", "creation_timestamp")
"""The keys of an eval set in google-adk's order (`google.adk.evaluation.eval_set`)."""


@dataclass(slots=True, eq=False, repr=False)
class Revision:
    """Edits that belong together as one undo step, with a label for people."""

    label: str
    edits: list[Edit] = field(default_factory=list)
    remark: str = ""
    """A clause about a side effect, for the status line."""


class Copy(NamedTuple):
    """A copied case, turn, event, or call with its response, before it is pasted."""

    kind: str
    source: bytes
    indent: bytes | None = None
    """The indent of the line it was copied from; None if its layout should not be kept."""
    response: bytes | None = None
    """The response of a copied call."""
    author: str = ""
    """The author of a call inside an event."""
    made_ids: frozenset[str] = frozenset()
    """Ids that evaltui made for the copy and that its source does not have."""


def put(container: Node, name: str, value: Any) -> Insert | Set:
    """Set key `name` (snake_case) of `container`; a new key is spelled and placed as in its neighbours."""
    existing = member(container, name)
    if existing is not None:  # in either spelling: of both, google-adk reads only one
        return Set(existing.pointer(), json_text(value))
    key = key_for(container, name)
    # The set itself has no sibling that shows an order, so it keeps google-adk's.
    names = [*_OF_A_SET] if container.parent is None else _names_in(model_of(container))
    following = names[names.index(key) + 1 :] if key in names else []
    present = {item.name for item in container.items}
    follower = next((name for name in following if name in present), None)
    return Insert(f"{container.pointer()}/{escape(key)}", json_text(value), before_key=follower)


def check_name(container: Node | None, name: str) -> None:
    """Raise `EditError` if `name` is empty or already a key of `container`."""
    if not name:
        raise EditError("the name is empty")
    if container is not None and container.member(name) is not None:
        raise EditError(f'"{printable(name)}" already exists')


def insert_key(container: Node | None, name: str, value: Any, previous: Node | None = None) -> Insert | None:
    """Add a key of this spelling to an object, after the key `previous` or last; None if there is no object.

    Raises `EditError` for an empty or used name.
    """
    check_name(container, name)
    if container is None or container.kind != "object":
        return None
    # A reload may have taken `previous` away while the name was typed.
    is_there = previous is not None and previous.parent is container
    following = container.items[previous.index() + 1 :][:1] if previous is not None and is_there else []
    pointer = f"{container.pointer()}/{escape(name)}"
    return Insert(pointer, json_text(value), following[0].name if following else None)


def add_item(owner: Node, name: str, value: Any, index: int | None = None) -> Edit:
    """Add an item to the list `name` (snake_case) of `owner`, at the end or at an index; add the list if missing."""
    items = member(owner, name)
    if items is None or items.kind != "array":
        return put(owner, name, [value])
    return Insert(f"{items.pointer()}/{'-' if index is None else index}", json_text(value))


def opened_list(owner: Node, *names: str) -> tuple[str, list[Node], Edit | None]:
    """The pointer and items of the list at the keys `names` below `owner`, and the edit that adds it if missing."""
    holder = owner
    for depth, name in enumerate(names, 1):
        value = filled(holder, name)
        if value is None or value.kind != ("object" if depth < len(names) else "array"):
            inner_keys = [key_for(owner, inner) for inner in names[depth:]]
            empty: Any = []
            for key in reversed(inner_keys):
                empty = {key: empty}
            keys = [key_in(holder, name), *inner_keys]
            return holder.pointer() + join(*keys), [], put(holder, name, empty)
        holder = value
    return holder.pointer(), holder.items, None


def like_sibling(sibling: Node | None, near: Node, members: dict[str, Any]) -> dict[str, Any]:
    """A new object with the spelling and order of its sibling; without one, spelled as around `near`.

    `members` are named in snake_case; members with the value None are left out.
    """
    members = {name: value for name, value in members.items() if value is not None}
    return in_order_of(sibling, {key_for(sibling or near, name): value for name, value in members.items()})


def in_order_of(sibling: Node | None, members: dict[str, Any]) -> dict[str, Any]:
    """`members` in the order of `sibling`; keys that it lacks come last."""
    names = _names_in(sibling)
    return dict(sorted(members.items(), key=lambda pair: names.index(pair[0]) if pair[0] in names else len(names)))


def _names_in(node: Node | None) -> list[str]:
    return [item.name for item in node.items] if node is not None and node.kind == "object" else []


def refuse_other_kind(owner: Node, name: str, kind: str) -> None:
    """Raise `EditError` if the value of `name` has another JSON type, because adding would replace it."""
    if owner.kind != "object":
        raise EditError(f"nothing can be added here: this value is JSON {owner.kind}, not an object")
    value = filled(owner, name)
    if value is not None and value.kind != kind:
        words = {"array": "a list", "object": "an object"}
        raise EditError(f"{name} is not {words[kind]}: change its type first")


def are_counted(turns: Sequence[Node]) -> bool:
    """Whether at least one turn has a `turn_index`, and each one equals the index of its turn."""
    numbers = {index: number for index, turn in enumerate(turns) if (number := member(turn, "turn_index")) is not None}
    return bool(numbers) and all(number.source() == b"%d" % index for index, number in numbers.items())


def renumbered(turns: Node, order: Sequence[Node | None]) -> list[Edit]:
    """The edits that give the turns of a list the `turn_index` of their new `order`; None stands for a new turn.

    They come before the edits that insert, move or delete turns: each pointer is that of the old place.
    """
    # Numbers that do not count from 0 stay as they are, because their meaning is unknown.
    if not are_counted(turns.items):
        return []
    pointer, indexes = turns.pointer(), {turn: index for index, turn in enumerate(order)}
    edits: list[Edit] = []
    for old_index, turn in enumerate(turns.items):
        index, number = indexes.get(turn, old_index), member(turn, "turn_index")
        if number is not None and index != old_index:
            edits.append(Set(f"{pointer}/{old_index}/{escape(number.name)}", b"%d" % index))
    return edits
