"""Fields of an eval set that formats share, and the extent to which a format holds each of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Literal, NamedTuple


class SetField(Enum):
    """A field of an eval set, a case, a turn or a scenario; the value is its name in tables and sentences."""

    SET_ID = "eval set id"
    SET_NAME = "name of the set"
    SET_DESCRIPTION = "description of the set"
    SET_TIME = "creation time of the set"
    SET_OTHER = "other fields of the set"
    CASE_ID = "case id"
    CASE_NAME = "name of a case"
    CASE_DESCRIPTION = "description of a case"
    CASE_TAGS = "tags of a case"
    CASE_TIME = "creation time of a case"
    CASE_OTHER = "other fields of a case"
    APP_NAME = "app name"
    USER_ID = "user id"
    SESSION_OTHER = "session id and other fields of the session"
    STATE = "session state at the start"
    FINAL_STATE = "session state at the end"
    CASE_RUBRICS = "rubrics of a case"
    RUBRIC_DESCRIPTION = "description of a rubric"
    RUBRIC_DETAILS = "groups, importance and other fields of rubrics"
    TURN_RUBRICS = "rubrics of a turn"
    SCENARIO_PROMPT = "starting prompt of a scenario"
    SCENARIO_PLAN = "conversation plan of a scenario"
    SCENARIO_PERSONA = "user persona"
    SCENARIO_TITLE = "title of a scenario"
    SCENARIO_OTHER = "user facts, limits and expectations of a scenario"
    TURN_ID = "invocation id"
    TURN_TIME = "creation time of a turn"
    TURN_DURATIONS = "durations of a turn"
    TURN_OTHER = "other fields of a turn"
    USER_TEXT = "text of the user message"
    USER_PARTS = "files and other parts of the user message"
    CALL_NAME = "name of a tool call"
    CALL_ARGS = "arguments of a tool call"
    CALL_ID = "id of a tool call or tool response"
    CALL_OTHER = "other fields of tool calls and tool responses"
    TOOL_RESPONSE = "tool response"
    TEXT_BETWEEN = "text of intermediate responses"
    PARTS_BETWEEN = "files and other parts of intermediate responses"
    AUTHOR = "author of an event"
    EVENT_TIME = "id and time of an event"
    EVENT_OTHER = "token counts, model, grounding and other fields of events"
    STATE_CHANGES = "state and tool changes during a conversation"
    FINAL_TEXT = "text of the response"
    FINAL_PARTS = "files and other parts of the response"
    THOUGHTS = "thoughts and their signatures"
    AGENTS = "agents with instructions and tools"
    AGENT_DETAILS = "description, type and sub-agents of an agent"
    SYSTEM_INSTRUCTION = "system instruction"
    RECORDED = "recorded responses"
    ARGUMENT_RULES = "comparison rules for single arguments"
    NO_CALLS = "explicit expectation of no tool calls"
    EXPECTATION_OPTIONS = "notes, skips, comparison types and thresholds of expectations"
    CRITERIA = "criteria for judge models, by resource name"


Extent = Literal["held", "changed", "no_place"]
"""held: unchanged in the target, where its readers look. changed: in the target in another form, and reported.

no_place: not in the target, or not where its readers look; reported.
"""


class Holding(NamedTuple):
    """The extent to which a format holds a field, the reason if it does not hold it, and advice."""

    extent: Extent = "held"
    reason: str = ""
    """A clause without a full stop: "agents-cli reads no rubrics of single turns"; "" for a held field."""
    advice: str = ""
    """A sentence in the imperative, "" for none."""


HELD = Holding()
Holdings = Mapping[SetField, Holding]
"""All fields with their extent. It also has the fields that no source of the format contains."""
