"""New files, cases, turns, sessions and events of either format, in the shape and spelling of their siblings."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from evaltui.document.edits import Edit
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import (
    CaseFile,
    dataset_turns_of,
    is_of_user,
    recorded_events_of,
    takes_turns,
    turns_of,
    user_event_of,
)
from evaltui.evalset.editing.new_ids import cases_near, first_turn_id, fresh_id, new_case_id, next_turn_id
from evaltui.evalset.editing.revision import (
    Revision,
    add_item,
    are_counted,
    in_order_of,
    like_sibling,
    put,
    refuse_other_kind,
    renumbered,
)
from evaltui.evalset.keys import camel, filled, items_of, key_for, member, text_of
from evaltui.evalset.titles import called, title
from evaltui.printable import one_line

_MOST_OF_FIRST_CASE = 2_000
"""Bytes of the empty case of a new set with any layout; a longer case is not compared with it."""
_LOOKED_AT = 500
"""The most values to search for a content nearby."""
_ITEMS = 4
"""Items of a list whose keys show a spelling."""
_AGENT = "agent"
"""The author of an agent event if no agent of the case is known."""

TEMPLATES: dict[str, dict[str, Any]] = {
    "text": {"text": ""},
    "thought": {"text": "", "thought": True},
    "file by URI": {"file_data": {"file_uri": "", "mime_type": ""}},
    "function call": {"function_call": {"name": "", "args": {}}},
    "function response": {"function_response": {"name": "", "response": {}}},
    "code": {"executable_code": {"language": "PYTHON", "code": ""}},
    "code result": {"code_execution_result": {"outcome": "OUTCOME_OK", "output": ""}},
}
"""New parts by their name on screen; keys in snake_case."""


# --- contents --------------------------------------------------------------------------------------------------------


def text_content(sibling: Node | None, role: str, text: str) -> dict[str, Any]:
    """A content with one text part, in the format of `sibling`; the role of `sibling` wins over `role`."""
    return content(sibling, text_of(sibling, "role") or role, {"text": text})


def content(sibling: Node | None, role: str, part: dict[str, Any]) -> dict[str, Any]:
    """A content with one part, keys in the order of `sibling`; without a role if `sibling` has none."""
    # An empty object shows no habit, so its lack of a role says nothing.
    has_role = sibling is None or not sibling.items or filled(sibling, "role") is not None
    return in_order_of(sibling, {"parts": [part], **({"role": role} if has_role else {})})


def in_order_near(sibling: Node | None, near: Node, members: dict[str, Any], *, role_first: bool) -> dict[str, Any]:
    """The keys of a new content in the order of `sibling`, else of a content inside or around `near`.

    Without any, `role` comes first or last.
    """
    count = _LOOKED_AT
    for around in (sibling, near, *near.ancestors()):
        pending = [around] if around is not None else []
        while pending and count:
            node, count = pending.pop(), count - 1
            if node.kind == "object" and filled(node, "role") and filled(node, "parts"):
                return in_order_of(node, members)
            if around is not sibling:
                pending += [item for item in reversed(node.items[:_LOOKED_AT]) if item.is_container]
    # agents-cli writes the role first, google-adk last.
    if not role_first or "role" not in members:
        return members
    return {"role": members["role"], **members}


def spelt(near: Node, value: Any) -> Any:
    """`value` with its keys (snake_case) spelled as in the values around `near`."""
    if not isinstance(value, dict):
        return value
    return {key_for(near, name): spelt(near, item) for name, item in value.items()}


def spelled_like(value: Any, siblings: Sequence[Node], free_values: Collection[str], *, is_camel: bool) -> Any:
    """`value` with its keys (snake_case) spelled and ordered as in the most similar object of `siblings`.

    Keys that no sibling has are in camelCase if `is_camel`. Values of keys in `free_values` stay as they are.
    """
    if isinstance(value, list):
        items = [item for sibling in siblings for item in sibling.items[:_ITEMS]][: 3 * _ITEMS]
        return [spelled_like(item, items, free_values, is_camel=is_camel) for item in value]
    if not isinstance(value, dict):
        return value
    objects = [sibling for sibling in siblings if sibling.kind == "object"]
    names = {*value, *map(camel, value)}
    # Items of one list may be of different kinds, such as parts: the one with the most keys in common shows the order.
    closest = max(objects, key=lambda node: sum(item.name in names for item in node.items), default=None)
    members: dict[str, Any] = {}
    for name, item in value.items():
        existing = member(closest, name)
        key = existing.name if existing is not None else camel(name) if is_camel else name
        below = [inner for node in objects if (inner := filled(node, name)) is not None]
        is_free = name in free_values
        members[key] = item if is_free else spelled_like(item, below, free_values, is_camel=is_camel)
    return in_order_of(closest, members)


# --- files -----------------------------------------------------------------------------------------------------------


def new_eval_set(name: str) -> bytes:
    """The text of a new eval set in google-adk's layout: one case with one empty turn.

    The id is `name`, limited to the characters that adk allows (`[a-zA-Z0-9_]`).
    """
    eval_set_id = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).strip("_") or "eval_set"
    eval_set = {"eval_set_id": eval_set_id, "eval_cases": [_first_case()]}
    return json.dumps(eval_set, indent=2).encode() + b"\n"


def _first_case() -> dict[str, Any]:
    turn = {"invocation_id": "inv-1", "user_content": content(None, "user", {"text": ""})}
    return {"eval_id": "case_1", "conversation": [turn]}


def untouched_case(eval_set: CaseFile) -> Node | None:
    """The only case of a set if it is as `new_eval_set` writes it; None if it was edited or is not alone."""
    cases = eval_set.cases
    if len(cases) != 1 or len(cases[0].source()) > _MOST_OF_FIRST_CASE:
        return None
    try:
        return cases[0] if cases[0].value() == _first_case() else None
    except ValueError:  # too deep for Python, or a number that is too long
        return None


def new_dataset() -> bytes:
    """The text of a new dataset: one case with an empty prompt."""
    case = {"eval_case_id": "case_1", "prompt": {"role": "user", "parts": [{"text": ""}]}}
    return json.dumps({"eval_cases": [case]}, indent=2).encode() + b"\n"


# --- cases -----------------------------------------------------------------------------------------------------------


def add_case(case_file: CaseFile, previous: Node | None) -> Revision:
    """A new case after `previous`, or at the end of the file."""
    value = new_case(case_file, previous)
    index = previous.index() + 1 if previous is not None else len(case_file.cases)
    key = case_file.format.case_id
    identifier = value.get(key) or value[camel(key)]
    return Revision(f"add case {one_line(identifier, 60)}", [add_item(case_file.root, "eval_cases", value, index)])


def new_case(case_file: CaseFile, previous: Node | None) -> dict[str, Any]:
    """A case like its sibling: with an empty scenario, an empty turn, or an empty prompt of a dataset."""
    cases = case_file.cases
    sibling = previous or (cases[-1] if cases else None)
    near = sibling or member(case_file.root, "eval_cases") or case_file.root
    members: dict[str, Any] = {case_file.format.case_id: new_case_id(case_file, sibling)}
    scenario_key = "user_scenario" if case_file.is_dataset else "conversation_scenario"
    scenario, prompt = filled(sibling, scenario_key), filled(sibling, "prompt")
    first_turn = next(iter(case_file.turns(sibling)), None) if sibling is not None else None
    if scenario is not None:
        members[scenario_key] = like_sibling(scenario, near, {"starting_prompt": "", "conversation_plan": ""})
    elif not case_file.is_dataset:
        members["conversation"] = [_turn(first_turn, near, first_turn_id(case_file, sibling))]
    elif first_turn is not None and prompt is None:
        turns = [_dataset_turn(near, first_turn, 0)]
        members["agent_data"] = like_sibling(filled(sibling, "agent_data"), near, {"turns": turns})
    # A reference is never added: an empty one is a problem.
    elif prompt is not None and prompt.kind == "string":
        members["prompt"] = ""
    else:
        members["prompt"] = in_order_near(prompt, near, text_content(prompt, "user", ""), role_first=True)
    if not case_file.is_dataset:
        # `adk eval` does not require a session input, so a guess between two users would be worse than none.
        session = filled(sibling, "session_input")
        sessions = [filled(case, "session_input") for case in cases_near(cases, sibling)]
        users = {(text_of(nearby, "app_name"), text_of(nearby, "user_id")) for nearby in sessions if nearby is not None}
        members["session_input"] = _session_like(session) if session is not None and len(users) == 1 else None
    return like_sibling(sibling, near, members)


def _session_like(sibling: Node) -> dict[str, Any]:
    """A session input with the app and user of `sibling`, and an empty state if it has one."""
    members: dict[str, Any] = {name: text_of(sibling, name) for name in ("app_name", "user_id")}
    members["state"] = {} if member(sibling, "state") is not None else None
    return like_sibling(sibling, sibling, members)


def add_session(eval_set: CaseFile, case: Node) -> Revision:
    """A session input for a case, with the app and user of a nearby case."""
    index = case.index()
    # Earlier cases first, as a new case copies the case that it follows.
    nearby = [*reversed(eval_set.cases[max(0, index - 4) : index]), *eval_set.cases[index + 1 : index + 4]]
    sibling = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    value = _session_like(sibling) if sibling else like_sibling(None, case, {"app_name": "", "user_id": "user"})
    return Revision(f"add session_input to {called(eval_set, case)}", [put(case, "session_input", value)])


# --- turns -----------------------------------------------------------------------------------------------------------


def refuse_turns_beside_scenario(case: Node) -> None:
    """Raise `EditError` for a case with a scenario and no turns."""
    if not takes_turns(case):
        raise EditError("this case has a scenario; google-adk rejects a case with both a scenario and turns")


def add_turn(case_file: CaseFile, case: Node, previous: Node | None) -> Revision:
    """A new turn with an empty user message after `previous`, or at the end of the case.

    Raises `EditError` for a case with a scenario, or if a dataset has another value than turns there.
    """
    turns = case_file.turns(case)
    sibling = previous or (turns[-1] if turns else None)
    index = previous.index() + 1 if previous is not None else len(turns)
    label = f"add turn to {title(case_file, case)}"
    if not case_file.is_dataset:
        refuse_turns_beside_scenario(case)
        turn = _turn(sibling, case, next_turn_id(case_file, case))
        return Revision(label, [add_item(case, "conversation", turn, index)])
    refuse_other_kind(case, "agent_data", "object")
    data = filled(case, "agent_data")
    remark = "agents-cli accepts a prompt or turns, not both" if filled(case, "prompt") is not None else ""
    value = _dataset_turn(case, sibling, index)
    if data is None:
        return Revision(label, [put(case, "agent_data", like_sibling(None, case, {"turns": [value]}))], remark)
    refuse_other_kind(data, "turns", "array")
    holder = filled(data, "turns")
    numbers: list[Edit] = renumbered(holder, [*turns[:index], None, *turns[index:]]) if holder is not None else []
    return Revision(label, [*numbers, add_item(data, "turns", value, index)], remark)


def new_turn(case: Node, previous: Node | None, seed: str = "") -> dict[str, Any]:
    """An empty turn of an eval set like its siblings, with an id that is new in the case.

    `seed` makes random ids repeatable (see `fresh_id`).
    """
    turns = turns_of(case)
    ids = [text for turn in turns if (text := text_of(turn, "invocation_id"))]
    identifier = fresh_id(ids, "inv-1", set(ids).__contains__, seed) if ids or not turns else ""
    return _turn(previous or (turns[-1] if turns else None), case, identifier)


def _turn(sibling: Node | None, near: Node, identifier: str) -> dict[str, Any]:
    """A turn of an eval set with an empty user message, and an empty response if the sibling has one."""
    response = filled(sibling, "final_response")
    members = {
        "invocation_id": identifier or None,
        "user_content": text_content(filled(sibling, "user_content"), "user", ""),
        "final_response": text_content(response, "model", "") if response is not None else None,
    }
    return like_sibling(sibling, near, members)


def _dataset_turn(case: Node, sibling: Node | None, index: int) -> dict[str, Any]:
    """A turn with an empty user message; it has a number and an id if `sibling` has them."""
    turns = dataset_turns_of(case)
    is_numbered = sibling is None or (member(sibling, "turn_index") is not None and (index == 0 or are_counted(turns)))
    identifier = None
    if text_of(sibling, "turn_id"):
        example = text_of(turns[-1], "turn_id") or text_of(sibling, "turn_id")
        identifier = fresh_id([example], "turn_1", {text_of(turn, "turn_id") for turn in turns}.__contains__)
    speaking = (event for event in items_of(sibling, "events") if filled(event, "content") is not None)
    members = {
        "turn_index": index if is_numbered else None,
        "turn_id": identifier,
        "events": [_event("user", next(speaking, None), sibling or case)],
    }
    return like_sibling(sibling, sibling or case, members)


# --- events of datasets ----------------------------------------------------------------------------------------------


def add_event(dataset: CaseFile, turn: Node, previous: Node | None) -> Revision:
    """A new event with an empty text after `previous`, or at the end. Raises `EditError` if events is not a list."""
    refuse_other_kind(turn, "events", "array")
    events = items_of(turn, "events")
    sibling = previous or (events[-1] if events else None)
    author = _next_author(dataset, turn, sibling)
    index = previous.index() + 1 if previous is not None else len(events)
    label = f"add event of {one_line(author, 40)} to {title(dataset, turn)}"
    return Revision(label, [add_item(turn, "events", _event(author, sibling, turn), index)])


def add_said(dataset: CaseFile, case: Node, name: str, author: str, part: str = "text") -> Revision:
    """A new last item of the list `name`: `conversation_history` or `intermediate_events`, with a part of this kind.

    Raises `EditError` if it is not a list.
    """
    refuse_other_kind(case, name, "array")
    items = items_of(case, name)
    value = _event(author, items[-1] if items else None, case, part)
    return Revision(f"add to {name} of {title(dataset, case)}", [add_item(case, name, value)])


def _event(author: str, sibling: Node | None, near: Node, part: str = "text") -> dict[str, Any]:
    message = filled(sibling, "content")
    if message is not None and message.kind == "string" and part == "text":
        return like_sibling(sibling, near, {"author": author, "content": ""})
    members = content(message, "user" if author == "user" else "model", spelt(near, TEMPLATES[part]))
    members = in_order_near(message, near, members, role_first=True)
    return like_sibling(sibling, near, {"author": author, "content": members})


def _next_author(dataset: CaseFile, turn: Node, previous: Node | None) -> str:
    """The author of an event after `previous`: the user begins, then an agent continues."""
    message = filled(user_event_of(turn), "content")
    # Until there is a message, an event of the user only sets the state.
    if previous is None or (message is None and is_of_user(previous)):
        return "user"
    if not is_of_user(previous):
        return text_of(previous, "author") or _AGENT
    case = dataset.enclosing(turn, "case")
    return next(agents_of(case, recorded_events_of(case)), _AGENT) if case is not None else _AGENT


def agents_of(case: Node, events: list[Node]) -> Iterator[str]:
    """The agents of a dataset case: authors of `events` first, then described agents."""
    yield from (author for event in events if (author := text_of(event, "author")) and not is_of_user(event))
    if (agents := filled(filled(case, "agent_data"), "agents")) is not None:
        yield from (agent.name for agent in agents.items if agent.name)
