"""The format of adk-rs: its names, and the fields that its structs have (`adk_rs::eval`)."""

from __future__ import annotations

from evaltui.interop.adk_rs.reader import read_adk_rs_set
from evaltui.interop.adk_rs.writer import write_adk_rs_set
from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.format_type import FormatType

_NO_MEMBER = Holding("no_place", "adk-rs has no member for it")
_ADVICE = "Keep the evalset beside it, or use google-adk where this matters."
_CALLS = Holding("no_place", "a call of adk-rs has a name and arguments only")

_HELD = (
    Field.SET_ID,
    Field.SET_NAME,
    Field.SET_DESCRIPTION,
    Field.SET_TIME,
    Field.CASE_ID,
    Field.CASE_NAME,
    Field.CASE_TIME,
    Field.APP_NAME,
    Field.USER_ID,
    Field.STATE,
    Field.TURN_ID,
    Field.TURN_TIME,
    Field.USER_TEXT,
    Field.USER_PARTS,
    Field.CALL_NAME,
    Field.CALL_ARGS,
    Field.TEXT_BETWEEN,
    Field.PARTS_BETWEEN,
    Field.FINAL_TEXT,
    Field.FINAL_PARTS,
    Field.NO_CALLS,
)
_OWN_REASONS = {
    Field.SESSION_OTHER: Holding("no_place", "a session of adk-rs has an app name, a user id and a state"),
    Field.FINAL_STATE: Holding("no_place", "adk-rs has no state at the end", _ADVICE),
    Field.CASE_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    Field.TURN_RUBRICS: Holding("no_place", "adk-rs has no rubrics", _ADVICE),
    Field.CALL_ID: _CALLS,
    Field.THOUGHTS: Holding("changed", "adk-rs has thoughts of texts, and none of calls"),
    Field.CALL_OTHER: _CALLS,
    Field.TOOL_RESPONSE: Holding("no_place", "adk-rs has no responses of tools"),
    Field.AUTHOR: Holding("changed", "adk-rs has authors of texts, and none of calls"),
    Field.EVENT_OTHER: Holding("no_place", "adk-rs has no events; calls and texts stand in lists"),
    Field.RECORDED: Holding(
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
    holdings={field: HELD if field in _HELD else _OWN_REASONS.get(field, _NO_MEMBER) for field in Field},
    read=read_adk_rs_set,
    write=write_adk_rs_set,
)
