"""Messages, tool calls and tool responses of CX Agent Studio, written (`google.cloud.ces_v1beta.types.example`)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Final

from evaltui.document.node import Node
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.output_tree import Invented, Made, Tree, Value, missing, only_text, remade, text_in, value_of
from evaltui.interop.portable_set import CallPart, FilePart, Part, ResponsePart, TextPart
from evaltui.interop.resource_names import ResourceName, ResourceNames, ToolsetTool

TRANSFER: Final = "transfer_to_agent"
"""The tool that google-adk's agents call for a transfer (`google.adk.tools.transfer_to_agent_tool`)."""
TARGET: Final = "agent_name"
"""Its argument."""

_FORMAT = "CX Agent Studio"
_UNNAMED = "CX Agent Studio identifies tools by resource name, so evaltui writes a placeholder"
_TRANSFER = "the tool call becomes a transfer, which has only the resource name of the agent"
_MAPPING = "Give the resource names with --mapping FILE."


_MOST_EXACT: Final = 2**53
"""Doubles hold all integers up to this one."""

_ROUNDED = "CX Agent Studio reads numbers as doubles, which lose the last digits of this integer"
_TOO_LARGE = "CX Agent Studio reads numbers as doubles. This integer is too large, so evaltui writes a string"
_AS_TEXT = "If all digits matter, make the number a string."


def struct(value: Value | None) -> Value | None:
    """A value as a Struct has it; integers with more digits than a double are reported."""
    plain = value_of(value)
    if value is None or not any(map(_is_rounded, _numbers(plain))):
        return value
    if any(map(_is_too_large, _numbers(plain))):
        return remade(value, _with_texts(plain), "changed", _TOO_LARGE)
    return remade(value, plain, "changed", _ROUNDED, _AS_TEXT)


def _numbers(value: Any) -> list[int]:
    """All integers in a value."""
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return [number for item in items for number in _numbers(item)]
    return [value] if isinstance(value, int) else []


def _is_rounded(number: int) -> bool:
    return abs(number) > _MOST_EXACT and (_is_too_large(number) or int(float(number)) != number)


def _is_too_large(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return True
    return False


def _with_texts(value: Any) -> Any:
    """The value with texts for integers that are larger than any double."""
    if isinstance(value, dict):
        return {name: _with_texts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_texts(each) for each in value]
    return str(value) if isinstance(value, int) and _is_too_large(value) else value


class MessageWriter:
    """Writes parts of messages, calls and responses with the resources of one app."""

    def __init__(self, names: ResourceNames, fields: SourceFields) -> None:
        self._names, self._fields = names, fields

    # --- messages ------------------------------------------------------------------------------------------

    def message(self, chunks: Sequence[Tree]) -> Tree:
        """A message of the agent."""
        return {"role": "agent", "chunks": chunks}

    def chunk(self, part: Part) -> dict[str, Tree] | None:
        """A part as a chunk; None for a part that has no place in a message."""
        match part:
            case TextPart():
                return {"text": part.text} if self.is_said(part) else None
            case FilePart() if _has_bytes(part):
                return {"image" if _mime_type(part).startswith("image/") else "blob": self.blob(part)}
            case CallPart() if self.transfer(part) is None:
                return {"toolCall": self.call(part)}
            case ResponsePart() if text_in(part.name) != TRANSFER:
                return {"toolResponse": self.response(part)}
            case CallPart():
                return {"agentTransfer": self.transfer(part)}
        return None

    def is_said(self, part: TextPart) -> bool:
        """Whether the agent says a text: it is not empty and not a thought."""
        if not is_thought(part):
            return bool(text_in(part.text))
        if isinstance(part.text, Node):
            self._fields.note(part.text, SetField.THOUGHTS)
        return False

    def blob(self, part: FilePart) -> dict[str, Tree]:
        """The bytes of a file with their MIME type."""
        mime_type: Tree = only_text(part.mime_type)
        if mime_type is None:
            mime_type = Invented("application/octet-stream", part.node, "/mime_type", missing(_FORMAT, part.mime_type))
        return {"mimeType": mime_type, "data": part.data}

    def user_input(self, part: Part) -> dict[str, Tree] | None:
        """A part of a user message as a session input; None for a part that has no place there."""
        match part:
            case TextPart() if only_text(part.text) is not None:
                return {"text": part.text}
            case FilePart() if _has_bytes(part):
                kind, _, _ = _mime_type(part).partition("/")
                if kind == "audio":
                    return {"audio": part.data}
                return {"image" if kind == "image" else "blob": self.blob(part)}
            case ResponsePart():
                return {"toolResponses": {"toolResponses": [self.response(part)]}}
        return None

    # --- tools and agents ----------------------------------------------------------------------------------

    def call(self, part: CallPart) -> dict[str, Tree]:
        """A tool call; arguments keep their comparison rules, which CX Agent Studio has too (`$matchType`)."""
        args = part.ruled_args if part.ruled_args is not None else part.args
        members: dict[str, Tree] = {**self._tool(part.name, part.node), "id": only_text(part.id)}
        if isinstance(value_of(args), dict):
            members["args"] = struct(args)
        return {name: each for name, each in members.items() if each is not None}

    def response(self, part: ResponsePart, kept: Value | None = None) -> dict[str, Tree]:
        """A tool response; `kept` is its value if it has another form."""
        response = kept if kept is not None else part.response
        if response is not None and not isinstance(value_of(response), dict):
            response = remade(response, {"output": value_of(response)})  # as ToolResponse.response says
        given: Tree = (
            struct(response) if response is not None else Invented({}, part.node, "/response", missing(_FORMAT))
        )
        members: dict[str, Tree] = {**self._tool(part.name, part.node), "id": only_text(part.id), "response": given}
        return {name: each for name, each in members.items() if each is not None}

    def transfer(self, part: CallPart) -> dict[str, Tree] | None:
        """The call of `transfer_to_agent` as a transfer; None for any other call."""
        target = transfer_target(part)
        if target is None:
            return None
        name = text_in(target)
        resource = self._names.agent(name)
        advice = _MAPPING if resource.is_placeholder else ""
        made = Made(resource.name, (part.node,), "changed", _TRANSFER, advice)
        return {"targetAgent": made, **_display_name(name, resource)}

    def _tool(self, name: Value | None, node: Node) -> dict[str, Tree]:
        if name is None or not text_in(name):
            placeholder = self._names.tool("").name
            return {"tool": Invented(placeholder, node, "/name", missing(_FORMAT, name), _MAPPING)}
        text = text_in(name)
        resource = self._names.tool(text)
        if isinstance(resource.name, ToolsetTool):
            toolset, tool_id = resource.name
            identifier: Tree = {"toolset": toolset, "toolId": remade(name, tool_id)}
            return {"toolsetTool": identifier, **_display_name(text, resource)}
        return {"tool": self._resource(name, resource), **_display_name(text, resource)}

    def _resource(self, name: Value, resource: ResourceName) -> Made:
        if resource.is_placeholder:
            return remade(name, resource.name, "changed", _UNNAMED, _MAPPING)
        return remade(name, resource.name)


def _display_name(name: str, resource: ResourceName) -> dict[str, Tree]:
    """The short name, if the resource name does not end with it. CX Agent Studio ignores it in requests."""
    return {"displayName": name} if name and resource.last_segment != name else {}


def is_thought(part: TextPart) -> bool:
    """Whether a text is a thought of the model."""
    thought = part.others.get("thought")
    return thought is not None and thought.source() == b"true"


def transfer_target(part: CallPart) -> Value | None:
    """The agent that a call hands over to; None for a call of another tool."""
    args = value_of(part.args)
    if text_in(part.name) != TRANSFER or not isinstance(args, dict) or not isinstance(args.get(TARGET), str):
        return None
    if isinstance(part.args, Made):
        return part.args._replace(value=args[TARGET])
    return part.args.member(TARGET) if part.args is not None else None


def _has_bytes(part: FilePart) -> bool:
    """Whether there is data in either alphabet of base64, which is all that protocol buffers read."""
    data = text_in(part.data)
    try:
        base64.b64decode(data, altchars=b"-_" if "-" in data or "_" in data else None, validate=True)
    except (binascii.Error, ValueError):
        return False
    return bool(data)


def _mime_type(part: FilePart) -> str:
    return text_in(part.mime_type).lower()
