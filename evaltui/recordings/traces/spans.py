"""Spans and log records of any format, with no more than turns are made of, and the kind of step that a span is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from enum import Enum, auto
from typing import Any, NamedTuple

from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import scalar_text
from evaltui.recordings.traces.store_warnings import JAEGER_WARNINGS

Attributes = Mapping[str, Any]

NONE: Attributes = {}


class Event(NamedTuple):
    """An event of a span or a log record, under its OpenTelemetry name."""

    name: str
    attributes: Attributes
    body: Any = None
    """The body of a log record; of an event of a span its attributes."""
    time: int = 0


class TraceSpan(NamedTuple):
    """A step of an agent; times are nanoseconds since 1970, 0 if not recorded."""

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

    @property
    def order(self) -> tuple[int, str]:
        """The sort key among other spans."""
        return self.start, self.id


class Log(NamedTuple):
    """A log record about a trace, or about the span that `span_id` names."""

    trace_id: str | None
    span_id: str | None
    event: Event


DETAILS = "gen_ai.client.inference.operation.details"
MESSAGE_EVENTS = frozenset(
    {
        "gen_ai.system.message",
        "gen_ai.user.message",
        "gen_ai.assistant.message",
        "gen_ai.tool.message",
        "gen_ai.choice",
    }
)
TELLING = MESSAGE_EVENTS | {DETAILS}
"""The events that hold messages."""
_EVALUATION = "gen_ai.evaluation.result"


def may_tell(name: Any) -> bool:
    """Whether an event that is not read may hold messages: one without a name, or of the GenAI conventions."""
    return not isinstance(name, str) or (name.startswith("gen_ai.") and name != _EVALUATION)


_PREFIXES = ("gen_ai.", "gcp.vertex.agent.", "agentevals.")
_OPENINFERENCE, _OPENLLMETRY = "openinference.span.kind", "traceloop.span.kind"
_OTHERS = frozenset(
    {
        *(attribute_names.SESSION, attribute_names.ERROR, attribute_names.SERVICE, attribute_names.MCP_METHOD),
        *(JAEGER_WARNINGS, _OPENINFERENCE, _OPENLLMETRY),
    }
)
_LARGE = frozenset({"gen_ai.tool.definitions", "gen_ai.system_instructions", "gen_ai.tool.description"})


def is_wanted(key: str) -> bool:
    """Whether turns are made of an attribute; others are not kept."""
    return (key.startswith(_PREFIXES) and key not in _LARGE) or key in _OTHERS


def unread_spans(value: Any, known: Set[str]) -> Iterator[str]:
    """The keys of an object, besides those that are `known`, whose values may hold spans: they have a value within."""
    for key in unread_in(value, known):
        held = value[key]
        within = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
        if any(isinstance(each, dict | list) for each in within):
            yield key


class Kind(Enum):
    """The kinds of steps that turns are made of; everything else is only passed on the way down the tree."""

    INFERENCE = auto()
    AGENT = auto()
    """An agent or a workflow."""
    TOOL = auto()
    STRANGE = auto()
    """Perhaps a tool, in a form that nobody reads."""
    OTHER = auto()


_OPERATIONS = {
    "chat": Kind.INFERENCE,
    "generate_content": Kind.INFERENCE,
    "text_completion": Kind.INFERENCE,
    "invoke_agent": Kind.AGENT,
    "invoke_workflow": Kind.AGENT,
    "execute_tool": Kind.TOOL,
}
_NO_TOOLS = frozenset(
    {
        *("embeddings", "create_agent", "retrieval", "plan", "create_workflow", "fine_tuning"),
        *("search_memory", "update_memory", "create_memory", "delete_memory", "upsert_memory"),
        *("create_memory_store", "delete_memory_store"),
        *("invoke_node", "compact_events", "execute_event_loop_cycle"),
    }
)
"""Operations of the semantic conventions, of google-adk and Strands that are no calls of tools."""
_NAMES_OF_ADK = {"call_llm": Kind.INFERENCE, "invocation": Kind.AGENT}
_MERGED_SPAN, _MERGED_TOOL = "execute_tool (merged)", "(merged tools)"
_MADE_BY_A_CALL = (
    "gen_ai.usage.",
    attribute_names.PROMPTS,
    attribute_names.COMPLETIONS,
    attribute_names.INPUT,
    attribute_names.OUTPUT,
)


def kind_of(span: TraceSpan) -> Kind:
    """The kind of a span, found by its operation, or by its name if google-adk recorded it."""
    if span.name == _MERGED_SPAN or span.attributes.get(attribute_names.TOOL_NAME) == _MERGED_TOOL:
        return Kind.OTHER
    operation = scalar_text(span.attributes.get(attribute_names.OPERATION))
    if operation:
        return _OPERATIONS.get(operation, Kind.OTHER if operation in _NO_TOOLS else Kind.STRANGE)
    if span.name in _NAMES_OF_ADK and is_of_adk(span):
        return _NAMES_OF_ADK[span.name]
    if _is_call_of_a_model(span):
        return Kind.INFERENCE
    return Kind.STRANGE if _is_strange_tool(span) else Kind.OTHER


def _is_strange_tool(span: TraceSpan) -> bool:
    """Whether OpenInference, OpenLLMetry or a name or attribute calls a span a tool, but not its operation."""
    kinds = (scalar_text(span.attributes.get(key)) or "" for key in (_OPENINFERENCE, _OPENLLMETRY))
    return (
        any(kind.lower() == "tool" for kind in kinds)
        or span.name.startswith("execute_tool")
        or any(key.startswith("gen_ai.tool.") for key in span.attributes)
    )


def is_of_adk(span: TraceSpan) -> bool:
    """Whether google-adk recorded it."""
    return span.scope == attribute_names.ADK or any(
        key.startswith(attribute_names.ADK + ".") for key in span.attributes
    )


def _is_call_of_a_model(span: TraceSpan) -> bool:
    # Model and provider alone prove nothing: some recorders write them on every span.
    named = span.attributes.get(attribute_names.REQUEST_MODEL)
    by = span.attributes.get(attribute_names.SYSTEM) or span.attributes.get(attribute_names.PROVIDER)
    return bool(named and by) and any(key.startswith(_MADE_BY_A_CALL) for key in span.attributes)
