"""The formats of the two legacy lists: their names, and the fields that they hold."""

from __future__ import annotations

from evaltui.interop.eval_sets.eval_set_notes import eval_set_notes
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType
from evaltui.interop.legacy.reader import read_legacy_cases, read_legacy_turns
from evaltui.interop.legacy.writer import write_legacy_cases

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
