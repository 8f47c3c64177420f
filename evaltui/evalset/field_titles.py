"""Titles of single values, down to the field: `book_flight › turn 2 › tool call 1 › args.flight_id`."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import snake
from evaltui.evalset.set_views import EvalSetView, InvocationView
from evaltui.evalset.titles import STEP, title
from evaltui.printable import one_line

_TEXTS = {"user_content": "user text", "final_response": "response"}
"""Names for the texts of contents; other fields are named by their keys."""


def field_title(eval_set: EvalSetView, node: Node) -> str:
    """Title of `node`: its case, turn and tool call, then the keys from there. Items count from 0."""
    for at in (node, *node.ancestors()):
        number = _answered_call(eval_set, at)
        if number:
            turn = eval_set.enclosing(at, "turn")
            assert turn is not None
            return STEP.join([title(eval_set, turn), f"tool call {number}", _field(at, node)])
        if eval_set.kind(at) != "value":
            return STEP.join(filter(None, [title(eval_set, at), _field(at, node)]))
    return _field(eval_set.root, node)


def _answered_call(eval_set: EvalSetView, node: Node) -> int:
    """Number, from 1, of the tool call that `node` responds to; 0 for any other value."""
    if node.kind != "object" or node.member("response") is None:
        return 0
    turn = eval_set.enclosing(node, "turn")
    uses = InvocationView(turn).tool_uses.calls if turn is not None else []
    return next((number for number, use in enumerate(uses, 1) if use.response is node), 0)


def _field(top: Node, node: Node) -> str:
    """The keys from `top` down to `node`: `args.passengers[0].name`."""
    way = [node, *node.ancestors()]
    way = way[: way.index(top)][::-1]
    names = [snake(at.name) for at in way if at.key]
    if len(way) == 4 and names[0] in _TEXTS and names[1:] == ["parts", "text"]:
        part = way[2]
        several = part.parent is not None and len(part.parent.items) > 1
        return f"{_TEXTS[names[0]]} {part.index() + 1}" if several else _TEXTS[names[0]]
    steps = (f".{one_line(at.name, 40)}" if at.key else f"[{at.index()}]" for at in way)
    return "".join(steps).removeprefix(".")
