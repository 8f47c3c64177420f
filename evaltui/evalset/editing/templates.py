"""New sets, cases, turns, sessions and calls, in the shape and spelling of the file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of
from evaltui.evalset.editing.field_edits import fill_member
from evaltui.evalset.editing.new_contents import content, text_content
from evaltui.evalset.editing.new_ids import (
    cases_near,
    first_turn_id,
    fresh_id,
    new_case_id,
    next_turn_id,
)
from evaltui.evalset.editing.revision import Revision, add_item, written_like
from evaltui.evalset.keys import filled, member, text_of
from evaltui.evalset.titles import case_title
from evaltui.printable import one_line

_NEIGHBOURS = 8
_MOST_OF_FIRST_CASE = 2_000
"""Bytes of the empty case of a new set with any layout; a longer case is not compared with it."""


def new_eval_set(name: str) -> bytes:
    """The text of a new eval set in google-adk's layout: one case with one empty turn.

    The id is `name`, limited to the characters that adk allows (`[a-zA-Z0-9_]`).
    """
    eval_set_id = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).strip("_") or "eval_set"
    eval_set = {"eval_set_id": eval_set_id, "eval_cases": [_first_case()]}
    return json.dumps(eval_set, indent=2).encode() + b"\n"


def untouched_case(eval_set: CaseFile) -> Node | None:
    """The only case of a set if it is as `new_eval_set` writes it; None if it was edited or is not alone."""
    cases = eval_set.cases
    if len(cases) != 1 or len(cases[0].source()) > _MOST_OF_FIRST_CASE:
        return None
    try:
        return cases[0] if cases[0].value() == _first_case() else None
    except ValueError:
        return None


def _first_case() -> dict[str, Any]:
    turn = {"invocation_id": "inv-1", "user_content": content(None, "user", {"text": ""})}
    return {"eval_id": "case_1", "conversation": [turn]}


def new_case(eval_set: CaseFile, after: Node | None) -> dict[str, Any]:
    """A case with one empty turn, or with an empty scenario if the case before it has one.

    It has a session input only if the cases around it share app and user: `adk eval` does not require a session input.
    """
    cases = eval_set.cases
    model = after or (cases[-1] if cases else None)
    near = model or member(eval_set.root, "eval_cases") or eval_set.root
    near_ids = [text_of(each, "eval_id") for each in cases_near(cases, model)]
    taken = eval_set.ids.of(cases)
    case: dict[str, Any] = {"eval_id": new_case_id(near_ids, len(cases), taken.__contains__)}
    scenario = filled(model, "conversation_scenario")
    if scenario is not None:
        empty = {"starting_prompt": "", "conversation_plan": ""}
        case["conversation_scenario"] = written_like(scenario, near, empty)
    else:
        turns = turns_of(model) if model else []
        case["conversation"] = [_turn(turns[0] if turns else None, near, first_turn_id(eval_set, model))]
    session = filled(model, "session_input")
    if session is not None and _is_shared_session(session, cases_near(cases, model)):
        case["session_input"] = session_like(session)
    return written_like(model, near, case)


def _is_shared_session(session: Node, cases: Iterable[Node]) -> bool:
    """Whether those `cases` that have a session input have the app and user of `session`."""
    shared = text_of(session, "app_name"), text_of(session, "user_id")
    others = (filled(case, "session_input") for case in cases)
    return all((text_of(other, "app_name"), text_of(other, "user_id")) == shared for other in others if other)


def session_like(model: Node) -> dict[str, Any]:
    """A session input like `model`, with an empty state: app and user are usually the same within a set."""
    session: dict[str, Any] = {"app_name": text_of(model, "app_name"), "user_id": text_of(model, "user_id")}
    if member(model, "state") is not None:
        session["state"] = {}
    return written_like(model, model, session)


def new_turn(case: Node, after: Node | None, seed: str = "") -> dict[str, Any]:
    """An empty turn like its neighbours: with an id and an expected response if they have them.

    `seed` makes random ids repeatable (see `fresh_id`). The id is new in the case.
    """
    turns = turns_of(case)
    ids = [text for text in (text_of(turn, "invocation_id") for turn in turns) if text]
    identifier = fresh_id(ids, "inv-1", set(ids).__contains__, seed) if ids or not turns else ""
    return _turn(after or (turns[-1] if turns else None), case, identifier)


def _turn(model: Node | None, near: Node, identifier: str) -> dict[str, Any]:
    turn: dict[str, Any] = {"invocation_id": identifier} if identifier else {}
    turn["user_content"] = text_content(filled(model, "user_content"), "user", "")
    if filled(model, "final_response") is not None:
        turn["final_response"] = text_content(filled(model, "final_response"), "model", "")
    return written_like(model, near, turn)


def add_case(eval_set: CaseFile, after: Node | None) -> Revision:
    """A new case after `after`, or at the end of the set."""
    value = new_case(eval_set, after)
    index = after.index() + 1 if after is not None else len(eval_set.cases)
    label = f"add case {one_line(value.get('eval_id') or value.get('evalId', ''), 60)}"
    return Revision(label, [add_item(eval_set.root, "eval_cases", value, index)])


def takes_turns(case: Node) -> bool:
    """Whether a turn can be added: google-adk rejects a case with both turns and a scenario."""
    return scenario_of(case) is None or bool(turns_of(case))


def add_turn(eval_set: CaseFile, case: Node, after: Node | None) -> Revision:
    """A new turn after `after`, or at the end of the case.

    Raises `EditError` for a case with a scenario: google-adk rejects a case with both.
    """
    if not takes_turns(case):
        raise EditError("this case has a scenario; google-adk rejects a case with both a scenario and turns")
    turns = turns_of(case)
    value = _turn(after or (turns[-1] if turns else None), case, next_turn_id(eval_set, case))
    index = after.index() + 1 if after is not None else len(turns)
    return Revision(f"add turn to {case_title(case)}", [add_item(case, "conversation", value, index)])


def add_session(eval_set: CaseFile, case: Node) -> Revision:
    """A session input for a case, with the app and user of a nearby case."""
    at = case.index()
    nearby = [*reversed(eval_set.cases[max(0, at - 4) : at]), *eval_set.cases[at + 1 : at + 4]]
    model = next(filter(None, (filled(near, "session_input") for near in nearby)), None)
    empty: dict[str, Any] = {"app_name": "", "user_id": "user"}
    value = session_like(model) if model is not None else written_like(None, case, empty)
    return fill_member(eval_set, case, "session_input", value)
