"""The warnings of a trace: each doubt, where its reader had to guess or skip something, as a sentence."""

from __future__ import annotations

from enum import Enum


class Doubt(Enum):
    """A kind of doubt. Its value has a sentence for one case and a sentence for many."""

    NO_SPAN = ("1 entry is not a span and is skipped", "{} entries are not spans and are skipped")
    UNREAD_MEMBER = ("1 key that may hold spans is not read", "{} keys that may hold spans are not read")
    PARTIAL = (
        "1 status, error or warning says that spans may be missing",
        "{} statuses, errors or warnings say that spans may be missing",
    )
    NO_TRACE = ("1 line or entry is not a trace and is skipped", "{} lines or entries are not traces and are skipped")
    NO_IDS = ("1 span without a trace id or span id is skipped", "{} spans without a trace id or span id are skipped")
    DUPLICATE = (
        "1 span has the id of an earlier span; the earlier span is used",
        "{} spans have the ids of earlier spans; the earlier spans are used",
    )
    CYCLE = (
        "1 cycle of parent spans; the earliest span of the cycle is used as the root",
        "{} cycles of parent spans; the earliest span of each cycle is used as a root",
    )
    NO_START = (
        "1 span has no start time, so the order of turns and tool calls may be wrong",
        "{} spans have no start time, so the order of turns and tool calls may be wrong",
    )
    TOO_DEEP = ("1 value is nested too deeply to read", "{} values are nested too deeply to read")
    BAD_ATTRIBUTE = ("1 attribute cannot be read and is skipped", "{} attributes cannot be read and are skipped")
    BAD_MESSAGES = (
        "the messages in 1 attribute cannot be read; an attribute length limit may have cut them off",
        "the messages in {} attributes cannot be read; an attribute length limit may have cut them off",
    )
    NAMELESS_CALL = (
        "1 tool call in a message has no name and is skipped",
        "{} tool calls in messages have no name and are skipped",
    )
    UNREAD_PART = (
        "1 part of a model's messages cannot be read and may be a tool call",
        "{} parts of models' messages cannot be read and may be tool calls",
    )
    MIXED_ANSWER = (
        "1 response consists of several messages, or has texts of others than the agent, and counts as not recorded",
        "{} responses consist of several messages, or have texts of others than the agent, and count as not recorded",
    )
    CUT_RESPONSE = (
        "the text of 1 response ends with an error, and counts as not recorded",
        "the texts of {} responses end with errors, and count as not recorded",
    )
    BAD_ARGUMENTS = (
        "the arguments of 1 tool call are null or not JSON, and count as not recorded",
        "the arguments of {} tool calls are null or not JSON, and count as not recorded",
    )
    HIDDEN_ARGUMENTS = (
        "the recorder left out a value in the arguments of 1 tool call, which count as not recorded",
        "the recorder left out values in the arguments of {} tool calls, which count as not recorded",
    )
    NO_ARGUMENTS = ("1 tool call has no recorded arguments", "{} tool calls have no recorded arguments")
    STRANGE_TOOL = (
        "1 span may be a tool call in a form that evaltui does not read",
        "{} spans may be tool calls in a form that evaltui does not read",
    )
    UNKNOWN_CALLS = (
        "1 turn has neither tool spans nor complete model responses that evaltui reads; its calls are not recorded",
        "{} turns have neither tool spans nor complete model responses that evaltui reads; "
        "their calls are not recorded",
    )
    ENDS_EARLY = (
        "1 turn ends with a tool call or before a response; further tool calls may be missing",
        "{} turns end with a tool call or before a response; further tool calls may be missing",
    )
    LOST_CALL = (
        "1 turn has tool calls in the messages of its agent or to its model that are recorded nowhere else",
        "{} turns have tool calls in the messages of their agents or to their models that are recorded nowhere else",
    )
    FAILED_CALL = (
        "1 turn has a model that failed and asked for a tool, and nobody knows whether the tool ran",
        "{} turns have models that failed and asked for tools, and nobody knows whether the tools ran",
    )
    STRANGE_EVENT = (
        "1 event or log record cannot be read and is skipped",
        "{} events or log records cannot be read and are skipped",
    )
    OUTSIDE_AGENT = (
        "1 model call is outside of the agents of its trace; it may be a part of their turns",
        "{} model calls are outside of the agents of their traces; they may be parts of their turns",
    )
    TOOL_NAMED_BY_SPAN = (
        "1 tool span has no gen_ai.tool.name; the span name is used",
        "{} tool spans have no gen_ai.tool.name; the span names are used",
    )
    RESULT_BY_ORDER = (
        "1 tool response has no tool call with its id; the next tool call gets the response",
        "{} tool responses have no tool call with their ids; the next tool calls get the responses",
    )
    OTHER_CALL = (
        "1 tool call contains a span of its tool with another id and other arguments, which may be another call",
        "{} tool calls contain spans of their tools with other ids and other arguments, which may be other calls",
    )
    JOINED_BY_NAME = (
        "1 tool span has no arguments or response; evaltui reads these from the tool's next call in the messages",
        "{} tool spans have no arguments or response; evaltui reads these from the tool's next call in the messages",
    )
    ONLY_IN_MESSAGES = (
        "1 tool call has no span, but other tool calls have spans; evaltui reads the call from the messages",
        "{} tool calls have no span, but other tool calls have spans; evaltui reads the calls from the messages",
    )
    NO_TURN = ("1 trace has no turn of an agent", "{} traces have no turn of an agent")
    EMPTY_AGENT = (
        "1 agent span has no model calls, tools or messages and is skipped",
        "{} agent spans have no model calls, tools or messages and are skipped",
    )
    TOOL_OUTSIDE = ("1 tool span belongs to no turn and is skipped", "{} tool spans belong to no turn and are skipped")
    MAY_CONTINUE = (
        "1 turn may be a part of the turn before it; the trace has no messages to check this",
        "{} turns may be parts of the turn before them; the trace has no messages to check this",
    )
    NO_USER_TEXT = (
        "1 turn has no recorded user message; is message recording switched on?",
        "{} turns have no recorded user message; is message recording switched on?",
    )
    NO_RESPONSE = ("1 turn has no recorded response", "{} turns have no recorded response")
    FAILED_TURN = ("1 turn ended with an error", "{} turns ended with an error")
    LOST_LOG = (
        "1 log record with messages belongs to no span in this file",
        "{} log records with messages belong to no span in this file",
    )


# An entry that is skipped for one of these may have been the span of a model call, which has the response.
_OF_SPANS = frozenset({Doubt.NO_SPAN, Doubt.NO_TRACE, Doubt.NO_IDS, Doubt.UNREAD_MEMBER, Doubt.PARTIAL})


class Doubts:
    """The doubts about a file, counted by kind, and the traces of which something is skipped."""

    def __init__(self) -> None:
        self.number = 0
        """The number of all doubts so far."""
        self.losses: dict[str | None, bool] = {}
        """The traces of which something is skipped, and whether that may be spans. None: it may be of any trace."""
        self._counts: dict[Doubt, tuple[int, str]] = {}

    def note(self, doubt: Doubt, place: str = "") -> None:
        """Count a doubt. `place` is its span, trace or tool; the first place of each kind is kept."""
        count, first_place = self._counts.get(doubt, (0, place))
        self._counts[doubt] = (count + 1, first_place)
        self.number += 1

    def skip(self, doubt: Doubt, trace_id: str | None = None, place: str = "") -> None:
        """Count a doubt about something that is skipped; with None, it may belong to any trace."""
        self.note(doubt, place)
        self.lose(trace_id, spans=doubt in _OF_SPANS)

    def lose(self, trace_id: str | None, *, spans: bool = False) -> None:
        """Record that something of a trace is skipped, or of any trace with None; `spans`: it may be spans."""
        # Whatever is skipped may be a tool call, so the calls of these traces count as not recorded.
        self.losses[trace_id] = spans or self.losses.get(trace_id, False)

    def has_lost(self, trace_id: str | None, *, spans: bool = False) -> bool:
        """Whether anything that may belong to a trace is skipped; with `spans`, whether that may be spans."""
        losses = [self.losses[key] for key in (None, trace_id) if key in self.losses]
        return any(losses) if spans else bool(losses)

    def sentences(self) -> tuple[str, ...]:
        """A sentence for each kind, in the order in which they came up."""
        return tuple(
            doubt.value[count > 1].format(count) + (place and (f" ({place})" if count == 1 else f" (first: {place})"))
            for doubt, (count, place) in self._counts.items()
        )
