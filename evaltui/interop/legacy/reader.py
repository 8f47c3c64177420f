"""Legacy lists, read as google-adk converts them.

A list of cases (v1) is what `google.adk.evaluation.local_eval_sets_manager.convert_eval_set_to_pydantic_schema`
takes. A list of turns (v0) is one case of it (`AgentEvaluator._get_eval_set_from_old_format`). Keys are in snake_case.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.argument_rules import as_object, in_an_object
from evaltui.interop.fields import SetField
from evaltui.interop.format_type import ConversionError
from evaltui.interop.output_tree import Invented, Made, Value
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableSession,
    PortableSet,
    PortableTurn,
    TextPart,
)
from evaltui.interop.source_fields import SourceFields

_NAMED_AFTER_FILE = "a list of turns has no case id, so evaltui uses the file name"


def read_legacy_cases(root: Node, name: str) -> PortableSet:
    """Read a list of cases. Raises `ConversionError` for other values."""
    reader = _LegacyReader(root, name)
    reader.found.cases = [reader.case(each) for each in reader.objects]
    return reader.found


def read_legacy_turns(root: Node, name: str) -> PortableSet:
    """Read a list of turns as one case, named after the file. Raises `ConversionError` for other values."""
    reader = _LegacyReader(root, name)
    case = PortableCase(root, id=Made(name, ()), turns=[reader.turn(each) for each in reader.objects])
    reader.found.cases = [case]
    reader.found.invented = [Invented(name, root, "/name", _NAMED_AFTER_FILE)]
    return reader.found


class _LegacyReader:
    """Reads one list. Members that google-adk does not read are not noted: they belong to no field."""

    def __init__(self, root: Node, name: str) -> None:
        if root.kind != "array":
            raise ConversionError("not a list of cases or turns")
        self.objects = _objects(root)
        self._fields = SourceFields()
        self.found = PortableSet(root, self._fields, id=name, name=Made(name, ()))

    def case(self, node: Node) -> PortableCase:
        """One case of a list of cases."""
        found = PortableCase(node, id=self._value(node, "name", SetField.CASE_ID))
        found.turns = [self.turn(each) for each in _objects(node.member("data"))]
        session = node.member("initial_session")
        if session is not None and session.kind == "object" and session.items:
            found.session = self._session(session)
        return found

    def _session(self, node: Node) -> PortableSession:
        found = PortableSession(node, app_name=self._value(node, "app_name", SetField.APP_NAME))
        found.user_id = self._value(node, "user_id", SetField.USER_ID)
        state = node.member("state")
        if state is not None and state.kind == "object":
            self._fields.note(state, SetField.STATE)
            found.state = {item.name: self._fields.note(item, SetField.STATE) for item in state.items}
        return found

    def turn(self, node: Node) -> PortableTurn:
        """One turn. It always has a final response: google-adk reads an absent reference as an empty one."""
        query = self._value(node, "query", SetField.USER_TEXT)
        reference: Value | None = self._value(node, "reference", SetField.FINAL_TEXT)
        found = PortableTurn(node, user=PortableContent([TextPart(query)] if query is not None else []))
        found.final = PortableContent([TextPart(reference if reference is not None else Made("", ()))])
        calls = node.member("expected_tool_use")
        found.events = [*self._texts(node), *(self._call(each) for each in _objects(calls))]
        found.shape = "tool_uses"
        if calls is not None and calls.kind == "array" and not calls.items:
            found.expects_no_calls = True
        return found

    def _texts(self, node: Node) -> list[PortableEvent]:
        """Intermediate responses; google-adk takes objects only, people write plain texts as well."""
        found = []
        listed = node.member("expected_intermediate_agent_responses")
        for each in listed.items if listed is not None and listed.kind == "array" else ():
            author = None
            text = self._fields.note(each, SetField.TEXT_BETWEEN) if each.kind == "string" else None
            if each.kind == "object":
                author = self._value(each, "author", SetField.AUTHOR)
                text = self._value(each, "text", SetField.TEXT_BETWEEN)
            if text is not None:
                found.append(PortableEvent(PortableContent([TextPart(text)]), author=author))
        return found

    def _call(self, node: Node) -> PortableEvent:
        """A tool call, which may have google-adk's own keys."""
        name = self._value(node, "tool_name", SetField.CALL_NAME) or self._value(node, "name", SetField.CALL_NAME)
        args = next((key for key in ("tool_input", "args", "arguments") if filled(node, key) is not None), "")
        given = self._value(node, args, SetField.CALL_ARGS)
        found = CallPart(node, name=name, args=given)
        if given is not None and given.kind != "object":
            found.args = as_object(given) if args == "arguments" else in_an_object(given)
        return PortableEvent(PortableContent([found]))

    def _value(self, owner: Node, name: str, field: SetField) -> Node | None:
        found = owner.member(name)
        return self._fields.note(found, field) if found is not None and found.kind != "null" else None


def _objects(node: Node | None) -> list[Node]:
    return [each for each in node.items if each.kind == "object"] if node is not None and node.kind == "array" else []
