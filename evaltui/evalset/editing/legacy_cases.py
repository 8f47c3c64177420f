"""The eval lists that google-adk read before it had eval sets, converted as it converts them.

The rule is `convert_eval_set_to_pydantic_schema` in `google.adk.evaluation.local_eval_sets_manager`: a turn is
`query`, `expected_tool_use` (`tool_name`, `tool_input`), `expected_intermediate_agent_responses` and `reference`;
a case is `name`, `data` (its turns) and `initial_session`.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from evaltui.document.edits import json_text
from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of


def is_legacy_turn(node: Node) -> bool:
    """Whether an object is a turn of the old lists."""
    return node.member("query") is not None


def is_legacy_case(node: Node) -> bool:
    """Whether an object is a case of the old lists."""
    data = node.member("data")
    return data is not None and data.kind == "array" and node.member("name") is not None


def case_of_legacy(node: Node) -> bytes:
    """The JSON text of an eval case made of an old case."""
    turns = [turn_of_legacy(turn) for turn in items_of(node, "data") if turn.kind == "object"]
    case = {"eval_id": _text(node, "name"), "conversation": _list(turns)}
    session = filled(node, "initial_session")
    if session is not None and session.items:
        state = filled(session, "state")
        case["session_input"] = _object(
            {
                "app_name": _text(session, "app_name"),
                "user_id": _text(session, "user_id"),
                "state": state.source() if state is not None and state.kind == "object" else b"{}",
            }
        )
    return _object(case)


def turn_of_legacy(node: Node) -> bytes:
    """The JSON text of an invocation made of an old turn.

    A missing reference becomes an empty expected response, as in google-adk.
    """
    turn = {
        "invocation_id": json_text(str(uuid.uuid4())),
        "user_content": _content("user", _text(node, "query")),
        "final_response": _content("model", _text(node, "reference")),
    }
    uses = [_tool_use(use) for use in items_of(node, "expected_tool_use") if use.kind == "object"]
    answers = [
        _list([_text(answer, "author"), _list([_object({"text": _text(answer, "text")})])])
        for answer in items_of(node, "expected_intermediate_agent_responses")
        if answer.kind == "object"
    ]
    if uses or answers:
        data = {"tool_uses": _list(uses), **({"intermediate_responses": _list(answers)} if answers else {})}
        turn["intermediate_data"] = _object(data)
    return _object(turn)


def _tool_use(use: Node) -> bytes:
    given = filled(use, "tool_input")
    args = given.source() if given is not None else b"{}"
    return _object({"name": _text(use, "tool_name"), "args": args})


# Values go over as the text that they are: they may nest deeper, and be longer numbers, than Python's json takes.


def _text(node: Node, name: str) -> bytes:
    return json_text(text_of(node, name))


def _content(role: str, text: bytes) -> bytes:
    return _object({"parts": _list([_object({"text": text})]), "role": json_text(role)})


def _object(members: Mapping[str, bytes]) -> bytes:
    return b"{" + b", ".join(json_text(name) + b": " + source for name, source in members.items()) + b"}"


def _list(items: Sequence[bytes]) -> bytes:
    return b"[" + b", ".join(items) + b"]"
