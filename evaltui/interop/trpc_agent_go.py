"""Eval sets of trpc-agent-go, read (`evaluation/evalset/evalcase.go` of trpc-group/trpc-agent-go).

They have the members of google-adk in camelCase, but messages as `{role, content: "text"}` (`model.Message`), calls
with their results in `tools`, and members of their own: context messages, mocks of tools, recorded conversations.
Older files, which have google-adk's contents, are read, too.
"""

from __future__ import annotations

from evaltui.document.node import Node, parse_value
from evaltui.evalset.keys import filled, items_of, snake
from evaltui.interop.cx_cases import in_an_object
from evaltui.interop.eval_sets.reader import SetReader
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import FormatType
from evaltui.interop.genai_contents import ContentReader, read_members
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)

_NO_TEXT = "evaltui converts only the text of messages of trpc-agent-go"
_ROLES = {"user": ("", "user"), "model": ("", "assistant", "model")}
"""Default roles of messages by a user and by an agent."""


def read_trpc_set(root: Node, name: str) -> PortableSet:
    """Read an eval set of trpc-agent-go. Raises `ConversionError` if it has no cases."""
    return _TrpcReader(SourceFields()).eval_set(root, name)


class _TrpcReader(SetReader):
    """Reads cases and turns with the members that trpc-agent-go has in place of google-adk's."""

    def __init__(self, fields: SourceFields) -> None:
        super().__init__(fields)
        self._messages = _MessageReader(fields)

    def case(self, node: Node) -> PortableCase:
        """One eval case."""
        found = super().case(node)
        for key, each in list(found.others.items()):
            if snake(key) == "context_messages":
                del found.others[key]
                found.system_instruction = self._instruction(each)
            elif snake(key) == "actual_conversation":
                del found.others[key]
                found.recorded = self._recorded(each)
        return found

    def _instruction(self, listed: Node) -> Value | None:
        """The system message, if it is the only message; all messages are noted."""
        for each in listed.items:
            self._fields.note(each, SetField.SYSTEM_INSTRUCTION)
        only = listed.items[0] if len(listed.items) == 1 else None
        role, text = filled(only, "role"), filled(only, "content")
        if role is None or text is None or role.text() != "system" or text.kind != "string":
            return None
        return Made({"role": "system", "parts": [{"text": text.text()}]}, (text, role))

    def _recorded(self, listed: Node) -> list[Value]:
        """The last final response of a recorded conversation; all turns are noted, and each member of the last."""
        for each in (*listed.items, *(listed.items[-1].items if listed.items else ())):
            self._fields.note(each, SetField.RECORDED)
        response = filled(listed.items[-1], "final_response") if listed.items else None
        text, role = filled(response, "content"), filled(response, "role")
        if text is None or text.kind != "string":
            return []
        sources = (text, role) if role is not None and role.text() in _ROLES["model"] else (text,)
        return [Made({"role": "model", "parts": [{"text": text.text()}]}, sources)]

    def turn(self, node: Node) -> PortableTurn:
        """One invocation."""
        found = super().turn(node)
        user, final = filled(node, "user_content"), filled(node, "final_response")
        if _is_message(user):
            found.user = self._messages.message(user, "user", SetField.USER_TEXT, SetField.USER_PARTS)
        if _is_message(final):
            found.final = self._messages.message(final, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        tools, texts = filled(node, "tools"), filled(node, "intermediate_responses")
        for key in [key for key in found.others if snake(key) in ("tools", "intermediate_responses")]:
            del found.others[key]
        if tools is not None or texts is not None:
            found.shape = "tool_uses"
            found.events += [self._text(each) for each in items_of(node, "intermediate_responses")]
            found.events += [event for each in items_of(node, "tools") for event in self._messages.tool(each)]
        if tools is not None and tools.kind == "array" and not tools.items and not found.events:
            found.expects_no_calls = True
        return found

    def _text(self, node: Node) -> PortableEvent:
        return PortableEvent(self._messages.message(node, "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN))

    def rubrics(self, owner: Node, field: SetField) -> list[PortableRubric]:
        """Rubrics of one metric each, whose id and text have keys of their own."""
        found = super().rubrics(owner, field)
        for rubric in found:
            rubric.text = rubric.text or filled(filled(rubric.node, "content"), "text")
            for each in rubric.others.values():
                self._fields.note(each, SetField.RUBRIC_DETAILS)
        return found


class _MessageReader:
    """Reads messages and tools."""

    def __init__(self, fields: SourceFields) -> None:
        self._fields = fields
        self._contents = ContentReader(fields)

    def message(self, node: Node | None, role: str, text: SetField, parts: SetField) -> PortableContent:
        """The texts of a message; its other parts are noted, and have no counterpart."""
        found = PortableContent()
        if (thought := filled(node, "reasoning_content")) is not None and thought.kind == "string":
            found.parts.append(
                TextPart(self._fields.note(thought, SetField.THOUGHTS), {"thought": parse_value(b"true")})
            )
        if (said := filled(node, "content")) is not None and said.kind == "string":
            found.parts.append(TextPart(self._fields.note(said, text)))
        for each in items_of(node, "content_parts"):
            self._fields.note(each, parts, _NO_TEXT)
            written = filled(each, "text")
            if written is not None and written.kind == "string":
                if (kind := filled(each, "type")) is not None and kind.text() == "text":
                    self._fields.pass_over(kind)
                found.parts.append(TextPart(self._fields.note(written, text)))
        spoken = filled(node, "role")
        if spoken is not None and spoken.kind == "string" and spoken.text() in _ROLES[role]:
            self._fields.pass_over(spoken)
        elif spoken is not None:
            found.role = self._fields.note(spoken, parts)
        return found

    def tool(self, node: Node) -> list[PortableEvent]:
        """A tool call, and after it the tool response, if there is one."""
        if node.kind != "object":
            return []
        call = CallPart(node, name=self._noted(node, "name", SetField.CALL_NAME))
        call.id = self._noted(node, "id", SetField.CALL_ID)
        call.args = self._args(self._noted(node, "arguments", SetField.CALL_ARGS))
        for each in read_members(node, ("name", "id", "arguments", "result")).values():
            self._fields.note(each, SetField.CALL_OTHER)
        events = [PortableEvent(PortableContent([call]))]
        if (result := self._noted(node, "result", SetField.TOOL_RESPONSE)) is not None:
            wrapped: Value = result if result.kind == "object" else Made({"result": result.value()}, (result,))
            answer = ResponsePart(node, name=call.name, response=wrapped, id=call.id)
            events.append(PortableEvent(PortableContent([answer]), is_of_user=True))
        return events

    def _args(self, args: Node | None) -> Value | None:
        if args is None or args.kind == "object":
            return args
        return in_an_object(args)

    def _noted(self, owner: Node, name: str, field: SetField) -> Node | None:
        found = filled(owner, name)
        return self._fields.note(found, field) if found is not None else None


def _is_message(node: Node | None) -> bool:
    """Whether a content is a message of trpc-agent-go rather than one of google's models."""
    return node is not None and node.kind == "object" and filled(node, "parts") is None


_NO_MEMBER = Holding("no_place", "trpc-agent-go has no field for this")
_LACKS = (
    SetField.CASE_NAME,
    SetField.CASE_DESCRIPTION,
    SetField.CASE_TAGS,
    SetField.FINAL_STATE,
    SetField.TURN_RUBRICS,
    SetField.SCENARIO_PERSONA,
    SetField.SCENARIO_TITLE,
    SetField.TURN_DURATIONS,
    SetField.AUTHOR,
    SetField.EVENT_TIME,
    SetField.EVENT_OTHER,
    SetField.STATE_CHANGES,
    SetField.AGENTS,
    SetField.AGENT_DETAILS,
    SetField.ARGUMENT_RULES,
    SetField.EXPECTATION_OPTIONS,
    SetField.CRITERIA,
)

TRPC_AGENT_GO = FormatType(
    source_word="trpc-agent-go",
    option="",
    title="trpc-agent-go",
    ending=".evalset.json",
    holdings={field: _NO_MEMBER if field in _LACKS else HELD for field in SetField},
    read=read_trpc_set,
)
