"""Spans and log records of any format, and the values of a span in today's conventions."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeGuard

from evaltui.evalset.case_data import as_bool, get, items_in
from evaltui.evalset.keys import spelled
from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces.attributes import EARLIER_NAMES, Attribute, Attributes, parse_json
from evaltui.recordings.traces.trace_messages import (
    MESSAGE_EVENTS,
    Message,
    Messages,
    UnreadPart,
    answer_of,
    first_read,
    is_unrecorded,
    read_event_messages,
    read_google_message,
    read_indexed_messages,
    read_messages,
    with_content,
)
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts


class Event(NamedTuple):
    """An event of a span or a log record, under its OpenTelemetry name."""

    name: str
    content: Any
    """The attributes; of a log record with a message its body."""
    time: int = 0
    trace_id: str | None = None
    """The trace that a log record is about; None if unknown."""
    span_id: str | None = None


class TraceSpan(NamedTuple):
    """A step of an agent, with no more than turns are made of; times are nanoseconds since 1970, 0 if not recorded."""

    # A named tuple: for the many spans of a file, it takes half the time of a frozen dataclass.
    trace_id: str
    id: str
    parent_id: str | None
    name: str
    scope: str
    """The name of the recorder (the instrumentation scope)."""
    start: int
    end: int
    failed: bool
    attributes: Attributes
    events: tuple[Event, ...]
    resource: Attributes


Kind = Literal["inference", "agent", "tool", "strange", "other"]
"""The kinds of spans that turns are made of; `other` is only passed on the way down the tree.

`agent` is an agent or a workflow, `strange` perhaps a tool, in a form that evaltui does not read.
"""

NO_ATTRIBUTES: Attributes = {}
DETAILS = "gen_ai.client.inference.operation.details"
_WANTED = frozenset(
    {
        *(Attribute.SESSION, Attribute.ERROR, Attribute.SERVICE, Attribute.MCP_METHOD, Attribute.JAEGER_WARNINGS),
        *(Attribute.OPENINFERENCE_KIND, Attribute.OPENLLMETRY_KIND),
    }
)
# These repeat the same large text on each model call, and no turn needs them.
_LARGE = frozenset({"gen_ai.tool.definitions", "gen_ai.system_instructions", "gen_ai.tool.description"})


def is_wanted(key: str) -> bool:
    """Whether turns are made of an attribute; others are not kept."""
    return (key.startswith(("gen_ai.", "gcp.vertex.agent.", "agentevals.")) and key not in _LARGE) or key in _WANTED


def is_read_event(name: Any, trace_id: str | None, doubts: Doubts) -> TypeGuard[str]:
    """Whether an event of this name holds messages. Any other without a name, or of GenAI, counts as skipped."""
    is_read = isinstance(name, str) and (name in MESSAGE_EVENTS or name == DETAILS)
    may_hold_messages = not isinstance(name, str) or name.startswith("gen_ai.")
    if may_hold_messages and not is_read and name != "gen_ai.evaluation.result":
        doubts.skip(Doubt.STRANGE_EVENT, trace_id)
    return is_read


def check_keys(value: Any, read_keys: Set[str], doubts: Doubts, trace_id: str | None = None) -> None:
    """Count the keys of an object, besides those that are read, whose values may hold spans."""
    for key in unread_in(value, read_keys):
        member = value[key]
        children = member.values() if isinstance(member, dict) else member if isinstance(member, list) else ()
        if any(isinstance(child, dict | list) for child in children):
            doubts.skip(Doubt.UNREAD_MEMBER, trace_id, key)


# The members of google-adk's `LlmResponse`, besides a transcription of its text.
_READ_ADK_RESPONSE_KEYS = spelled(
    *("model_version", "content", "grounding_metadata", "partial", "turn_complete", "turn_complete_reason"),
    *("finish_reason", "error_code", "error_message", "interrupted", "interaction_status", "interaction_id"),
    *("custom_metadata", "usage_metadata", "cache_metadata", "citation_metadata", "environment_id"),
    *("live_session_resumption_update", "live_session_id", "go_away", "voice_activity", "input_transcription"),
    *("avg_logprobs", "logprobs_result"),
)
BY_START = attrgetter("span.start", "span.id")
"""The sort key of the spans of a trace."""


class SpanView:
    """A span in the tree of its trace, and the log records about it, under the names of today's conventions.

    Sources in order of precedence: the span's own attributes, deprecated names, the event with the details of a call,
    events of single messages, google-adk's own attributes, OpenLLMetry's attributes. Messages come from one source
    only, as in agentevals: two recorders on one span write the same messages twice.
    """

    parent: SpanView | None = None
    """The span around it in this file; None for a root, and for the first span of a cycle."""
    around: SpanView | None = None
    """The nearest span of a model, agent or tool around it."""
    is_delegated = False
    """Whether it happens within a tool."""
    is_covered = False
    """Whether an agent or tool is around it, so that no turn begins with it."""

    def __init__(self, span: TraceSpan, kind: Kind, doubts: Doubts) -> None:
        self.span, self.kind, self._doubts = span, kind, doubts
        self.logs: list[Event] = []
        """The log records about it, which are there before its values are read."""

    def within(self, kind: Kind) -> SpanView | None:
        """The nearest span of a model, agent or tool around it, if it is of this kind."""
        return self.around if self.around is not None and self.around.kind == kind else None

    @cached_property
    def _details(self) -> list[Any]:
        return [event.content for event in (*self.span.events, *self.logs) if event.name == DETAILS]

    @cached_property
    def input(self) -> Messages | None:
        """The messages to the agent or model."""
        return first_read(self.sources(self._doubts, is_output=False))

    @cached_property
    def output(self) -> Messages | None:
        """The messages that it answers."""
        messages = first_read(self.sources(self._doubts, is_output=True))
        if messages and answer_of(messages) is None:
            self._doubts.note(Doubt.MIXED_ANSWER, f"span {self.span.id}")
        if messages and sum(message.is_choice for message in messages) > 1:
            # Nobody knows which of several choices counts, so an unread part stands for them.
            messages += (Message("assistant", (UnreadPart("choices", is_text=True),)),)
        return messages

    @property
    def has_unread_output(self) -> bool:
        """Whether its answer is recorded, but cannot be read: a limit may have cut it off."""
        if self.output is not None:
            return False
        values = [attributes.get(Attribute.OUTPUT) for attributes in (self.span.attributes, *self._details)]
        values.append(self.span.attributes.get(Attribute.ADK_RESPONSE))
        recorded = filterfalse(is_unrecorded, values)
        return any(not isinstance(parse_json(value, self._doubts), list | dict) for value in recorded)

    def value(self, key: str) -> Any:
        """An attribute of the first source that has it; None for none."""
        own = self.span.attributes
        sources = (own.get(key), own.get(EARLIER_NAMES.get(key, "")), *(details.get(key) for details in self._details))
        recorded = next((value for value in sources if value not in (None, "", [])), None)
        _, of_adk, _ = self._adk
        return of_adk.get(key) if recorded is None else recorded

    @cached_property
    def finish_reasons(self) -> frozenset[str]:
        """Why a model stopped, in lowercase."""
        value = self.value(Attribute.FINISH_REASONS)
        reasons = [value] if isinstance(value, str) else value if isinstance(value, list) else self._event_messages[2]
        return frozenset(reason.lower() for reason in reasons if isinstance(reason, str))

    @cached_property
    def has_failed(self) -> bool:
        """Whether it ended with an error, so that its text is only a beginning."""
        stopped_with_error = "error" in self.finish_reasons or any(message.has_failed for message in self.output or ())
        has_error = self.span.failed or bool(self.span.attributes.get(Attribute.ERROR))
        *_, has_failed_in_adk = self._adk
        return has_error or stopped_with_error or has_failed_in_adk

    def sources(self, doubts: Doubts, *, is_output: bool) -> Iterator[Messages | None]:
        """The messages to or from it in each source: two recorders, or a repeated call, may write different ones."""
        role = "assistant" if is_output else "user"
        for attributes in (self.span.attributes, *self._details):
            yield read_messages(attributes.get(Attribute.OUTPUT if is_output else Attribute.INPUT), role, doubts)
        inputs, outputs, _ = self._event_messages
        yield outputs if is_output else inputs
        of_adk, *_ = self._adk
        yield of_adk[is_output]
        prefix = Attribute.COMPLETIONS if is_output else Attribute.PROMPTS
        yield read_indexed_messages(self.span.attributes, prefix, role, doubts)

    @cached_property
    def _event_messages(self) -> tuple[Messages | None, Messages | None, list[str]]:
        events = [event for event in self.span.events if event.name in MESSAGE_EVENTS]
        if not events:
            # A log exporter writes records in the order in which they arrive, which is not that of the conversation.
            logs = (log for log in self.logs if log.name in MESSAGE_EVENTS)
            events = sorted(logs, key=lambda log: log.time)
        return read_event_messages(((event.name, event.content) for event in events), self._doubts)

    @cached_property
    def _adk(self) -> tuple[list[Messages | None], dict[str, Any], bool]:
        """The request to a model and its response, which google-adk records as JSON; empty for other recorders.

        These are the messages to the model and its answer; attributes of the semantic conventions by name; and whether
        it failed.
        """
        attributes, doubts = self.span.attributes, self._doubts
        request = parse_json(attributes.get("gcp.vertex.agent.llm_request"), doubts)
        response = parse_json(attributes.get(Attribute.ADK_RESPONSE), doubts)
        inputs = (read_google_message(content, "user", doubts) for content in items_in(request, "contents"))
        answer = read_google_message(get(response, "content"), "assistant", doubts)
        unread = [*unread_in(response, _READ_ADK_RESPONSE_KEYS)]
        # If one of them is true, the response goes on elsewhere: its text and its calls are not whole.
        unread += [key for key in ("partial", "interrupted") if as_bool(get(response, key))]
        outputs = (answer, Message("assistant", tuple(map(UnreadPart, unread))))
        messages = [with_content(message for message in side if message.parts) for side in (inputs, outputs)]
        reason, usage = get(response, "finish_reason"), get(response, "usage_metadata")
        counts = {
            Attribute.INPUT_TOKENS: get(usage, "prompt_token_count"),
            Attribute.OUTPUT_TOKENS: get(usage, "candidates_token_count"),
        }
        values: dict[str, Any] = {Attribute.FINISH_REASONS: reason} if isinstance(reason, str) else {}
        values |= {key: count for key, count in counts.items() if isinstance(count, int)}
        return messages, values, bool(get(response, "error_code") or get(response, "error_message"))
