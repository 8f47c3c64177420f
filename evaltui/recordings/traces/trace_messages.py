"""Messages between users, models and tools, from all the places where recorders write them.

These are lists of messages in attributes (semantic conventions), events of one message each (older conventions), and
OpenLLMetry's attributes of one value each (`gen_ai.prompt.0.role`). All messages get the parts of the semantic
conventions: texts, tool requests and tool results. Contents of OpenAI and Google are converted to them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, TypeVar

from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.turn import is_placeholder
from evaltui.evalset.unread_members import unread_in, unread_in_content
from evaltui.recordings.traces.attributes import Attributes, parse_json, parse_json_text, scalar_text
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts

if TYPE_CHECKING:
    from evaltui.recordings.traces.spans import TraceSpan


class TracedCall(NamedTuple):
    """A tool call that a model requests, or that a span and messages record."""

    name: str
    arguments: Any
    """None if they are not recorded; a text if they are not JSON."""
    id: str | None
    result: Any = None
    span: TraceSpan | None = None
    """Its outermost span; None if it is only in messages."""
    doubts: frozenset[Doubt] = frozenset()


class ToolResult(NamedTuple):
    """A tool response, as a model receives it."""

    name: Any
    response: Any
    id: str | None


class UnreadPart(NamedTuple):
    """A part, or a member of a message, that evaltui does not read: it may be a text or a tool call."""

    name: str
    is_text: bool = False
    """Whether it stands in the place of a text."""
    has_type: bool = False
    """Whether its type is stated. Then its messages are not looked for in another source, as in agentevals."""


MessagePart = str | TracedCall | ToolResult | UnreadPart | bool
"""A part; a text is a `str`, "" if it was not recorded.

True is a part that is known to be neither text nor tool call, such as thoughts or images; False is an empty part.
"""
MessageParts = tuple[MessagePart, ...]
CallParts = tuple[TracedCall | ToolResult, ...]
_Part = TypeVar("_Part")


class Message(NamedTuple):
    """A message; `role` is user, assistant, tool or another word."""

    role: str
    parts: MessageParts
    is_choice: bool = False
    """Whether it is one of the choices of a model: each of them has a reason why the model stopped."""
    has_failed: bool = False
    """Whether its model stopped because of an error, so that its text is only a beginning."""


Messages = tuple[Message, ...]

MESSAGE_EVENTS = frozenset(
    {
        *("gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message"),
        *("gen_ai.tool.message", "gen_ai.choice"),
    }
)
"""The events of one message each, of the semantic conventions before version 1.37."""

# Roles of the semantic conventions and of OpenAI that are not the agent. Other words may be names of agents.
_ROLES_BESIDE_AGENT = frozenset({"user", "system", "developer", "tool", "function"})
# Kinds of parts without text and tool calls: of the semantic conventions, and of providers and frameworks.
_SILENT_KINDS = frozenset(
    {
        *("reasoning", "thinking", "redacted_thinking", "thought", "reasoning_text", "summary_text"),
        *("compaction", "blob", "file", "uri"),
        *("image", "image_url", "image-url", "input_image", "audio", "input_audio", "output_audio", "audio-url"),
        *("video", "video-url", "document", "document-url", "input_file", "binary"),
    }
)
# Types of items that are texts, of OpenAI, Anthropic and Amazon Bedrock.
_TEXT_TYPES = (None, "", "text", "output_text", "input_text")
# A key that stands in none of these sets may hold a text or a tool call, so it makes an `UnreadPart`.
_PART_KEYS = frozenset(
    {
        *("type", "id", "index", "name", "metadata", "annotations", "citations", "cache_control", "logprobs"),
        *("signature", "thought_signature", "provider_name", "provider_details"),
    }
)
_TEXT_KEYS, _ITEM_KEYS, _REQUEST_KEYS = _PART_KEYS | {"content"}, _PART_KEYS | {"text"}, _PART_KEYS | {"arguments"}
_MESSAGE_KEYS = frozenset({"role", "parts", "id", "name", "index", "finish_reason", "timestamp", "metadata"})
_OPENAI_KEYS = _MESSAGE_KEYS | {"content", "tool_calls", "tool_call_id"}
_CHOICE_KEYS = _OPENAI_KEYS - {"parts"} | {"message"}
_INDEXED_KEYS = _MESSAGE_KEYS - {"parts"} | {"content", "tool_call_id", "reasoning", "thinking"}
_INDEXED_CALLS = "tool_calls."

# The beginning of an object or list as recorders write messages. A user's text may begin with a bracket, too.
_BEGINS_JSON = re.compile(r"""\s*(\{\s*(["'}]|$)|\[\s*([{"']|$))""")


def is_unrecorded(value: Any) -> bool:
    """Whether a value is null, or a text that is blank or only says that something was not recorded."""
    return value is None or (isinstance(value, str) and not value.strip()) or is_placeholder(value)


def _read_text(content: Any) -> str | UnreadPart:
    if is_unrecorded(content):
        return ""
    text = json.dumps(content) if isinstance(content, bool) else scalar_text(content)
    # A list or object in the place of a text may hold anything.
    return UnreadPart("text", is_text=True, has_type=True) if text is None else text


def _read_request(name: Any, arguments: Any, call_id: Any, doubts: Doubts) -> TracedCall | UnreadPart:
    if not isinstance(name, str) or not name:
        doubts.note(Doubt.NAMELESS_CALL)
        return UnreadPart("tool_call", has_type=True)
    return TracedCall(name, parse_json_text(arguments, doubts), scalar_text(call_id or None))


def _read_result(name: Any, response: Any, call_id: Any, doubts: Doubts) -> ToolResult:
    return ToolResult(name, parse_json_text(response, doubts), scalar_text(call_id or None))


def _read_part(raw: Any, doubts: Doubts) -> MessageParts:
    """A part of the semantic conventions. Each key that evaltui does not read is a part of its own."""
    if not isinstance(raw, dict):
        return () if raw is None else (UnreadPart("parts"),)
    match kind := raw.get("type"):
        case "tool_call":
            arguments = raw.get("arguments")
            if arguments in (None, "", {}) and any(unread_in(raw, _REQUEST_KEYS)):
                arguments = None  # a key beside empty arguments may hold the arguments
            return (_read_request(raw.get("name"), arguments, raw.get("id"), doubts),)
        case "tool_call_response":
            return (_read_result(raw.get("name"), raw.get("response"), raw.get("id"), doubts),)
        case "text":
            return (_read_text(raw.get("content")), *map(UnreadPart, unread_in(raw, _TEXT_KEYS)))
        case str() if kind in _SILENT_KINDS:
            return (True,)
    if not any(raw.values()):
        return (False,)
    return (UnreadPart(scalar_text(kind) or "parts", is_text="text" in raw, has_type=bool(kind)),)


def _read_content(content: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as OpenAI has it: a text, a list of typed items, or a content of Google."""
    if is_unrecorded(content):
        return ()
    if isinstance(content, dict) and "parts" in content:
        return _read_google_parts(content, doubts)
    if not isinstance(content, list):
        return (_read_text(content),)
    parts: list[MessagePart] = []
    for item in content:
        if isinstance(item, str):
            parts.append(_read_text(item))
        elif isinstance(item, dict) and item.get("text") is not None and item.get("type") in _TEXT_TYPES:
            parts += (_read_text(item["text"]), *map(UnreadPart, unread_in(item, _ITEM_KEYS)))
        else:
            parts += _read_part(item, doubts)
    return tuple(parts)


def _read_whole_content(value: Any, doubts: Doubts) -> MessageParts:
    # A limit for the length of attributes may have cut off the JSON in this one. That is no text of the agent.
    if isinstance(value, str) and _BEGINS_JSON.match(value) and parse_json(value, doubts) is None:
        doubts.note(Doubt.BAD_MESSAGES)
        return (UnreadPart("content", is_text=True, has_type=True),)
    return _read_content(value, doubts)


def _read_google_parts(content: Any, doubts: Doubts) -> MessageParts:
    """The parts of a content as Google has it, and the keys that google-genai does not have."""
    parts: list[MessagePart] = []
    for raw in items_in(content, "parts"):
        keys = [key for key, value in raw.items() if value is not None] if isinstance(raw, dict) else []
        if not keys:
            continue
        text = raw.get("text")
        request, result = get(raw, "function_call"), get(raw, "function_response")
        # A part of Google has one of these, but a part with a text and a call would lose one of them.
        if text is not None:
            parts.append(True if raw.get("thought") else _read_text(text))
        if isinstance(request, dict):
            parts.append(_read_request(request.get("name"), request.get("args"), request.get("id"), doubts))
        elif isinstance(result, dict):
            parts.append(_read_result(result.get("name"), result.get("response"), result.get("id"), doubts))
        elif text is None and not any(unread_in_content({"parts": [raw]})):
            parts.append(True)
    # `_read_text` has made an unread part of a text that is no string.
    unread = (name for name in unread_in_content({"parts": get(content, "parts")}) if name != "parts.text")
    return (*parts, *map(UnreadPart, unread))


def _read_openai_calls(calls: Any, doubts: Doubts) -> MessageParts:
    calls = parse_json_text(calls, doubts)
    if not isinstance(calls, list):
        return (UnreadPart("tool_calls"),) if calls else ()
    parts: list[MessagePart] = []
    for call in calls:
        function = get(call, "function")
        named = function if isinstance(function, dict) else call
        if isinstance(name := get(named, "name"), str):
            # The arguments are JSON text, and `_read_request` parses texts again: some recorders encode them twice.
            arguments = parse_json_text(named.get("arguments"), doubts)
            parts.append(_read_request(name, arguments, call.get("id"), doubts))
        else:
            doubts.note(Doubt.NAMELESS_CALL)
            parts.append(UnreadPart("tool_calls"))
    return tuple(parts)


def read_messages(value: Any, role: str, doubts: Doubts) -> Messages | None:
    """The messages in a list, in one message, or in JSON text; None for none. `role` is the role if none is stated."""
    if is_unrecorded(value):
        return None
    data = parse_json(value, doubts)
    data = [data] if isinstance(data, dict) else data
    if not isinstance(data, list) or (data and not any(isinstance(raw, dict) for raw in data)):
        doubts.note(Doubt.BAD_MESSAGES)
        return None
    return with_content(_read_message(raw, role, doubts) for raw in data)


def read_google_message(content: Any, role: str, doubts: Doubts) -> Message:
    """A content in Google's form, where the assistant is called model; `role` is the default role."""
    stated_role = get(content, "role")
    parts = _read_google_parts(content, doubts)
    parts += tuple(UnreadPart(name) for name in unread_in_content(content) if not name.startswith("parts"))
    if parts and all(isinstance(part, ToolResult) for part in parts):
        return Message("tool", parts)  # google-adk gives tool responses the role user
    role = stated_role if isinstance(stated_role, str) else role
    return Message("assistant" if role == "model" else role, parts)


def read_indexed_messages(attributes: Attributes, prefix: str, role: str, doubts: Doubts) -> Messages | None:
    """OpenLLMetry's messages: the attributes that begin with `prefix`, in the order of their numbers."""
    named = ((key[len(prefix) :], value) for key, value in attributes.items() if key.startswith(prefix))
    return with_content(_read_indexed_message(values, role, doubts) for values in _group_numbered(named))


def with_content(messages: Iterable[Message]) -> Messages | None:
    """The messages, or None if none of them holds anything."""
    messages = tuple(messages)
    return messages if any(part for message in messages for part in message.parts) else None


def _read_message(raw: Any, role: str, doubts: Doubts) -> Message:
    if not isinstance(raw, dict):
        return Message("", () if raw is None else (UnreadPart("messages"),))
    raw_parts = raw.get("parts")
    if isinstance(raw_parts, list):
        parts, keys = tuple(part for raw_part in raw_parts for part in _read_part(raw_part, doubts)), _MESSAGE_KEYS
    else:
        parts, keys = () if raw_parts is None else (UnreadPart("parts"),), _OPENAI_KEYS
        parts += _read_content(raw.get("content"), doubts) + _read_openai_calls(raw.get("tool_calls"), doubts)
    parts += tuple(map(UnreadPart, unread_in(raw, keys)))
    return _finish_message(raw.get("role") or role, parts, raw.get("finish_reason"))


def _finish_message(role: Any, parts: MessageParts, reason: Any) -> Message:
    is_text = isinstance(reason, str)
    if is_text and asks_for_tools(reason) and not any(isinstance(part, TracedCall | UnreadPart) for part in parts):
        parts += (UnreadPart("finish_reason"),)  # a model that stopped for a tool has requested one
    is_role = isinstance(role, str) and role
    return Message(role if is_role else "user", parts, bool(reason), is_text and reason.lower() == "error")


def _read_indexed_message(values: dict[str, Any], default_role: str, doubts: Doubts) -> Message:
    if not values:
        return Message("", (UnreadPart("messages"),))
    role, content = values.get("role") or default_role, values.get("content")
    if role == "tool":
        return Message("tool", (_read_result(None, content, values.get("tool_call_id"), doubts),))
    calls = ((key[len(_INDEXED_CALLS) :], value) for key, value in values.items() if key.startswith(_INDEXED_CALLS))
    unread = (name for name in unread_in(values, _INDEXED_KEYS) if not name.startswith(_INDEXED_CALLS))
    parts = _read_whole_content(content, doubts) + _read_openai_calls(_group_numbered(calls), doubts)
    return _finish_message(role, (*parts, *map(UnreadPart, unread)), values.get("finish_reason"))


def _group_numbered(named: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Objects made of attributes with names like `number.key`."""
    objects: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    for name, value in named:
        number, _, key = name.partition(".")
        if key and number.isascii() and number.isdigit() and len(number) < 10:
            objects[int(number)][key] = value
    # A gap in the numbers hides a message or a call. An empty object stands for it, and becomes an unread part.
    gap: list[dict[str, Any]] = [{}] if sorted(objects) != list(range(len(objects))) else []
    return gap + [objects[number] for number in sorted(objects)]


def read_event_messages(
    events: Iterable[tuple[str, Any]], doubts: Doubts
) -> tuple[Messages | None, Messages | None, list[str]]:
    """The messages to a model, its answers, and why it stopped, from the names and bodies of `MESSAGE_EVENTS`."""
    inputs: list[Message] = []
    outputs: list[Message] = []
    reasons: list[str] = []
    for name, raw_body in events:
        body = parse_json(raw_body, doubts) if isinstance(raw_body, str) else raw_body
        if not isinstance(body, dict):
            body = {"content": raw_body} if isinstance(raw_body, str) else {}
        content = body.get("content")
        if name == "gen_ai.choice":
            outputs.append(Message("assistant", _read_choice(body, doubts), is_choice=True))
            reasons += [body["finish_reason"]] if isinstance(body.get("finish_reason"), str) else []
        elif name == "gen_ai.tool.message":
            inputs.append(Message("tool", (_read_result(None, content, body.get("id"), doubts),)))
        elif name == "gen_ai.user.message":
            if isinstance(content, dict) and "parts" in content:
                inputs.append(read_google_message(content, "user", doubts))
            else:
                inputs.append(Message("user", _read_whole_content(content, doubts)))
        else:
            parts = _read_whole_content(content, doubts) + _read_openai_calls(body.get("tool_calls"), doubts)
            # The instruction of an agent is read for its doubts only: it belongs to no turn.
            inputs += [Message("assistant", parts)] if name == "gen_ai.assistant.message" else []
    # An event without parts is a message without content, of a recorder that leaves contents out.
    input_messages = with_content(message for message in inputs if message.parts)
    return input_messages, with_content(message for message in outputs if message.parts), reasons


def _read_choice(body: dict[str, Any], doubts: Doubts) -> MessageParts:
    message = body.get("message")
    parsed = parse_json(message, doubts)
    if isinstance(parsed, dict) or (isinstance(parsed, list) and all(isinstance(item, dict) for item in parsed)):
        message = parsed
    unread = tuple(UnreadPart(name) for name in unread_in(body, _CHOICE_KEYS) if "." not in name)
    if isinstance(message, dict):
        return _read_message(message, "assistant", doubts).parts + unread
    parts = _read_whole_content(body.get("content") if message is None else message, doubts)
    return parts + _read_openai_calls(body.get("tool_calls"), doubts) + unread


def parts_of_type(messages: Iterable[Message], kind: type[_Part]) -> Iterator[_Part]:
    """The parts of one type."""
    return (part for message in messages for part in message.parts if isinstance(part, kind))


def answer_of(messages: Iterable[Message]) -> str | None:
    """The text of an answer; None if there are several texts, or texts of others than the agent."""
    speaking = [message for message in messages if any(parts_of_type([message], str))]
    is_mixed = len(speaking) > 1 or any(message.role in _ROLES_BESIDE_AGENT for message in speaking)
    # agentevals joins texts without separators, too.
    return None if is_mixed else "".join(parts_of_type(speaking, str))


def first_read(sources: Iterable[Messages | None]) -> Messages | None:
    """The messages of the first source that is read, else of the first that holds anything."""
    unread = None
    for messages in sources:
        if is_read(messages):
            return messages
        unread = unread or messages
    return unread


def is_read(messages: Messages | None) -> TypeGuard[Messages]:
    """Whether messages hold a part that is read, or one that at least has a type."""
    parts = (part for message in messages or () for part in message.parts)
    return any(part.has_type if isinstance(part, UnreadPart) else part for part in parts)


def asks_for_tools(reason: str) -> bool:
    """Whether a model that stopped for this reason calls a tool: `tool_calls`, `toolUse`, `function_call`."""
    return "tool" in reason.lower() or "function" in reason.lower()


# The markers of google-adk 2.13 (`google.adk.flows.llm_flows.context._fencing`).
_INSTRUCTION = "The text between <<<BEGIN_SYSTEM_INSTRUCTION>>> and <<<END_SYSTEM_INSTRUCTION>>> below is"
_INSTRUCTION_END = "<<<END_SYSTEM_INSTRUCTION>>>"
_CONTEXT = "For context:"
_TRANSCRIPT = f"{_CONTEXT} below is a transcript of what another agent did, quoted between <<<"


def split_at_user(messages: Messages) -> tuple[str | None, str | None, Messages]:
    """The text of the user in the turn before, the text in the last turn, and the messages that followed it.

    A text is None if no message of the user is there, "" if a part of it cannot be read. Consecutive messages of the
    user, each with a text or something in the place of a text, are one.
    """
    runs = [(is_of_user, tuple(run)) for is_of_user, run in groupby(messages, _is_of_user)]
    *_, earlier, last = ((), (), *(run for is_of_user, run in runs if is_of_user))
    since_user = runs[-1][1] if last and not runs[-1][0] else ()
    return user_text_of(earlier).strip() if earlier else None, user_text_of(last) if last else None, since_user


def user_text_of(messages: Messages) -> str:
    """The text of user messages; "" if a part of it cannot be read."""
    is_unread = any(part.is_text for part in parts_of_type(messages, UnreadPart))
    return "" if is_unread else "".join(parts_of_type(messages, str))


def _is_of_user(message: Message) -> bool:
    """Whether a user wrote a message, with a text or something in the place of a text."""
    first, *rest = [part for part in message.parts if isinstance(part, str)] or [""]
    # google-adk gives the role user to the agent's instruction, and to what another agent said or did.
    # A text of the user after the instruction is in the same message.
    if first.startswith(_INSTRUCTION) and (first, *rest)[-1].endswith(_INSTRUCTION_END):
        return False
    # Version 1 of google-adk has only *For context:*, as a part of its own. A user may say that, too, but not before
    # parts that begin with the name of an agent.
    is_transcript = first.startswith(_TRANSCRIPT) or (first == _CONTEXT and len(message.parts) > 1)
    if message.role != "user" or (is_transcript and all(text.startswith("[") for text in rest)):
        return False
    return bool(first or any(rest)) or any(part.is_text for part in parts_of_type([message], UnreadPart))
