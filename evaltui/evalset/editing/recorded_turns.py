"""Recorded turns in either shape: calls in events, or as lists of calls, responses and intermediate texts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from evaltui.document.errors import EditError
from evaltui.evalset.case_data import get

Shape = Literal["tool_uses", "events"]
"""The shape of intermediate data: `IntermediateData` or `InvocationEvents`."""

KEPT = ("invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp")
"""The keys of a recorded turn that a case gets, in google-adk's order.

Durations and app details describe one run. Rubrics in a result belong to the case that it was scored with.
"""
_DEFAULTS = {"invocation_id": "", "creation_timestamp": 0.0}
"""Default values of google-adk's model."""
_SAYS_NOTHING = {"text", "thought", "thought_signature", "part_metadata"}
"""Keys of a part that say nothing if its text is empty."""
_AUTHOR = "agent"
"""The author of a call without a recorded author, as in google-adk's conversion."""


def turn_in_shape(invocation: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """A recorded invocation as a turn of this shape: plain data in snake_case.

    A turn of the same shape keeps its intermediate data unchanged. Raises `EditError` for an invocation that
    google-adk rejects.
    """
    try:
        plain = as_google_adk_writes(invocation)
    except InvocationError as error:
        raise EditError(str(error)) from error
    # Without intermediate data a turn expects nothing about calls, so it gets none.
    if (data := plain.get("intermediate_data")) is not None:
        is_events = shape == "events"
        plain["intermediate_data"] = _as_events(data) if is_events else _as_lists(data, plain.get("final_response"))
    return {name: plain[name] for name in KEPT if name in plain and plain[name] != _DEFAULTS.get(name)}


def _as_lists(data: dict[str, Any], final: dict[str, Any] | None) -> dict[str, list[Any]]:
    """Calls and responses of all agents in order, like google-adk's `get_all_tool_calls` and similar functions."""
    if "invocation_events" not in data:
        return {name: data.get(name) or [] for name in ("tool_uses", "tool_responses", "intermediate_responses")}
    calls, responses, texts = [], [], []
    for event in data["invocation_events"]:
        content = event.get("content") or {}
        parts = content.get("parts") or []
        calls += [part["function_call"] for part in parts if "function_call" in part]
        responses += [part["function_response"] for part in parts if "function_response" in part]
        # Thoughts included: google-adk reads the texts of both shapes alike (`get_text_from_content`).
        other_parts = [part for part in parts if part.get("text") or part.keys() - _SAYS_NOTHING]
        other_parts = [part for part in other_parts if "function_call" not in part and "function_response" not in part]
        # The text of the event with the final response is in `final_response` already.
        if other_parts and content != final:
            texts.append([event.get("author") or _AUTHOR, other_parts])
    return {"tool_uses": calls, "tool_responses": responses, "intermediate_responses": texts}


def _as_events(data: dict[str, Any]) -> dict[str, list[Any]]:
    """Intermediate responses, calls and responses as one event each; a response follows its call."""
    if "invocation_events" in data:
        return {"invocation_events": data["invocation_events"]}
    texts = data.get("intermediate_responses") or []
    author = next((who for who, _ in texts if who), _AUTHOR)
    events = [_event(who or author, "model", parts) for who, parts in texts]
    waiting: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    responses = data.get("tool_responses") or []
    for response in responses:
        waiting[_key(response)].append(response)
    for call in data.get("tool_uses") or []:
        events.append(_event(author, "model", [{"function_call": call}]))
        if answers := waiting[_key(call)]:
            events.append(_event(author, "user", [{"function_response": answers.pop(0)}]))
    # By identity: two responses may be equal, and one of them answered.
    unanswered = {id(response) for answers in waiting.values() for response in answers}
    without_call = [response for response in responses if id(response) in unanswered]
    events += (_event(author, "user", [{"function_response": response}]) for response in without_call)
    return {"invocation_events": events}


def _key(call_or_response: dict[str, Any]) -> tuple[str, str]:
    """The key that a call shares with its response: the id, or the name without an id."""
    identifier = call_or_response.get("id") or ""
    return (identifier, "") if identifier else ("", call_or_response.get("name") or "")


def _event(author: str, role: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"author": author, "content": {"parts": parts, "role": role}}


_SHAPES = ("IntermediateData", "InvocationEvents")
"""The names of both models of intermediate data in error places of pydantic."""
_AROUND = 9
"""Levels around an invocation in a set (4), plus the extra depth of calls in events compared with lists."""
_FEW_VALUES = 100
"""An invocation with fewer objects and lists cannot be too deep."""
_TOO_DEEP = "too deeply nested for google-adk (about 200 levels)"


class InvocationError(ValueError):
    """An invocation that google-adk rejects; the message says what is wrong and where."""


def as_google_adk_writes(invocation: Mapping[str, Any]) -> dict[str, Any]:
    """An invocation as google-adk's `Invocation.model_dump(mode="json", exclude_none=True)` gives it.

    Keys are in snake_case and in the order of google-adk's models. Values are as pydantic reads them ("1" for a
    number is 1), bytes are base64, and nulls are left out. Free values (`args`, `response`) keep their keys and
    nulls. The shape of `intermediate_data` does not change. Defaults are written: `invocation_id` "" and
    `creation_timestamp` 0.0.
    Raises `InvocationError` if google-adk rejects it. Imports pydantic.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - 60 ms, which reading recordings does not need
    from pydantic_core import from_json  # noqa: PLC0415 - as above

    from evaltui.evalset.schema.eval_case import Invocation  # noqa: PLC0415

    try:
        # As text, because pydantic reads bytes and numbers of JSON otherwise than those of Python.
        text = json.dumps(invocation)
        model = Invocation.model_validate_json(text)
        # google-adk parses the whole set, where the invocation stands some levels deeper.
        if text.count("{") + text.count("[") > _FEW_VALUES:
            from_json(_AROUND * "[" + text + _AROUND * "]")
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvocationError(f"google-adk rejects it: {_reason(details, invocation)}") from None
    except RecursionError:
        raise InvocationError(f"google-adk rejects it: {_TOO_DEEP}") from None
    except ValueError as error:
        raise InvocationError(f"google-adk rejects it: {_reason_of_text(str(error))}") from None
    return model.model_dump(mode="json", exclude_none=True)


def _reason(details: Sequence[Any], invocation: Mapping[str, Any]) -> str:
    # pydantic reports the errors of both shapes; only those of the shape that was meant help.
    has_events = get(get(invocation, "intermediate_data"), "invocation_events") is not None
    not_meant = _SHAPES[0] if has_events else _SHAPES[1]
    first = next((error for error in details if error["loc"][1:2] != (not_meant,)), details[0])
    if first["type"] == "json_invalid":
        return _reason_of_text(str(first["msg"]))
    place = "".join(f"/{key}" for index, key in enumerate(first["loc"]) if index != 1 or key not in _SHAPES)
    return f"{place or '/'}: {first['msg']}"


def _reason_of_text(message: str) -> str:
    """The parser's message about a text, without line and column, which belong to no file."""
    if "recursion" in message:
        return _TOO_DEEP
    if "surrogate" in message or "hex escape" in message or "code point" in message:
        return "a text contains an incomplete character (lone surrogate)"
    return f"it cannot be written as JSON: {message}"
