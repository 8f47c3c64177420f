"""Doubts about a trace, for every place where its reader had to guess: each kind once, with its number."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple


class Doubt(NamedTuple):
    """A kind of doubt, with a sentence for one case and a sentence for many."""

    one: str
    many: str


class Doubts:
    """The doubts about a file, counted by kind. Each kind keeps the place of its first doubt."""

    def __init__(self) -> None:
        self.number = 0
        """The number of all doubts so far."""
        self._counted: dict[Doubt, tuple[int, str]] = {}
        self._lossy: set[str | None] = set()
        self._without_spans: set[str | None] = set()

    def note(self, doubt: Doubt, place: str = "") -> None:
        """Count one doubt, at a span, trace or tool."""
        count, first = self._counted.get(doubt, (0, place))
        self._counted[doubt] = (count + 1, first)
        self.number += 1

    def lose(self, trace_id: str | None) -> None:
        """Keep in mind that something of a trace is skipped, or of any trace of the file with None.

        It may have been a tool call, so the calls of these traces are not recorded.
        """
        self._lossy.add(trace_id)

    @property
    def lossy(self) -> Set[str | None]:
        """The traces of which something is skipped; None if it may be any."""
        return self._lossy

    def has_lost(self, trace_id: str) -> bool:
        """Whether anything that may belong to a trace is skipped."""
        return None in self._lossy or trace_id in self._lossy

    def lose_spans(self, trace_id: str | None) -> None:
        """As `lose`, for something that may hold spans: a model call among them may have had the response."""
        self.lose(trace_id)
        self._without_spans.add(trace_id)

    def lacks_spans(self, trace_id: str | None) -> bool:
        """Whether spans that may belong to a trace are skipped."""
        return None in self._without_spans or trace_id in self._without_spans

    def skip(self, doubt: Doubt, trace_id: str | None = None, place: str = "") -> None:
        """Count a doubt about something that is skipped, and which may belong to a trace, or with None to any trace."""
        self.note(doubt, place)
        if doubt in _OF_SPANS:
            self.lose_spans(trace_id)
        else:
            self.lose(trace_id)

    def sentences(self) -> tuple[str, ...]:
        """A sentence for each kind, in the order in which they came up."""
        return tuple(_sentence(doubt, *counted) for doubt, counted in self._counted.items())


def _sentence(doubt: Doubt, count: int, place: str) -> str:
    said = doubt.one if count == 1 else doubt.many.format(count)
    if not place:
        return said
    return f"{said} ({place})" if count == 1 else f"{said} (first: {place})"


NO_SPAN = Doubt("1 entry is not a span and is skipped", "{} entries are not spans and are skipped")
UNREAD_MEMBER = Doubt(
    "1 key that may hold spans is not read",
    "{} keys that may hold spans are not read",
)
PARTIAL = Doubt(
    "1 status, error or warning says that spans may be missing",
    "{} statuses, errors or warnings say that spans may be missing",
)
NO_TRACE = Doubt("1 line or entry is not a trace and is skipped", "{} lines or entries are not traces and are skipped")
NO_IDS = Doubt("1 span without a trace id or span id is skipped", "{} spans without a trace id or span id are skipped")
DUPLICATE = Doubt(
    "1 span has the id of an earlier span; the earlier span is used",
    "{} spans have the ids of earlier spans; the earlier spans are used",
)
CYCLE = Doubt(
    "1 cycle of parent spans; the earliest span of the cycle is used as the root",
    "{} cycles of parent spans; the earliest span of each cycle is used as a root",
)
NO_START = Doubt(
    "1 span has no start time, so the order of turns and tool calls may be wrong",
    "{} spans have no start time, so the order of turns and tool calls may be wrong",
)
TOO_DEEP = Doubt("1 value is nested too deeply to read", "{} values are nested too deeply to read")
_OF_SPANS = frozenset({NO_SPAN, NO_TRACE, NO_IDS, UNREAD_MEMBER, PARTIAL})
BAD_ATTRIBUTE = Doubt("1 attribute cannot be read and is skipped", "{} attributes cannot be read and are skipped")
BAD_MESSAGES = Doubt(
    "the messages in 1 attribute cannot be read; an attribute length limit may have cut them off",
    "the messages in {} attributes cannot be read; an attribute length limit may have cut them off",
)
NAMELESS_CALL = Doubt(
    "1 tool call in a message has no name and is skipped", "{} tool calls in messages have no name and are skipped"
)
UNREAD_PART = Doubt(
    "1 part of a model's messages cannot be read and may be a tool call",
    "{} parts of models' messages cannot be read and may be tool calls",
)
MIXED_ANSWER = Doubt(
    "1 response consists of several messages, or has texts of others than the agent, and counts as not recorded",
    "{} responses consist of several messages, or have texts of others than the agent, and count as not recorded",
)
CUT_RESPONSE = Doubt(
    "the text of 1 response ends with an error, and counts as not recorded",
    "the texts of {} responses end with errors, and count as not recorded",
)
BAD_ARGUMENTS = Doubt(
    "the arguments of 1 tool call are null or not JSON, and count as not recorded",
    "the arguments of {} tool calls are null or not JSON, and count as not recorded",
)
HIDDEN_ARGUMENTS = Doubt(
    "the recorder left out a value in the arguments of 1 tool call, which count as not recorded",
    "the recorder left out values in the arguments of {} tool calls, which count as not recorded",
)
NO_ARGUMENTS = Doubt(
    "1 tool call has no recorded arguments",
    "{} tool calls have no recorded arguments",
)
STRANGE_TOOL = Doubt(
    "1 span may be a tool call in a form that evaltui does not read",
    "{} spans may be tool calls in a form that evaltui does not read",
)
UNKNOWN_CALLS = Doubt(
    "1 turn has neither tool spans nor complete model responses that evaltui reads; its calls are not recorded",
    "{} turns have neither tool spans nor complete model responses that evaltui reads; their calls are not recorded",
)
ENDS_EARLY = Doubt(
    "1 turn ends with a tool call or before a response; further tool calls may be missing",
    "{} turns end with a tool call or before a response; further tool calls may be missing",
)
LOST_CALL = Doubt(
    "1 turn has tool calls in the messages of its agent or to its model that are recorded nowhere else",
    "{} turns have tool calls in the messages of their agents or to their models that are recorded nowhere else",
)
FAILED_CALL = Doubt(
    "1 turn has a model that failed and asked for a tool, and nobody knows whether the tool ran",
    "{} turns have models that failed and asked for tools, and nobody knows whether the tools ran",
)
STRANGE_EVENT = Doubt(
    "1 event or log record cannot be read and is skipped", "{} events or log records cannot be read and are skipped"
)
OUTSIDE_AGENT = Doubt(
    "1 model call is outside of the agents of its trace; it may be a part of their turns",
    "{} model calls are outside of the agents of their traces; they may be parts of their turns",
)
TOOL_NAMED_BY_SPAN = Doubt(
    "1 tool span has no gen_ai.tool.name; the span name is used",
    "{} tool spans have no gen_ai.tool.name; the span names are used",
)
RESULT_BY_ORDER = Doubt(
    "1 tool response has no tool call with its id; the next tool call gets the response",
    "{} tool responses have no tool call with their ids; the next tool calls get the responses",
)
OTHER_CALL = Doubt(
    "1 tool call contains a span of its tool with another id and other arguments, which may be another call",
    "{} tool calls contain spans of their tools with other ids and other arguments, which may be other calls",
)
JOINED_BY_NAME = Doubt(
    "1 tool span has no arguments or response; evaltui reads these from the tool's next call in the messages",
    "{} tool spans have no arguments or response; evaltui reads these from the tool's next call in the messages",
)
ONLY_IN_MESSAGES = Doubt(
    "1 tool call has no span, but other tool calls have spans; evaltui reads the call from the messages",
    "{} tool calls have no span, but other tool calls have spans; evaltui reads the calls from the messages",
)
NO_TURN = Doubt("1 trace has no turn of an agent", "{} traces have no turn of an agent")
EMPTY_AGENT = Doubt(
    "1 agent span has no model calls, tools or messages and is skipped",
    "{} agent spans have no model calls, tools or messages and are skipped",
)
TOOL_OUTSIDE = Doubt("1 tool span belongs to no turn and is skipped", "{} tool spans belong to no turn and are skipped")
MAY_CONTINUE = Doubt(
    "1 turn may be a part of the turn before it; the trace has no messages to check this",
    "{} turns may be parts of the turn before them; the trace has no messages to check this",
)
NO_USER_TEXT = Doubt(
    "1 turn has no recorded user message; is message recording switched on?",
    "{} turns have no recorded user message; is message recording switched on?",
)
NO_RESPONSE = Doubt("1 turn has no recorded response", "{} turns have no recorded response")
FAILED_TURN = Doubt("1 turn ended with an error", "{} turns ended with an error")
LOST_LOG = Doubt(
    "1 log record with messages belongs to no span in this file",
    "{} log records with messages belong to no span in this file",
)
