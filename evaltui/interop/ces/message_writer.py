"""Messages, tool calls and tool responses of CX Agent Studio, written (`google.cloud.ces_v1beta.types.example`)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any, Final

from evaltui.document.node import Node
from evaltui.interop.cx_cases import TRANSFER, transfer_target
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields
from evaltui.interop.output_tree import (
    Made,
    Tree,
    Value,
    only_text,
    present,
    remade,
    required,
    text_in,
    value_of,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import CallPart, FilePart, Part, ResponsePart, TextPart
from evaltui.interop.resource_mapping import Resource, ResourceNames, last_segment

_READER = "CX Agent Studio"
_MAPPING = "Give the resource names with --mapping FILE."
_UNNAMED = Reason(
    "changed", "CX Agent Studio identifies tools by resource name, so evaltui writes a placeholder", _MAPPING
)
_TRANSFER = Reason("changed", "the tool call becomes a transfer, which has only the resource name of the agent")
_MOST_EXACT: Final = 2**53
"""Doubles hold all integers up to this one."""
_ROUNDED = Reason(
    "changed",
    "CX Agent Studio reads numbers as doubles, which lose the last digits of this integer",
    "If all digits matter, make the number a string.",
)
_TOO_LARGE = Reason(
    "changed", "CX Agent Studio reads numbers as doubles. This integer is too large, so evaltui writes a string"
)


class MessageWriter:
    """Writes parts of messages, calls and responses with the resources of one app."""

    def __init__(self, names: ResourceNames, fields: SourceFields) -> None:
        self._names, self._fields = names, fields

    # --- messages ------------------------------------------------------------------------------------------

    def chunk(self, part: Part) -> dict[str, Tree] | None:
        """A part as a chunk; None for a part that has no place in a message."""
        match part:
            case TextPart():
                return {"text": part.text} if self.is_said(part) else None
            case FilePart() if _has_bytes(part):
                return {"image" if _mime_type(part).startswith("image/") else "blob": self._blob(part)}
            case CallPart():
                transfer = self.transfer(part)
                return {"agentTransfer": transfer} if transfer is not None else {"toolCall": self.call(part)}
            case ResponsePart() if text_in(part.name) != TRANSFER:
                return {"toolResponse": self.response(part)}
        return None

    def is_said(self, part: TextPart) -> bool:
        """Whether the agent says a text: it is not empty and not a thought."""
        if not part.is_thought:
            return bool(text_in(part.text))
        if isinstance(part.text, Node):
            self._fields.note(part.text, SetField.THOUGHTS)
        return False

    def user_input(self, part: Part) -> dict[str, Tree] | None:
        """A part of a user message as a session input; None for a part that has no place there."""
        match part:
            case TextPart() if only_text(part.text) is not None:
                return {"text": part.text}
            case FilePart() if _has_bytes(part):
                kind, _, _ = _mime_type(part).partition("/")
                # Audio has a field of its own, which takes the bytes without a MIME type.
                if kind == "audio":
                    return {"audio": part.data}
                return {"image" if kind == "image" else "blob": self._blob(part)}
            case ResponsePart():
                return {"toolResponses": {"toolResponses": [self.response(part)]}}
        return None

    def _blob(self, part: FilePart) -> dict[str, Tree]:
        mime_type: Tree = only_text(part.mime_type)
        if mime_type is None:
            mime_type = required("application/octet-stream", part.node, "mime_type", _READER, part.mime_type)
        return {"mimeType": mime_type, "data": part.data}

    # --- tools and agents ----------------------------------------------------------------------------------

    def call(self, part: CallPart) -> dict[str, Tree]:
        """A tool call; arguments keep their comparison rules, which CX Agent Studio has too (`$matchType`)."""
        args = part.ruled_args if part.ruled_args is not None else part.args
        written_args = struct(args) if args is not None and isinstance(value_of(args), dict) else None
        return present({**self._tool(part.name, part.node), "id": only_text(part.id), "args": written_args})

    def response(self, part: ResponsePart, reason: Reason = HELD) -> dict[str, Tree]:
        """A tool response, reported for a `reason` if there is one."""
        response = part.response
        if response is not None and reason is not HELD:
            response = with_reason(response, reason)
        if response is not None and not isinstance(value_of(response), dict):
            response = remade(response, {"output": value_of(response)})  # as ToolResponse.response says
        tree: Tree = required({}, part.node, "response", _READER) if response is None else struct(response)
        return present({**self._tool(part.name, part.node), "id": only_text(part.id), "response": tree})

    def transfer(self, part: CallPart) -> dict[str, Tree] | None:
        """The call of `transfer_to_agent` as a transfer; None for any other call."""
        target = transfer_target(part)
        if target is None:
            return None
        name = text_in(target)
        resource, is_placeholder = self._names.agent(name)
        # If the mapping names the app, the resource name follows from the short name.
        reason = _TRANSFER._replace(advice=_MAPPING) if is_placeholder else _TRANSFER
        return {"targetAgent": Made(resource, (part.node,), reason), **_display_name(name, resource)}

    def _tool(self, name: Value | None, node: Node) -> dict[str, Tree]:
        text = text_in(name)
        resource, is_placeholder = self._names.tool(text)
        if name is None or not text:
            return {"tool": required(resource, node, "name", _READER, name, advice=_MAPPING)}
        # A tool of a toolset has no resource name of its own.
        if isinstance(resource, tuple):
            toolset, tool_id = resource
            tree: Tree = {"toolset": toolset, "toolId": remade(name, tool_id)}
            return {"toolsetTool": tree, **_display_name(text, resource)}
        full_name = remade(name, resource, _UNNAMED if is_placeholder else HELD)
        return {"tool": full_name, **_display_name(text, resource)}


def _display_name(name: str, resource: Resource) -> dict[str, Tree]:
    """The short name, if the resource name does not end with it. CX Agent Studio ignores it in requests."""
    segment = resource[1] if isinstance(resource, tuple) else last_segment(resource)
    return {"displayName": name} if name and segment != name else {}


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


# --- free-form objects (`google.protobuf.struct_pb2.Struct`), whose numbers are doubles -----------------------------


def variables_tree(state: dict[str, Value]) -> dict[str, Tree]:
    """Session variables under the author's own names."""
    return with_own_keys({name: struct(value) for name, value in state.items()})


def struct(value: Value) -> Value:
    """A value as a Struct has it; integers with more digits than a double are reported."""
    plain = value_of(value)
    # Python reads integers of any length, so each one beyond 2**53 is compared with its double.
    numbers = [number for number in _integers(plain) if abs(number) > _MOST_EXACT]
    if any(map(_is_too_large, numbers)):
        return remade(value, _with_texts(plain), _TOO_LARGE)
    return with_reason(value, _ROUNDED) if any(int(float(number)) != number for number in numbers) else value


def _integers(value: Any) -> Iterator[int]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _integers(item)
    elif isinstance(value, int):
        yield value


def _is_too_large(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return True
    return False


def _with_texts(value: Any) -> Any:
    """The value with texts for integers that are larger than any double."""
    if isinstance(value, dict):
        return {name: _with_texts(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item) for item in value]
    return str(value) if isinstance(value, int) and _is_too_large(value) else value
