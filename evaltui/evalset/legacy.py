"""The eval lists that google-adk read before it had eval sets, converted as it converts them.

The rule is `convert_eval_set_to_pydantic_schema` in `google.adk.evaluation.local_eval_sets_manager`: a turn is
`query`, `expected_tool_use` (`tool_name`, `tool_input`), `expected_intermediate_agent_responses` and `reference`;
a case is `name`, `data` (its turns) and `initial_session`.
"""

from __future__ import annotations

import uuid
from typing import Any

from evaltui.document import Node
from evaltui.evalset.keys import filled, items_of, text_of


def is_legacy_turn(node: Node) -> bool:
    """Whether an object is a turn of the old lists."""
    return node.member("query") is not None


def is_legacy_case(node: Node) -> bool:
    """Whether an object is a case of the old lists."""
    data = node.member("data")
    return data is not None and data.kind == "array" and node.member("name") is not None


def case_of_legacy(node: Node) -> dict[str, Any]:
    """An old case as an eval case."""
    turns = [turn_of_legacy(turn) for turn in items_of(node, "data") if turn.kind == "object"]
    case: dict[str, Any] = {"eval_id": text_of(node, "name"), "conversation": turns}
    session = filled(node, "initial_session")
    if session is not None and session.items:
        state = filled(session, "state")
        case["session_input"] = {
            "app_name": text_of(session, "app_name"),
            "user_id": text_of(session, "user_id"),
            "state": state.value() if state is not None and state.kind == "object" else {},
        }
    return case


def turn_of_legacy(node: Node) -> dict[str, Any]:
    """An old turn as an invocation; a missing reference becomes an empty expected response, as in google-adk."""
    turn: dict[str, Any] = {
        "invocation_id": str(uuid.uuid4()),
        "user_content": {"parts": [{"text": text_of(node, "query")}], "role": "user"},
        "final_response": {"parts": [{"text": text_of(node, "reference")}], "role": "model"},
    }
    uses = [_tool_use(use) for use in items_of(node, "expected_tool_use") if use.kind == "object"]
    answers = [
        [text_of(answer, "author"), [{"text": text_of(answer, "text")}]]
        for answer in items_of(node, "expected_intermediate_agent_responses")
        if answer.kind == "object"
    ]
    if uses or answers:
        turn["intermediate_data"] = {"tool_uses": uses, **({"intermediate_responses": answers} if answers else {})}
    return turn


def _tool_use(use: Node) -> dict[str, Any]:
    given = filled(use, "tool_input")
    return {"name": text_of(use, "tool_name"), "args": given.value() if given is not None else {}}
