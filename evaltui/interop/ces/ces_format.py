"""The format of CX Agent Studio's evaluations: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.ces.reader import read_evaluations
from evaltui.interop.ces.writer import write_evaluations
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_NO_SET = "CX Agent Studio has single evaluations and no sets"
_BY_APP = "the app is the parent of an evaluation in CX Agent Studio, and sessions are its own"
_SERVER = "CX Agent Studio gives times itself"
_NO_TURN = "a turn of CX Agent Studio has steps only"
_RESOURCES = "CX Agent Studio knows tools and agents by resource names"
_MAPPING = "Give the resource names with --mapping FILE."
_OPTION = "evaltui knows it from CX Agent Studio only, and has no member for it between formats"

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_ID: Holding("held", "the set has no case, whose tag its id would be"),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding("changed", f"{_NO_SET}: it describes the cases that have no description"),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding("no_place", "an evaluation has one display name, and the case id is it"),
    SetField.CASE_TIME: Holding("no_place", _SERVER),
    SetField.CASE_OTHER: Holding("changed", "evaluations have a description and tags, and no members of others"),
    SetField.APP_NAME: Holding("no_place", _BY_APP),
    SetField.USER_ID: Holding("no_place", _BY_APP),
    SetField.SESSION_OTHER: Holding("no_place", _BY_APP),
    SetField.FINAL_STATE: Holding(
        "changed", "CX Agent Studio checks the variables that the agent sets, and scenarios check none"
    ),
    SetField.CASE_RUBRICS: Holding(
        "changed",
        "criteria of a golden conversation are resources, and those of a scenario texts without ids",
        "Create evaluation expectations with these texts, and name them by rubric id in --mapping FILE.",
    ),
    SetField.RUBRIC_DETAILS: Holding("no_place", "rubrics of CX Agent Studio are texts"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "a criterion of CX Agent Studio is one text"),
    SetField.TURN_RUBRICS: Holding("no_place", "CX Agent Studio has criteria of whole conversations only"),
    SetField.SCENARIO_PROMPT: Holding("changed", "scenarios of CX Agent Studio have no first words"),
    SetField.SCENARIO_PLAN: Holding("changed", "the task of a scenario has the starting prompt too"),
    SetField.SCENARIO_PERSONA: Holding("changed", "the simulated user of CX Agent Studio has facts and no persona"),
    SetField.SCENARIO_TITLE: Holding("no_place", "an evaluation has one display name, and the case id is it"),
    SetField.SCENARIO_OTHER: Holding(
        "changed", "scenarios of CX Agent Studio have facts, expectations, a number of turns and two behaviors"
    ),
    SetField.TURN_ID: Holding("no_place", _NO_TURN),
    SetField.TURN_TIME: Holding("no_place", _NO_TURN),
    SetField.TURN_DURATIONS: Holding("no_place", _NO_TURN),
    SetField.TURN_OTHER: Holding("no_place", _NO_TURN),
    SetField.USER_PARTS: Holding(
        "changed", "CX Agent Studio takes texts, bytes and tool responses; audio has no MIME type there"
    ),
    SetField.CALL_NAME: Holding("changed", _RESOURCES, _MAPPING),
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has the agent, and no other arguments", _MAPPING),
    SetField.CALL_OTHER: Holding("no_place", "calls of CX Agent Studio have a tool, an id and arguments"),
    SetField.TOOL_RESPONSE: Holding(
        "changed",
        "a response is given to the agent in place of a call (mockToolResponse), as google-adk compares none",
        "Rename mockToolResponse to toolResponse where the tool itself has to answer so.",
    ),
    SetField.TEXT_BETWEEN: Holding("changed", "the last text of a turn is its final response in CX Agent Studio"),
    SetField.PARTS_BETWEEN: Holding("changed", "messages of CX Agent Studio have texts and bytes, and no addresses"),
    SetField.AUTHOR: Holding("no_place", "steps of CX Agent Studio have no author"),
    SetField.EVENT_TIME: Holding("no_place", "steps of CX Agent Studio have neither ids nor times"),
    SetField.STATE_CHANGES: Holding("no_place", "other formats record changes of state, CX Agent Studio expects them"),
    SetField.AGENT_DETAILS: Holding("no_place", "agents belong to the app in CX Agent Studio"),
    SetField.EVENT_OTHER: Holding("no_place", "steps of CX Agent Studio have no such member"),
    SetField.FINAL_PARTS: Holding("changed", "messages of CX Agent Studio have texts and bytes, and no addresses"),
    SetField.THOUGHTS: Holding("no_place", "CX Agent Studio expects words that the agent says, not its thoughts"),
    SetField.AGENTS: Holding("no_place", "agents belong to the app in CX Agent Studio"),
    SetField.SYSTEM_INSTRUCTION: Holding("no_place", "instructions belong to the app in CX Agent Studio"),
    SetField.RECORDED: Holding("no_place", "an evaluation says what is expected, not what an agent answered"),
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
