"""The formats of the two legacy lists: their names, and the fields that they hold."""

from __future__ import annotations

from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.format_type import FormatType
from evaltui.interop.legacy.reader import read_legacy_cases, read_legacy_turns
from evaltui.interop.legacy.writer import write_legacy_cases

_SET = Holding("no_place", "a legacy list has no set around its cases; google-adk takes the name of the file")
_NO_MEMBER = Holding("no_place", "a legacy list has no member for it")
_ONE_TEXT = Holding("changed", "a legacy list has one text for a message; several are joined by newlines")
_TEXTS_ONLY = Holding("no_place", "a legacy list holds texts alone")
_ADVICE = "Convert to evalset, which holds it."

_HELD = (
    Field.CASE_ID,
    Field.APP_NAME,
    Field.USER_ID,
    Field.STATE,
    Field.CALL_NAME,
    Field.CALL_ARGS,
    Field.TEXT_BETWEEN,
    Field.NO_CALLS,
)
_OWN_REASONS = {
    Field.SET_ID: _SET,
    Field.SET_NAME: _SET,
    Field.SET_DESCRIPTION: _SET,
    Field.SET_TIME: _SET,
    Field.SET_OTHER: _SET,
    Field.SESSION_OTHER: Holding("no_place", "google-adk reads app name, user id and state of an initial_session"),
    Field.USER_TEXT: _ONE_TEXT,
    Field.FINAL_TEXT: _ONE_TEXT,
    Field.USER_PARTS: _TEXTS_ONLY,
    Field.PARTS_BETWEEN: _TEXTS_ONLY,
    Field.FINAL_PARTS: _TEXTS_ONLY,
    Field.THOUGHTS: _TEXTS_ONLY,
    Field.AUTHOR: Holding("changed", "a legacy list has authors of texts, and none of calls"),
    Field.TOOL_RESPONSE: Holding("no_place", "a legacy list has no responses of tools", _ADVICE),
    Field.CASE_RUBRICS: Holding("no_place", "a legacy list has no rubrics", _ADVICE),
    Field.TURN_RUBRICS: Holding("no_place", "a legacy list has no rubrics", _ADVICE),
    Field.FINAL_STATE: Holding("no_place", "a legacy list has no state at the end", _ADVICE),
    Field.RECORDED: Holding(
        "no_place",
        "a legacy list says what is expected, not what an agent answered",
        "Keep the source as a recording: `evaltui run SET -r SOURCE`.",
    ),
}
_HOLDINGS = {field: HELD if field in _HELD else _OWN_REASONS.get(field, _NO_MEMBER) for field in Field}

LEGACY_CASES = FormatType(
    source_word="legacy_cases",
    option="legacy-cases",
    title="the legacy list of cases",
    ending=".legacy.json",
    holdings=_HOLDINGS,
    read=read_legacy_cases,
    write=write_legacy_cases,
)
LEGACY_TURNS = FormatType(
    source_word="legacy_turns",
    option="",
    title="the legacy list of turns",
    ending=".test.json",
    holdings=_HOLDINGS,
    read=read_legacy_turns,
)
