"""Legacy lists, read as google-adk converts them.

A list of cases (v1) is what `google.adk.evaluation.local_eval_sets_manager.convert_eval_set_to_pydantic_schema`
takes. A list of turns (v0) is one case of it (`AgentEvaluator._get_eval_set_from_old_format`). Keys are in snake_case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.cx_cases import as_object, in_an_object
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR, calls_tree, eval_set_notes
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import ConversionError, FormatType, OutputDocument, WriteOptions
from evaltui.interop.genai_contents import fair_members
from evaltui.interop.output_tree import (
    Invented,
    LeftOutItem,
    Made,
    OwnKey,
    Rendering,
    Tree,
    Value,
    missing,
    remade,
    sources_of,
    text_in,
)
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


_FORMAT = "google-adk in a legacy list"
_NO_QUERY = f"required by {_FORMAT}, but the user message has no text"
_KEYS = ("query", "reference", "expected_tool_use", "expected_intermediate_agent_responses")
_OF_LISTS = "evaltui reads a field with this name only in a legacy list"
_OF_A_RESPONSE = (
    "intermediate responses in a legacy list contain only text, so the tool call moves to expected_tool_use"
)
_NO_CONVERSATION = "a legacy list has only cases with turns"
_NO_TURNS_ADVICE = "To keep scenarios, convert to evalset, evaluation-dataset or ces."


def write_legacy_cases(portable: PortableSet, _options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as a list of cases. A case without turns is left out."""
    for turn in (turn for case in portable.cases for turn in case.turns or ()):
        fair_members(turn.others, _KEYS, portable.fields, _OF_LISTS)
    return [OutputDocument([_case(case, number) for number, case in enumerate(portable.cases, 1)])]


def _case(case: PortableCase, number: int) -> Tree:
    if not case.turns:
        return LeftOutItem(case.node, _NO_CONVERSATION, _NO_TURNS_ADVICE)
    session = _session(case.session) if case.session is not None else None
    name = case.id if case.id is not None else _required(f"case_{number}", case.node, "eval_id")
    return {
        "name": name,
        "data": [_turn(turn) for turn in case.turns],
        **_given({"initial_session": session}),
    }


def _session(session: PortableSession) -> Tree:
    """The session, never empty: google-adk ignores an empty one."""
    state: dict[str, Tree] = {OwnKey(name): value for name, value in session.state.items()}
    members = _given({"app_name": session.app_name, "user_id": session.user_id, "state": state or None})
    return members or {"state": {}}


def _turn(turn: PortableTurn) -> Tree:
    query = _text(turn.user) or Invented("", turn.node, "/user_content", _NO_QUERY)
    reference = _text(turn.final) if turn.final is not None else None
    tree: dict[str, Tree] = {"query": query}
    tree["expected_tool_use"] = calls_tree(turn, [each for event in turn.events for each in _calls(event)])
    tree["expected_intermediate_agent_responses"] = [each for event in turn.events for each in _texts(event)]
    return {**tree, **_given({"reference": reference})}


def _calls(event: PortableEvent) -> list[Tree]:
    parts = event.content.parts if event.content is not None else []
    calls = [(part, _call(part)) for part in parts if isinstance(part, CallPart)]
    if not event.keeps_calls:
        return [tree for _, tree in calls]
    return [remade(part.node, Rendering().plain(tree), "changed", _OF_A_RESPONSE) for part, tree in calls]


def _call(call: CallPart) -> Tree:
    name = call.name if call.name is not None else _required("", call.node, "name")
    args = call.args if call.args is not None else _required({}, call.node, "args")
    return {"tool_name": name, "tool_input": args}


def _texts(event: PortableEvent) -> list[Tree]:
    """The texts of an event, each an item of its own with the author."""
    if event.content is None:
        return []
    author = event.author if event.author is not None else DEFAULT_AUTHOR
    return [{"author": author, "text": text} for text in _spoken(event.content)]


def _spoken(content: PortableContent) -> list[Value]:
    """The texts of a message without thoughts."""
    return [part.text for part in content.parts if isinstance(part, TextPart) and not _is_thought(part)]


def _is_thought(part: TextPart) -> bool:
    thought = part.others.get("thought")
    return thought is not None and thought.source() == b"true"


def _text(content: PortableContent) -> Value | None:
    """The text of a message; None if it has none."""
    texts = _spoken(content)
    if len(texts) < 2:
        return texts[0] if texts else None
    sources = [source for text in texts for source in sources_of(text)]
    return Made("\n".join(map(text_in, texts)), tuple(sources), "merged")


def _required(value: str | dict[str, str], at: Node, name: str) -> Invented:
    return Invented(value, at, f"/{name}", missing(_FORMAT))


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: value for name, value in members.items() if value is not None}


_SET = Holding("no_place", "a legacy list has only cases, and google-adk uses the file name as eval set id")
_NO_MEMBER = Holding("no_place", "a legacy list has no field for this")
_ONE_TEXT = Holding("changed", "a message in a legacy list has only one text, so evaltui joins texts with newlines")
_TEXTS_ONLY = Holding("no_place", "a legacy list contains only text")
_ADVICE = "Keep the original file, or convert it to evalset."

_HELD = (
    SetField.CASE_ID,
    SetField.APP_NAME,
    SetField.USER_ID,
    SetField.STATE,
    SetField.CALL_NAME,
    SetField.CALL_ARGS,
    SetField.TEXT_BETWEEN,
    SetField.NO_CALLS,
)
_OWN_REASONS = {
    SetField.SET_ID: _SET,
    SetField.SET_NAME: _SET,
    SetField.SET_DESCRIPTION: _SET,
    SetField.SET_TIME: _SET,
    SetField.SET_OTHER: _SET,
    SetField.SESSION_OTHER: Holding(
        "no_place", "google-adk reads only the app name, user id and state of initial_session"
    ),
    SetField.USER_TEXT: _ONE_TEXT,
    SetField.FINAL_TEXT: _ONE_TEXT,
    SetField.USER_PARTS: _TEXTS_ONLY,
    SetField.PARTS_BETWEEN: _TEXTS_ONLY,
    SetField.FINAL_PARTS: _TEXTS_ONLY,
    SetField.THOUGHTS: _TEXTS_ONLY,
    SetField.AUTHOR: Holding("changed", "a legacy list keeps authors for texts, but not for tool calls"),
    SetField.TOOL_RESPONSE: Holding("no_place", "a legacy list has no tool responses", _ADVICE),
    SetField.CASE_RUBRICS: Holding("no_place", "a legacy list has no rubrics", _ADVICE),
    SetField.TURN_RUBRICS: Holding("no_place", "a legacy list has no rubrics", _ADVICE),
    SetField.FINAL_STATE: Holding("no_place", "a legacy list has no session state at the end of a case", _ADVICE),
    SetField.RECORDED: Holding(
        "no_place",
        "a legacy list contains expected responses, not recorded ones",
        "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
    ),
}
_HOLDINGS = {field: HELD if field in _HELD else _OWN_REASONS.get(field, _NO_MEMBER) for field in SetField}

LEGACY_CASES = FormatType(
    source_word="legacy_cases",
    option="legacy-cases",
    title="the legacy list of cases",
    ending=".legacy.json",
    holdings=_HOLDINGS,
    read=read_legacy_cases,
    write=write_legacy_cases,
    notes=eval_set_notes,
)
LEGACY_TURNS = FormatType(
    source_word="legacy_turns",
    option="",
    title="the legacy list of turns",
    ending=".test.json",
    holdings=_HOLDINGS,
    read=read_legacy_turns,
)
