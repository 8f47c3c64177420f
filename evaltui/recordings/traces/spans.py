"""Spans and log records of any format, with no more than turns are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Attributes = Mapping[str, Any]

NONE: Attributes = {}


class Event(NamedTuple):
    """Something that a span or a log record tells, under the name that OpenTelemetry gives it."""

    name: str
    attributes: Attributes
    body: Any = None
    """What a log record says; of an event of a span its attributes."""
    time: int = 0


class TraceSpan(NamedTuple):
    """A step of an agent; times are nanoseconds since 1970, 0 where nobody recorded them."""

    trace_id: str
    id: str
    parent_id: str | None
    name: str
    scope: str
    """The name of what recorded it (the instrumentation scope)."""
    start: int
    end: int
    failed: bool
    attributes: Attributes
    events: tuple[Event, ...]
    resource: Attributes

    @property
    def order(self) -> tuple[int, str]:
        """Where it stands among other spans."""
        return self.start, self.id


class Log(NamedTuple):
    """A log record about a trace, and about one of its spans where `span_id` names one."""

    trace_id: str | None
    span_id: str | None
    event: Event


DETAILS = "gen_ai.client.inference.operation.details"
MESSAGE_EVENTS = frozenset(
    {
        "gen_ai.system.message",
        "gen_ai.user.message",
        "gen_ai.assistant.message",
        "gen_ai.tool.message",
        "gen_ai.choice",
    }
)
TELLING = MESSAGE_EVENTS | {DETAILS}
"""The events that hold messages."""

_PREFIXES = ("gen_ai.", "gcp.vertex.agent.", "agentevals.")
_OTHERS = frozenset({"session.id", "error.type"})
_LARGE = frozenset({"gen_ai.tool.definitions", "gen_ai.system_instructions", "gen_ai.tool.description"})


def is_wanted(key: str) -> bool:
    """Whether turns are made of an attribute; others are not kept."""
    return (key.startswith(_PREFIXES) and key not in _LARGE) or key in _OTHERS
