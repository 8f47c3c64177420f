"""The format of cxas' YAML: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.cxas.reader import read_conversations
from evaltui.interop.cxas.writer import write_conversations
from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.format_type import FormatType

_NO_SET = "a file of cxas has conversations and simulations, and no members of a set"
_TEXTS = Holding("no_place", "messages of cxas are texts")
_APP = Holding("no_place", "cxas is told the app when it runs, and has no user ids")
_NO_TURN = Holding("no_place", "a turn of cxas has words of the user, words of the agent and tool calls")
_PLATFORM = Holding("no_place", "it belongs to the app in CX Agent Studio")
_CES = Holding("no_place", "evaluations of CX Agent Studio have it, and the YAML of cxas does not", "Convert to ces.")

_HOLDINGS = {
    **dict.fromkeys(Field, HELD),
    Field.SET_ID: Holding("held", "the set has no case, whose tag its id would be"),
    Field.SET_NAME: Holding("no_place", _NO_SET),
    Field.SET_DESCRIPTION: Holding("no_place", _NO_SET),
    Field.SET_TIME: Holding("no_place", _NO_SET),
    Field.SET_OTHER: Holding("no_place", _NO_SET),
    Field.CASE_NAME: Holding("no_place", "a conversation of cxas has one name, and the case id is it"),
    Field.CASE_DESCRIPTION: Holding("no_place", "conversations of cxas have no description"),
    Field.CASE_TIME: Holding("no_place", "conversations of cxas have no times"),
    Field.CASE_OTHER: Holding("changed", "conversations of cxas have tags, and no members of others"),
    Field.APP_NAME: _APP,
    Field.USER_ID: _APP,
    Field.SESSION_OTHER: _APP,
    Field.FINAL_STATE: Holding("no_place", "cxas checks no variables", "Convert to ces, which does."),
    Field.CASE_RUBRICS: Holding("changed", "expectations of cxas are texts without ids"),
    Field.RUBRIC_DETAILS: Holding("no_place", "expectations of cxas are texts"),
    Field.RUBRIC_DESCRIPTION: Holding("no_place", "expectations of cxas are texts without descriptions"),
    Field.TURN_RUBRICS: Holding("no_place", "cxas has expectations of whole conversations only"),
    Field.SCENARIO_PERSONA: Holding("changed", "cxas has words that guide the simulated user instead of a persona"),
    Field.SCENARIO_TITLE: Holding("no_place", "a simulation of cxas has one name, and the case id is it"),
    Field.SCENARIO_OTHER: Holding("no_place", "steps of simulations get a goal, first words and a guide"),
    Field.TURN_ID: _NO_TURN,
    Field.TURN_TIME: _NO_TURN,
    Field.TURN_DURATIONS: _NO_TURN,
    Field.TURN_OTHER: _NO_TURN,
    Field.USER_TEXT: Holding("changed", "cxas has one text for a message"),
    Field.USER_PARTS: _TEXTS,
    Field.CALL_ARGS: Holding("changed", "a transfer to an agent has the agent, and no other arguments"),
    Field.CALL_NAME: Holding("held", "a response has the name of its call in cxas"),
    Field.CALL_ID: Holding("no_place", "calls of cxas have no ids"),
    Field.CALL_OTHER: Holding("no_place", "calls of cxas have an action, arguments and an output"),
    Field.TEXT_BETWEEN: Holding("changed", "the last text of a turn is its final response in cxas"),
    Field.PARTS_BETWEEN: _TEXTS,
    Field.AUTHOR: Holding("no_place", "texts and calls of cxas have no author"),
    Field.EVENT_TIME: Holding("no_place", "cxas has no events"),
    Field.EVENT_OTHER: Holding("no_place", "cxas has no events"),
    Field.STATE_CHANGES: Holding("no_place", "cxas has variables at the start of a conversation only"),
    Field.AGENT_DETAILS: _PLATFORM,
    Field.FINAL_TEXT: Holding("changed", "cxas has one text for a message"),
    Field.FINAL_PARTS: _TEXTS,
    Field.THOUGHTS: Holding("no_place", "cxas expects words that the agent says, not its thoughts"),
    Field.AGENTS: _PLATFORM,
    Field.SYSTEM_INSTRUCTION: _PLATFORM,
    Field.RECORDED: Holding("no_place", "a conversation says what is expected, not what an agent answered"),
    Field.NO_CALLS: Holding("no_place", "cxas cannot say that no tool is to be called", "Convert to ces, which can."),
    Field.EXPECTATION_OPTIONS: _CES,
    Field.CRITERIA: Holding(
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
