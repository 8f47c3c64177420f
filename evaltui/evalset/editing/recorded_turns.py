"""Recorded turns in either shape: calls in events, or as lists of calls, responses and intermediate texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from evaltui.document.errors import EditError
from evaltui.evalset.plain_invocation import InvocationError, as_google_adk_writes

Shape = Literal["tool_uses", "events"]
"""The shape of intermediate data: `IntermediateData` or `InvocationEvents`."""

KEPT = ("invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp")
"""The keys of a recorded turn that a case gets, in google-adk's order.

Durations and app details describe one run. Rubrics in a result belong to the case that it was scored with.
"""
_DEFAULTS = {"invocation_id": "", "creation_timestamp": 0.0}
"""Default values of google-adk's model."""
_AUTHOR = "agent"
"""The author of a call without a recorded author, as in google-adk's conversion."""


def turn_in_shape(invocation: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """A recorded invocation as a turn of this shape: plain data in snake_case.

    A turn of the same shape keeps its intermediate data unchanged. Without intermediate data, a turn expects nothing
    about calls, so it gets none. Raises `EditError` for an invocation that
    google-adk rejects.
    """
    plain = _checked(invocation)
    turn = {name: plain[name] for name in KEPT if name in plain and plain[name] != _DEFAULTS.get(name)}
    if (data := plain.get("intermediate_data")) is not None:
        is_events = shape == "events"
        turn["intermediate_data"] = _as_events(data) if is_events else _as_lists(data, plain.get("final_response"))
    return {name: turn[name] for name in KEPT if name in turn}


def _checked(invocation: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return as_google_adk_writes(invocation)
    except InvocationError as error:
        raise EditError(str(error)) from error


def _as_lists(data: dict[str, Any], final: dict[str, Any] | None) -> dict[str, list[Any]]:
    """Calls and responses of all agents in order, like google-adk's `get_all_tool_calls` and similar functions.

    An intermediate response has all other parts of one event, thoughts included: google-adk reads the texts of both
    shapes alike (`get_text_from_content`). If the event of the final response has calls, its content is kept there;
    its text is already in `final_response`.
    """
    if "invocation_events" not in data:
        return {name: data.get(name) or [] for name in ("tool_uses", "tool_responses", "intermediate_responses")}
    calls, responses, texts = [], [], []
    for event in data["invocation_events"]:
        content = event.get("content") or {}
        parts = content.get("parts") or []
        calls += [part["function_call"] for part in parts if "function_call" in part]
        responses += [part["function_response"] for part in parts if "function_response" in part]
        said = [part for part in parts if _says_something(part)]
        if said and content != final:
            texts.append([event.get("author") or _AUTHOR, said])
    return {"tool_uses": calls, "tool_responses": responses, "intermediate_responses": texts}


def _says_something(part: dict[str, Any]) -> bool:
    """Whether a part has content other than a call or a response."""
    if "function_call" in part or "function_response" in part:
        return False
    return bool(part.get("text")) or bool(part.keys() - {"text", "thought", "thought_signature", "part_metadata"})


def _as_events(data: dict[str, Any]) -> dict[str, list[Any]]:
    """Intermediate responses, calls and responses as one event each; a response follows its call."""
    if "invocation_events" in data:
        return {"invocation_events": data["invocation_events"]}
    texts = data.get("intermediate_responses") or []
    author = next((who for who, _ in texts if who), _AUTHOR)
    events = [_event(who or author, "model", parts) for who, parts in texts]
    return {"invocation_events": [*events, *_events_of_calls(data, author)]}


def _events_of_calls(data: dict[str, Any], author: str) -> Iterator[dict[str, Any]]:
    waiting: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    responses = data.get("tool_responses") or []
    for response in responses:
        waiting[_key(response)].append(response)
    for call in data.get("tool_uses") or []:
        yield _event(author, "model", [{"function_call": call}])
        if answers := waiting[_key(call)]:
            yield _event(author, "user", [{"function_response": answers.pop(0)}])
    left = {id(each) for answers in waiting.values() for each in answers}
    for response in responses:
        if id(response) in left:
            yield _event(author, "user", [{"function_response": response}])


def _key(call_or_response: dict[str, Any]) -> tuple[str, str]:
    """The key that a call shares with its response: the id, or the name without an id."""
    identifier = call_or_response.get("id") or ""
    return (identifier, "") if identifier else ("", call_or_response.get("name") or "")


def _event(author: str, role: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"author": author, "content": {"parts": parts, "role": role}}
