"""Places in a source as people name them: `book_flight › turn 2`, in every format."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.evalset.keys import snake, text_of
from evaltui.evalset.titles import STEP

THE_SET = "the set"
"""The place of values outside of cases."""
_CASES = ("eval_cases", "conversations", "evals", "scenarios")
_TURNS = ("conversation", "data", "turns", "actual_conversation")
_IDS = ("eval_id", "eval_case_id", "id", "display_name", "name", "conversation")
"""The keys for ids of cases, in order of preference."""


class SourcePlace(NamedTuple):
    """The case and turn of a value."""

    case: str = ""
    """The id of the case, or `case 3` for a case without an id; "" outside of cases."""
    has_id: bool = False
    turn: int = 0
    """Counted from 1; 0 outside of turns."""

    def __str__(self) -> str:
        turn = f"turn {self.turn}" if self.turn else ""
        return STEP.join(filter(None, (self.case, turn))) or THE_SET


def place_in(root: Node, pointer: str) -> SourcePlace:
    """The case and turn of a pointer, whose value need not exist."""
    place = SourcePlace()
    node: Node | None = root
    if root.kind == "object" and (root.member("golden") or root.member("scenario")):
        place = _case_place(root, 0)  # one evaluation of CES
    for token in pointers.parse_pointer(pointer):
        item = _item(node, token)
        if node is not None and item is not None and node.kind == "array":
            name = snake(node.name)
            if (node is root and item.member("query") is not None) or (place.case and name in _TURNS):
                return place._replace(turn=int(token) + 1)
            if not place.case and (node is root or name in _CASES):
                place = _case_place(item, int(token))
        node = item
    return place


def _item(node: Node | None, token: str) -> Node | None:
    if node is None or not node.is_container:
        return None
    if node.kind == "object":
        return node.member(token)
    return node.items[int(token)] if token.isdecimal() and int(token) < len(node.items) else None


def _case_place(case: Node, index: int) -> SourcePlace:
    """A case by its id, else by its number."""
    eval_id = next(filter(None, (text_of(case, name) for name in _IDS)), "")
    return SourcePlace(eval_id, has_id=True) if eval_id else SourcePlace(f"case {index + 1}")
