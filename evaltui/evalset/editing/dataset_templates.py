"""New cases, turns and events of a dataset, in the shape and key case that the file already uses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evaltui.document.edits import Edit
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, EventView, dataset_turns_of, user_event_of
from evaltui.evalset.editing.field_edits import TEMPLATES, spelt
from evaltui.evalset.editing.new_contents import content, in_order_near, text_content
from evaltui.evalset.editing.new_ids import cases_near, fresh_id, new_case_id
from evaltui.evalset.editing.revision import Revision, add_item, put, refuse_other_kind, written_like
from evaltui.evalset.editing.turn_numbers import are_counted, count_turns
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.evalset.titles import title
from evaltui.printable import one_line

_BOTH = "agents-cli accepts a prompt or turns, not both"
_AGENT = "agent"
"""The author of an agent event if no agent of the case is known."""


def new_dataset() -> bytes:
    """The text of a new dataset: one case with an empty prompt."""
    case = {"eval_case_id": "case_1", "prompt": {"role": "user", "parts": [{"text": ""}]}}
    return json.dumps({"eval_cases": [case]}, indent=2).encode() + b"\n"


def add_case(dataset: CaseFile, after: Node | None) -> Revision:
    """A new case after `after`, or at the end of the dataset."""
    cases = dataset.cases
    model = after if after is not None else cases[-1] if cases else None
    near_ids = [text_of(each, "eval_case_id") for each in cases_near(cases, model)]
    identifier = new_case_id(near_ids, len(cases), dataset.ids.of(cases).__contains__)
    value = _new_case(dataset, model, identifier)
    index = after.index() + 1 if after is not None else len(cases)
    return Revision(f"add case {one_line(identifier, 60)}", [add_item(dataset.root, "eval_cases", value, index)])


def _new_case(dataset: CaseFile, model: Node | None, identifier: str) -> dict[str, Any]:
    """A case like `model`, with an empty scenario, prompt or turn. It has no reference: an empty one is a problem."""
    near = model or member(dataset.root, "eval_cases") or dataset.root
    case: dict[str, Any] = {"eval_case_id": identifier}
    scenario, prompt, turns = filled(near, "user_scenario"), filled(near, "prompt"), dataset_turns_of(near)
    if scenario is not None:
        empty = {"starting_prompt": "", "conversation_plan": ""}
        case["user_scenario"] = written_like(scenario, near, empty)
    elif turns and prompt is None:
        data = filled(model, "agent_data")
        case["agent_data"] = written_like(data, near, {"turns": [_new_turn(near, turns[0], 0)]})
    else:
        case["prompt"] = _like_content(prompt, "user", near)
    return written_like(model, near, case)


def _like_content(model: Node | None, role: str, near: Node) -> Any:
    """An empty content in the format of `model`, or an empty text if that is a bare text."""
    if model is not None and model.kind == "string":
        return ""
    return in_order_near(model, near, text_content(model, role, ""), role_first=True)


def add_turn(dataset: CaseFile, case: Node, after: Node | None) -> Revision:
    """A new turn with an empty user message after `after`, or at the end of the case.

    Raises `EditError` if something other than a list of turns is there.
    """
    refuse_other_kind(case, "agent_data", "object")
    neighbours = dataset_turns_of(case)
    place = after.index() + 1 if after is not None else len(neighbours)
    model = after if after is not None else neighbours[-1] if neighbours else None
    value = _new_turn(case, model, place)
    data = filled(case, "agent_data")
    label = f"add turn to {title(dataset, case)}"
    remark = _BOTH if filled(case, "prompt") is not None else ""
    if data is None:
        return Revision(label, [put(case, "agent_data", written_like(None, case, {"turns": [value]}))], remark)
    refuse_other_kind(data, "turns", "array")
    turns = member(data, "turns")
    edits: list[Edit] = [add_item(data, "turns", value, place)]
    if turns is not None and turns.kind == "array":
        edits += count_turns(turns, [*neighbours[:place], None, *neighbours[place:]])
    return Revision(label, edits, remark)


def _new_turn(case: Node, model: Node | None, place: int) -> dict[str, Any]:
    """A turn with an empty user message; it has a number and an id if `model` has them."""
    turn: dict[str, Any] = {}
    near, neighbours = model or case, dataset_turns_of(case)
    if model is None or (member(model, "turn_index") is not None and (place == 0 or are_counted(neighbours))):
        turn["turn_index"] = place
    if text_of(model, "turn_id"):
        taken = {text_of(each, "turn_id") for each in neighbours}
        example = text_of(neighbours[-1], "turn_id") or text_of(model, "turn_id")
        turn["turn_id"] = fresh_id([example], "turn_1", taken.__contains__)
    events = items_of(model, "events") if model is not None else []
    speaking = next((event for event in events if filled(event, "content") is not None), None)
    turn["events"] = [_new_event("user", speaking, near)]
    return written_like(model, near, turn)


def add_event(dataset: CaseFile, turn: Node, after: Node | None) -> Revision:
    """A new event with an empty text after `after`, or at the end. Raises `EditError` if events is not a list."""
    refuse_other_kind(turn, "events", "array")
    events = items_of(turn, "events")
    model = after if after is not None else events[-1] if events else None
    author = _next_author(dataset, turn, model)
    index = after.index() + 1 if after is not None else len(events)
    value = _new_event(author, model, turn)
    label = f"add event of {one_line(author, 40)} to {title(dataset, turn)}"
    return Revision(label, [add_item(turn, "events", value, index)])


def add_said(dataset: CaseFile, case: Node, name: str, author: str, part: str = "text") -> Revision:
    """A new last item of the list `name`: `conversation_history` or `intermediate_events`, with a part of this kind.

    Raises `EditError` if it is not a list.
    """
    refuse_other_kind(case, name, "array")
    said = member(case, name)
    items = said.items if said is not None and said.kind == "array" else []
    value = _new_event(author, items[-1] if items else None, case, part)
    return Revision(f"add to {name} of {title(dataset, case)}", [add_item(case, name, value)])


def _new_event(author: str, model: Node | None, near: Node, part: str = "text") -> dict[str, Any]:
    role = "user" if author == "user" else "model"
    like = filled(model, "content")
    is_bare = like is not None and like.kind == "string" and part == "text"
    members = content(like, role, spelt(near, TEMPLATES[part]))
    said = "" if is_bare else in_order_near(like, near, members, role_first=True)
    return written_like(model, near, {"author": author, "content": said})


def _next_author(dataset: CaseFile, turn: Node, model: Node | None) -> str:
    """The author of an event after `model`: the user begins, then an agent continues."""
    said = filled(user_event_of(turn), "content")
    if model is None or (said is None and EventView(model).is_of_user):  # until now the turn only sets the state
        return "user"
    view = EventView(model)
    if not view.is_of_user:
        return view.author or _AGENT
    case = dataset.enclosing(turn, "case")
    return next(_agents_of(case), _AGENT) if case is not None else _AGENT


def _agents_of(case: Node) -> Iterator[str]:
    """The agents of a case: authors of events first, then described agents."""
    for turn in dataset_turns_of(case):
        for event in map(EventView, items_of(turn, "events")):
            if event.author and not event.is_of_user:
                yield event.author
    agents = filled(filled(case, "agent_data"), "agents")
    yield from (each.name for each in (agents.items if agents is not None else []) if each.name)
