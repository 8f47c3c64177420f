"""Doubts about a trace, where it could not be taken as it stands: each kind once, with its number."""

from __future__ import annotations

from typing import NamedTuple


class Doubt(NamedTuple):
    """A kind of doubt, as a sentence for one and for many of them."""

    one: str
    many: str


class Doubts:
    """The doubts about a file, counted; `place` is where the first of a kind was."""

    def __init__(self) -> None:
        self._counted: dict[Doubt, tuple[int, str]] = {}

    def note(self, doubt: Doubt, place: str = "") -> None:
        """Count one more of a kind, at a span, trace or tool."""
        count, first = self._counted.get(doubt, (0, place))
        self._counted[doubt] = (count + 1, first)

    def sentences(self) -> tuple[str, ...]:
        """A sentence for each kind, in the order in which they came up."""
        return tuple(_sentence(doubt, *counted) for doubt, counted in self._counted.items())


def _sentence(doubt: Doubt, count: int, place: str) -> str:
    said = doubt.one if count == 1 else doubt.many.format(count)
    if not place:
        return said
    return f"{said} ({place})" if count == 1 else f"{said} (first: {place})"


NO_SPAN = Doubt("1 entry is no span and is left out", "{} entries are no spans and are left out")
NO_TRACE = Doubt("1 line or entry is no trace and is left out", "{} lines or entries are no traces and are left out")
NO_IDS = Doubt(
    "1 span without a trace id or span id is left out", "{} spans without a trace id or span id are left out"
)
DUPLICATE = Doubt(
    "1 span stands there again under the same id; the first one counts",
    "{} spans stand there again under the same id; the first one counts",
)
CYCLE = Doubt(
    "1 circle of parents is opened at the span that began first",
    "{} circles of parents are opened at the span that began first",
)
NO_START = Doubt(
    "1 span without a start time counts as the earliest, so the order of turns and calls may be wrong",
    "{} spans without a start time count as the earliest, so the order of turns and calls may be wrong",
)
TOO_DEEP = Doubt("1 value is nested too deeply to be read", "{} values are nested too deeply to be read")
BAD_ATTRIBUTE = Doubt("1 attribute cannot be read and is left out", "{} attributes cannot be read and are left out")
BAD_MESSAGES = Doubt(
    "the messages of 1 attribute cannot be read; a limit on the length of attributes may have cut them off",
    "the messages of {} attributes cannot be read; a limit on the length of attributes may have cut them off",
)
NAMELESS_CALL = Doubt(
    "1 tool call in a message has no name and is left out", "{} tool calls in messages have no name and are left out"
)
BAD_ARGUMENTS = Doubt(
    "the arguments of 1 tool call in a message are no JSON and count as {}",
    "the arguments of {} tool calls in messages are no JSON and count as {{}}",
)
NO_ARGUMENTS = Doubt(
    "1 tool call has no arguments recorded, which count as {}",
    "{} tool calls have no arguments recorded, which count as {{}}",
)
TOOL_NAMED_BY_SPAN = Doubt(
    "1 tool span has no gen_ai.tool.name; the span's name tells the tool",
    "{} tool spans have no gen_ai.tool.name; the spans' names tell the tools",
)
RESULT_BY_ORDER = Doubt(
    "1 result of a tool has an id that no call has and goes to the next call in order",
    "{} results of tools have ids that no call has and go to the next call in order",
)
JOINED_BY_NAME = Doubt(
    "1 tool span has no arguments or result of its own and takes those of the next call of that name in the messages",
    "{} tool spans have no arguments or results of their own and take those of the next call of that name in the "
    "messages",
)
ONLY_IN_MESSAGES = Doubt(
    "1 tool call stands only in the messages, beside tools that have spans",
    "{} tool calls stand only in the messages, beside tools that have spans",
)
NO_TURN = Doubt("1 trace holds no turn of an agent", "{} traces hold no turn of an agent")
EMPTY_AGENT = Doubt(
    "1 agent span without model calls, tools and messages is no turn",
    "{} agent spans without model calls, tools and messages are no turns",
)
TOOL_OUTSIDE = Doubt(
    "1 tool span belongs to no turn and is left out", "{} tool spans belong to no turn and are left out"
)
MAY_CONTINUE = Doubt(
    "1 turn may go on with the one before it; the messages that tell are not recorded",
    "{} turns may go on with the one before them; the messages that tell are not recorded",
)
NO_USER_TEXT = Doubt(
    "1 turn has no user text recorded; is the recording of messages switched on?",
    "{} turns have no user text recorded; is the recording of messages switched on?",
)
NO_RESPONSE = Doubt("1 turn has no final response recorded", "{} turns have no final response recorded")
FAILED_TURN = Doubt("1 turn ended with an error", "{} turns ended with an error")
LOST_LOG = Doubt(
    "1 log record with messages belongs to no span of this file",
    "{} log records with messages belong to no span of this file",
)
