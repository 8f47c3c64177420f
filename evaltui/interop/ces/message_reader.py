"""Messages, tool calls, transfers and inputs of CX Agent Studio, read (`google.cloud.ces_v1beta.types`)."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.cx_cases import TARGET, TRANSFER, event_part, take_args
from evaltui.interop.fields import Reason, SetField
from evaltui.interop.genai_contents import UNUSUAL_ROLE
from evaltui.interop.output_tree import Invented, Made, Value, sources_of
from evaltui.interop.portable_set import CallPart, FilePart, Part, PortableContent, PortableSet, ResponsePart, TextPart
from evaltui.interop.resource_mapping import Resource, ResourceNames, last_segment

_SHORT = Reason(
    "changed",
    "the resource name becomes a short name",
    "To convert back later, keep the resource name in a --mapping FILE.",
)
_OF_RESPONSE = "the tool response with this name is lost"
_TIME = "evaltui does not convert the time of a message"
OF_CES = "evaltui converts no such field of CX Agent Studio"
_OTHER_ROLE = Reason("no_place", UNUSUAL_ROLE)
_KEYS = Reason("changed", "phone keys pressed by the user (DTMF) become a text")
_AUDIO = "audio/wav"
_NO_MIME_TYPE = Reason(
    "invented", "models require a MIME type, but audio in CX Agent Studio has none", "Set the MIME type of the audio."
)


class MessageReader:
    """Reads parts of evaluations and notes the fields of their values."""

    def __init__(self, portable: PortableSet, names: ResourceNames) -> None:
        self._fields, self._invented, self._names = portable.fields, portable.invented, names

    # --- messages ------------------------------------------------------------------------------------------

    def message(self, node: Node) -> PortableContent:
        """A message of the agent, noted as an intermediate response; `mark_final` notes it as the final response."""
        role = self._fields.read(node, "role", SetField.EVENT_OTHER)
        if role is not None and role.text() in ("agent", ""):
            self._fields.pass_over(role)
        elif role is not None:
            self._fields.remarks[role] = _OTHER_ROLE
        self._fields.read(node, "event_time", SetField.EVENT_OTHER, _TIME)
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
            if (text := self._fields.read(node, name, SetField.TEXT_BETWEEN)) is not None:
                return [TextPart(text)]
        if (file := self._file(node, SetField.PARTS_BETWEEN)) is not None:
            return [file]
        if (call := filled(node, "tool_call")) is not None:
            return [self.call(call)]
        if (response := filled(node, "tool_response")) is not None:
            return [self.response(response, None)]
        if (transfer := filled(node, "agent_transfer")) is not None:
            return [self.transfer(transfer)]
        for name in ("payload", "updated_variables", "default_variables"):
            self._fields.read(node, name, SetField.TURN_OTHER, OF_CES)
        return []

    def user_input(self, node: Node) -> list[Part]:
        """The parts of the user's message in an input of a session; none for variables."""
        continues = self._fields.read(node, "will_continue", SetField.TURN_OTHER, OF_CES)
        if continues is not None and continues.source() == b"false":
            self._fields.pass_over(continues)
        if (text := self._fields.read(node, "text", SetField.USER_TEXT)) is not None:
            return [TextPart(text)]
        if (file := self._file(node, SetField.USER_PARTS)) is not None:
            return [file]
        # Protocol buffers have a MIME type for images and blobs, but audio is bare bytes.
        if (audio := self._fields.read(node, "audio", SetField.USER_PARTS)) is not None:
            self._invented.append(Invented(_AUDIO, audio, "/mime_type", _NO_MIME_TYPE))
            return [FilePart(audio, data=audio, mime_type=Made(_AUDIO, ()))]
        if (responses := filled(node, "tool_responses")) is not None:
            return [self.response(response, None) for response in items_of(responses, "tool_responses")]
        # Other formats have only texts and files for what a user does.
        event = self._fields.read(filled(node, "event"), "event", SetField.TURN_OTHER, OF_CES)
        if event is not None:
            return [event_part(event)]
        if (keys := self._fields.read(node, "dtmf", SetField.TURN_OTHER, OF_CES)) is not None:
            return [TextPart(Made(keys.text(), (keys,), _KEYS))]
        return []

    def _file(self, owner: Node, field: SetField) -> FilePart | None:
        for name in ("image", "blob"):
            if (file := self._fields.read(owner, name, field)) is not None:
                return FilePart(file, data=filled(file, "data"), mime_type=filled(file, "mime_type"))
        return None

    # --- tools and agents ----------------------------------------------------------------------------------

    def call(self, node: Node) -> CallPart:
        """A tool call."""
        call = CallPart(node, name=self._tool(node), id=self._fields.read(node, "id", SetField.CALL_ID))
        if (args := filled(node, "args")) is not None:
            take_args(call, args, self._fields)
        return call

    def response(self, node: Node, is_mock: bool | None) -> ResponsePart:
        """A tool response; `is_mock` says whether it is given to the agent in place of a call."""
        response = ResponsePart(node, name=self._tool(node), is_mock=is_mock)
        response.id = self._fields.read(node, "id", SetField.CALL_ID)
        self._fields.unread.update(dict.fromkeys(sources_of(response.name), _OF_RESPONSE))
        response.response = self._fields.read(node, "response", SetField.TOOL_RESPONSE)
        return response

    def transfer(self, node: Node) -> CallPart:
        """A transfer as the tool call that google-adk's agents use for it."""
        target = self._short_name(node, filled(node, "target_agent"))
        args = Made({TARGET: ""}, ())
        if isinstance(target, Made):
            args = target._replace(value={TARGET: target.value})
        elif target is not None:
            args = Made({TARGET: target.text()}, (target,))
        return CallPart(node, name=Made(TRANSFER, ()), args=args)

    def _tool(self, node: Node) -> Value | None:
        toolset = filled(node, "toolset_tool")
        return self._short_name(node, toolset if toolset is not None else filled(node, "tool"))

    def _short_name(self, owner: Node, resource: Node | None) -> Value | None:
        """The short name of a resource: from the mapping, else its display name, else the end of its resource name."""
        display_name = filled(owner, "display_name")
        if resource is None:
            return self._fields.note(display_name, SetField.CALL_NAME) if display_name is not None else None
        self._fields.note(resource, SetField.CALL_NAME)
        # A display name follows from the resource: CX Agent Studio ignores it in requests.
        self._fields.pass_over(display_name)
        full_name: Resource = resource.text()
        segment = last_segment(resource.text())
        if resource.kind == "object":
            segment = text_of(resource, "tool_id")
            full_name = text_of(resource, "toolset"), segment
        display_text = display_name.text() if display_name is not None else ""
        name = self._names.short_name(full_name) or display_text or segment
        if name and resource.text() == name:
            return resource
        if display_name is None or display_text == name:
            return Made(name, (resource,), _SHORT)
        # The mapping has another name, so the display name is lost as well.
        self._fields.note(display_name, SetField.CALL_NAME)
        return Made(name, (resource, display_name), _SHORT)
