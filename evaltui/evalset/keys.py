"""Keys of google-adk's objects in either spelling: `user_content` and `userContent`.

google-adk's models below the set itself accept both, freely mixed. If one object has both, the camelCase key
wins (pydantic alias, `google.adk.evaluation.eval_case`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # code that reads plain data needs only `camel`
    from evaltui.document.node import Node

OWN_OF_CASES = ("eval_id", "conversation", "conversation_scenario")
"""Keys of google-adk's cases, which cases of datasets lack."""
_hump = re.compile(r"_([a-z0-9])")
_upper = re.compile(r"(?<=[a-z0-9])[A-Z]")
_TELLING = 100
"""Keys of an object that show the spelling of its keys."""


@lru_cache(maxsize=256)
def camel(name: str) -> str:
    """The camelCase form of `name`, which is in snake_case."""
    return _hump.sub(lambda hump: hump[1].upper(), name)


@lru_cache(maxsize=256)
def spelled(*names: str) -> frozenset[str]:
    """The names (in snake_case) in both spellings."""
    return frozenset({*names, *map(camel, names)})


def member(node: Node | None, name: str) -> Node | None:
    """The value of key `name` (in snake_case) in either spelling; may be null."""
    if node is None:
        return None
    alias = camel(name)
    # The set itself has no aliases in google-adk: if a file has both spellings of its cases, snake_case is read.
    first, second = (name, alias) if name == "eval_cases" else (alias, name)
    return node.member(first) or (node.member(second) if first != second else None)


def filled(node: Node | None, name: str) -> Node | None:
    """The value of key `name` in either spelling; None if it is absent or null."""
    value = member(node, name)
    return value if value is not None and value.kind != "null" else None


def text_of(node: Node | None, name: str) -> str:
    """The text of key `name`; "" if it is absent or not a string."""
    value = member(node, name)
    return value.text() if value is not None else ""


def items_of(node: Node | None, name: str) -> list[Node]:
    """The items of the list `name`; empty if it is absent, null or not a list."""
    value = member(node, name)
    return value.items if value is not None and value.kind == "array" else []


def key_in(container: Node, name: str) -> str:
    """The key `name` as spelled in `container`, or as a new key would be spelled there."""
    value = member(container, name)
    return value.name if value is not None else key_for(container, name)


def key_for(container: Node, name: str) -> str:
    """The spelling of a new key `name` (snake_case) in `container`, copied from the keys around it."""
    # The outermost object comes last: google-adk reads its keys in snake_case only, whatever the cases have.
    *inner, root = container, *container.ancestors()
    neighbours = [*inner, *items_of(root, "eval_cases")[:1]] if inner else []
    case = next(filter(None, map(_case_of, [*neighbours, root])), "snake")
    return camel(name) if case == "camel" else name


def _case_of(node: Node) -> str:
    """camel or snake, judged by the first keys of one object; "" if they do not tell."""
    for item in node.items[:_TELLING] if node.kind == "object" else ():
        # A single word, such as `name`, is spelled alike in both; so is a key with an underscore only at its ends.
        if "_" in item.name.strip("_"):
            return "snake"
        if item.name != item.name.lower():
            return "camel"
    return ""


@lru_cache(maxsize=1024)
def snake(name: str) -> str:
    """The snake_case form of `name`, which may be in camelCase."""
    return _upper.sub(lambda letter: f"_{letter[0].lower()}", name)


# --- the list of cases -----------------------------------------------------------------------------------------------


def list_of_cases(root: Node | None) -> Node | None:
    """The list of cases that google-adk reads, or the list under the camelCase key; None if neither is a list."""
    cases = member(root, "eval_cases")
    return cases if cases is not None and cases.kind == "array" else None


def pointer_of_case(root: Node, number: int) -> str:
    """The pointer of the case with this index."""
    cases = list_of_cases(root)
    return f"/{cases.name if cases is not None else 'eval_cases'}/{number}"


def without_cases(root: Node) -> bytes:
    """The JSON text of a set with an empty list of cases."""
    if root.kind != "object":
        return root.source()
    cases = list_of_cases(root)
    sources = [b"%s:%s" % (item.key, b"[]" if item is cases else item.source()) for item in root.items]
    return b"{%s}" % b",".join(sources)
