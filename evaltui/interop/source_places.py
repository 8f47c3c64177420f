"""Places in a source as people name them: `book_flight › turn 2`, in every format."""

from __future__ import annotations

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.evalset.titles import STEP

THE_SET = "the set"
"""The place of values outside of cases."""
_CASES = ("eval_cases", "conversations", "evals")
_TURNS = ("conversation", "data", "turns", "actual_conversation")
_IDS = ("eval_id", "eval_case_id", "id", "display_name", "name", "conversation")
"""The keys for ids of cases, in order of preference."""


def place_in(root: Node, pointer: str) -> str:
    """The case and turn of a pointer, whose value need not exist; "the set" outside of cases."""
    steps: list[str] = []
    node: Node | None = root
    if root.kind == "object" and (root.member("golden") or root.member("scenario")):
        steps.append(_title(root, 0))  # one evaluation of CES
    for token in pointers.parse_pointer(pointer):
        item = _item(node, token)
        if node is not None and item is not None and node.kind == "array":
            name = snake(node.name)
            if (node is root and item.member("query") is not None) or (steps and name in _TURNS):
                steps.append(f"turn {int(token) + 1}")
            elif not steps and (node is root or name in _CASES):
                steps.append(_title(item, int(token)))
        node = item
    return STEP.join(steps) or THE_SET


def _item(node: Node | None, token: str) -> Node | None:
    if node is None or not node.is_container:
        return None
    if node.kind == "object":
        return node.member(token)
    return node.items[int(token)] if token.isdecimal() and int(token) < len(node.items) else None


def _title(case: Node, index: int) -> str:
    """The id of a case, else its number."""
    by_name = {snake(item.name): item for item in case.items} if case.kind == "object" else {}
    texts = (by_name[name].text() for name in _IDS if name in by_name)
    return next(filter(None, texts), f"case {index + 1}")
