"""OpenLLMetry's messages, an attribute a member: `gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.message_parts import MessageParts, answer, called, parts_of_content
from evaltui.recordings.traces.messages import Message, Messages, with_content
from evaltui.recordings.traces.spans import TraceSpan

_CALLS = "tool_calls."


def indexed_messages(span: TraceSpan, prefix: str, doubts: Doubts) -> Messages | None:
    """The messages of the attributes that begin with `prefix`, in the order of their numbers."""
    named = ((key[len(prefix) :], value) for key, value in span.attributes.items() if key.startswith(prefix))
    return with_content(_message(members, doubts) for members in _numbered(named))


def _message(members: dict[str, Any], doubts: Doubts) -> Message:
    role, content = members.get("role"), members.get("content")
    if role == "tool":
        return Message("tool", (answer(None, content, members.get("tool_call_id"), doubts),))
    parts = parts_of_content(content, doubts) + _called(members, doubts)
    return Message(role if isinstance(role, str) else "user", parts)


def _called(members: dict[str, Any], doubts: Doubts) -> MessageParts:
    named = ((key[len(_CALLS) :], value) for key, value in members.items() if key.startswith(_CALLS))
    return called(_numbered(named), doubts)


def _numbered(named: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Objects of what is named `number.member`."""
    found: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in named:
        number, _, member = name.partition(".")
        if member and number.isascii() and number.isdigit() and len(number) < 10:
            found[int(number)][member] = value
    return [found[number] for number in sorted(found)]
