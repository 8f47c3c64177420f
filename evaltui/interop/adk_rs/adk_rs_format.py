"""The format of adk-rs: its names, and the fields that its structs have (`adk_rs::eval`)."""

from __future__ import annotations

from evaltui.interop.adk_rs.reader import read_adk_rs_set
from evaltui.interop.adk_rs.writer import write_adk_rs_set
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_NO_MEMBER = Holding("no_place", "adk-rs has no member for it")
_ADVICE = "Keep the evalset beside it, or use google-adk where this matters."
_CALLS = Holding("no_place", "a call of adk-rs has a name and arguments only")

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
    SetField.SESSION_OTHER: Holding("no_place", "a session of adk-rs has an app name, a user id and a state"),
    SetField.FINAL_STATE: Holding("no_place", "adk-rs has no state at the end", _ADVICE),
    SetField.CASE_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    SetField.TURN_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    SetField.CALL_ID: _CALLS,
    SetField.THOUGHTS: Holding("changed", "adk-rs has thoughts of texts, and none of calls"),
    SetField.CALL_OTHER: _CALLS,
    SetField.TOOL_RESPONSE: Holding("no_place", "adk-rs has no responses of tools"),
    SetField.AUTHOR: Holding("changed", "adk-rs has authors of texts, and none of calls"),
    SetField.EVENT_OTHER: Holding("no_place", "adk-rs has no events; calls and texts stand in lists"),
    SetField.RECORDED: Holding(
        "no_place",
        "an eval set says what is expected, not what an agent answered",
        "Keep the source as a recording: `evaltui run SET -r SOURCE`.",
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
)
