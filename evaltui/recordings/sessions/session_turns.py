"""Turns of a session: its events, grouped as in google-adk's own conversion.

The rules come from `EvaluationGenerator.convert_events_to_eval_invocations` (google.adk.evaluation) and
`Event.is_final_response` (google.adk.events.event). Events are plain data in either spelling; values stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import as_bool, as_number, get, parts_of

Event = Mapping[str, Any]
_USER = "user"
_KEPT = ("function_call", "function_response", "inline_data")
"""The parts that keep an event in a turn, in addition to text."""
_OF_AN_EVENT = ("grounding_metadata", "usage_metadata", "model_version")


def invocations_of_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    """The invocation of each turn (`Invocation`), in the order in which their ids first appear.

    A value with the wrong type counts as absent.
    """
    return [invocation_of(identifier, group) for identifier, group in grouped(events).items()]


def grouped(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by the id of their invocation, in the order in which the ids first appear."""
    found: dict[str, list[Event]] = {}
    for event in events:
        identifier = get(event, "invocation_id")
        found.setdefault(identifier if isinstance(identifier, str) else "", []).append(event)
    return found


def is_of_the_user(event: Event) -> bool:
    """Whether a user speaks."""
    return _author(event).lower() == _USER


def content_of(event: Event) -> dict[str, Any] | None:
    """The content of an event; None if there is none."""
    found = get(event, "content")
    return found if isinstance(found, dict) else None


def invocation_of(identifier: str, events: Sequence[Event]) -> dict[str, Any]:
    """The invocation of this id, made of its events."""
    user_content: dict[str, Any] = {"parts": []}
    timestamp = 0.0
    final: Event | None = None
    final_has_text = False
    kept: list[Event] = []
    for event in events:
        content = content_of(event)
        if is_of_the_user(event):
            if content is not None:
                user_content, timestamp = content, as_number(get(event, "timestamp")) or 0.0
            continue
        parts = list(parts_of(content))
        if parts and is_final(event, parts):
            has_text = any(map(_has_text, parts))
            # A live response is sound and its text; the text can be graded.
            if has_text or not final_has_text:
                final, final_has_text = event, has_text
        if get(event, "grounding_metadata") is not None or any(map(_is_kept, parts)):
            kept.append(event)
    found: dict[str, Any] = {"invocation_id": identifier, "user_content": user_content}
    if final is not None:
        found["final_response"] = content_of(final)
    found["intermediate_data"] = {"invocation_events": [_invocation_event(event, final) for event in kept]}
    found["creation_timestamp"] = timestamp
    return found


def _invocation_event(event: Event, final: Event | None) -> dict[str, Any]:
    found: dict[str, Any] = {"author": _author(event)}
    content = content_of(event)
    if content is not None and (event is not final or any(_has(part, "function_call") for part in parts_of(content))):
        found["content"] = content
    for name in _OF_AN_EVENT:
        if (value := get(event, name)) is not None:
            found[name] = value
    return found


def payloads(events: Iterable[Event], name: str) -> Iterator[Any]:
    """The values of one kind of part in events: their tool calls, or their tool responses."""
    found = (get(part, name) for event in events for part in parts_of(content_of(event)))
    return (payload for payload in found if payload is not None)


def is_final(event: Event, parts: Sequence[dict[str, Any]]) -> bool:
    """`Event.is_final_response` for an event with parts."""
    if as_bool(get(get(event, "actions"), "skip_summarization")) or get(event, "long_running_tool_ids"):
        return True
    if as_bool(get(event, "partial")) or any(_has(part, "function_call") for part in parts):
        return False
    if get(event, "error_code"):
        return True
    return not any(_has(part, "function_response") for part in parts) and not _has(parts[-1], "code_execution_result")


def _is_kept(part: dict[str, Any]) -> bool:
    return _has_text(part) or any(_has(part, name) for name in _KEPT)


def _has_text(part: dict[str, Any]) -> bool:
    return bool(part.get("text"))


def _has(part: dict[str, Any], name: str) -> bool:
    return get(part, name) is not None


def _author(event: Event) -> str:
    found = get(event, "author")
    return found if isinstance(found, str) else ""
