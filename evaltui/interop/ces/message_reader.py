"""Messages, tool calls, transfers and inputs of CX Agent Studio, read (`google.cloud.ces_v1beta.types`)."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.ces.message_writer import TARGET, TRANSFER
from evaltui.interop.cx_cases import take_args
from evaltui.interop.fields import SetField
from evaltui.interop.genai_contents import UNUSUAL_ROLE
from evaltui.interop.output_tree import Invented, Made, Value, sources_of
from evaltui.interop.portable_set import CallPart, FilePart, Part, PortableContent, PortableSet, ResponsePart, TextPart
from evaltui.interop.resource_names import ResourceNames, ToolsetTool, last_segment

_SHORT = "the resource name becomes a short name"
_OF_RESPONSE = "the tool response with this name is lost"
_TIME = "evaltui does not convert the time of a message"
OF_CES = "evaltui converts no such field of CX Agent Studio"
_KEEP = "To convert back later, keep the resource name in a --mapping FILE."
_EVENT = "the event becomes a text message, as in cxas"
_KEYS = "phone keys pressed by the user (DTMF) become a text"
_AUDIO = "audio/wav"
_NO_MIME_TYPE = "models require a MIME type, but audio in CX Agent Studio has none"
_SET_MIME_TYPE = "Set the MIME type of the audio."


class MessageReader:
    """Reads parts of evaluations and notes the fields of their values."""

    def __init__(self, portable: PortableSet, names: ResourceNames) -> None:
        self._fields, self._invented, self._names = portable.fields, portable.invented, names

    # --- messages ------------------------------------------------------------------------------------------

    def message(self, node: Node) -> PortableContent:
        """A message of the agent, noted as an intermediate response; `mark_final` notes it as the final response."""
        role = filled(node, "role")
        if role is not None and role.text() in ("agent", ""):
            self._fields.pass_over(role)
        elif role is not None:
            self._fields.note(role, SetField.EVENT_OTHER)
            self._fields.remark(role, "no_place", UNUSUAL_ROLE)
        self.note(node, "event_time", SetField.EVENT_OTHER, _TIME)
        return PortableContent([part for chunk in items_of(node, "chunks") for part in self._chunk(chunk)])

    def mark_final(self, content: PortableContent) -> None:
        """Note that a message is the final response of its turn."""
        for part in content.parts:
            if isinstance(part, TextPart) and isinstance(part.text, Node):
                self._fields.note(part.text, SetField.FINAL_TEXT)
            elif isinstance(part, FilePart):
                self._fields.note(part.node, SetField.FINAL_PARTS)

    def _chunk(self, node: Node) -> list[Part]:
        for name in ("text", "transcript"):
            if (text := filled(node, name)) is not None:
                return [TextPart(self._fields.note(text, SetField.TEXT_BETWEEN))]
        for name in ("image", "blob"):
            if (file := filled(node, name)) is not None:
                return [self._file(file, SetField.PARTS_BETWEEN)]
        if (call := filled(node, "tool_call")) is not None:
            return [self.call(call)]
        if (response := filled(node, "tool_response")) is not None:
            return [self.response(response, None)]
        if (transfer := filled(node, "agent_transfer")) is not None:
            return [self.transfer(transfer)]
        for name in ("payload", "updated_variables", "default_variables"):
            self.note(node, name, SetField.TURN_OTHER, OF_CES)
        return []

    def user_input(self, node: Node) -> list[Part]:
        """The parts of the user's message in an input of a session; none for variables."""
        continues = self.note(node, "will_continue", SetField.TURN_OTHER, OF_CES)
        if continues is not None and continues.source() == b"false":
            self._fields.pass_over(continues)
        if (text := filled(node, "text")) is not None:
            return [TextPart(self._fields.note(text, SetField.USER_TEXT))]
        for name in ("image", "blob"):
            if (file := filled(node, name)) is not None:
                return [self._file(file, SetField.USER_PARTS)]
        if (audio := filled(node, "audio")) is not None:
            self._invented.append(Invented(_AUDIO, audio, "/mime_type", _NO_MIME_TYPE, _SET_MIME_TYPE))
            return [FilePart(self._fields.note(audio, SetField.USER_PARTS), data=audio, mime_type=Made(_AUDIO, ()))]
        if (responses := filled(node, "tool_responses")) is not None:
            return [self.response(each, None) for each in items_of(responses, "tool_responses")]
        return self._signal(node)

    def _signal(self, node: Node) -> list[Part]:
        """An event or key presses as a text, because other formats have nothing else for them."""
        name, keys = filled(filled(node, "event"), "event"), filled(node, "dtmf")
        if name is not None:
            self._fields.note(name, SetField.TURN_OTHER, OF_CES)
            return [TextPart(Made(f"<event>{name.text()}</event>", (name,), "changed", _EVENT))]
        if keys is not None:
            self._fields.note(keys, SetField.TURN_OTHER, OF_CES)
            return [TextPart(Made(keys.text(), (keys,), "changed", _KEYS))]
        return []

    def _file(self, node: Node, field: SetField) -> FilePart:
        return FilePart(self._fields.note(node, field), data=filled(node, "data"), mime_type=filled(node, "mime_type"))

    # --- tools and agents ----------------------------------------------------------------------------------

    def call(self, node: Node) -> CallPart:
        """A tool call."""
        found = CallPart(node, name=self._tool(node), id=self.note(node, "id", SetField.CALL_ID))
        if (args := filled(node, "args")) is not None:
            take_args(found, args, self._fields)
        return found

    def response(self, node: Node, is_mock: bool | None) -> ResponsePart:
        """A tool response; `is_mock` says whether it is given to the agent in place of a call."""
        found = ResponsePart(node, name=self._tool(node), id=self.note(node, "id", SetField.CALL_ID), is_mock=is_mock)
        self._fields.unread.update(dict.fromkeys(sources_of(found.name), _OF_RESPONSE))
        found.response = self.note(node, "response", SetField.TOOL_RESPONSE)
        return found

    def transfer(self, node: Node) -> CallPart:
        """A transfer as the tool call that google-adk's agents use for it."""
        target = self._short(node, filled(node, "target_agent"))
        args = Made({TARGET: ""}, ())
        if isinstance(target, Made):
            args = target._replace(value={TARGET: target.value})
        elif target is not None:
            args = Made({TARGET: target.text()}, (target,))
        return CallPart(node, name=Made(TRANSFER, ()), args=args)

    def _tool(self, node: Node) -> Value | None:
        toolset = filled(node, "toolset_tool")
        return self._short(node, toolset if toolset is not None else filled(node, "tool"))

    def _short(self, owner: Node, resource: Node | None) -> Value | None:
        """The short name of a resource: from the mapping, else its display name, else the end of its resource name."""
        shown = filled(owner, "display_name")
        if resource is None:
            return self._fields.note(shown, SetField.CALL_NAME) if shown is not None else None
        self._fields.note(resource, SetField.CALL_NAME)
        self._fields.pass_over(shown)
        found, end = resource.text(), last_segment(resource.text())
        full: str | ToolsetTool = found
        if resource.kind == "object":
            full = ToolsetTool(text_of(resource, "toolset"), text_of(resource, "tool_id"))
            end = full.tool_id
        name = self._names.short_name(full) or (shown.text() if shown is not None else "") or end
        if found and found == name:
            return resource
        if shown is None or shown.text() == name:
            return Made(name, (resource,), "changed", _SHORT, _KEEP)
        self._fields.note(shown, SetField.CALL_NAME)
        return Made(name, (resource, shown), "changed", _SHORT, _KEEP)

    def note(self, owner: Node, name: str, field: SetField, unread: str = "") -> Node | None:
        """A member with its field noted; None if it is absent or null."""
        found = filled(owner, name)
        return self._fields.note(found, field, unread) if found is not None else None
