"""The format of trpc-agent-go, which evaltui only reads: its names and fields."""

from __future__ import annotations

from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType
from evaltui.interop.trpc.reader import read_trpc_set

_NO_MEMBER = Holding("no_place", "trpc-agent-go has no field for this")
_LACKS = (
    SetField.CASE_NAME,
    SetField.CASE_DESCRIPTION,
    SetField.CASE_TAGS,
    SetField.FINAL_STATE,
    SetField.TURN_RUBRICS,
    SetField.SCENARIO_PERSONA,
    SetField.SCENARIO_TITLE,
    SetField.TURN_DURATIONS,
    SetField.AUTHOR,
    SetField.EVENT_TIME,
    SetField.EVENT_OTHER,
    SetField.STATE_CHANGES,
    SetField.AGENTS,
    SetField.AGENT_DETAILS,
    SetField.ARGUMENT_RULES,
    SetField.EXPECTATION_OPTIONS,
    SetField.CRITERIA,
)

TRPC_AGENT_GO = FormatType(
    source_word="trpc-agent-go",
    option="",
    title="trpc-agent-go",
    ending=".evalset.json",
    holdings={field: _NO_MEMBER if field in _LACKS else HELD for field in SetField},
    read=read_trpc_set,
)
