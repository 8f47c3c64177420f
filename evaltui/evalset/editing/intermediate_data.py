"""Intermediate data of a turn: intermediate responses, or events with the calls inside them."""

from __future__ import annotations

from typing import Any

from evaltui.document.edits import Edit
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse
from evaltui.evalset.case_file import CaseFile, has_events
from evaltui.evalset.editing.new_contents import content
from evaltui.evalset.editing.revision import Revision, add_item, in_order_of, put
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.evalset.titles import title


def responses_of(turn: Node) -> list[Node]:
    """The intermediate responses; each is a list of an author and parts."""
    return items_of(filled(turn, "intermediate_data"), "intermediate_responses")


def events_of(turn: Node) -> list[Node]:
    """The events of a turn; none in the other shape."""
    return items_of(filled(turn, "intermediate_data"), "invocation_events")


def author_of_response(response: Node) -> str:
    """The author of an intermediate response."""
    return response.items[0].text() if response.kind == "array" and response.items else ""


def add_response(eval_set: CaseFile, turn: Node) -> Revision:
    """A new intermediate response by the author of the last one. Raises `EditError` in a turn with events."""
    if has_events(turn):
        raise EditError("google-adk rejects a turn with both events and intermediate responses")
    before = responses_of(turn)
    author = author_of_response(before[-1]) if before else "agent"
    label = f"add intermediate response to {title(eval_set, turn)}"
    return Revision(label, [add_to_data(turn, "intermediate_responses", [author, [{"text": ""}]])])


def add_event(eval_set: CaseFile, turn: Node) -> Revision:
    """A new event with a text. Raises `EditError` in a turn with tool_uses."""
    data = filled(turn, "intermediate_data")
    if data is not None and data.items and member(data, "invocation_events") is None:
        raise EditError("google-adk rejects a turn with both tool_uses and events")
    before = events_of(turn)
    model = before[-1] if before else None
    body = in_order_of(filled(model, "content"), {"parts": [{"text": ""}], "role": "model"})
    value = in_order_of(model, {"author": text_of(model, "author") or "agent", "content": body})
    return Revision(f"add event to {title(eval_set, turn)}", [add_to_data(turn, "invocation_events", value)])


def add_to_data(turn: Node, name: str, value: Any, behind: Node | None = None) -> Edit:
    """Add an item to a list of the intermediate data, after `behind` or at the end; add the list if it is missing."""
    data = filled(turn, "intermediate_data")
    if data is None or data.kind != "object":
        return put(turn, "intermediate_data", {key_for(turn, name): [value]})
    is_beside = behind is not None and behind.parent is filled(data, name)
    return add_item(data, name, value, behind.index() + 1 if behind is not None and is_beside else "-")


def part_around(node: Node | None) -> Node | None:
    """The part that holds a call or response; None if the turn lists them."""
    return node.parent if node is not None and node.key else None


def event_of_part(part: Node | None) -> Node | None:
    """The event whose content holds `part`."""
    around = part.parent.parent if part is not None and part.parent is not None else None
    return around.parent if around is not None and around.name == "content" else None


def event_of(node: Node | None) -> Node | None:
    """The event that holds a call or response; None if the turn lists them."""
    return event_of_part(part_around(node))


def holder_of(call: Node) -> Node | None:
    """The node that moves with a call in an event: the event, or the part if the event has several calls."""
    part, event = part_around(call), event_of(call)
    if part is None or event is None or part.parent is None:
        return None
    calls = [each for each in part.parent.items if filled(each, "function_call") is not None]
    return event if len(calls) == 1 else part


def new_event(turn: Node, near: Node | None, author: str, name: str, payload: dict[str, Any]) -> dict[str, Any]:
    """An event with one call or response, in the format of the event that holds `near`."""
    part, event = part_around(near), event_of(near)
    role = "model" if name == "function_call" else "user"
    body = content(member(event, "content"), role, {key_for(part or turn, name): payload})
    return in_order_of(event, {"author": author, "content": body})


def last_event_of(use: ToolUse | None) -> Node | None:
    """The last event of a call: the event of its response, else its own."""
    return (event_of(use.response) or event_of(use.node)) if use is not None else None


def place_of_answer(calls: list[ToolUse], use: ToolUse, event: Node) -> int:
    """The index for a response: after the event of its call and the responses to earlier `calls`."""
    place = event.index()
    for other in calls:
        if other.node is use.node:
            break
        answered = event_of(other.response)
        if answered is not None and answered.parent is event.parent:
            place = max(place, answered.index())
    return place + 1
