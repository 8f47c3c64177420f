"""Events (`InvocationEvents`): where calls and responses stand in them, and new ones like those nearby."""

from __future__ import annotations

from typing import Any

from evaltui.document import Node
from evaltui.evalset.editing.revision import in_order_of
from evaltui.evalset.editing.templates import content
from evaltui.evalset.eval_set import Invocation
from evaltui.evalset.keys import filled, key_for, member
from evaltui.evalset.tool_uses import ToolUse


def part_around(node: Node | None) -> Node | None:
    """The part that holds a call or a response; None in the other shape, which lists them."""
    return node.parent if node is not None and node.key else None


def event_of_part(part: Node | None) -> Node | None:
    """The event whose content holds `part`."""
    around = part.parent.parent if part is not None and part.parent is not None else None
    return around.parent if around is not None and around.name == "content" else None


def event_of(node: Node | None) -> Node | None:
    """The event that holds a call or a response; None in the other shape."""
    return event_of_part(part_around(node))


def holder_of(call: Node) -> Node | None:
    """What moves with a call in an event: the event, or of several calls in it the part; None in the other shape."""
    part, event = part_around(call), event_of(call)
    if part is None or event is None or part.parent is None:
        return None
    calls = [each for each in part.parent.items if filled(each, "function_call") is not None]
    return event if len(calls) == 1 else part


def new_event(turn: Node, near: Node | None, author: str, name: str, payload: dict[str, Any]) -> dict[str, Any]:
    """An event of one part with a call or a response, in the manner of the one that holds `near`."""
    part, event = part_around(near), event_of(near)
    role = "model" if name == "function_call" else "user"
    body = content(member(event, "content"), role, {key_for(part or turn, name): payload})
    return in_order_of(event, {"author": author, "content": body})


def last_event_of(use: ToolUse | None) -> Node | None:
    """The event that ends a call: that of its response, else its own."""
    return (event_of(use.response) or event_of(use.node)) if use is not None else None


def place_of_answer(turn: Node, use: ToolUse, event: Node) -> int:
    """Behind the call's event and the answers to the calls before it, so that pairing by order stays true."""
    place = event.index()
    for other in Invocation(turn).tool_uses.calls:
        if other.node is use.node:
            break
        answered = event_of(other.response)
        if answered is not None and answered.parent is event.parent:
            place = max(place, answered.index())
    return place + 1
