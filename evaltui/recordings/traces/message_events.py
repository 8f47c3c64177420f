"""Messages that came as events, one each, before attributes held them (deprecated in the semantic conventions)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evaltui.recordings.traces.attribute_values import parsed
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.message_parts import MessageParts, answer, called, google_parts, parts_of_content
from evaltui.recordings.traces.messages import Message, Messages, google_message, with_content
from evaltui.recordings.traces.spans import MESSAGE_EVENTS, Event


class EventMessages(NamedTuple):
    """What the events of a span tell."""

    input: Messages | None
    output: Messages | None
    reasons: list[str]
    """Why the model stopped."""


def told_by(events: Sequence[Event], logs: Sequence[Event], doubts: Doubts) -> EventMessages:
    """The messages of a span's own events, or else those of log records in the order of their times."""
    told = [event for event in events if event.name in MESSAGE_EVENTS] or sorted(
        (log for log in logs if log.name in MESSAGE_EVENTS), key=lambda log: log.time
    )
    input: list[Message] = []
    output: list[Message] = []
    reasons: list[str] = []
    for event in told:
        body = _body(event.body, doubts)
        message = _message(event.name, body, doubts)
        if event.name == "gen_ai.choice":
            output.append(message)
            reason = body.get("finish_reason")
            if isinstance(reason, str) and message.parts:
                reasons.append(reason.lower())
        elif event.name != "gen_ai.system.message":
            input.append(message)
    return EventMessages(_filled(input), _filled(output), reasons)


def _message(name: str, body: dict[str, Any], doubts: Doubts) -> Message:
    content = body.get("content")
    match name:
        case "gen_ai.user.message":
            is_google = isinstance(content, dict) and "parts" in content
            message = google_message(content, "user", doubts) if is_google else None
            return message or Message("user", parts_of_content(content, doubts))
        case "gen_ai.tool.message":
            return Message("tool", (answer(None, content, body.get("id"), doubts),))
        case "gen_ai.choice":
            return Message("assistant", _choice(body, doubts))
    return Message("assistant", parts_of_content(content, doubts) + called(body.get("tool_calls"), doubts))


def _choice(body: dict[str, Any], doubts: Doubts) -> MessageParts:
    message, content = body.get("message"), body.get("content")
    if isinstance(message, dict):
        return parts_of_content(message.get("content"), doubts) + called(message.get("tool_calls"), doubts)
    if isinstance(content, dict) and "parts" in content:
        return google_parts(content["parts"], doubts)
    return parts_of_content(content, doubts)


def _filled(messages: list[Message]) -> Messages | None:
    return with_content(message for message in messages if message.parts)


def _body(value: Any, doubts: Doubts) -> dict[str, Any]:
    if isinstance(value, str):
        found = parsed(value, doubts)
        return found if isinstance(found, dict) else {"content": value}
    return value if isinstance(value, dict) else {}
