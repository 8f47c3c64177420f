"""Eval sets of trpc-agent-go, read (`evaluation/evalset/evalcase.go` of trpc-group/trpc-agent-go).

They have the members of google-adk in camelCase, but messages as `{role, content: "text"}` (`model.Message`), calls
with their results in `tools`, and members of their own: context messages, mocks of tools, recorded conversations.
Older files, which have google-adk's contents, are read, too.
"""

from __future__ import annotations

from evaltui.document.node import Node, parse_value
from evaltui.evalset.keys import filled, items_of, snake
from evaltui.interop.eval_sets.reader import EvalSetReader
from evaltui.interop.fields import SetField
from evaltui.interop.genai_contents import args_in_object, read_members, response_as_object
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import (
    CallPart,
    FormatType,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableRubric,
    PortableTurn,
    ResponsePart,
    TextPart,
)

_NO_TEXT = "evaltui converts only the text of messages of trpc-agent-go"
_ROLES = {"user": ("", "user"), "model": ("", "assistant", "model")}
"""Default roles of messages by a user and by an agent."""


class _TrpcReader(EvalSetReader):
    """Reads cases and turns with the members that trpc-agent-go has in place of google-adk's."""

    def case(self, node: Node) -> PortableCase:
        """A case with its context messages and its recorded conversation."""
        case = super().case(node)
        # google-adk lacks these members, so its reader takes them for unknown ones.
        for key, value in list(case.extras.items()):
            if snake(key) == "context_messages":
                del case.extras[key]
                case.system_instruction = self._instruction(value)
            elif snake(key) == "actual_conversation":
                del case.extras[key]
                case.recorded = self._recorded(value)
        return case

    def _instruction(self, messages: Node) -> Value | None:
        """The system message, if it is the only message; all messages are noted."""
        self._fields.note_all(messages.items, SetField.SYSTEM_INSTRUCTION)
        # Several context messages are a history. Only a lone system message is an instruction.
        only_message = messages.items[0] if len(messages.items) == 1 else None
        role, text = filled(only_message, "role"), filled(only_message, "content")
        if role is None or text is None or role.text() != "system" or text.kind != "string":
            return None
        return Made({"role": "system", "parts": [{"text": text.text()}]}, (text, role))

    def _recorded(self, turns: Node) -> list[Value]:
        """The last final response of a recorded conversation; all turns are noted, and each member of the last."""
        self._fields.note_all((*turns.items, *(turns.items[-1].items if turns.items else ())), SetField.RECORDED)
        # A dataset has one recorded response for a case.
        response = filled(turns.items[-1], "final_response") if turns.items else None
        text, role = filled(response, "content"), filled(response, "role")
        if text is None or text.kind != "string":
            return []
        # Another role than that of an agent is lost, because the written content has "model".
        sources = (text, role) if role is not None and role.text() in _ROLES["model"] else (text,)
        return [Made({"role": "model", "parts": [{"text": text.text()}]}, sources)]

    def turn(self, node: Node) -> PortableTurn:
        """A turn with messages and tools of trpc-agent-go."""
        turn = super().turn(node)
        user, final = filled(node, "user_content"), filled(node, "final_response")
        # Older files have google's contents, which google-adk's reader has read.
        if _is_message(user):
            turn.user = self._message(user, "user", SetField.USER_TEXT, SetField.USER_PARTS)
        if _is_message(final):
            turn.final = self._message(final, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        tools, texts = filled(node, "tools"), filled(node, "intermediate_responses")
        for key in [key for key in turn.extras if snake(key) in ("tools", "intermediate_responses")]:
            del turn.extras[key]
        if tools is not None or texts is not None:
            turn.shape = "tool_uses"
            for text in items_of(node, "intermediate_responses"):
                content = self._message(text, "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN)
                turn.events.append(PortableEvent(content))
            turn.events += [event for tool in items_of(node, "tools") for event in self._tool(tool)]
        if tools is not None and tools.kind == "array" and not tools.items and not turn.events:
            turn.expects_no_calls = True
        return turn

    def rubrics(self, owner: Node, field: SetField) -> list[PortableRubric]:
        """Rubrics of one metric each, whose id and text have keys of their own."""
        rubrics = super().rubrics(owner, field)
        for rubric in rubrics:
            rubric.text = rubric.text or filled(filled(rubric.node, "content"), "text")
            self._fields.note_all(rubric.extras.values(), SetField.RUBRIC_DETAILS)
        return rubrics

    def _message(self, node: Node | None, role: str, text: SetField, parts: SetField) -> PortableContent:
        """The texts of a message; its other parts are noted, and have no counterpart."""
        content = PortableContent()
        if (thought := filled(node, "reasoning_content")) is not None and thought.kind == "string":
            extras = {"thought": parse_value(b"true")}
            content.parts.append(TextPart(self._fields.note(thought, SetField.THOUGHTS), extras))
        if (plain_text := filled(node, "content")) is not None and plain_text.kind == "string":
            content.parts.append(TextPart(self._fields.note(plain_text, text)))
        for part in items_of(node, "content_parts"):
            self._fields.note(part, parts, _NO_TEXT)
            part_text = filled(part, "text")
            if part_text is not None and part_text.kind == "string":
                if (kind := filled(part, "type")) is not None and kind.text() == "text":
                    self._fields.pass_over(kind)
                content.parts.append(TextPart(self._fields.note(part_text, text)))
        own_role = filled(node, "role")
        if own_role is not None and own_role.kind == "string" and own_role.text() in _ROLES[role]:
            self._fields.pass_over(own_role)
        elif own_role is not None:
            content.role = self._fields.note(own_role, parts)
        return content

    def _tool(self, node: Node) -> list[PortableEvent]:
        if node.kind != "object":
            return []
        call = CallPart(node, name=self._fields.read(node, "name", SetField.CALL_NAME))
        call.id = self._fields.read(node, "id", SetField.CALL_ID)
        args = self._fields.read(node, "arguments", SetField.CALL_ARGS)
        call.args = args_in_object(args) if args is not None else None
        self._fields.note_all(read_members(node, ("name", "id", "arguments", "result")).values(), SetField.CALL_OTHER)
        events = [PortableEvent(PortableContent([call]))]
        if (result := self._fields.read(node, "result", SetField.TOOL_RESPONSE)) is not None:
            answer = ResponsePart(node, call.name, response_as_object(result, "result"), call.id)
            events.append(PortableEvent(PortableContent([answer]), is_of_user=True))
        return events


def _is_message(node: Node | None) -> bool:
    """Whether a content is a message of trpc-agent-go rather than one of google's models."""
    return node is not None and node.kind == "object" and filled(node, "parts") is None


TRPC_AGENT_GO = FormatType(
    source_word="trpc-agent-go",
    title="trpc-agent-go",
    ending=".evalset.json",
    read=_TrpcReader.read_set,
)
