"""Edits of tool calls and their responses, the same for both shapes of intermediate data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile, has_events, payloads_of, turns_of
from evaltui.evalset.content_parts import PartView
from evaltui.evalset.editing.new_contents import content
from evaltui.evalset.editing.new_ids import new_call_id
from evaltui.evalset.editing.revision import Revision, add_item, in_order_of, model_of, put
from evaltui.evalset.keys import filled, items_of, key_for, key_in, member, snake, text_of
from evaltui.evalset.titles import called, title
from evaltui.printable import one_line


def _where(eval_set: CaseFile, node: Node) -> str:
    turn = eval_set.enclosing(node, "turn")
    return title(eval_set, turn) if turn is not None else "the set"


def _called(use: ToolUse) -> str:
    return one_line(use.name, 40) or "the unnamed tool call"


def _tool_call(use: ToolUse) -> str:
    return f"tool call {_called(use)}" if use.name.strip() else "the unnamed tool call"


def rename_call(eval_set: CaseFile, use: ToolUse, name: str) -> Revision:
    """Change the tool name of a call, and of its response if it had the same name."""
    edits = [put(use.node, "name", name)]
    if use.response is not None and text_of(use.response, "name") == use.name:
        edits.append(put(use.response, "name", name))
    shown = one_line(name, 40)
    act = f"name the tool call {shown}" if shown and not use.name.strip() else f"rename {_tool_call(use)}"
    return Revision(f"{act} in {_where(eval_set, use.node)}", edits)


_EMPTY = {"string": "", "number": 0, "boolean": False, "null": None, "array": [], "object": {}}


def fill_in_arguments(call: Node, arguments: Iterable[tuple[str, str]]) -> Revision | None:
    """Add empty arguments with these names and JSON types; None if the call has arguments already."""
    args = member(call, "args")
    empty = {name: _EMPTY[kind] for name, kind in arguments}
    if not empty or (args is not None and (args.kind not in ("object", "null") or args.items)):
        return None
    names = one_line(", ".join(empty), 60)
    label = f"add arguments {names} as in the last call of {one_line(text_of(call, 'name'), 40)}"
    return Revision(label, [put(call, "args", empty)])


def change_call_id(eval_set: CaseFile, use: ToolUse, identifier: str) -> Revision:
    """Change the id of the call and its response; an empty id deletes both ids."""
    edits: list[Edit] = []
    for node in (use.node, use.response):
        if node is None:
            continue
        existing = member(node, "id")
        if identifier or existing is None:
            edits += [put(node, "id", identifier)] if identifier else []
        else:
            edits.append(Remove(existing.pointer()))
    remark = "the tool response has the new id, too" if use.response is not None and edits else ""
    return Revision(f"change id of {_called(use)} in {_where(eval_set, use.node)}", edits, remark)


def delete_call(eval_set: CaseFile, use: ToolUse) -> Revision:
    """Delete the call and its response, and events that are then empty."""
    doomed = [node for node in (use.node, use.response) if node is not None]
    label = f"delete {_tool_call(use)} of {_where(eval_set, use.node)}"
    remark = "with its response" if use.response is not None else ""
    return Revision(label, removals(doomed), remark)


def delete_response(eval_set: CaseFile, use: ToolUse) -> Revision:
    """Delete the response but not its call, and an event that is then empty. Raises `EditError` without one."""
    if use.response is None:
        raise EditError(f"{_tool_call(use)} has no response")
    label = f"delete response of {_called(use)} in {_where(eval_set, use.node)}"
    return Revision(label, removals([use.response]))


def delete_answer(eval_set: CaseFile, response: Node) -> Revision:
    """Delete a response without a call, and an event that is then empty."""
    label = f"delete response {one_line(text_of(response, 'name'), 40)} of {_where(eval_set, response)}"
    return Revision(label, removals([response]))


def removals(nodes: list[Node]) -> list[Edit]:
    """The edits that delete calls, responses and other values, and whatever is empty then."""
    return [Remove(pointer) for pointer in last_first(_holders(nodes))]


def last_first(nodes: list[Node]) -> list[str]:
    """The pointers of `nodes`, last first: each stays valid while the ones before it are removed."""

    def position(node: Node) -> list[int]:
        return [at.index() for at in reversed((node, *node.ancestors()))]

    return [node.pointer() for node in sorted(nodes, key=position, reverse=True)]


def _holders(nodes: list[Node]) -> list[Node]:
    """The nodes to remove: list items themselves, parts of events, or events that would be empty."""
    parts = [_carrier(node, nodes) for node in nodes]
    holders: dict[Node, None] = {}
    for part in parts:
        siblings = part.parent.items if part.parent is not None else []
        event = event_of_part(part)
        emptied = event is not None and all(sibling in parts for sibling in siblings)
        holders[event if emptied and event is not None else part] = None
    return list(holders)


def _carrier(node: Node, nodes: list[Node]) -> Node:
    """The part of an event that holds nothing but `nodes`; else `node` itself."""
    part = part_around(node)
    return part if part is not None and all(payload in nodes for payload in PartView(part).payloads) else node


def add_call(eval_set: CaseFile, turn: Node, after: ToolUse | None = None) -> Revision:
    """A new call without name and arguments, after the call `after` or at the end of the calls."""
    calls = tool_uses_of(turn).calls
    members: dict[str, Any] = {"name": "", "args": {}}
    identifier = new_call_id(eval_set, turn)
    if identifier:
        members["id"] = identifier
    model = calls[-1].node if calls else _call_nearby(eval_set, turn)
    call = in_order_of(model, members)
    label = f"add tool call to {title(eval_set, turn)}"
    if uses_events(eval_set, turn):
        author = next((use.author for use in reversed(calls) if use.author), "") or author_nearby(eval_set, turn)
        event = new_event(turn, model, author, "function_call", call)
        return Revision(label, [add_to_data(turn, "invocation_events", event, last_event_of(after))])
    return Revision(label, [add_to_data(turn, "tool_uses", call, after.node if after else None)])


def uses_events(eval_set: CaseFile, turn: Node) -> bool:
    """Whether the turn holds its calls in events; a turn without calls follows its neighbours."""
    data = filled(turn, "intermediate_data")
    if data is not None and data.items:
        return has_events(turn)
    return any(has_events(near) for near in _turns_nearby(eval_set, turn))


def _turns_nearby(eval_set: CaseFile, turn: Node) -> list[Node]:
    case = eval_set.enclosing(turn, "case")
    own = turns_of(case) if case is not None else []
    neighbour = model_of(case) if case is not None else None
    return [*own, *(turns_of(neighbour) if neighbour is not None else [])]


def _call_nearby(eval_set: CaseFile, turn: Node) -> Node | None:
    turns = _turns_nearby(eval_set, turn)
    return next((use.node for near in turns for use in tool_uses_of(near).calls), None)


def author_nearby(eval_set: CaseFile, turn: Node) -> str:
    """The author of an event nearby, because google-adk requires one."""
    for near in _turns_nearby(eval_set, turn):
        for event in items_of(filled(near, "intermediate_data"), "invocation_events"):
            if text_of(event, "author"):
                return text_of(event, "author")
    return "agent"


def write_response(eval_set: CaseFile, use: ToolUse, source: bytes) -> Revision:
    """Change the response of a call to the JSON text of an object; add a response if there is none."""
    label = f"edit response of {_called(use)} in {_where(eval_set, use.node)}"
    if use.response is not None:
        existing = member(use.response, "response")
        if existing is not None:
            return Revision(label, [Set(existing.pointer(), source)])
        return Revision(label, [Insert(f"{use.response.pointer()}/response", source)])
    turn = eval_set.enclosing(use.node, "turn")
    assert turn is not None
    near = _response_nearby(eval_set, turn)
    answer = {**({"id": use.id} if use.id else {}), "name": use.name, "response": {}}
    edits, pointer = _new_answer(turn, use, near, in_order_of(near or use.node, answer))
    return Revision(label, [*edits, Set(f"{pointer}/response", source)], "a response was added")


def _response_nearby(eval_set: CaseFile, turn: Node) -> Node | None:
    turns = [turn, *_turns_nearby(eval_set, turn)]
    return next((use.response for near in turns for use in tool_uses_of(near).calls if use.response), None)


def _new_answer(turn: Node, use: ToolUse, near: Node | None, answer: dict[str, Any]) -> tuple[list[Edit], str]:
    """The edits that add a response to its call, and the pointer of the new response."""
    event = event_of(use.node)
    if event is not None and event.parent is not None:
        pointer = f"{event.parent.pointer()}/{place_of_answer(tool_uses_of(turn).calls, use, event)}"
        model = near if event_of(near) is not None else use.node
        value = new_event(turn, model, use.author, "function_response", answer)
        (key,) = value["content"]["parts"][0]
        return [Insert(pointer, json_text(value))], f"{pointer}/content/parts/0/{key}"
    data = use.node.parent.parent if use.node.parent is not None else None
    assert data is not None
    responses = filled(data, "tool_responses")
    if responses is None or responses.kind != "array":
        return [put(data, "tool_responses", [answer])], f"{data.pointer()}/{key_in(data, 'tool_responses')}/0"
    pointer = f"{responses.pointer()}/{len(responses.items)}"
    return [Insert(pointer, json_text(answer))], pointer


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


_OTHER = {"function_call": "function_response", "function_response": "function_call"}


def partner_of(dataset: CaseFile, payload: Node) -> Node | None:
    """The response of a call, or the call of a response; None unless exactly one in the turn has its id."""
    identifier, kind = text_of(payload, "id"), snake(payload.name)
    if not identifier or kind not in _OTHER:
        return None
    events = _events_around(dataset, payload)
    same = [each for each in payloads_of(events, kind) if text_of(each, "id") == identifier]
    found = [each for each in payloads_of(events, _OTHER[kind]) if text_of(each, "id") == identifier]
    return found[0] if len(found) == 1 and len(same) == 1 else None


def write_in_pair(dataset: CaseFile, payload: Node, name: str, text: str) -> Revision:
    """Change the name or id of a call or response; its partner changes too if it had the same."""
    partner, event = partner_of(dataset, payload), _event_around(dataset, payload)
    edits = [put(payload, name, text)]
    if partner is not None and text_of(partner, name) == text_of(payload, name):
        edits.append(put(partner, name, text))
    what = snake(payload.name).replace("_", " ")
    remark = f"also in its {_OTHER[snake(payload.name)].rpartition('_')[2]}" if len(edits) > 1 else ""
    return Revision(f"edit {name} of {what} of {called(dataset, event)}", edits, remark)


def _event_around(dataset: CaseFile, payload: Node) -> Node:
    """The event or message that holds a call."""
    found = (at for at in payload.ancestors() if dataset.place(at) in ("event", "message"))
    return next(found, payload)


def _events_around(dataset: CaseFile, payload: Node) -> list[Node]:
    around = _event_around(dataset, payload).parent
    return around.items if around is not None and around.kind == "array" else []
