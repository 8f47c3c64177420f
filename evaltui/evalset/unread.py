"""What of a turn cannot be read: `turn_of` counts it as absent, and a call that is lost must not pass for none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltui.evalset.case_data import get


class UnreadError(ValueError):
    """Something that metrics compare has another type than it should; the message says what and where."""


def check_invocation(invocation: Any) -> None:
    """Whether an invocation can be read as it stands; members that nobody knows may stand there. Raises UnreadError."""
    check_object(invocation, "it")
    data = get(invocation, "intermediate_data")
    if data is not None:
        check_object(data, "intermediate_data")
        calls, events = get(data, "tool_uses"), get(data, "invocation_events")
        if calls and events:
            raise UnreadError("intermediate_data has both tool_uses and invocation_events")
        for at, call in list_items(calls, "intermediate_data/tool_uses"):
            _check_call(call, at)
        for at, event in list_items(events, "intermediate_data/invocation_events"):
            check_object(event, at)
            check_content(event.get("content"), f"{at}/content")
    check_content(get(invocation, "final_response"), "final_response")


def check_content(content: Any, place: str) -> None:
    """The same of a content, or null."""
    if content is None:
        return
    check_object(content, place)
    for at, part in list_items(content.get("parts"), f"{place}/parts"):
        check_object(part, at)
        if not isinstance(part.get("text"), str | None):
            raise UnreadError(f"{at}/text is no text")
        if (call := get(part, "function_call")) is not None:
            _check_call(call, f"{at}/function_call")


def _check_call(call: Any, place: str) -> None:
    check_object(call, place)
    if not isinstance(call.get("name"), str | None):
        raise UnreadError(f"{place}/name is no text")
    if not isinstance(call.get("args"), dict | None):
        raise UnreadError(f"{place}/args is no object")


def check_object(value: Any, place: str) -> None:
    """Whether a value is an object. Raises UnreadError."""
    if not isinstance(value, dict):
        raise UnreadError(f"{place} is no object")


def list_items(values: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The items of a list, each with its place; none for null. Raises UnreadError for what is no list."""
    if values is None:
        return
    if not isinstance(values, list):
        raise UnreadError(f"{place} is no list")
    for number, value in enumerate(values):
        yield f"{place}/{number}", value
