"""Checks of events: faults that google-adk rejects, and values that evaltui cannot read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evaltui.evalset.case_data import as_bool, as_number, get
from evaltui.evalset.turn import UnreadError, check_content
from evaltui.printable import one_line

_SHOWN = 60
"""The most characters of an id in a sentence."""
_TEXTS = ("author", "invocation_id")
_TEXTS_OR_NULL = ("error_code", "error_message", "model_version")
_OBJECTS_OR_NULL = ("grounding_metadata", "usage_metadata")


def fault_in_events(events: Iterable[Any]) -> str | None:
    """The first thing in events that cannot be read, with the event; None for none."""
    for number, event in enumerate(events, 1):
        try:
            _check(event)
        except UnreadError as error:
            identifier = get(event, "id")
            name = f" ({one_line(identifier, _SHOWN)})" if isinstance(identifier, str) and identifier else ""
            return f"event {number}{name}: {error}"
    return None


def _check(event: Any) -> None:
    if not isinstance(event, Mapping):
        raise UnreadError("not an object")
    for name in _TEXTS:
        if not isinstance(get(event, name), str) and _is_there(event, name):
            raise UnreadError(f"{name} is not a string")
    for name in _TEXTS_OR_NULL:
        if not isinstance(get(event, name), str | None):
            raise UnreadError(f"{name} is not a string")
    for name in _OBJECTS_OR_NULL:
        if not isinstance(get(event, name), dict | None):
            raise UnreadError(f"{name} is not an object")
    if _is_there(event, "timestamp") and as_number(event["timestamp"]) is None:
        raise UnreadError("timestamp is not a number")
    if (partial := get(event, "partial")) is not None and as_bool(partial) is None:
        raise UnreadError("partial is neither true nor false")
    if not isinstance(get(event, "long_running_tool_ids"), list | None):
        raise UnreadError("long_running_tool_ids is not a list")
    _check_actions(event)
    check_content(get(event, "content"), "content")


def _check_actions(event: Mapping[str, Any]) -> None:
    if not _is_there(event, "actions"):
        return
    actions = event["actions"]
    if not isinstance(actions, dict):
        raise UnreadError("actions is not an object")
    if (skips := get(actions, "skip_summarization")) is not None and as_bool(skips) is None:
        raise UnreadError("actions/skip_summarization is neither true nor false")
    if not isinstance(get(actions, "rewind_before_invocation_id"), str | None):
        raise UnreadError("actions/rewind_before_invocation_id is not a string")


def _is_there(event: Mapping[str, Any], name: str) -> bool:
    return name in event or get(event, name) is not None
