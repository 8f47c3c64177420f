"""Eval sets of adk-rs (`adk_rs::eval`): google-adk's with a `name` per case; in older files with `id` for `eval_id`."""

from __future__ import annotations

from evaltui.interop.eval_sets.reader import EvalSetReader
from evaltui.interop.eval_sets.writer import (
    RECORDED,
    author_of,
    calls_tree,
    eval_set_notes,
    listed_parts,
    session_tree,
    set_id_tree,
    unlisted_parts,
)
from evaltui.interop.fields import HELD, SetField, SourceFields, changed, no_place
from evaltui.interop.genai_contents import content_tree
from evaltui.interop.output_tree import Tree, present, with_default
from evaltui.interop.portable_set import CallPart, FormatType, PortableSet, PortableTurn

_ALIAS = "id"
_READER = "adk-rs"
_NO_CONVERSATION = no_place(
    "adk-rs has only cases with turns", "To keep scenarios, convert to evalset, evaluation-dataset or ces."
)
_NO_MEMBER = no_place("adk-rs has no field for this")
_ADVICE = "Keep the original eval set, or run it with google-adk."
_RUBRICS = no_place("adk-rs has no rubrics", _ADVICE)
_CALLS = no_place("a tool call in adk-rs has only a name and arguments")
_HOLDINGS = {
    **dict.fromkeys(SetField, _NO_MEMBER),
    **dict.fromkeys((SetField.SET_ID, SetField.SET_NAME, SetField.SET_DESCRIPTION, SetField.SET_TIME), HELD),
    **dict.fromkeys((SetField.CASE_ID, SetField.CASE_NAME, SetField.CASE_TIME), HELD),
    **dict.fromkeys((SetField.APP_NAME, SetField.USER_ID, SetField.STATE, SetField.TURN_ID, SetField.TURN_TIME), HELD),
    **dict.fromkeys((SetField.USER_TEXT, SetField.USER_PARTS, SetField.CALL_NAME, SetField.CALL_ARGS), HELD),
    **dict.fromkeys((SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN, SetField.FINAL_TEXT, SetField.FINAL_PARTS), HELD),
    SetField.NO_CALLS: HELD,
    SetField.SESSION_OTHER: no_place("a session in adk-rs has only an app name, a user id and a state"),
    SetField.FINAL_STATE: no_place("adk-rs has no session state at the end of a case", _ADVICE),
    **dict.fromkeys((SetField.CASE_RUBRICS, SetField.TURN_RUBRICS), _RUBRICS),
    **dict.fromkeys((SetField.CALL_ID, SetField.CALL_OTHER), _CALLS),
    SetField.THOUGHTS: changed("adk-rs keeps thoughts for texts, but not for tool calls"),
    SetField.TOOL_RESPONSE: no_place("adk-rs has no tool responses"),
    SetField.AUTHOR: changed("adk-rs keeps authors for texts, but not for tool calls"),
    SetField.EVENT_OTHER: no_place("adk-rs has no events, only lists of tool calls and texts"),
    SetField.RECORDED: RECORDED,
}


def read_adk_rs_set(portable: PortableSet) -> None:
    """Read an eval set of adk-rs. Raises `ConversionError` if it has no cases."""
    # The reader of google-adk's sets reads fields that adk-rs ignores, too: google-adk reads the same files.
    EvalSetReader.read_set(portable)
    fields = portable.fields
    if isinstance(portable.id, str) and (set_id := fields.read(portable.root, _ALIAS, SetField.SET_ID)) is not None:
        portable.id = set_id
        portable.extras.pop(_ALIAS, None)
    for case in portable.cases:
        if case.id is None and (eval_id := fields.read(case.node, _ALIAS, SetField.CASE_ID)) is not None:
            case.id = eval_id
            case.extras.pop(_ALIAS, None)
        case.name = fields.read(case.node, "name", SetField.CASE_NAME)
        case.extras.pop("name", None)


def write_adk_rs_set(portable: PortableSet) -> list[Tree]:
    """The set as one document."""
    fields = portable.fields
    cases: list[Tree] = []
    for number, case in enumerate(portable.cases, 1):
        if case.turns is None:  # adk-rs could not load a file with such a case
            fields.leave_out(case.node, _NO_CONVERSATION)
            continue
        members: dict[str, Tree] = {
            "eval_id": with_default(case.id, f"case_{number}", case.node, "eval_id", _READER),
            "name": case.name,
            # adk-rs has defaults for the app name and the user id, but google-adk requires them.
            "session_input": session_tree(case, with_extras=False),
            "conversation": case.turns_tree([_turn(turn, fields) for turn in case.turns], fields, _READER),
            "creation_timestamp": case.time,
        }
        cases.append(present(members))
    tree = {
        "eval_set_id": set_id_tree(portable, _READER),
        "name": portable.name,
        "description": portable.description,
        "eval_cases": cases,
        "creation_timestamp": portable.time,
    }
    return [present(tree)]


def _turn(turn: PortableTurn, fields: SourceFields) -> Tree:
    calls: list[Tree] = []
    for part in listed_parts(turn):
        if isinstance(part, CallPart):
            name = with_default(part.name, "", part.node, "name", _READER)
            calls.append(present({"name": name, "args": part.args}))
    texts = [[author_of(event), parts] for event in turn.events if (parts := unlisted_parts(event))]
    return present(
        {
            "invocation_id": turn.id,
            "user_content": turn.user_tree(content_tree(turn.user, "user"), _READER),
            "final_response": content_tree(turn.final, "model") if turn.final is not None else None,
            # Its lists have no defaults in adk-rs, so they are written even if they are empty.
            "intermediate_data": {"tool_uses": calls_tree(turn, calls, fields), "intermediate_responses": texts},
            "creation_timestamp": turn.time,
        }
    )


ADK_RS = FormatType(
    source_word="adk-rs",
    option="adk-rs",
    title="adk-rs",
    ending=".adk-rs.json",
    holdings=_HOLDINGS,
    read=read_adk_rs_set,
    write=write_adk_rs_set,
    notes=eval_set_notes,
    reader="google-adk",
)
