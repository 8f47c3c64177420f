"""Fields of an eval set that formats share, and the extent to which a format holds each of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Literal, NamedTuple

from evaltui.document.node import Node
from evaltui.interop.output_tree import LossKind


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


class LossRemark(NamedTuple):
    """The kind and reason of a loss that does not follow from its field."""

    node: Node
    kind: LossKind
    reason: str
    """A clause without a full stop."""
    advice: str = ""


class SourceFields:
    """The field of each value of a source.

    A value below a noted one belongs to the same field, unless it is noted itself. A reader notes everything it
    understands. The rest of the source is also reported, leaf by leaf and without a field.
    """

    def __init__(self) -> None:
        self._fields: dict[Node, SetField | None] = {}
        self.keys: dict[Node, tuple[SetField, str]] = {}
        """Values whose keys are values themselves, with the fields of the keys and advice for a lost key."""
        self.unread: dict[Node, str] = {}
        """Reasons for values that the reader does not use. They count where the target has the field in any form."""
        self.remarks: dict[Node, LossRemark] = {}
        """Values whose loss has its own reason. Nothing of them is written where a reader looks."""

    def note(self, node: Node, field: SetField, unread: str = "") -> Node:
        """Note the field of a value; returns the value. `unread` is why the reader does not use the value."""
        self._fields[node] = field
        if unread:
            self.unread[node] = unread
        return node

    def note_key(self, node: Node, field: SetField, advice: str = "") -> None:
        """Note that the key of a value is a value itself, chosen by the author: the name of a group."""
        self.keys[node] = (field, advice)

    def remark(self, node: Node, kind: LossKind, reason: str, advice: str = "") -> None:
        """Report a value for its own reason, even if parts of it are written."""
        self.remarks[node] = LossRemark(node, kind, reason, advice)

    def pass_over(self, node: Node | None) -> None:
        """Note that a value needs no report: a default, a conventional role, the number of a turn."""
        if node is not None:
            self._fields[node] = None

    def pass_over_word(self, node: Node | None, words: tuple[str, ...]) -> None:
        """Note that a value needs no report if it is one of these conventional words."""
        if node is not None and node.kind == "string" and node.text().lower() in words:
            self.pass_over(node)

    def is_noted(self, node: Node) -> bool:
        """Whether a value has a field of its own, or needs no report."""
        return node in self._fields

    def is_passed_over(self, node: Node) -> bool:
        """Whether a value needs no report."""
        return node in self._fields and self._fields[node] is None

    def field(self, node: Node) -> SetField | None:
        """The field noted for this very value."""
        return self._fields.get(node)
