"""The content of an eval set as google-adk's model sees it, apart from the shape in which it is written."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.evalset.keys import snake
from evaltui.interop.losses import Loss


def without(document: Any, losses: Sequence[Loss]) -> Any:
    """A copy of a document without the values that have no place; in lists, null stands for them."""
    found = copy.deepcopy(document)
    for *above, last in (pointers.parse_pointer(each.pointer) for each in losses if each.kind == "no_place"):
        container = found
        for token in above:
            container = container[int(token)] if isinstance(container, list) else container[token]
        if isinstance(container, list):
            container[int(last)] = None
        else:
            del container[last]
    return found


def meaning_of(document: Any) -> Any:
    """Cases with their state, and turns with their words, calls and responses in order."""
    document = _snaked(document)
    cases = document["eval_cases"] if isinstance(document, dict) else document
    return [_case(each) for each in cases]


def _case(case: dict[str, Any]) -> Any:
    session = case.get("session_input") or {}
    return {
        "eval_id": case.get("eval_id"),
        "state": session.get("state") or {},
        "final_state": case.get("final_session_state") or {},
        "turns": [_turn(each) for each in case.get("conversation") or []],
        "scenario": (case.get("conversation_scenario") or {}).get("conversation_plan"),
    }


def _turn(turn: dict[str, Any]) -> Any:
    data = turn.get("intermediate_data") or {}
    return {
        "user": _parts(turn.get("user_content")),
        "calls": _calls(data),
        "responses": _responses(data),
        "said": _said(data),
        "final": _parts(turn.get("final_response")),
        "no_calls": data.get("tool_uses") == [],
    }


def _parts(content: Any) -> list[Any]:
    parts = (content or {}).get("parts") or []
    return [_filled(each) for each in parts if each and _filled(each)]


def _calls(data: dict[str, Any]) -> list[Any]:
    calls = [*(data.get("tool_uses") or []), *_of_events(data, "function_call")]
    return [_call(each) for each in calls if each]


def _call(call: dict[str, Any]) -> Any:
    is_transfer = call.get("name") == "transfer_to_agent"
    return (call.get("name"), call.get("args") or {}, None if is_transfer else call.get("id") or None)


def _responses(data: dict[str, Any]) -> list[Any]:
    responses = [*(data.get("tool_responses") or []), *_of_events(data, "function_response")]
    return [(each.get("name"), each.get("response") or {}, each.get("id") or None) for each in responses if each]


def _said(data: dict[str, Any]) -> list[Any]:
    texts = [part for pair in data.get("intermediate_responses") or [] for part in pair[1]]
    return [each["text"] for each in [*texts, *_all_parts(data)] if each and each.get("text")]


def _of_events(data: dict[str, Any], name: str) -> list[Any]:
    return [part[name] for part in _all_parts(data) if part and part.get(name)]


def _all_parts(data: dict[str, Any]) -> list[Any]:
    contents = [each.get("content") or {} for each in data.get("invocation_events") or []]
    return [part for content in contents for part in content.get("parts") or []]


def _filled(part: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in part.items() if each not in (None, "", {}, [])}


_FREE = ("args", "response", "state", "final_session_state")


def _snaked(value: Any) -> Any:
    if isinstance(value, dict):
        return {snake(key): item if snake(key) in _FREE else _snaked(item) for key, item in value.items()}
    return [_snaked(each) for each in value] if isinstance(value, list) else value
