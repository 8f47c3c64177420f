"""Messages between users, models and tools, from all the places where recorders write them.

These are lists of messages in attributes (semantic conventions), events of one message each (older conventions), and
OpenLLMetry's attributes of one value each (`gen_ai.prompt.0.role`). All messages get the parts of the semantic
conventions: texts, tool calls and tool responses. Contents of OpenAI and Google are converted to them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from evaltui.recordings.traces.attribute_values import items, members, parsed, parsed_or_same, scalar_text
from evaltui.recordings.traces.doubts import BAD_MESSAGES, NAMELESS_CALL, Doubts
from evaltui.recordings.traces.spans import MESSAGE_EVENTS, Event, TraceSpan

_NOT_RECORDED = frozenset({"<REDACTED>", "<elided>", ""})


class Text(NamedTuple):
    """A text; "" if it was not recorded."""

    text: str


class Request(NamedTuple):
    """A tool call that a model requests; `arguments` is None if it has none."""

    name: str
    arguments: Any
    id: str | None


class Answer(NamedTuple):
    """A tool response."""

    name: Any
    response: Any
    id: str | None


class Other(NamedTuple):
    """A part of another kind, such as thoughts or images; ignored without a kind."""

    kind: Any


MessagePart = Text | Request | Answer | Other
MessageParts = tuple[MessagePart, ...]


def not_recorded(value: Any) -> bool:
    """Whether a text only says that something was not recorded."""
    return isinstance(value, str) and value.strip() in _NOT_RECORDED


def text(content: Any) -> Text:
    """A text part; a value that is not a text becomes JSON."""
    if content is None or not_recorded(content):
        return Text("")
    if isinstance(content, str):
        return Text(content)
    try:
        return Text(json.dumps(content, sort_keys=True, default=str))
    except (TypeError, ValueError, RecursionError):
        return Text("")


def request(name: Any, arguments: Any, id: Any, doubts: Doubts) -> MessagePart:
    """A part that calls a tool; a text of arguments should be JSON."""
    if not isinstance(name, str) or not name:
        doubts.note(NAMELESS_CALL)
        return Other("tool_call")
    return Request(name, parsed_or_same(arguments, doubts), scalar_text(id or None) or None)


def answer(name: Any, response: Any, id: Any, doubts: Doubts) -> Answer:
    """A part with a tool response."""
    return Answer(name, parsed_or_same(response, doubts), scalar_text(id or None) or None)


def part(raw: dict[str, Any], doubts: Doubts) -> MessagePart:
    """A part as the semantic conventions have it."""
    match kind := raw.get("type"):
        case "text":
            return text(raw.get("content"))
        case "tool_call":
            return request(raw.get("name"), raw.get("arguments"), raw.get("id"), doubts)
        case "tool_call_response":
            return answer(raw.get("name"), raw.get("response"), raw.get("id"), doubts)
    return Other(kind)


def parts_of_content(content: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as OpenAI has it: a text, a list of typed items, or a content of Google."""
    if content is None or not_recorded(content):
        return ()
    if isinstance(content, dict) and isinstance(content.get("parts"), list):
        return google_parts(content["parts"], doubts)
    if isinstance(content, list):
        return tuple(_item(each, doubts) for each in content if _is_item(each))
    return (text(content),)


def google_parts(parts: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as Google has it."""
    return tuple(_google_part(each, doubts) for each in items(parts) if isinstance(each, dict) and _tells(each))


def called(calls: Any, doubts: Doubts) -> MessageParts:
    """The parts of `tool_calls` as OpenAI has them."""
    found: list[MessagePart] = []
    for each in items(calls):
        function = members(each).get("function")
        named = function if isinstance(function, dict) else members(each)
        if isinstance(named.get("name"), str):
            arguments = parsed_or_same(named.get("arguments"), doubts)
            found.append(request(named["name"], arguments, each.get("id"), doubts))
        else:
            doubts.note(NAMELESS_CALL)
    return tuple(found)


def _is_item(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, dict) and (isinstance(value.get("type"), str) or "text" in value)
    )


def _item(value: Any, doubts: Doubts) -> MessagePart:
    if isinstance(value, str):
        return text(value)
    if value.get("type") == "text" or "text" in value:
        is_ours = value.get("type") == "text" and "content" in value
        return text(value["content"] if is_ours else value.get("text"))
    return part(value, doubts)


def _google_part(raw: dict[str, Any], doubts: Doubts) -> MessagePart:
    if raw.get("text") is not None:
        return Other("reasoning") if raw.get("thought") else text(raw["text"])
    if isinstance(call := raw.get("function_call"), dict):
        return request(call.get("name"), call.get("args"), call.get("id"), doubts)
    if isinstance(raw.get("function_response"), dict):
        response = members(raw["function_response"])
        return answer(response.get("name"), response.get("response"), response.get("id"), doubts)
    return Other(next(key for key, value in raw.items() if value is not None))


def _tells(raw: dict[str, Any]) -> bool:
    return any(value is not None for value in raw.values())


class Message(NamedTuple):
    """A message; `role` is user, assistant, tool or another word."""

    role: str
    parts: MessageParts


Messages = tuple[Message, ...]


def messages_of(value: Any, doubts: Doubts) -> Messages | None:
    """The messages in a list, in one message, or in the JSON text of either; None if nothing was recorded."""
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
    """A content in Google's form, where the assistant is called model; `role` is the default role."""
    if not isinstance(content, dict):
        return None
    parts, said = google_parts(content.get("parts"), doubts), members(content).get("role")
    if parts and all(isinstance(each, Answer) for each in parts):
        return Message("tool", parts)
    said = said if isinstance(said, str) else role
    return Message("assistant" if said == "model" else said, parts)


def text_of(messages: Iterable[Message]) -> str:
    """All texts, joined without separators."""
    return "".join(each.text for message in messages for each in message.parts if isinstance(each, Text))


def has_others(messages: Iterable[Message]) -> bool:
    """Whether any part is neither a text nor a call or response of a tool: an image, a thought."""
    return any(isinstance(each, Other) for message in messages for each in message.parts)


def last_of_user(messages: Sequence[Message]) -> Messages:
    """The last run of consecutive user messages with text."""
    found: list[Message] = []
    for message in reversed(messages):
        if message.role == "user" and text_of([message]):
            found.append(message)
        elif found:
            break
    return tuple(reversed(found))


def ends_with_answers(messages: Sequence[Message]) -> bool:
    """Whether the last message to the model is a tool response."""
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


# --- events ---------------------------------------------------------------------------------------------------


class EventMessages(NamedTuple):
    """The messages in the events of a span."""

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
        body = _event_body(event.body, doubts)
        message = _event_message(event.name, body, doubts)
        if event.name == "gen_ai.choice":
            output.append(message)
            reason = body.get("finish_reason")
            if isinstance(reason, str) and message.parts:
                reasons.append(reason.lower())
        elif event.name != "gen_ai.system.message":
            input.append(message)
    return EventMessages(_with_parts(input), _with_parts(output), reasons)


def _event_message(name: str, body: dict[str, Any], doubts: Doubts) -> Message:
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


def _with_parts(messages: list[Message]) -> Messages | None:
    return with_content(message for message in messages if message.parts)


def _event_body(value: Any, doubts: Doubts) -> dict[str, Any]:
    if isinstance(value, str):
        found = parsed(value, doubts)
        return found if isinstance(found, dict) else {"content": value}
    return value if isinstance(value, dict) else {}


# --- an attribute a member ------------------------------------------------------------------------------------

_CALLS = "tool_calls."


def indexed_messages(span: TraceSpan, prefix: str, doubts: Doubts) -> Messages | None:
    """The messages of the attributes that begin with `prefix`, in the order of their numbers."""
    named = ((key[len(prefix) :], value) for key, value in span.attributes.items() if key.startswith(prefix))
    return with_content(_indexed_message(members, doubts) for members in _numbered(named))


def _indexed_message(members: dict[str, Any], doubts: Doubts) -> Message:
    role, content = members.get("role"), members.get("content")
    if role == "tool":
        return Message("tool", (answer(None, content, members.get("tool_call_id"), doubts),))
    parts = parts_of_content(content, doubts) + _indexed_calls(members, doubts)
    return Message(role if isinstance(role, str) and role else "user", parts)


def _indexed_calls(members: dict[str, Any], doubts: Doubts) -> MessageParts:
    named = ((key[len(_CALLS) :], value) for key, value in members.items() if key.startswith(_CALLS))
    return called(_numbered(named), doubts)


def _numbered(named: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Objects made of attributes with names like `number.key`."""
    found: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in named:
        number, _, member = name.partition(".")
        if member and number.isascii() and number.isdigit() and len(number) < 10:
            found[int(number)][member] = value
    return [found[number] for number in sorted(found)]
