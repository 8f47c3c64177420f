"""Messages between users, models and tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from evaltui.recordings.traces.attribute_values import members, parsed
from evaltui.recordings.traces.doubts import BAD_MESSAGES, Doubts
from evaltui.recordings.traces.message_parts import (
    Answer,
    MessagePart,
    MessageParts,
    Other,
    Text,
    google_parts,
    not_recorded,
    part,
    parts_of_content,
)


class Message(NamedTuple):
    """What one side says at once; `role` is user, assistant, tool or another word."""

    role: str
    parts: MessageParts


Messages = tuple[Message, ...]


def messages_of(value: Any, doubts: Doubts) -> Messages | None:
    """The messages of a list, of one message, or of JSON of either; None where nothing was recorded."""
    if value is None or not_recorded(value):
        return None
    data = parsed(value, doubts)
    data = [data] if isinstance(data, dict) else data
    if not isinstance(data, list) or (data and not any(isinstance(each, dict) for each in data)):
        doubts.note(BAD_MESSAGES)
        return None
    listed = [_message(each, doubts) for each in data if isinstance(each, dict)]
    found = with_content(listed)
    if found is None and any(isinstance(each, Other) for message in listed for each in message.parts):
        doubts.note(BAD_MESSAGES)
    return found


def with_content(messages: Iterable[Message]) -> Messages | None:
    """The messages, or None if none of them holds anything."""
    found = tuple(messages)
    return found if any(_is_content(each) for message in found for each in message.parts) else None


def google_message(content: Any, role: str, doubts: Doubts) -> Message | None:
    """A content as Google has it, in whose words the assistant is the model; `role` where it says none."""
    if not isinstance(content, dict):
        return None
    parts, said = google_parts(content.get("parts"), doubts), members(content).get("role")
    if parts and all(isinstance(each, Answer) for each in parts):
        return Message("tool", parts)
    said = said if isinstance(said, str) else role
    return Message("assistant" if said == "model" else said, parts)


def text_of(messages: Iterable[Message]) -> str:
    """All that is said, joined without anything between."""
    return "".join(each.text for message in messages for each in message.parts if isinstance(each, Text))


def last_of_user(messages: Sequence[Message]) -> Messages:
    """The last run of messages in which the user says something."""
    found: list[Message] = []
    for message in reversed(messages):
        if message.role == "user" and text_of([message]):
            found.append(message)
        elif found:
            break
    return tuple(reversed(found))


def ends_with_answers(messages: Sequence[Message]) -> bool:
    """Whether the last thing told to the model is what tools answered."""
    if not messages:
        return False
    last = messages[-1]
    return last.role == "tool" or (bool(last.parts) and all(isinstance(each, Answer) for each in last.parts))


def _message(raw: dict[str, Any], doubts: Doubts) -> Message:
    role, parts = raw.get("role"), raw.get("parts")
    listed = (
        tuple(part(each, doubts) for each in parts if isinstance(each, dict))
        if isinstance(parts, list)
        else parts_of_content(raw.get("content"), doubts)
    )
    return Message(role if isinstance(role, str) and role else "user", listed)


def _is_content(value: MessagePart) -> bool:
    return bool(value.text) if isinstance(value, Text) else not isinstance(value, Other) or bool(value.kind)
