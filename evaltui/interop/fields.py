"""Fields of an eval set that formats share, the reasons for losses, and the fields of the values of a source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from functools import partial
from typing import Literal, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, snake


class ConversionError(Exception):
    """A set that cannot be read or written; the message is a sentence with the place and what to do."""


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


LossKind = Literal["no_place", "changed", "merged", "invented"]
"""Words of the contract (`evaltui convert --report json`).

no_place: not in the target, or not where its readers look. changed: in the target in another form.
"""


class Reason(NamedTuple):
    """The kind of a loss, and why it happens."""

    kind: LossKind | None = None
    """None: nothing is lost."""
    text: str = ""
    """A clause without a full stop: "agents-cli reads no rubrics of single turns"; "" for the reason of the field."""
    advice: str = ""
    """A sentence in the imperative, "" for none."""


HELD = Reason()
"""The target has the value unchanged, where its readers look."""
no_place = partial(Reason, "no_place")
changed = partial(Reason, "changed")
"""These two make a reason from its text and, if there is any, its advice."""
Holdings = Mapping[SetField, Reason]
"""All fields, with the reason why a format does not hold them. It also has fields that no source of it contains."""


def objects_of(values: Node | None) -> list[Node]:
    """The objects in a list; empty for any other value."""
    if values is None or values.kind != "array":
        return []
    return [value for value in values.items if value.kind == "object"]


class SourceFields:
    """The field of each value of a source, as its reader finds them.

    A value below a noted one belongs to the same field, unless it is noted itself. A reader notes everything it
    understands. The rest of the source is also reported, leaf by leaf and without a field.
    """

    def __init__(self) -> None:
        self.noted: dict[Node, SetField | None] = {}
        """None for a value that needs no report."""
        self.keys: dict[Node, tuple[SetField, str]] = {}
        """Values whose keys are values themselves, with the fields of the keys and advice for a lost key."""
        # Where the target lacks the field, its own reason is the better one: no reader could have helped.
        self.unread: dict[Node, str] = {}
        """Reasons for values that the reader does not use. They count where the target has the field in any form."""
        self.remarks: dict[Node, Reason] = {}
        """Values whose loss has its own reason, even if parts of them are written."""

    def note(self, value: Node, field: SetField, unread: str = "") -> Node:
        """Note the field of a value; returns the value. `unread` is why the reader does not use the value."""
        self.noted[value] = field  # the last note counts: a final response is first read as any message
        if unread:
            self.unread[value] = unread
        return value

    def note_filled(self, value: Node | None, field: SetField) -> Node | None:
        """Note the field of a value; returns None if it is absent or null."""
        return self.note(value, field) if value is not None and value.kind != "null" else None

    def read(self, owner: Node | None, name: str, field: SetField, unread: str = "") -> Node | None:
        """The value under a key in either spelling, with its field noted; None if it is absent or null."""
        value = filled(owner, name)
        return self.note(value, field, unread) if value is not None else None

    def read_extras(
        self, owner: Node, known_keys: Collection[str], field: SetField, *, is_snake_only: bool = False
    ) -> dict[str, Node]:
        """The values of an object that have no name in its format, by their own keys, noted and without nulls."""
        return {
            value.name: self.note(value, field)
            for value in owner.items
            # Of two values under one key, the last one counts, as in Python's json.
            if (value.name if is_snake_only else snake(value.name)) not in known_keys
            and value.kind != "null"
            and owner.member(value.name) is value
        }

    def note_all(self, values: Iterable[Node], field: SetField, unread: str = "") -> None:
        """Note that values belong to a field."""
        for value in values:
            self.note(value, field, unread)

    def leave_out(self, value: Node, reason: Reason) -> None:
        """Report a value that the writer leaves out, unless it has a remark."""
        self.remarks.setdefault(value, reason)

    def pass_over(self, value: Node | None, words: tuple[str, ...] = ()) -> None:
        """Note that a value needs no report: a default, a turn number, or one of these conventional words."""
        if value is not None and (not words or (value.kind == "string" and value.text().lower() in words)):
            self.noted[value] = None
