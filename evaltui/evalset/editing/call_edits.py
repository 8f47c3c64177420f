"""Edits of tool calls, their responses and events: in lists or in events, of turns and of dataset cases.

An *owner* of calls is a turn of an eval set, or a case of a dataset with its `intermediate_events`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, takewhile
from typing import Any

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import model_of
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import ToolUse, calls_and_orphans, events_of, expected_uses, responses_of
from evaltui.evalset.case_file import CaseFile, has_events, payloads_of, recorded_events_of, turns_of
from evaltui.evalset.content_parts import part_payloads
from evaltui.evalset.editing.new_ids import calls_of_case, fresh_id, new_call_id
from evaltui.evalset.editing.revision import Copy, Revision, add_item, in_order_of, opened_list, put
from evaltui.evalset.editing.templates import agents_of, content
from evaltui.evalset.keys import filled, items_of, key_for, key_in, member, snake, text_of
from evaltui.evalset.titles import called, title
from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line

_NEAR, _FAR = 8, 1_000
"""Cases to look at for calls on either side, then from the start of the file."""
_has_calls = re.compile(rb'"(?:tool_uses|toolUses|function_call|functionCall)"').search
_EMPTY = {"string": "", "number": 0, "boolean": False, "null": None, "array": [], "object": {}}
_PARTNER = {"function_call": "function_response", "function_response": "function_call"}


# --- names, ids and deleting -----------------------------------------------------------------------------------------


def _where(eval_set: CaseFile, node: Node) -> str:
    turn = eval_set.enclosing(node, "turn")
    return title(eval_set, turn) if turn is not None else "the set"


def _name(use: ToolUse) -> str:
    return one_line(use.name, 40) or "the unnamed tool call"


def _tool_call(use: ToolUse) -> str:
    return f"tool call {_name(use)}" if use.name.strip() else "the unnamed tool call"


def rename_call(eval_set: CaseFile, use: ToolUse, name: str) -> Revision:
    """Change the tool name of a call, and of its response if it had the same name."""
    edits: list[Edit] = [put(use.node, "name", name)]
    # A response of another name was written so on purpose, or belongs to another call.
    if use.response is not None and text_of(use.response, "name") == use.name:
        edits.append(put(use.response, "name", name))
    new_name = one_line(name, 40)
    act = f"name the tool call {new_name}" if new_name and not use.name.strip() else f"rename {_tool_call(use)}"
    return Revision(f"{act} in {_where(eval_set, use.node)}", edits)


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
    for node in filter(None, (use.node, use.response)):
        if identifier:
            edits.append(put(node, "id", identifier))
        elif (existing := member(node, "id")) is not None:
            edits.append(Remove(existing.pointer()))
    remark = "the tool response has the new id, too" if use.response is not None and edits else ""
    return Revision(f"change id of {_name(use)} in {_where(eval_set, use.node)}", edits, remark)


def delete_call(eval_set: CaseFile, use: ToolUse) -> Revision:
    """Delete the call and its response, and events that are then empty."""
    label = f"delete {_tool_call(use)} of {_where(eval_set, use.node)}"
    remark = "with its response" if use.response is not None else ""
    return Revision(label, removals([*filter(None, (use.node, use.response))]), remark)


def delete_response(eval_set: CaseFile, use: ToolUse) -> Revision:
    """Delete the response but not its call, and an event that is then empty. Raises `EditError` without one."""
    if use.response is None:
        raise EditError(f"{_tool_call(use)} has no response")
    label = f"delete response of {_name(use)} in {_where(eval_set, use.node)}"
    return Revision(label, removals([use.response]))


def delete_answer(eval_set: CaseFile, response: Node) -> Revision:
    """Delete a response without a call, and an event that is then empty."""
    label = f"delete response {one_line(text_of(response, 'name'), 40)} of {_where(eval_set, response)}"
    return Revision(label, removals([response]))


def removals(nodes: list[Node]) -> list[Edit]:
    """The edits that delete calls, responses and other values, and parts and events that are empty then."""
    parts: list[Node] = []
    for node in nodes:
        part = part_around(node)
        is_emptied = part is not None and all(payload in nodes for payload in part_payloads(part))
        parts.append(part if part is not None and is_emptied else node)
    holders: dict[Node, None] = {}
    for part in parts:
        event = event_of_part(part)
        is_emptied = part.parent is not None and all(sibling in parts for sibling in part.parent.items)
        holders[event if is_emptied and event is not None else part] = None
    return [Remove(pointer) for pointer in last_first([*holders])]


def last_first(nodes: list[Node]) -> list[str]:
    """The pointers of `nodes`, last first: each stays valid while the ones behind it are removed."""
    places = {node: [outer.index() for outer in reversed((node, *node.ancestors()))] for node in nodes}
    return [node.pointer() for node in sorted(nodes, key=places.__getitem__, reverse=True)]


# --- events ----------------------------------------------------------------------------------------------------------


def part_around(node: Node | None) -> Node | None:
    """The part that holds a call or response; None if the turn lists them."""
    return node.parent if node is not None and node.key else None


def event_of_part(part: Node | None) -> Node | None:
    """The event whose content holds `part`."""
    body = part.parent.parent if part is not None and part.parent is not None else None
    return body.parent if body is not None and body.name == "content" else None


def event_of(node: Node | None) -> Node | None:
    """The event that holds a call or response; None if the turn lists them."""
    return event_of_part(part_around(node))


def holder_of(call: Node) -> Node | None:
    """The node that moves with a call in an event: the event, or the part if the event has several calls."""
    part, event = part_around(call), event_of(call)
    if part is None or event is None or part.parent is None:
        return None
    calls = [sibling for sibling in part.parent.items if filled(sibling, "function_call") is not None]
    return event if len(calls) == 1 else part


def last_event_of(use: ToolUse | None) -> Node | None:
    """The last event of a call: the event of its response, else its own."""
    return (event_of(use.response) or event_of(use.node)) if use is not None else None


def _new_event(owner: Node, near: Node | None, author: str, name: str, payload: dict[str, Any]) -> dict[str, Any]:
    """An event with one call or response, in the format of the event that holds the call or response `near`."""
    part, event = part_around(near), event_of(near)
    role = "model" if name == "function_call" else "user"
    body = content(member(event, "content"), role, {key_for(part or owner, name): payload})
    return in_order_of(event, {"author": author, "content": body})


def add_event(eval_set: CaseFile, turn: Node) -> Revision:
    """A new event with a text. Raises `EditError` in a turn with tool_uses."""
    data = filled(turn, "intermediate_data")
    if data is not None and data.items and member(data, "invocation_events") is None:
        raise EditError("google-adk rejects a turn with both tool_uses and events")
    sibling = next(reversed(events_of(turn)), None)
    body = in_order_of(filled(sibling, "content"), {"parts": [{"text": ""}], "role": "model"})
    value = in_order_of(sibling, {"author": text_of(sibling, "author") or "agent", "content": body})
    return Revision(f"add event to {title(eval_set, turn)}", [_add_to_data(turn, "invocation_events", value)])


def author_of_response(response: Node) -> str:
    """The author of an intermediate response."""
    return response.items[0].text() if response.kind == "array" and response.items else ""


def add_response(eval_set: CaseFile, turn: Node) -> Revision:
    """A new intermediate response by the author of the last one. Raises `EditError` in a turn with events."""
    if has_events(turn):
        raise EditError("google-adk rejects a turn with both events and intermediate responses")
    responses = responses_of(turn)
    author = author_of_response(responses[-1]) if responses else "agent"
    label = f"add intermediate response to {title(eval_set, turn)}"
    return Revision(label, [_add_to_data(turn, "intermediate_responses", [author, [{"text": ""}]])])


def _add_to_data(turn: Node, name: str, value: Any) -> Edit:
    """Add an item to a list of the intermediate data; add what is missing."""
    data = filled(turn, "intermediate_data")
    if data is None or data.kind != "object":
        return put(turn, "intermediate_data", {key_for(turn, name): [value]})
    return add_item(data, name, value)


# --- adding calls ----------------------------------------------------------------------------------------------------


def uses_events(case_file: CaseFile, owner: Node) -> bool:
    """Whether calls of the owner are in events, not in a list of calls."""
    if case_file.is_dataset:
        return True
    data = filled(owner, "intermediate_data")
    if data is not None and data.items:
        return has_events(owner)
    # A turn without calls follows its neighbours.
    return any(has_events(turn) for turn in _turns_nearby(case_file, owner))


def _turns_nearby(eval_set: CaseFile, turn: Node) -> list[Node]:
    """The turns of the case, then of the neighbouring case; none in a dataset."""
    case = eval_set.enclosing(turn, "case")
    neighbour = model_of(case) if case is not None else None
    return [turn for near in (case, neighbour) if near is not None for turn in turns_of(near)]


def _author_nearby(case_file: CaseFile, owner: Node) -> str:
    # google-adk requires an author, even of an event whose agent nobody knows.
    events = [*items_of(owner, "intermediate_events"), *reversed(recorded_events_of(owner))]
    near = (event for turn in _turns_nearby(case_file, owner) for event in events_of(turn))
    authors = agents_of(owner, events) if case_file.is_dataset else (text_of(event, "author") for event in near)
    return next(filter(None, authors), "agent")


def add_call(eval_set: CaseFile, turn: Node, previous: ToolUse | None = None) -> Revision:
    """A new call without name and arguments, after the call `previous` or at the end of the calls."""
    calls = expected_uses(turn)
    members: dict[str, Any] = {"name": "", "args": {}}
    if identifier := new_call_id(eval_set, turn):
        members["id"] = identifier
    nearby = (use.node for near in _turns_nearby(eval_set, turn) for use in expected_uses(near))
    near = calls[-1].node if calls else next(nearby, None)
    author = next((use.author for use in reversed(calls) if use.author), "")
    call = Copy("call", json_text(in_order_of(near, members)), author=author)
    return Revision(f"add tool call to {title(eval_set, turn)}", insert_calls(eval_set, turn, [call], previous, near))


def insert_calls(
    case_file: CaseFile,
    owner: Node,
    calls: Sequence[Copy],
    beside: ToolUse | None,
    near: Node | None,
    *,
    is_before: bool = False,
    are_copies: bool = False,
) -> list[Edit]:
    """The edits that insert calls with their responses before or after the call `beside`, or at the end.

    Events are in the format of the event that holds the call `near`. Copies get an index of their own, where their
    layout stays and their keys can be renamed.
    """
    has_events, is_first = uses_events(case_file, owner), not expected_uses(owner)
    data = () if case_file.is_dataset else ("intermediate_data",)
    name = "intermediate_events" if case_file.is_dataset else "invocation_events" if has_events else "tool_uses"
    pointer, items, opening = opened_list(owner, *data, name)
    rows: list[tuple[bytes, bytes | None]] = []
    for call in calls:
        if not has_events:
            rows.append((call.source, call.indent))
            continue
        author = call.author or _author_nearby(case_file, owner)
        for kind, source in (("function_call", call.source), ("function_response", call.response)):
            if source is not None:
                event = _new_event(owner, near, author, kind, {})
                if case_file.is_dataset and is_first and (prompt := filled(owner, "prompt")) is not None:
                    # No event shows its order of keys yet, so the prompt does.
                    event["content"] = in_order_of(prompt, event["content"])
                # The payload keeps its own text, because a number is spelled as where it comes from. The event is
                # inserted whole: a payload set later would be laid out as nothing else in the file.
                part = json_text(event["content"]["parts"][0])
                rows.append((json_text(event).replace(part, part.replace(b"{}", source), 1), None))
    item = beside.node if beside is not None else None
    if beside is not None and has_events:
        item = event_of(beside.node) if is_before else last_event_of(beside)
    is_beside = item is not None and item in items
    index = item.index() + (not is_before) if item is not None and is_beside else len(items)
    edits: list[Edit] = [opening] if opening is not None else []
    if isinstance(opening, Insert | Set) and not are_copies:  # one edit, which a review prints as one step
        edits = [opening._replace(source=opening.source.replace(b"[]", b"[" + rows.pop(0)[0] + b"]"))]
    for place, (text, indent) in enumerate(rows, index):
        pointer_of_row = f"{pointer}/{place if is_beside or are_copies else '-'}"
        edits.append(Insert(pointer_of_row, text, origin_indent=indent))
    responses = [(call.response, call.indent) for call in calls if call.response is not None and not has_events]
    if responses:
        has_data = filled(owner, "intermediate_data") is not None
        pointer, items, opening = opened_list(owner, *data, "tool_responses")
        if opening is not None:  # intermediate data that was missing came with the calls
            edits.append(opening if has_data else Insert(pointer, b"[]"))
        for place, (response, indent) in enumerate(responses, len(items)):
            edits.append(Insert(f"{pointer}/{place}", response, origin_indent=indent))
    return edits


# --- recorded calls and responses ------------------------------------------------------------------------------------


def recorded_call(
    case_file: CaseFile, owner: Node, call: TurnCall, seed: str, reserved: int
) -> tuple[bytes, Node | None, bool]:
    """The JSON text of a recorded call in the style of the nearest calls, with a fresh id if they have ids.

    Also a call whose event that of the new call copies, and whether the nearest calls have responses. `seed` makes
    random ids repeatable (see `fresh_id`); this many ids before it are `reserved`.
    """
    (own_uses, orphans), case = calls_and_orphans(owner), case_file.enclosing(owner, "case")
    own = calls_of_case(case) if case is not None else []
    nearest = own_uses or own
    if not nearest:
        index, cases = case.index() if case is not None else 0, case_file.cases
        around = chain(reversed(cases[max(0, index - _NEAR) : index]), cases[index + 1 : index + _NEAR], cases[:_FAR])
        # The search in the text spares unfolding cases without calls.
        calling = (neighbour for neighbour in around if _has_calls(neighbour.source()))
        nearest = next(filter(None, map(calls_of_case, calling)), [])
    near = nearest[-1].node if nearest else None
    if near is None and case_file.is_dataset:
        # As the recorded calls are laid out, whose ids and responses are not expected.
        near = next(payloads_of(recorded_events_of(owner), "function_call"), None)
    members = {"name": call.name, "args": call.args}
    if ids := [use.id for use in nearest if use.id]:
        used = {use.id for use in own} | {text_of(orphan, "id") for orphan in orphans}
        for _ in range(reserved + 1):
            members["id"] = identifier = fresh_id(ids, "call_1", used.__contains__, seed)
            used.add(identifier)
    present = {name: value for name, value in members.items() if value is not None}
    return json_text(in_order_of(near, present)), near, any(use.response is not None for use in nearest)


def write_response(eval_set: CaseFile, use: ToolUse, source: bytes) -> Revision:
    """Change the response of a call to the JSON text of an object; add a response if there is none."""
    turn = eval_set.enclosing(use.node, "turn")
    assert turn is not None
    label = f"edit response of {_name(use)} in {_where(eval_set, use.node)}"
    remark = "a response was added" if use.response is None else ""
    return Revision(label, response_edits(eval_set, turn, use, source), remark)


def response_edits(case_file: CaseFile, owner: Node, use: ToolUse, source: bytes) -> list[Edit]:
    """The edits that write the JSON text of an object as the response to a call."""
    if use.response is not None:
        existing = member(use.response, "response")
        return [Set(existing.pointer(), source) if existing else Insert(f"{use.response.pointer()}/response", source)]
    rows = [owner, *_turns_nearby(case_file, owner)]
    near = next((answered.response for row in rows for answered in expected_uses(row) if answered.response), None)
    members = {**({"id": use.id} if use.id else {}), "name": use.name, "response": {}}
    answer = in_order_of(near if case_file.is_dataset else near or use.node, members)
    event = event_of(use.node)
    if event is not None and event.parent is not None:
        # After the event of its call and the responses to earlier calls.
        earlier = takewhile(lambda call: call.node is not use.node, expected_uses(owner))
        behind = [event, *(holder for call in earlier if (holder := event_of(call.response)) is not None)]
        index = 1 + max(holder.index() for holder in behind if holder.parent is event.parent)
        pointer = f"{event.parent.pointer()}/{index}"
        model = near if event_of(near) is not None else use.node
        value = _new_event(owner, model, use.author, "function_response", answer)
        (key,) = value["content"]["parts"][0]
        return [Insert(pointer, json_text(value)), Set(f"{pointer}/content/parts/0/{escape(key)}/response", source)]
    data = use.node.parent.parent if use.node.parent is not None else None
    assert data is not None
    index = len(items_of(data, "tool_responses"))
    pointer = f"{data.pointer()}/{key_in(data, 'tool_responses')}/{index}"
    return [add_item(data, "tool_responses", answer, index), Set(f"{pointer}/response", source)]


# --- calls and responses in events of datasets, which pair by id -----------------------------------------------------


def partner_of(event: Node, payload: Node) -> Node | None:
    """The response of a call in an event, or the call of a response; None unless exactly one in the turn has its id."""
    identifier, kind = text_of(payload, "id"), snake(payload.name)
    if not identifier or kind not in _PARTNER:
        return None
    listed = event.parent.items if event.parent is not None and event.parent.kind == "array" else []
    twins, partners = (
        [payload for payload in payloads_of(listed, name) if text_of(payload, "id") == identifier]
        for name in (kind, _PARTNER[kind])
    )
    return partners[0] if len(partners) == len(twins) == 1 else None


def write_in_pair(dataset: CaseFile, event: Node, payload: Node, name: str, text: str) -> Revision:
    """Change the name or id of a call or response in an event; its partner changes too if it had the same."""
    partner = partner_of(event, payload)
    edits: list[Edit] = [put(payload, name, text)]
    if partner is not None and text_of(partner, name) == text_of(payload, name):
        edits.append(put(partner, name, text))
    what = snake(payload.name).replace("_", " ")
    remark = f"also in its {_PARTNER[snake(payload.name)].rpartition('_')[2]}" if len(edits) > 1 else ""
    return Revision(f"edit {name} of {what} of {called(dataset, event)}", edits, remark)
