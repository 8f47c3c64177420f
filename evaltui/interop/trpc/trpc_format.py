"""The format of trpc-agent-go, which is read only: its names, and the fields that it has."""

from __future__ import annotations

from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.format_type import FormatType
from evaltui.interop.trpc.reader import read_trpc_set

_NO_MEMBER = Holding("no_place", "trpc-agent-go has no member for it")
_LACKS = (
    Field.CASE_NAME,
    Field.CASE_DESCRIPTION,
    Field.CASE_TAGS,
    Field.FINAL_STATE,
    Field.TURN_RUBRICS,
    Field.SCENARIO_PERSONA,
    Field.SCENARIO_TITLE,
    Field.TURN_DURATIONS,
    Field.AUTHOR,
    Field.EVENT_TIME,
    Field.EVENT_OTHER,
    Field.STATE_CHANGES,
    Field.AGENTS,
    Field.AGENT_DETAILS,
    Field.ARGUMENT_RULES,
    Field.EXPECTATION_OPTIONS,
    Field.CRITERIA,
)

TRPC_AGENT_GO = FormatType(
    source_word="trpc-agent-go",
    option="",
    title="trpc-agent-go",
    ending=".evalset.json",
    holdings={field: _NO_MEMBER if field in _LACKS else HELD for field in Field},
    read=read_trpc_set,
)
