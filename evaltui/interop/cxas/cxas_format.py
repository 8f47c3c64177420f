"""The format of cxas' YAML: its names, and the fields that it holds."""

from __future__ import annotations

from evaltui.interop.cxas.reader import read_conversations
from evaltui.interop.cxas.writer import write_conversations
from evaltui.interop.fields import HELD, Holding, SetField
from evaltui.interop.format_type import FormatType

_NO_SET = "a cxas file has only conversations and simulations"
_TEXTS = Holding("no_place", "messages in cxas contain only text")
_APP = Holding("no_place", "cxas has no user ids, and the app is given when cxas runs")
_NO_TURN = Holding("no_place", "a turn in cxas has only a user message, texts of the agent and tool calls")
_PLATFORM = Holding("no_place", "in CX Agent Studio, these fields belong to the app")
_CES = Holding(
    "no_place",
    "cxas YAML has no field for this, but CX Agent Studio has one",
    "Convert to ces to keep this.",
)

_HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.SET_NAME: Holding("no_place", _NO_SET),
    SetField.SET_DESCRIPTION: Holding("no_place", _NO_SET),
    SetField.SET_TIME: Holding("no_place", _NO_SET),
    SetField.SET_OTHER: Holding("no_place", _NO_SET),
    SetField.CASE_NAME: Holding(
        "no_place", "a conversation in cxas has only one name, and evaltui writes the case id there"
    ),
    SetField.CASE_DESCRIPTION: Holding("no_place", "conversations in cxas have no description"),
    SetField.CASE_TIME: Holding("no_place", "conversations in cxas have no creation time"),
    SetField.CASE_OTHER: Holding("changed", "conversations in cxas have tags, but no custom fields"),
    SetField.APP_NAME: _APP,
    SetField.USER_ID: _APP,
    SetField.SESSION_OTHER: _APP,
    SetField.FINAL_STATE: Holding("no_place", "cxas does not check variables", "Convert to ces to check variables."),
    SetField.CASE_RUBRICS: Holding("changed", "cxas has only the texts of rubrics, without id and type"),
    SetField.RUBRIC_DETAILS: Holding("no_place", "expectations in cxas have only a text"),
    SetField.RUBRIC_DESCRIPTION: Holding("no_place", "expectations in cxas have no description"),
    SetField.TURN_RUBRICS: Holding("no_place", "cxas has expectations for conversations, not for single turns"),
    SetField.SCENARIO_PERSONA: Holding("changed", "cxas has a response guide instead of a persona"),
    SetField.SCENARIO_TITLE: Holding(
        "no_place", "a simulation in cxas has only one name, and evaltui writes the case id there"
    ),
    SetField.SCENARIO_OTHER: Holding(
        "no_place", "evaltui writes only a goal, a first message and a response guide for a simulation"
    ),
    SetField.TURN_ID: _NO_TURN,
    SetField.TURN_TIME: _NO_TURN,
    SetField.TURN_DURATIONS: _NO_TURN,
    SetField.TURN_OTHER: _NO_TURN,
    SetField.USER_TEXT: Holding("changed", "a message in cxas has only one text"),
    SetField.USER_PARTS: _TEXTS,
    SetField.CALL_ARGS: Holding("changed", "a transfer to an agent has only the name of the agent"),
    SetField.CALL_ID: Holding("no_place", "tool calls in cxas have no ids"),
    SetField.CALL_OTHER: Holding("no_place", "a tool call in cxas has only an action, arguments and an output"),
    SetField.TEXT_BETWEEN: Holding("changed", "cxas uses the last text of a turn as its response"),
    SetField.PARTS_BETWEEN: _TEXTS,
    SetField.AUTHOR: Holding("no_place", "texts and tool calls in cxas have no author"),
    SetField.EVENT_TIME: Holding("no_place", "texts and tool calls in cxas have no id and no time"),
    SetField.EVENT_OTHER: Holding("no_place", "texts and tool calls in cxas have no fields like this"),
    SetField.STATE_CHANGES: Holding("no_place", "cxas has variables only at the start of a conversation"),
    SetField.AGENT_DETAILS: _PLATFORM,
    SetField.FINAL_TEXT: Holding("changed", "a message in cxas has only one text"),
    SetField.FINAL_PARTS: _TEXTS,
    SetField.THOUGHTS: Holding("no_place", "cxas compares what the agent says, not its thoughts"),
    SetField.AGENTS: _PLATFORM,
    SetField.SYSTEM_INSTRUCTION: _PLATFORM,
    SetField.RECORDED: Holding("no_place", "a conversation in cxas contains expected responses, not recorded ones"),
    SetField.NO_CALLS: Holding(
        "no_place", "cxas cannot express that no tool is called", "Convert to ces to keep this."
    ),
    SetField.EXPECTATION_OPTIONS: _CES,
    SetField.CRITERIA: Holding(
        "no_place",
        "cxas needs the text of a criterion, not its resource name",
        "Add the text of the criterion to expectations.",
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
