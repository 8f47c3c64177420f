"""Events as rows of a database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from evaltui.document.plain_values import plain_value
from evaltui.recordings.json_members import moment
from evaltui.recordings.sessions.database_schemas import V0_ACTIONS, V0_FLAG, V0_IDS, V0_JSON, SessionSchema

_SECONDS = 1e10
"""The largest number that is a time in seconds."""
_GO_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d{4}) .+", re.ASCII)
"""A time as Go's `time.Time.String` writes it: `2026-11-22 01:31:05.5359 +0000 UTC m=+0.012`."""


class EventError(ValueError):
    """A row that is not an event; the message says why."""


def event_of_row(schema: SessionSchema, row: Sequence[Any]) -> dict[str, Any]:
    """The event in a row, as google-adk's service reads it. Raises `EventError`."""
    values = dict(zip(schema.columns, row, strict=True))
    if schema.is_v0:
        return _event_of_columns(values)
    data = values["event_data"]
    if data is None and schema.overrides_invocation:
        data = b"{}"
    event = _json(data, "event_data")
    if not isinstance(event, dict):
        raise EventError("event_data is not an object")
    if schema.overrides_invocation:
        event.pop("invocationId", None)
        event["invocation_id"] = _text(values["invocation_id"])
        if event.get("timestamp") is None:
            event["timestamp"] = time_of(values["timestamp"])
    return event


def time_of(value: Any) -> float | None:
    """A time in seconds since 1970, from a number, a text in UTC, or a text of adk-go; None for anything else."""
    if type(value) is float and 0.0 < value < _SECONDS:  # most of them
        return value
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    of_go = _GO_TIME.fullmatch(text) if isinstance(text, str) else None
    return moment(f"{of_go[1]}{of_go[2]}" if of_go is not None else text)


def _event_of_columns(values: dict[str, Any]) -> dict[str, Any]:
    """The event of schema v0. Only actions that adk-go wrote as JSON are read: a crafted pickle can run code."""
    event: dict[str, Any] = {}
    for name, value in values.items():
        if value is None:
            continue
        if name in V0_JSON or (name == V0_ACTIONS and value):
            event[name] = _json(value, name)
        elif name == V0_IDS:
            event["long_running_tool_ids"] = _json(value, name) if value else None
        elif name == "timestamp":
            event[name] = time_of(value)
        else:
            event[name] = value if name == V0_FLAG else _text(value)
    return {name: value for name, value in event.items() if value is not None}


def _json(value: Any, name: str) -> Any:
    if not isinstance(value, bytes):
        raise EventError(f"{name} is not a string")
    try:
        return plain_value(value.decode())
    except RecursionError:
        raise EventError(f"{name} is nested too deeply") from None
    except ValueError:
        raise EventError(f"{name} is not valid JSON") from None


def _text(value: Any) -> Any:
    """A text, or the value in its place."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
