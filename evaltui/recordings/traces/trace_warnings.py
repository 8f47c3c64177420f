"""The warnings of a trace: each doubt, where its reader had to guess or skip something, as a sentence."""

from __future__ import annotations

import re
from enum import Enum


class Doubt(Enum):
    """A kind of doubt. Its value is a sentence: `#` is the number, and `[one|many]` a choice by the number."""

    NO_SPAN = "# [entry is not a span and is|entries are not spans and are] skipped"
    UNREAD_MEMBER = "# key[|s] that may hold spans [is|are] not read"
    PARTIAL = "# [status, error or warning says|statuses, errors or warnings say] that spans may be missing"
    NO_TRACE = "# [line or entry is not a trace and is|lines or entries are not traces and are] skipped"
    NO_IDS = "# span[|s] without a trace id or span id [is|are] skipped"
    DUPLICATE = "# span[|s] [has the id|have the ids] of [an |]earlier span[|s]; the earlier [span is|spans are] used"
    CYCLE = "# cycle[|s] of parent spans; the earliest span of [the|each] cycle is used as [the|a] root"
    NO_START = "# span[|s] [has|have] no start time, so the order of turns and tool calls may be wrong"
    TOO_DEEP = "# value[|s] [is|are] nested too deeply to read"
    BAD_ATTRIBUTE = "# attribute[|s] cannot be read and [is|are] skipped"
    BAD_MESSAGES = "the messages in # attribute[|s] cannot be read; an attribute length limit may have cut them off"
    NAMELESS_CALL = "# tool call[|s] in [a message has|messages have] no name and [is|are] skipped"
    UNREAD_PART = "# part[|s] of [a model's|models'] messages cannot be read and may be [a tool call|tool calls]"
    MIXED_ANSWER = (
        "# response[|s] consist[s|] of several messages, or [has|have] texts of others than the agent, "
        "and count[s|] as not recorded"
    )
    CUT_RESPONSE = "the text[|s] of # response[|s] end[s|] with [an error|errors], and count[s|] as not recorded"
    BAD_ARGUMENTS = "the arguments of # tool call[|s] are null or not JSON, and count as not recorded"
    HIDDEN_ARGUMENTS = (
        "the recorder left out [a value|values] in the arguments of # tool call[|s], which count as not recorded"
    )
    NO_ARGUMENTS = "# tool call[|s] [has|have] no recorded arguments"
    STRANGE_TOOL = "# span[|s] may be [a tool call|tool calls] in a form that evaltui does not read"
    UNKNOWN_CALLS = (
        "# turn[|s] [has|have] neither tool spans nor complete model responses that evaltui reads; "
        "[its|their] calls are not recorded"
    )
    ENDS_EARLY = "# turn[|s] end[s|] with a tool call or before a response; further tool calls may be missing"
    LOST_CALL = (
        "# turn[|s] [has|have] tool calls in the messages of [its|their] agent[|s] or to [its|their] model[|s] "
        "that are recorded nowhere else"
    )
    FAILED_CALL = (
        "# turn[|s] [has a model|have models] that failed and asked for [a tool|tools], "
        "and nobody knows whether the tool[|s] ran"
    )
    STRANGE_EVENT = "# event[|s] or log record[|s] cannot be read and [is|are] skipped"
    OUTSIDE_AGENT = (
        "# model call[|s] [is|are] outside of the agents of [its|their] trace[|s]; "
        "[it|they] may be [a |]part[|s] of their turns"
    )
    TOOL_NAMED_BY_SPAN = "# tool span[|s] [has|have] no gen_ai.tool.name; the span [name is|names are] used"
    RESULT_BY_ORDER = (
        "# tool response[|s] [has|have] no tool call with [its id|their ids]; "
        "the next tool call[|s] get[s|] the response[|s]"
    )
    OTHER_CALL = (
        "# tool call[|s] contain[s|] [a |]span[|s] of [its|their] tool[|s] with [an|]other id[|s] "
        "and other arguments, which may be [an|]other call[|s]"
    )
    JOINED_BY_NAME = (
        "# tool span[|s] [has|have] no arguments or response; "
        "evaltui reads these from the tool's next call in the messages"
    )
    ONLY_IN_MESSAGES = (
        "# tool call[|s] [has|have] no span, but other tool calls have spans; "
        "evaltui reads the call[|s] from the messages"
    )
    NO_TURN = "# trace[|s] [has|have] no turn of an agent"
    EMPTY_AGENT = "# agent span[|s] [has|have] no model calls, tools or messages and [is|are] skipped"
    TOOL_OUTSIDE = "# tool span[|s] belong[s|] to no turn and [is|are] skipped"
    MAY_CONTINUE = (
        "# turn[|s] may be [a part|parts] of the turn before [it|them]; the trace has no messages to check this"
    )
    NO_USER_TEXT = "# turn[|s] [has|have] no recorded user message; is message recording switched on?"
    NO_RESPONSE = "# turn[|s] [has|have] no recorded response"
    FAILED_TURN = "# turn[|s] ended with an error"
    LOST_LOG = "# log record[|s] with messages belong[s|] to no span in this file"


_choices = re.compile(r"\[([^][|]*)\|([^][|]*)\]")
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
            _choices.sub(r"\2" if count > 1 else r"\1", doubt.value).replace("#", str(count))
            + (place and (f" ({place})" if count == 1 else f" (first: {place})"))
            for doubt, (count, place) in self._counts.items()
        )
