"""Messages between users, models and tools, from all the places where recorders write them.

These are lists of messages in attributes (semantic conventions), events of one message each (older conventions), and
OpenLLMetry's attributes of one value each (`gen_ai.prompt.0.role`). All messages get the parts of the semantic
conventions: texts, tool calls and tool responses. Contents of OpenAI and Google are converted to them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evaltui.evalset.case_data import get
from evaltui.evalset.placeholders import is_placeholder
from evaltui.evalset.unread_members import unread_in, unread_in_content
from evaltui.recordings.traces.attribute_values import items, members, parsed, parsed_or_same, scalar_text
from evaltui.recordings.traces.doubts import BAD_MESSAGES, NAMELESS_CALL, Doubts
from evaltui.recordings.traces.spans import MESSAGE_EVENTS, Event, TraceSpan

_BEGINS_JSON = re.compile(r"""\s*(\{\s*(["'}]|$)|\[\s*([{"']|$))""")
"""The beginning of an object or list as recorders write messages; a text may begin with a bracket, too."""


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
    """A part that is known to be neither text nor tool call, such as thoughts or images; "" for an empty part."""

    kind: str


class Unread(NamedTuple):
    """A part, or a member of a message, that nobody reads: it may be a text or a tool call."""

    name: str
    is_text: bool = False
    """Whether it stands in the place of a text."""
    has_type: bool = False
    """Whether its type is stated; then its messages are not looked for in another place, as in agentevals."""


MessagePart = Text | Request | Answer | Other | Unread
MessageParts = tuple[MessagePart, ...]

_OTHERS = frozenset(
    {
        *("reasoning", "thinking", "redacted_thinking", "thought", "reasoning_text", "summary_text"),
        *("compaction", "blob", "file", "uri"),
        *("image", "image_url", "image-url", "input_image", "audio", "input_audio", "output_audio", "audio-url"),
        *("video", "video-url", "document", "document-url", "input_file", "binary"),
    }
)
"""The kinds of parts without text and tool calls: of the semantic conventions, and of providers and frameworks."""
_TEXTS = (None, "", "text", "output_text", "input_text")
"""The types of items that are texts, of OpenAI, Anthropic and Amazon Bedrock."""
_OF_OTHERS = frozenset({"user", "system", "developer", "tool", "function"})
"""The roles of the semantic conventions and of OpenAI that are not the agent."""
_OF_A_PART = frozenset(
    {
        *("type", "id", "index", "name", "metadata", "annotations", "citations", "cache_control", "logprobs"),
        *("signature", "thought_signature", "provider_name", "provider_details"),
    }
)
_OF_A_TEXT = _OF_A_PART | {"content"}
_OF_A_CALL = _OF_A_PART | {"arguments"}
_OF_A_MESSAGE = frozenset({"role", "parts", "id", "name", "index", "finish_reason", "timestamp", "metadata"})
_OF_OPENAI = frozenset({"content", "tool_calls", "tool_call_id"})
_OF_A_CHOICE = _OF_A_MESSAGE - {"parts"} | _OF_OPENAI | {"message"}


def not_recorded(value: Any) -> bool:
    """Whether a text only says that something was not recorded."""
    return value == "" or (isinstance(value, str) and value.isspace()) or is_placeholder(value)


def text(content: Any) -> Text | Unread:
    """A text part; a list or object in the place of its text is not read."""
    if content is None or not_recorded(content):
        return Text("")
    if isinstance(content, bool):
        return Text(json.dumps(content))
    found = scalar_text(content)
    return Unread("text", is_text=True, has_type=True) if found is None else Text(found)


def request(name: Any, arguments: Any, id: Any, doubts: Doubts) -> MessagePart:
    """A part that calls a tool; a text of arguments should be JSON."""
    if not isinstance(name, str) or not name:
        doubts.note(NAMELESS_CALL)
        return Unread("tool_call", has_type=True)
    return Request(name, parsed_or_same(arguments, doubts), scalar_text(id or None) or None)


def answer(name: Any, response: Any, id: Any, doubts: Doubts) -> Answer:
    """A part with a tool response."""
    return Answer(name, parsed_or_same(response, doubts), scalar_text(id or None) or None)


def parts_in(raw: Any, doubts: Doubts) -> MessageParts:
    """A part as the semantic conventions have it. Its members that nobody reads are parts of their own."""
    if not isinstance(raw, dict):
        return () if raw is None else (Unread("parts"),)
    match kind := raw.get("type"):
        case "tool_call":
            others = tuple(unread_in(raw, _OF_A_CALL))
            arguments = raw.get("arguments")
            # Other members beside empty arguments may be the arguments.
            told = None if others and arguments in (None, "", {}) else arguments
            return (request(raw.get("name"), told, raw.get("id"), doubts),)
        case "tool_call_response":
            return (answer(raw.get("name"), raw.get("response"), raw.get("id"), doubts),)
        case "text":
            return (text(raw.get("content")), *map(Unread, unread_in(raw, _OF_A_TEXT)))
        case str() if kind in _OTHERS:
            return (Other(kind),)
    if not any(raw.values()):
        return (Other(""),)
    return (Unread(scalar_text(kind) or "parts", is_text="text" in raw, has_type=bool(kind)),)


def parts_of_value(value: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content that is a whole attribute: a length limit may have cut off its JSON, which is no text."""
    if isinstance(value, str) and _BEGINS_JSON.match(value) and parsed(value, doubts) is None:
        doubts.note(BAD_MESSAGES)
        return (Unread("content", is_text=True, has_type=True),)
    return parts_of_content(value, doubts)


def parts_of_content(content: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as OpenAI has it: a text, a list of typed items, or a content of Google."""
    if content is None or not_recorded(content):
        return ()
    if isinstance(content, dict) and "parts" in content:
        return google_parts(content["parts"], doubts)
    if isinstance(content, list):
        return tuple(part for each in content for part in _item(each, doubts))
    return (text(content),)


def _item(raw: Any, doubts: Doubts) -> MessageParts:
    """An item of a content of OpenAI: a text, or a part whose text is in `text`."""
    if isinstance(raw, str):
        return (text(raw),)
    if isinstance(raw, dict) and raw.get("text") is not None and raw.get("type") in _TEXTS:
        return (text(raw["text"]), *map(Unread, unread_in(raw, _OF_A_PART | {"text"})))
    return parts_in(raw, doubts)


def google_parts(parts: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as Google has it, and the members of parts that Google does not have."""
    read = (
        part for each in items(parts) if isinstance(each, dict) and _tells(each) for part in _in_google(each, doubts)
    )
    unread = (name for name in unread_in_content({"parts": parts}) if name != "parts.text")
    return (*read, *map(Unread, unread))


def called(calls: Any, doubts: Doubts) -> MessageParts:
    """The parts of `tool_calls` as OpenAI has them, or of a JSON text of them."""
    listed = parsed_or_same(calls, doubts)
    if not isinstance(listed, list):
        return (Unread("tool_calls"),) if listed else ()
    return tuple(_called(members(each), doubts) for each in listed)


def _called(call: dict[str, Any], doubts: Doubts) -> MessagePart:
    function = call.get("function")
    named = function if isinstance(function, dict) else call
    if not isinstance(named.get("name"), str):
        doubts.note(NAMELESS_CALL)
        return Unread("tool_calls")
    return request(named.get("name"), parsed_or_same(named.get("arguments"), doubts), call.get("id"), doubts)


def _in_google(raw: dict[str, Any], doubts: Doubts) -> Iterator[MessagePart]:
    """The parts in one of Google: a text, a call or a response, else its kind; nothing if it has no known member."""
    told = raw.get("text")
    call, response = get(raw, "function_call"), get(raw, "function_response")
    if told is not None:
        yield Other("reasoning") if raw.get("thought") else text(told)
    if isinstance(call, dict):
        yield request(call.get("name"), call.get("args"), call.get("id"), doubts)
    elif isinstance(response, dict):
        yield answer(response.get("name"), response.get("response"), response.get("id"), doubts)
    elif told is None and not any(unread_in_content({"parts": [raw]})):
        yield Other(next((key for key, value in raw.items() if value is not None), ""))


def _tells(raw: dict[str, Any]) -> bool:
    return any(value is not None for value in raw.values())


class Message(NamedTuple):
    """A message; `role` is user, assistant, tool or another word."""

    role: str
    parts: MessageParts
    is_choice: bool = False
    """Whether it is one of the choices of a model: each of them has a reason why the model stopped."""
    has_failed: bool = False
    """Whether its model stopped because of an error, so that its text is only a beginning."""


Messages = tuple[Message, ...]


def messages_of(value: Any, doubts: Doubts, role: str = "user") -> Messages | None:
    """The messages in a list, in one message, or in the JSON text of either; None if nothing was recorded.

    `role` is the default role.
    """
    if value is None or not_recorded(value):
        return None
    data = parsed(value, doubts)
    data = [data] if isinstance(data, dict) else data
    if not isinstance(data, list) or (data and not any(isinstance(each, dict) for each in data)):
        doubts.note(BAD_MESSAGES)
        return None
    return with_content(_message(each, doubts, role) for each in data)


def with_content(messages: Iterable[Message]) -> Messages | None:
    """The messages, or None if none of them holds anything."""
    found = tuple(messages)
    return found if any(_is_content(each) for message in found for each in message.parts) else None


def google_message(content: Any, role: str, doubts: Doubts) -> Message | None:
    """A content in Google's form, where the assistant is called model; `role` is the default role."""
    if content is None:
        return None
    parts, said = google_parts(members(content).get("parts"), doubts), members(content).get("role")
    parts += tuple(Unread(name) for name in unread_in_content(content) if not name.startswith("parts"))
    if parts and all(isinstance(each, Answer) for each in parts):
        return Message("tool", parts)
    said = said if isinstance(said, str) else role
    return Message("assistant" if said == "model" else said, parts)


def text_of(messages: Iterable[Message]) -> str:
    """All texts, joined without separators."""
    return "".join(each.text for message in messages for each in message.parts if isinstance(each, Text))


def answer_of(messages: Iterable[Message]) -> str | None:
    """The text of an answer; None if there are several texts, or texts of others than the agent."""
    speaking = [message for message in messages if text_of([message])]
    is_mixed = len(speaking) > 1 or any(each.role in _OF_OTHERS for each in speaking)
    return None if is_mixed else text_of(speaking)


def with_choices(messages: Messages) -> Messages:
    """The messages of an answer. Nobody knows which of several choices counts, so that they are not read."""
    is_one = sum(message.is_choice for message in messages) < 2
    return messages if is_one else (*messages, Message("assistant", (Unread("choices", is_text=True),)))


def first_read(sources: Iterable[Messages | None]) -> Messages | None:
    """The messages of the first source that is read, else of the first that holds anything."""
    unread = None
    for found in sources:
        if is_read(found):
            return found
        unread = unread or found
    return unread


def is_read(messages: Messages | None) -> bool:
    """Whether messages hold a part that is read, or one that at least has a type."""
    parts = (each for message in messages or () for each in message.parts)
    return any(each.has_type if isinstance(each, Unread) else _is_content(each) for each in parts)


def unread_of(messages: Iterable[Message]) -> tuple[Unread, ...]:
    """The parts that nobody reads."""
    return tuple(each for message in messages for each in message.parts if isinstance(each, Unread))


def ends_with_request(messages: Messages) -> bool:
    """Whether the last message asks for a tool, so that it is not the last one of its turn."""
    return bool(messages) and any(isinstance(each, Request) for each in messages[-1].parts)


def asks_for_tools(reason: str) -> bool:
    """Whether a model that stopped for this reason calls a tool: `tool_calls`, `toolUse`, `function_call`."""
    return "tool" in reason.lower() or "function" in reason.lower()


def is_error(reason: str) -> bool:
    """Whether a model that stopped for this reason failed."""
    return reason.lower() == "error"


def ends_with_answers(messages: Messages) -> bool:
    """Whether the last message to the model is a tool response; as in agentevals, not if none of them is read."""
    if not is_read(messages):
        return False
    last = messages[-1]
    return last.role == "tool" or (bool(last.parts) and all(isinstance(each, Answer) for each in last.parts))


def _message(raw: Any, doubts: Doubts, role: str) -> Message:
    if not isinstance(raw, dict):
        return Message("", () if raw is None else (Unread("messages"),))
    parts = raw.get("parts")
    if isinstance(parts, list):
        found, read = tuple(part for each in parts for part in parts_in(each, doubts)), _OF_A_MESSAGE
    else:
        found = () if parts is None else (Unread("parts"),)
        found += parts_of_content(raw.get("content"), doubts) + called(raw.get("tool_calls"), doubts)
        read = _OF_A_MESSAGE | _OF_OPENAI
    return _stopped(raw.get("role") or role, (*found, *map(Unread, unread_in(raw, read))), raw.get("finish_reason"))


def _stopped(role: Any, parts: MessageParts, reason: Any) -> Message:
    """The message of these parts. If its model stopped for a tool, one of the parts must be its call."""
    if isinstance(reason, str) and asks_for_tools(reason) and not any(map(_may_be_call, parts)):
        parts += (Unread("finish_reason"),)
    has_failed = isinstance(reason, str) and is_error(reason)
    return Message(role if isinstance(role, str) and role else "user", parts, bool(reason), has_failed)


def _may_be_call(value: MessagePart) -> bool:
    return isinstance(value, Request | Unread)


def _is_content(value: MessagePart) -> bool:
    return any(value) if isinstance(value, Text | Other) else True


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
            if isinstance(reason, str):
                reasons.append(reason)
        elif event.name != "gen_ai.system.message":
            input.append(message)
    return EventMessages(_with_parts(input), _with_parts(output), reasons)


def _event_message(name: str, body: dict[str, Any], doubts: Doubts) -> Message:
    content = body.get("content")
    match name:
        case "gen_ai.user.message":
            is_google = isinstance(content, dict) and "parts" in content
            message = google_message(content, "user", doubts) if is_google else None
            return message or Message("user", parts_of_value(content, doubts))
        case "gen_ai.tool.message":
            return Message("tool", (answer(None, content, body.get("id"), doubts),))
        case "gen_ai.choice":
            return Message("assistant", _choice(body, doubts), is_choice=True)
    return Message("assistant", parts_of_value(content, doubts) + called(body.get("tool_calls"), doubts))


def _choice(body: dict[str, Any], doubts: Doubts) -> MessageParts:
    message, content = body.get("message"), body.get("content")
    found = parsed(message, doubts)
    listed = isinstance(found, list) and all(isinstance(each, dict) for each in found)
    message = found if listed or isinstance(found, dict) else message
    unread = tuple(Unread(name) for name in unread_in(body, _OF_A_CHOICE) if "." not in name)
    if isinstance(message, dict):
        return _message(message, doubts, "assistant").parts + unread
    said = parts_of_value(content if message is None else message, doubts)
    return said + called(body.get("tool_calls"), doubts) + unread


def _with_parts(messages: list[Message]) -> Messages | None:
    return with_content(message for message in messages if message.parts)


def _event_body(value: Any, doubts: Doubts) -> dict[str, Any]:
    if isinstance(value, str):
        found = parsed(value, doubts)
        return found if isinstance(found, dict) else {"content": value}
    return value if isinstance(value, dict) else {}


# --- an attribute a member ------------------------------------------------------------------------------------

_CALLS = "tool_calls."
_OF_AN_INDEX = _OF_A_MESSAGE - {"parts"} | {"content", "tool_call_id", "reasoning", "thinking"}


def indexed_messages(span: TraceSpan, prefix: str, doubts: Doubts, role: str) -> Messages | None:
    """The messages of the attributes that begin with `prefix`, in the order of their numbers."""
    named = ((key[len(prefix) :], value) for key, value in span.attributes.items() if key.startswith(prefix))
    return with_content(_indexed_message(members, doubts, role) for members in _numbered(named))


def _indexed_message(members: dict[str, Any], doubts: Doubts, default: str) -> Message:
    if not members:
        return Message("", (Unread("messages"),))
    role, content = members.get("role") or default, members.get("content")
    if role == "tool":
        return Message("tool", (answer(None, content, members.get("tool_call_id"), doubts),))
    parts = parts_of_value(content, doubts) + _indexed_calls(members, doubts)
    others = (name for name in unread_in(members, _OF_AN_INDEX) if not name.startswith(_CALLS))
    return _stopped(role, (*parts, *map(Unread, others)), members.get("finish_reason"))


def _indexed_calls(members: dict[str, Any], doubts: Doubts) -> MessageParts:
    named = ((key[len(_CALLS) :], value) for key, value in members.items() if key.startswith(_CALLS))
    return called(_numbered(named), doubts)


def _numbered(named: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Objects made of attributes with names like `number.key`, after an empty one if a number is missing."""
    found: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in named:
        number, _, member = name.partition(".")
        if member and number.isascii() and number.isdigit() and len(number) < 10:
            found[int(number)][member] = value
    numbers = sorted(found)
    is_whole = numbers == list(range(len(numbers)))
    return [*([] if is_whole else [{}]), *(found[number] for number in numbers)]
