"""Reader of adk-rs eval sets: google-adk's eval sets with a `name` per case, and `id` for `eval_id` in older files.

It also reads fields that adk-rs ignores (ids of calls, responses, rubrics), because google-adk reads the same files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from evaltui.document.node import Node
from evaltui.interop.eval_sets.reader import SetReader
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR, GOOGLE_ADK, calls_tree, eval_set_notes
from evaltui.interop.fields import HELD, Holding, SetField, SourceFields
from evaltui.interop.format_type import FormatType, OutputDocument, WriteOptions
from evaltui.interop.genai_contents import content_tree, part_tree
from evaltui.interop.output_tree import Invented, LeftOutItem, OwnKey, Tree, missing
from evaltui.interop.portable_set import (
    CallPart,
    PortableCase,
    PortableEvent,
    PortableSession,
    PortableSet,
    PortableTurn,
    ResponsePart,
)
from evaltui.interop.unread_content import turns_tree, user_tree

_ALIAS = "id"


def read_adk_rs_set(root: Node, name: str) -> PortableSet:
    """Read an eval set of adk-rs. Raises `ConversionError` if it has no cases."""
    return _AdkRsReader(SourceFields()).eval_set(root, name)


class _AdkRsReader(SetReader):
    """Reads sets and cases with the members that adk-rs adds."""

    def eval_set(self, root: Node, name: str) -> PortableSet:
        """The set, whose id may have the key `id`."""
        found = super().eval_set(root, name)
        if isinstance(found.id, str) and (set_id := self.value(root, _ALIAS, SetField.SET_ID)) is not None:
            found.id = set_id
            found.others.pop(_ALIAS, None)
        return found

    def case(self, node: Node) -> PortableCase:
        """One eval case, whose id may have the key `id`."""
        found = super().case(node)
        if found.id is None and (eval_id := self.value(node, _ALIAS, SetField.CASE_ID)) is not None:
            found.id = eval_id
            found.others.pop(_ALIAS, None)
        found.name = self.value(node, "name", SetField.CASE_NAME)
        found.others.pop("name", None)
        return found


_NO_CONVERSATION = "adk-rs has only cases with turns"
_KEEP_SCENARIOS = "To keep scenarios, convert to evalset, evaluation-dataset or ces."


def write_adk_rs_set(portable: PortableSet, options: WriteOptions) -> Sequence[OutputDocument]:
    """The set as one document. A case without a conversation is left out: adk-rs could not load the file."""
    set_id: Tree = portable.id
    if portable.id is None or isinstance(portable.id, str):
        reason = f"{missing('adk-rs')}. evaltui uses the file name"
        set_id = Invented(portable.id or options.name, portable.root, "/eval_set_id", reason)
    tree = {
        "eval_set_id": set_id,
        "name": portable.name,
        "description": portable.description,
        "eval_cases": [_case(case, number, portable.fields) for number, case in enumerate(portable.cases, 1)],
        "creation_timestamp": portable.time,
    }
    return [OutputDocument(_given(tree))]


def _case(case: PortableCase, number: int, fields: SourceFields) -> Tree:
    if case.turns is None:
        return LeftOutItem(case.node, _NO_CONVERSATION, _KEEP_SCENARIOS)
    eval_id = case.id if case.id is not None else _required(f"case_{number}", case.node, "eval_id")
    turns: list[Tree] = [_turn(turn) for turn in case.turns]
    return _given(
        {
            "eval_id": eval_id,
            "name": case.name,
            "session_input": _session(case.session) if case.session is not None else None,
            "conversation": turns_tree(case, turns, fields, "adk-rs"),
            "creation_timestamp": case.time,
        }
    )


def _session(session: PortableSession) -> Tree:
    state: dict[str, Tree] = {OwnKey(name): value for name, value in session.state.items()}
    members = _given({"app_name": session.app_name, "user_id": session.user_id, "state": state or None})
    for name in ("app_name", "user_id"):
        if name not in members:  # adk-rs has a default, google-adk requires them
            members[name] = Invented("", session.node, f"/{name}", missing("google-adk"))
    return members


def _turn(turn: PortableTurn) -> Tree:
    listed = [event for event in turn.events if not event.keeps_calls]
    parts = chain.from_iterable(event.content.parts for event in listed if event.content is not None)
    calls = [_call(part) for part in parts if isinstance(part, CallPart)]
    texts = [each for event in turn.events for each in _texts(event)]
    return _given(
        {
            "invocation_id": turn.id,
            "user_content": user_tree(turn, content_tree(turn.user, "user"), "adk-rs"),
            "final_response": content_tree(turn.final, "model") if turn.final is not None else None,
            "intermediate_data": {"tool_uses": calls_tree(turn, calls), "intermediate_responses": texts},
            "creation_timestamp": turn.time,
        }
    )


def _call(call: CallPart) -> Tree:
    name = call.name if call.name is not None else _required("", call.node, "name")
    return _given({"name": name, "args": call.args})


def _texts(event: PortableEvent) -> list[Tree]:
    """The parts of an event that are not in a list of calls, with the author."""
    given = event.content.parts if event.content is not None else []
    parts = [part_tree(part) for part in given if event.keeps_calls or not isinstance(part, CallPart | ResponsePart)]
    return [[event.author if event.author is not None else DEFAULT_AUTHOR, parts]] if parts else []


def _required(value: str, at: Node, name: str) -> Invented:
    return Invented(value, at, f"/{name}", missing("adk-rs"))


def _given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: value for name, value in members.items() if value is not None}


_NO_MEMBER = Holding("no_place", "adk-rs has no field for this")
_ADVICE = "Keep the original eval set, or run it with google-adk."
_CALLS = Holding("no_place", "a tool call in adk-rs has only a name and arguments")

_HELD = (
    SetField.SET_ID,
    SetField.SET_NAME,
    SetField.SET_DESCRIPTION,
    SetField.SET_TIME,
    SetField.CASE_ID,
    SetField.CASE_NAME,
    SetField.CASE_TIME,
    SetField.APP_NAME,
    SetField.USER_ID,
    SetField.STATE,
    SetField.TURN_ID,
    SetField.TURN_TIME,
    SetField.USER_TEXT,
    SetField.USER_PARTS,
    SetField.CALL_NAME,
    SetField.CALL_ARGS,
    SetField.TEXT_BETWEEN,
    SetField.PARTS_BETWEEN,
    SetField.FINAL_TEXT,
    SetField.FINAL_PARTS,
    SetField.NO_CALLS,
)
_OWN_REASONS = {
    SetField.SESSION_OTHER: Holding("no_place", "a session in adk-rs has only an app name, a user id and a state"),
    SetField.FINAL_STATE: Holding("no_place", "adk-rs has no session state at the end of a case", _ADVICE),
    SetField.CASE_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    SetField.TURN_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    SetField.CALL_ID: _CALLS,
    SetField.THOUGHTS: Holding("changed", "adk-rs keeps thoughts for texts, but not for tool calls"),
    SetField.CALL_OTHER: _CALLS,
    SetField.TOOL_RESPONSE: Holding("no_place", "adk-rs has no tool responses"),
    SetField.AUTHOR: Holding("changed", "adk-rs keeps authors for texts, but not for tool calls"),
    SetField.EVENT_OTHER: Holding("no_place", "adk-rs has no events, only lists of tool calls and texts"),
    SetField.RECORDED: Holding(
        "no_place",
        "an eval set contains expected responses, not recorded ones",
        "Keep the source and use it as a recording: `evaltui run SET -r SOURCE`.",
    ),
}

ADK_RS = FormatType(
    source_word="adk-rs",
    option="adk-rs",
    title="adk-rs",
    ending=".adk-rs.json",
    holdings={field: HELD if field in _HELD else _OWN_REASONS.get(field, _NO_MEMBER) for field in SetField},
    read=read_adk_rs_set,
    write=write_adk_rs_set,
    notes=eval_set_notes,
    reader=GOOGLE_ADK,
)
