"""Requests of google-adk to the person at the screen: calls of no tool, which no case should expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from evaltui.evalset.case_data import get, items_in, objects_in, parts_of

REQUESTS = {
    "adk_request_confirmation": "confirmation of a tool call",
    "adk_request_credential": "request for credentials",
    "adk_request_input": "request for input",
}
"""The names of such calls (google.adk.flows.llm_flows.functions), and a noun for each."""

_ACTS = ("function_call", "function_response")


def without_requests(invocation: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """An invocation without such calls and their responses, and a sentence for each kind that was there."""
    data = invocation["intermediate_data"]
    contents = [get(invocation, "user_content"), get(invocation, "final_response")]
    contents += [get(event, "content") for event in data["invocation_events"]]
    calls = [act for content in contents for part in parts_of(content) for act in _acts(part)]
    ids = {act["id"] for act in calls if _is_named(act) and isinstance(act.get("id"), str)}
    if not any(_is_request(act, ids) for act in calls):
        return invocation, ()
    taken: Counter[str] = Counter()
    found = dict(invocation)
    found["user_content"] = _without(get(invocation, "user_content"), ids, taken) or {"parts": []}
    if (final := _without(found.pop("final_response", None), ids, Counter())) is not None:
        found["final_response"] = final
    final_content = get(invocation, "final_response")
    events = [_event_without(event, ids, taken, final_content) for event in objects_in(data["invocation_events"])]
    found["intermediate_data"] = {**data, "invocation_events": [event for event in events if event is not None]}
    said = (f"{count} × {REQUESTS[name]} ({name})" for name, count in taken.items())
    return found, tuple(f"{each} left out: no tool of the agent" for each in said)


def _event_without(event: dict[str, Any], ids: set[str], taken: Counter[str], final: Any) -> dict[str, Any] | None:
    """The event; None where only its author is left.

    An event keeps the content of the `final` response only for the calls in it, as in google-adk.
    """
    content = get(event, "content")
    left = _without(content, ids, taken)
    if left is content:
        return event
    found = {key: value for key, value in event.items() if key != "content"}
    is_said_already = content is final and all(get(part, "function_call") is None for part in parts_of(left))
    if left is not None and not is_said_already:
        found["content"] = left
    return found if found.keys() - {"author"} else None


def _without(content: Any, ids: set[str], taken: Counter[str]) -> Any:
    """The content as it is, or without its requests; None where nothing is left of it."""
    parts = items_in(content, "parts")
    left = [part for part in parts if not any(_is_request(act, ids) for act in _acts(part))]
    if len(left) == len(parts):
        return content
    for part in parts:
        if isinstance(call := get(part, "function_call"), Mapping) and _is_named(call):
            taken[call["name"]] += 1
    for part in parts:
        response = get(part, "function_response")
        if isinstance(response, Mapping) and _is_named(response) and response["name"] not in taken:
            taken[response["name"]] += 1
    return {**content, "parts": left} if left else None


def _acts(part: Any) -> list[Mapping[str, Any]]:
    """The call and the response that a part is."""
    return [act for name in _ACTS if isinstance(act := get(part, name), Mapping)]


def _is_request(act: Mapping[str, Any], ids: set[str]) -> bool:
    identifier = act.get("id")
    return _is_named(act) or (isinstance(identifier, str) and identifier in ids)


def _is_named(act: Mapping[str, Any]) -> bool:
    """Whether it has the name of a request; names that are no text may be of any type."""
    name = act.get("name")
    return isinstance(name, str) and name in REQUESTS
