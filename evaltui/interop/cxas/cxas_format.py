"""The format of cxas' YAML: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.cxas.reader import read_conversations
from evaltui.interop.cxas.writer import write_conversations
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_NO_SET = "a file of cxas has conversations and simulations, and no members of a set"
_TEXTS = Holding("no_place", "messages of cxas are texts")
_APP = Holding("no_place", "cxas is told the app when it runs, and has no user ids")
_NO_TURN = Holding("no_place", "a turn of cxas has words of the user, words of the agent and tool calls")
_PLATFORM = Holding("no_place", "it belongs to the app in CX Agent Studio")
_CES = Holding("no_place", "evaluations of CX Agent Studio have it, and the YAML of cxas does not", "Convert to ces.")

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_ID: Holding("held", "the set has no case, whose tag its id would be"),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding("no_place", _NO_SET),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding("no_place", "a conversation of cxas has one name, and the case id is it"),
    SetField.CASE_DESCRIPTION: Holding("no_place", "conversations of cxas have no description"),
    SetField.CASE_TIME: Holding("no_place", "conversations of cxas have no times"),
    SetField.CASE_OTHER: Holding("changed", "conversations of cxas have tags, and no members of others"),
    SetField.APP_NAME: _APP,
    SetField.USER_ID: _APP,
    SetField.SESSION_OTHER: _APP,
    SetField.FINAL_STATE: Holding("no_place", "cxas checks no variables", "Convert to ces, which does."),
    SetField.CASE_RUBRICS: Holding("changed", "expectations of cxas are texts without ids"),
    SetField.RUBRIC_DETAILS: Holding("no_place", "expectations of cxas are texts"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "expectations of cxas are texts without descriptions"),
    SetField.TURN_RUBRICS: Holding("no_place", "cxas has expectations of whole conversations only"),
    SetField.SCENARIO_PERSONA: Holding("changed", "cxas has words that guide the simulated user instead of a persona"),
    SetField.SCENARIO_TITLE: Holding("no_place", "a simulation of cxas has one name, and the case id is it"),
    SetField.SCENARIO_OTHER: Holding("no_place", "steps of simulations get a goal, first words and a guide"),
    SetField.TURN_ID: _NO_TURN,
    SetField.TURN_TIME: _NO_TURN,
    SetField.TURN_DURATIONS: _NO_TURN,
    SetField.TURN_OTHER: _NO_TURN,
    SetField.USER_TEXT: Holding("changed", "cxas has one text for a message"),
    SetField.USER_PARTS: _TEXTS,
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has the agent, and no other arguments"),
    SetField.CALL_NAME: Holding("held", "a response has the name of its call in cxas"),
    SetField.CALL_ID: Holding("no_place", "calls of cxas have no ids"),
    SetField.CALL_OTHER: Holding("no_place", "calls of cxas have an action, arguments and an output"),
    SetField.TEXT_BETWEEN: Holding("changed", "the last text of a turn is its final response in cxas"),
    SetField.PARTS_BETWEEN: _TEXTS,
    SetField.AUTHOR: Holding("no_place", "texts and calls of cxas have no author"),
    SetField.EVENT_TIME: Holding("no_place", "cxas has no events"),
    SetField.EVENT_OTHER: Holding("no_place", "cxas has no events"),
    SetField.STATE_CHANGES: Holding("no_place", "cxas has variables at the start of a conversation only"),
    SetField.AGENT_DETAILS: _PLATFORM,
    SetField.FINAL_TEXT: Holding("changed", "cxas has one text for a message"),
    SetField.FINAL_PARTS: _TEXTS,
    SetField.THOUGHTS: Holding("no_place", "cxas expects words that the agent says, not its thoughts"),
    SetField.AGENTS: _PLATFORM,
    SetField.SYSTEM_INSTRUCTION: _PLATFORM,
    SetField.RECORDED: Holding("no_place", "a conversation says what is expected, not what an agent answered"),
    SetField.NO_CALLS: Holding("no_place", "cxas cannot say that no tool is called", "Convert to ces, which can."),
    SetField.EXPECTATION_OPTIONS: _CES,
    SetField.CRITERIA: Holding(
        "no_place",
        "cxas takes the texts of criteria, and would create a new one with the resource name as its text",
        "Copy the text of the criterion to expectations.",
    ),
}

CXAS = FormatType(
    source_word="cxas-yaml",
    option="cxas-yaml",
    title="cxas YAML",
    ending=".cxas.yaml",
    holdings=_HOLDINGS,
    read=read_conversations,
    write=write_conversations,
    is_yaml=True,
)
