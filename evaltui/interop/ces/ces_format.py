"""The format of CX Agent Studio's evaluations: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.ces.reader import read_evaluations
from evaltui.interop.ces.writer import write_evaluations
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_NO_SET = "CX Agent Studio has single evaluations, not sets"
_BY_APP = "in CX Agent Studio, an evaluation belongs to an app, which creates its own sessions"
_SERVER = "CX Agent Studio sets the creation time itself"
_ONE_NAME = "an evaluation has only a display name, and evaltui writes the case id there"
_NO_TURN = "a turn in CX Agent Studio has only steps"
_RESOURCES = "CX Agent Studio identifies tools and agents by resource name"
_MAPPING = "Give the resource names with --mapping FILE."
_OPTION = "evaltui does not convert these fields of CX Agent Studio"

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding(
        "changed", f"{_NO_SET}, so cases without a description get the description of the set"
    ),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding("no_place", _ONE_NAME),
    SetField.CASE_TIME: Holding("no_place", _SERVER),
    SetField.CASE_OTHER: Holding("changed", "evaluations have a description and tags, but no custom fields"),
    SetField.APP_NAME: Holding("no_place", _BY_APP),
    SetField.USER_ID: Holding("no_place", _BY_APP),
    SetField.SESSION_OTHER: Holding("no_place", _BY_APP),
    SetField.FINAL_STATE: Holding(
        "changed", "CX Agent Studio checks the variables that the agent sets, but not in scenarios"
    ),
    SetField.CASE_RUBRICS: Holding(
        "changed",
        "a golden conversation has resource names of criteria, and a scenario has only the texts of rubrics",
        "Create an evaluation expectation with each text, and map the rubric id to it with --mapping FILE.",
    ),
    SetField.RUBRIC_DETAILS: Holding("no_place", "a rubric in CX Agent Studio has only a text"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "a criterion in CX Agent Studio has only a text"),
    SetField.TURN_RUBRICS: Holding("no_place", "CX Agent Studio has criteria for conversations, not for single turns"),
    SetField.SCENARIO_PROMPT: Holding(
        "changed", "scenarios in CX Agent Studio have no starting prompt, so evaltui adds it to the task"
    ),
    SetField.SCENARIO_PLAN: Holding("changed", "the plan and the starting prompt become the task of the scenario"),
    SetField.SCENARIO_PERSONA: Holding(
        "changed", "the simulated user in CX Agent Studio has facts instead of a persona"
    ),
    SetField.SCENARIO_TITLE: Holding("no_place", _ONE_NAME),
    SetField.SCENARIO_OTHER: Holding(
        "changed", "scenarios in CX Agent Studio have only facts, expectations, a turn limit and two behaviors"
    ),
    SetField.TURN_ID: Holding("no_place", _NO_TURN),
    SetField.TURN_TIME: Holding("no_place", _NO_TURN),
    SetField.TURN_DURATIONS: Holding("no_place", _NO_TURN),
    SetField.TURN_OTHER: Holding("no_place", "evaltui converts only steps of turns to CX Agent Studio"),
    SetField.USER_PARTS: Holding(
        "changed", "a user message in CX Agent Studio has no file URIs, and its audio has no MIME type"
    ),
    SetField.CALL_NAME: Holding("changed", _RESOURCES, _MAPPING),
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has only the name of the agent", _MAPPING),
    SetField.CALL_OTHER: Holding("no_place", "a tool call in CX Agent Studio has only a tool, an id and arguments"),
    SetField.TOOL_RESPONSE: Holding(
        "changed",
        "the tool response becomes a mockToolResponse: the agent gets it, and the real tool is not called",
        "If the real tool must return this response, rename mockToolResponse to toolResponse.",
    ),
    SetField.TEXT_BETWEEN: Holding("changed", "CX Agent Studio uses the last text of a turn as its response"),
    SetField.PARTS_BETWEEN: Holding("changed", "messages in CX Agent Studio contain text and bytes, but no file URIs"),
    SetField.AUTHOR: Holding("no_place", "steps in CX Agent Studio have no author"),
    SetField.EVENT_TIME: Holding("no_place", "steps in CX Agent Studio have no id and no time"),
    SetField.STATE_CHANGES: Holding("no_place", "CX Agent Studio has expected state changes, not recorded ones"),
    SetField.AGENT_DETAILS: Holding("no_place", "in CX Agent Studio, agents belong to the app"),
    SetField.EVENT_OTHER: Holding(
        "no_place", "evaltui converts no times, token counts or other fields of events to CX Agent Studio"
    ),
    SetField.FINAL_PARTS: Holding("changed", "messages in CX Agent Studio contain text and bytes, but no file URIs"),
    SetField.THOUGHTS: Holding("no_place", "CX Agent Studio compares what the agent says, not its thoughts"),
    SetField.AGENTS: Holding("no_place", "in CX Agent Studio, agents belong to the app"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "in CX Agent Studio, instructions belong to the app"),
    SetField.RECORDED: Holding("no_place", "an evaluation contains expected responses, not recorded ones"),
    SetField.EXPECTATION_OPTIONS: Holding("no_place", _OPTION),
}

CES = FormatType(
    source_word="ces_evaluation",
    option="ces",
    title="CX Agent Studio",
    ending=".ces.json",
    holdings=_HOLDINGS,
    read=read_evaluations,
    write=write_evaluations,
    read_named=read_evaluations,
)
