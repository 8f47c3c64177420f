"""Members of ADK's objects in either spelling: `user_content` and `userContent`.

google-adk's models below the set itself take both, freely mixed; where one object has both, the camelCase one
wins (pydantic alias, `google.adk.evaluation.eval_case`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what reads plain data needs `camel` alone
    from evaltui.document.node import Node

_OF_THE_SET = "eval_cases"
"""The set itself has no aliases in google-adk: where a file has both spellings, this one is read."""

_hump = re.compile(r"_([a-z0-9])")
_upper = re.compile(r"(?<=[a-z0-9])[A-Z]")


@lru_cache(maxsize=256)
def camel(name: str) -> str:
    """`name`, which is snake_case, in camelCase."""
    return _hump.sub(lambda found: found[1].upper(), name)


def member(node: Node | None, name: str) -> Node | None:
    """The member `name` (given in snake_case) of an object in either spelling, null included."""
    if node is None:
        return None
    other = camel(name)
    first, second = (name, other) if name == _OF_THE_SET else (other, name)
    return node.member(first) or (node.member(second) if first != second else None)


def filled(node: Node | None, name: str) -> Node | None:
    """The member `name` in either spelling; None where it is absent or null."""
    found = member(node, name)
    return found if found is not None and found.kind != "null" else None


def text_of(node: Node | None, name: str) -> str:
    """The text of the member `name`; "" where it is absent or no text."""
    found = member(node, name)
    return found.text() if found is not None else ""


def items_of(node: Node | None, name: str) -> list[Node]:
    """The elements of the list `name`; none where it is absent, null or no list."""
    found = member(node, name)
    return found.items if found is not None and found.kind == "array" else []


def key_in(container: Node, name: str) -> str:
    """The key of the member `name` as it stands in `container`, or as a new one would be spelt there."""
    found = member(container, name)
    return found.name if found is not None else key_for(container, name)


def key_for(container: Node, name: str) -> str:
    """The spelling that a new member `name` (in snake_case) takes in `container`: that of the keys around it.

    The outermost object comes last: google-adk reads its own keys in snake_case only, whatever the rest has.
    """
    *inner, root = container, *container.ancestors()
    neighbours = [*inner, *items_of(root, "eval_cases")[:1]] if inner else []
    case = next(filter(None, map(_case_of, [*neighbours, root])), "snake")
    return camel(name) if case == "camel" else name


def _case_of(node: Node) -> str:
    """camel or snake, as the keys of one object show it; "" where they do not."""
    for item in node.items if node.kind == "object" else ():
        if "_" in item.name.strip("_"):
            return "snake"
        if item.name != item.name.lower():
            return "camel"
    return ""


@lru_cache(maxsize=1024)
def snake(name: str) -> str:
    """`name`, which may be in camelCase, in snake_case."""
    return _upper.sub(lambda found: f"_{found[0].lower()}", name)
