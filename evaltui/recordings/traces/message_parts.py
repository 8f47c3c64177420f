"""Parts of messages: what is said, which tools are called, what tools answered.

Their shape is that of OpenTelemetry's `gen_ai.input.messages`; the contents of OpenAI and Google become the same.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from evaltui.recordings.traces.attribute_values import items, members, parsed, parsed_or_same, scalar_text
from evaltui.recordings.traces.doubts import BAD_ARGUMENTS, NAMELESS_CALL, Doubts

_NOT_RECORDED = frozenset({"<REDACTED>", "<elided>", ""})


class Text(NamedTuple):
    """A text; "" where it was not recorded."""

    text: str


class Request(NamedTuple):
    """A call of a tool that a model asks for; `arguments` None for none."""

    name: str
    arguments: Any
    id: str | None


class Answer(NamedTuple):
    """The answer of a tool."""

    name: Any
    response: Any
    id: str | None


class Other(NamedTuple):
    """A part of any other kind, such as thoughts or images; without a kind it is nothing."""

    kind: Any


MessagePart = Text | Request | Answer | Other
MessageParts = tuple[MessagePart, ...]


def not_recorded(value: Any) -> bool:
    """Whether a text only says that something was not recorded."""
    return isinstance(value, str) and value.strip() in _NOT_RECORDED


def text(content: Any) -> Text:
    """A part that says something; what is no text is said in JSON."""
    if content is None or not_recorded(content):
        return Text("")
    if isinstance(content, str):
        return Text(content)
    try:
        return Text(json.dumps(content, sort_keys=True, default=str))
    except (TypeError, ValueError, RecursionError):
        return Text("")


def request(name: Any, arguments: Any, id: Any, doubts: Doubts) -> MessagePart:
    """A part that calls a tool; a text of arguments is JSON."""
    if not isinstance(name, str) or not name:
        doubts.note(NAMELESS_CALL)
        return Other("tool_call")
    found = parsed(arguments, doubts)
    if found is None and arguments not in (None, "", "null"):
        doubts.note(BAD_ARGUMENTS, f"tool {name}")
    return Request(name, found, scalar_text(id or None) or None)


def answer(name: Any, response: Any, id: Any, doubts: Doubts) -> Answer:
    """A part that gives back what a tool answered."""
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
