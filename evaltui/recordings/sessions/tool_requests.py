"""Requests of google-adk to its user, such as confirmations. No case should expect these calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import get, items_in, parts_of
from evaltui.recordings.sessions.session_turns import Event, content_of

REQUESTS = {
    "adk_request_confirmation": "to confirm a call",
    "adk_request_credential": "for credentials",
    "adk_request_input": "for input",
}
"""The names of such calls (google.adk.flows.llm_flows.functions), and the end of a sentence about each."""

_ACTS = ("function_call", "function_response")


def ids_of_requests(events: Iterable[Event]) -> frozenset[str]:
    """The ids of such calls."""
    calls = (get(part, "function_call") for event in events for part in parts_of(content_of(event)))
    named = (call for call in calls if isinstance(call, dict) and _name(call) in REQUESTS)
    return frozenset(found for call in named if isinstance(found := call.get("id"), str))


def without_requests(events: Sequence[Event], ids: Container[str]) -> tuple[list[Event], tuple[str, ...]]:
    """The events of a turn without such calls and their responses, and a sentence for each kind that was removed.

    This must happen before events become an invocation: google-adk continues the same invocation after a person
    confirmed a call, so its conversion would read the confirmation as the user message of the turn.
    """
    taken: Counter[str] = Counter()
    left = [_event_without(event, ids, taken) for event in events]
    return left, tuple(_sentence(name, count) for name, count in taken.items())


def _sentence(name: str, count: int) -> str:
    times = f" ({count} times)" if count > 1 else ""
    return f"{name}{times}: google-adk asks the user {REQUESTS[name]}"


def _event_without(event: Event, ids: Container[str], taken: Counter[str]) -> Event:
    """The event without requests; an event with nothing left has no content."""
    content = content_of(event)
    parts = items_in(content, "parts")
    left = [part for part in parts if not any(_is_request(act, ids) for act in _acts(part))]
    if content is None or len(left) == len(parts):
        return event
    taken.update(name for part in parts if (name := _name(get(part, "function_call"))) in REQUESTS)
    if left:
        return {**event, "content": {**content, "parts": left}}
    return {key: value for key, value in event.items() if key != "content"}


def _acts(part: Any) -> list[Mapping[str, Any]]:
    """The call and the response that a part is."""
    return [act for name in _ACTS if isinstance(act := get(part, name), Mapping)]


def _is_request(act: Mapping[str, Any], ids: Container[str]) -> bool:
    identifier = act.get("id")
    return _name(act) in REQUESTS or (isinstance(identifier, str) and identifier in ids)


def _name(act: Any) -> str:
    found = get(act, "name")
    return found if isinstance(found, str) else ""
