"""New cases, turns, calls and responses in the shape and key case that a file already uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evaltui.document import Node
from evaltui.evalset.eval_set import EvalCase, EvalSet, Invocation
from evaltui.evalset.keys import filled, member, text_of
from evaltui.evalset.naming import fresh_id
from evaltui.evalset.revision import in_order_of, spelt

_NEIGHBOURS = 8


def new_eval_set(name: str) -> bytes:
    """The text of a new eval set in ADK's own layout, with one case of one empty turn.

    The id is `name` in the characters that ADK creates sets with (`[a-zA-Z0-9_]`).
    """
    eval_set_id = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).strip("_") or "eval_set"
    turn = '{"invocation_id": "inv-1", "user_content": {"parts": [{"text": ""}], "role": "user"}}'
    return (
        f'{{\n  "eval_set_id": "{eval_set_id}",\n  "eval_cases": [\n    {{\n      "eval_id": "case_1",\n'
        f'      "conversation": [\n        {turn}\n      ]\n    }}\n  ]\n}}\n'
    ).encode()


def new_case(eval_set: EvalSet, after: Node | None) -> dict[str, Any]:
    """A case with one empty turn, or with an empty scenario where the case before it has one."""
    cases = eval_set.cases
    near = after or (cases[-1] if cases else eval_set.root)
    model = EvalCase(near) if near is not eval_set.root else None
    case: dict[str, Any] = {
        "eval_id": fresh_id([model.eval_id] if model and model.eval_id else [], "case_1", _in_use(cases))
    }
    if model is not None and model.scenario is not None:
        case["conversation_scenario"] = {"starting_prompt": "", "conversation_plan": ""}
    else:
        turns = model.invocations if model else []
        case["conversation"] = [_turn(turns[0] if turns else None, _first_id(turns))]
    session = _session(near) if model else None
    if session:
        case["session_input"] = session
    return in_order_of(model.node if model else None, spelt(_inside(near), case))


def _inside(near: Node) -> Node:
    """A node whose surroundings show the key case that a neighbour of `near` takes."""
    return next(iter(near.items), near)


def _in_use(cases: Sequence[Node]) -> Callable[[str], bool]:
    """Whether an eval_id is taken: looked for in the source, so that no case need be unfolded."""

    def is_taken(name: str) -> bool:
        literal = f'"{name}"'.encode()
        return any(literal in piece for case in cases for piece in case.pieces())

    return is_taken


def _session(near: Node) -> dict[str, Any] | None:
    """The session input of a neighbour with empty state: app and user stay the same within a set."""
    session = filled(near, "session_input")
    if session is None:
        return None
    return {"app_name": text_of(session, "app_name"), "user_id": text_of(session, "user_id"), "state": {}}


def _first_id(turns: Sequence[Node]) -> str:
    """The id of a first turn, where the neighbours' turns have ids."""
    example = text_of(turns[0], "invocation_id") if turns else "inv-1"
    return example if len(example) < 8 else fresh_id([example], "inv-1", lambda _: False) if example else ""


def new_turn(case: EvalCase, after: Node | None) -> dict[str, Any]:
    """An empty turn as its neighbours are: with an id and an expected response where they have them."""
    turns = case.invocations
    model = after or (turns[-1] if turns else None)
    ids = [text for text in (text_of(turn, "invocation_id") for turn in turns) if text]
    identifier = fresh_id(ids, "inv-1", set(ids).__contains__) if ids or not turns else ""
    return in_order_of(model, spelt(model or case.node, _turn(model, identifier)))


def _turn(model: Node | None, identifier: str) -> dict[str, Any]:
    turn: dict[str, Any] = {"invocation_id": identifier} if identifier else {}
    turn["user_content"] = content(member(model, "user_content"), "user", "")
    if filled(model, "final_response") is not None:
        turn["final_response"] = content(member(model, "final_response"), "model", "")
    return turn


def content(model: Node | None, role: str, text: str) -> dict[str, Any]:
    """A content with one text part, its keys in the order of `model`."""
    return in_order_of(model, {"parts": [{"text": text}], "role": role})


def new_call_id(eval_set: EvalSet, turn: Node) -> str:
    """A fresh id in the manner of the calls nearby; "" where those have none."""
    case = eval_set.enclosing(turn, "case")
    own = [use for node in EvalCase(case).invocations for use in Invocation(node).tool_uses.calls] if case else []
    taken = {use.id for use in own if use.id}
    here = [use.id for use in Invocation(turn).tool_uses.calls if use.id]
    nearby = own or list(_calls_of_neighbours(eval_set, case))
    examples = here or [use.id for use in nearby if use.id]
    if nearby and not examples:
        return ""
    return fresh_id(examples if own else examples[:1], "call_1", taken.__contains__)


def _calls_of_neighbours(eval_set: EvalSet, case: Node | None) -> Iterable[Any]:
    """The calls of the first case nearby that has any."""
    cases = eval_set.cases
    here = cases.index(case) if case in cases else 0
    for neighbour in (*reversed(cases[max(0, here - _NEIGHBOURS) : here]), *cases[here + 1 : here + _NEIGHBOURS]):
        calls = [use for node in EvalCase(neighbour).invocations for use in Invocation(node).tool_uses.calls]
        if calls:
            return calls
    return []
