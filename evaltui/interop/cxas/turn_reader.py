"""Turns of golden conversations of cxas, read (`cxas_scrapi.utils.eval_utils.Turn`)."""

from __future__ import annotations

from collections import defaultdict

from evaltui.document.node import Node
from evaltui.interop.argument_rules import take_args
from evaltui.interop.ces.messages import TARGET, TRANSFER
from evaltui.interop.fields import SetField
from evaltui.interop.output_tree import Invented, Made, Value, text_in
from evaltui.interop.portable_set import (
    CallPart,
    PortableContent,
    PortableEvent,
    PortableSet,
    PortableTurn,
    ResponsePart,
    TextPart,
)

_KNOWN = ("user", "agent", "tool_calls", "event", "user_event")
_CALL = ("action", "args", "arguments", "output", "agent")
_WELCOME = "<event>welcome</event>"
_IMPLICIT = 'without a user message, a cxas turn starts with the event "welcome"'
_NO_TEXT = "cxas accepts only a string here, so evaltui makes the value a string"
_QUOTE = "Put the value in quotes."
_NO_CALL = "no tool call of the conversation waits for this response"
_EVENT = "the event becomes a text message, as in cxas"


class ConversationTurnReader:
    """Reads the turns of conversations.

    Texts of the agent come before the calls, as cxas sends them; the last of them is the final response.
    """

    def __init__(self, portable: PortableSet) -> None:
        self._portable, self._fields = portable, portable.fields

    def turns(self, conversation: Node) -> list[PortableTurn]:
        """The turns of a conversation. Its `mocks`, as in exports, are the responses of the tool calls."""
        found = [self._turn(each) for each in _items(conversation, "turns") if each.kind == "object"]
        waiting: dict[str, list[Node]] = defaultdict(list)
        for mock in _items(conversation, "mocks"):
            self._fields.note(mock, SetField.TOOL_RESPONSE, _NO_CALL)
            tool = mock.member("tool")
            if tool is not None and mock.member("response") is not None:
                waiting[tool.text()].append(mock)
        if waiting:
            for turn in found:
                turn.events = [each for event in turn.events for each in self._answered(event, waiting)]
        return found

    def _answered(self, event: PortableEvent, waiting: dict[str, list[Node]]) -> list[PortableEvent]:
        parts = event.content.parts if event.content is not None else []
        if len(parts) != 1 or not isinstance(parts[0], CallPart) or not waiting[text_in(parts[0].name)]:
            return [event]
        mock = waiting[text_in(parts[0].name)].pop(0)
        name, response = mock.member("tool"), mock.member("response")
        self._fields.pass_over(name)
        answer = ResponsePart(mock, name=parts[0].name, response=_as_object(response), is_mock=True)
        return [event, PortableEvent(PortableContent([answer]), is_of_user=True)]

    def _turn(self, node: Node) -> PortableTurn:
        found = PortableTurn(node, user=self._user(node))
        said = [TextPart(text) for text in self._agent(node.member("agent"))]
        if said:
            last = said.pop()
            found.final = PortableContent([last])
            if isinstance(last.text, Node):
                self._fields.note(last.text, SetField.FINAL_TEXT)
        found.events = [PortableEvent(PortableContent([each])) for each in said]
        for call in _items(node, "tool_calls"):
            if call.kind == "object":
                found.events += self._call(call)
        for item in node.items:
            if item.name not in _KNOWN:
                self._fields.note(item, SetField.TURN_OTHER)
        return found

    def _user(self, node: Node) -> PortableContent:
        user = node.member("user")
        if user is not None and not user.is_container and user.kind != "null":
            return PortableContent([TextPart(self._text(user, SetField.USER_TEXT))])
        for name in ("event", "user_event"):
            event = node.member(name)
            if event is not None and event.kind == "string":
                self._fields.note(event, SetField.TURN_OTHER)
                return PortableContent([TextPart(Made(f"<event>{event.text()}</event>", (event,), "changed", _EVENT))])
        self._portable.invented.append(Invented(_WELCOME, node, "/user", _IMPLICIT))
        return PortableContent([TextPart(Made(_WELCOME, ()))])

    def _agent(self, node: Node | None) -> list[Value]:
        """Texts of the agent: one, or a list of them."""
        if node is None or node.kind in ("null", "object"):
            return []
        listed = node.items if node.kind == "array" else [node]
        return [
            self._text(each, SetField.TEXT_BETWEEN) for each in listed if not each.is_container and each.kind != "null"
        ]

    def _text(self, node: Node, field: SetField) -> Value:
        """A text. A number or boolean, which YAML makes of a text without quotes, becomes a text."""
        self._fields.note(node, field)
        if node.kind == "string":
            return node
        return Made(node.source().decode(), (node,), "changed", _NO_TEXT, _QUOTE)

    def _call(self, node: Node) -> list[PortableEvent]:
        action = node.member("action") or node.member("name")  # as in google-adk
        name = self._text(action, SetField.CALL_NAME) if action is not None and not action.is_container else None
        found = CallPart(node, name=name)
        args = node.member("args") or node.member("arguments")
        agent = _agent_of(node, args)
        if text_in(name) == TRANSFER and agent is not None:
            found.args = Made({TARGET: agent.text()}, (self._fields.note(agent, SetField.CALL_ARGS),))
        elif args is not None and args.kind != "null":
            take_args(found, args, self._fields)
        else:
            found.args = Made({}, ())  # as in cxas' own model
        for item in node.items:
            if item.name not in _CALL and item is not action:
                self._fields.note(item, SetField.CALL_OTHER)
        events = [PortableEvent(PortableContent([found]))]
        output = node.member("output")
        if output is not None and output.kind != "null":
            self._fields.note(output, SetField.TOOL_RESPONSE)
            answer = ResponsePart(node, name=Made(text_in(name), ()), response=_as_object(output), is_mock=False)
            events.append(PortableEvent(PortableContent([answer]), is_of_user=True))
        return events


def _agent_of(call: Node, args: Node | None) -> Node | None:
    """The agent that a transfer names, beside its arguments or among them."""
    found = args.member("agent") if args is not None else None
    found = found or call.member("agent")
    return found if found is not None and found.kind == "string" else None


def _as_object(node: Node | None) -> Value | None:
    """A response; google-adk and CX Agent Studio have a text under `output`."""
    if node is None or node.kind == "object":
        return node
    return Made({"output": node.value()}, (node,))


def _items(owner: Node, name: str) -> list[Node]:
    found = owner.member(name)
    return found.items if found is not None and found.kind == "array" else []
