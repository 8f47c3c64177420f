"""The format of adk-rs: its names, and the fields that its structs have (`adk_rs::eval`)."""

from __future__ import annotations

from evaltui.interop.adk_rs.reader import read_adk_rs_set
from evaltui.interop.adk_rs.writer import write_adk_rs_set
from evaltui.interop.eval_sets.eval_set_format import GOOGLE_ADK
from evaltui.interop.eval_sets.eval_set_notes import eval_set_notes
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

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
