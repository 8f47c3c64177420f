"""Legacy lists of google-adk: a list of cases (v1), and a list of turns (v0), which is one case of it.

They are read as google-adk converts them (`google.adk.evaluation.local_eval_sets_manager`
`convert_eval_set_to_pydantic_schema`, `AgentEvaluator._get_eval_set_from_old_format`). Keys are in snake_case.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.keys import filled
from evaltui.interop.eval_sets.writer import author_of, calls_tree, eval_set_notes
from evaltui.interop.fields import HELD, ConversionError, Reason, SetField, SourceFields, changed, no_place, objects_of
from evaltui.interop.genai_contents import args_as_object, args_in_object, fair_members
from evaltui.interop.output_tree import (
    Made,
    Tree,
    Value,
    added,
    joined_texts,
    plain_value,
    present,
    remade,
    with_default,
    with_own_keys,
)
from evaltui.interop.portable_set import (
    CallPart,
    FormatType,
    PortableCase,
    PortableContent,
    PortableEvent,
    PortableSet,
    PortableTurn,
    TextPart,
)

_READER = "google-adk in a legacy list"
_NAMED_AFTER_FILE = "a list of turns has no case id, so evaltui uses the file name"
_NO_QUERY = f"required by {_READER}, but the user message has no text"
_KEYS = ("query", "reference", "expected_tool_use", "expected_intermediate_agent_responses")
_OF_LISTS = "evaltui reads a field with this name only in a legacy list"
_CALL_IN_RESPONSE = changed(
    "intermediate responses in a legacy list contain only text, so the tool call moves to expected_tool_use"
)
_NO_CONVERSATION = no_place(
    "a legacy list has only cases with turns", "To keep scenarios, convert to evalset, evaluation-dataset or ces."
)
_MERGED = Reason("merged")
_SET = no_place("a legacy list has only cases, and google-adk uses the file name as eval set id")
_NO_MEMBER = no_place("a legacy list has no field for this")
_ONE_TEXT = changed("a message in a legacy list has only one text, so evaltui joins texts with newlines")
_TEXTS_ONLY = no_place("a legacy list contains only text")
_ADVICE = "Keep the original file, or convert it to evalset."
_RUBRICS = no_place("a legacy list has no rubrics", _ADVICE)
_HOLDINGS = {
    **dict.fromkeys(SetField, _NO_MEMBER),
    **dict.fromkeys((SetField.CASE_ID, SetField.APP_NAME, SetField.USER_ID, SetField.STATE), HELD),
    **dict.fromkeys((SetField.CALL_NAME, SetField.CALL_ARGS, SetField.TEXT_BETWEEN, SetField.NO_CALLS), HELD),
    **dict.fromkeys((SetField.SET_ID, SetField.SET_NAME, SetField.SET_DESCRIPTION), _SET),
    **dict.fromkeys((SetField.SET_TIME, SetField.SET_OTHER), _SET),
    **dict.fromkeys((SetField.USER_TEXT, SetField.FINAL_TEXT), _ONE_TEXT),
    **dict.fromkeys((SetField.USER_PARTS, SetField.PARTS_BETWEEN, SetField.FINAL_PARTS), _TEXTS_ONLY),
    SetField.THOUGHTS: _TEXTS_ONLY,
    SetField.SESSION_OTHER: no_place("google-adk reads only the app name, user id and state of initial_session"),
    SetField.AUTHOR: changed("a legacy list keeps authors for texts, but not for tool calls"),
    SetField.TOOL_RESPONSE: no_place("a legacy list has no tool responses", _ADVICE),
    **dict.fromkeys((SetField.CASE_RUBRICS, SetField.TURN_RUBRICS), _RUBRICS),
    SetField.FINAL_STATE: no_place("a legacy list has no session state at the end of a case", _ADVICE),
    SetField.RECORDED: no_place(
        "a legacy list contains expected responses, not recorded ones",
        "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
    ),
}


# --- reading -------------------------------------------------------------------------------------------------------


def read_legacy_cases(portable: PortableSet) -> None:
    """Read a list of cases. Raises `ConversionError` for other values."""
    for node in _objects_of(portable):
        case = PortableCase(node, id=_value(node, "name", SetField.CASE_ID, portable.fields))
        case.turns = [_read_turn(turn, portable.fields) for turn in objects_of(node.member("data"))]
        session = node.member("initial_session")
        if session is not None and session.kind == "object" and session.items:
            case.session = session
            case.app_name = _value(session, "app_name", SetField.APP_NAME, portable.fields)
            case.user_id = _value(session, "user_id", SetField.USER_ID, portable.fields)
            if (state := session.member("state")) is not None and state.kind == "object":
                case.take_state(state, portable.fields)
        portable.cases.append(case)


def read_legacy_turns(portable: PortableSet) -> None:
    """Read a list of turns as one case, named after the file. Raises `ConversionError` for other values."""
    turns = [_read_turn(node, portable.fields) for node in _objects_of(portable)]
    portable.cases = [PortableCase(portable.root, id=portable.name, turns=turns)]
    portable.invented = [added(portable.id, portable.root, "/name", _NAMED_AFTER_FILE)]


def _objects_of(portable: PortableSet) -> list[Node]:
    if portable.root.kind != "array":
        raise ConversionError("not a list of cases or turns")
    portable.name = Made(portable.id, ())
    return objects_of(portable.root)


def _read_turn(node: Node, fields: SourceFields) -> PortableTurn:
    query = _value(node, "query", SetField.USER_TEXT, fields)
    reference = _value(node, "reference", SetField.FINAL_TEXT, fields)
    turn = PortableTurn(node, user=PortableContent([TextPart(query)] if query is not None else []))
    # google-adk reads an absent reference as an empty one, so a turn always has a final response.
    turn.final = PortableContent([TextPart(reference if reference is not None else Made("", ()))])
    responses = node.member("expected_intermediate_agent_responses")
    for response in responses.items if responses is not None and responses.kind == "array" else ():
        author: Node | None = None
        # google-adk takes objects only, people write plain texts as well.
        text = fields.note(response, SetField.TEXT_BETWEEN) if response.kind == "string" else None
        if response.kind == "object":
            author = _value(response, "author", SetField.AUTHOR, fields)
            text = _value(response, "text", SetField.TEXT_BETWEEN, fields)
        if text is not None:
            turn.events.append(PortableEvent(PortableContent([TextPart(text)]), author=author))
    calls = node.member("expected_tool_use")
    for call in objects_of(calls):
        # google-adk reads tool_name and tool_input. People also copy calls with the keys of other formats.
        name = _value(call, "tool_name", SetField.CALL_NAME, fields) or _value(call, "name", SetField.CALL_NAME, fields)
        key = next((key for key in ("tool_input", "args", "arguments") if filled(call, key) is not None), "")
        part = CallPart(call, name=name)
        if (args := _value(call, key, SetField.CALL_ARGS, fields)) is not None:
            part.args = args_as_object(args) if key == "arguments" else args_in_object(args)
        turn.events.append(PortableEvent(PortableContent([part])))
    turn.shape = "tool_uses"
    if calls is not None and calls.kind == "array" and not calls.items:
        turn.expects_no_calls = True
    return turn


def _value(owner: Node, name: str, field: SetField, fields: SourceFields) -> Node | None:
    # Values that google-adk does not read are not noted: they belong to no field.
    return fields.note_filled(owner.member(name), field)


# --- writing -------------------------------------------------------------------------------------------------------


def write_legacy_cases(portable: PortableSet) -> list[Tree]:
    """The set as a list of cases with the members that google-adk reads. A case without turns is left out."""
    for turn in (turn for case in portable.cases for turn in case.turns or ()):
        fair_members(turn.extras, _KEYS, portable.fields, _OF_LISTS)
    cases: list[Tree] = []
    for number, case in enumerate(portable.cases, 1):
        if not case.turns:
            portable.fields.leave_out(case.node, _NO_CONVERSATION)
            continue
        session: Tree = None
        if case.session is not None:
            members = {"app_name": case.app_name, "user_id": case.user_id}
            # google-adk ignores an empty session.
            session = present({**members, "state": with_own_keys(case.state) or None}) or {"state": {}}
        turns = [_turn(turn, portable.fields) for turn in case.turns]
        name = with_default(case.id, f"case_{number}", case.node, "eval_id", _READER)
        cases.append({"name": name, "data": turns, **present({"initial_session": session})})
    return [cases]


def _turn(turn: PortableTurn, fields: SourceFields) -> Tree:
    calls: list[Tree] = []
    texts: list[Tree] = []
    for event in turn.events:
        for part in event.parts:
            if isinstance(part, CallPart):
                name = with_default(part.name, "", part.node, "name", _READER)
                call = {"tool_name": name, "tool_input": with_default(part.args, {}, part.node, "args", _READER)}
                moved = remade(part.node, plain_value(call), _CALL_IN_RESPONSE) if event.keeps_calls else call
                calls.append(moved)
        # Each text is an item of its own with the author.
        texts += [{"author": author_of(event), "text": text} for text in _spoken(event.content)]
    reference = joined_texts(_spoken(turn.final), _MERGED)
    return {
        "query": joined_texts(_spoken(turn.user), _MERGED) or added("", turn.node, "/user_content", _NO_QUERY),
        "expected_tool_use": calls_tree(turn, calls, fields),
        "expected_intermediate_agent_responses": texts,
        **present({"reference": reference}),
    }


def _spoken(content: PortableContent | None) -> list[Value]:
    parts = content.parts if content is not None else []
    return [part.text for part in parts if isinstance(part, TextPart) and not part.is_thought]


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
    title="the legacy list of turns",
    ending=".test.json",
    read=read_legacy_turns,
)
