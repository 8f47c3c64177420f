"""The steps of a trace: the kind of each span, the spans as a tree, and those at which turns begin.

A turn begins with the outermost span of an agent, or with a root under which models are asked without an agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from evaltui.recordings.traces.attributes import Attribute, scalar_text
from evaltui.recordings.traces.jaeger import check_warnings
from evaltui.recordings.traces.spans import BY_START, Event, TraceSpan
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts

Kind = Literal["inference", "agent", "tool", "strange", "other"]
"""The kinds of steps that turns are made of; `other` is only passed on the way down the tree.

`agent` is an agent or a workflow, `strange` perhaps a tool, in a form that evaltui does not read.
"""

_OPERATIONS: dict[str, Kind] = {
    "chat": "inference",
    "generate_content": "inference",
    "text_completion": "inference",
    "invoke_agent": "agent",
    "invoke_workflow": "agent",
    "execute_tool": "tool",
    # Operations of the semantic conventions, google-adk and Strands that are no tool calls. Any other may be one.
    **dict.fromkeys(
        (
            *("embeddings", "create_agent", "retrieval", "plan", "create_workflow", "fine_tuning"),
            *("search_memory", "update_memory", "create_memory", "delete_memory", "upsert_memory"),
            *("create_memory_store", "delete_memory_store"),
            *("invoke_node", "compact_events", "execute_event_loop_cycle"),
        ),
        "other",
    ),
}
# google-adk's spans without an operation.
_ADK_NAMES: dict[str, Kind] = {"call_llm": "inference", "invocation": "agent"}
_WRITTEN_BY_MODEL_CALLS = (
    *("gen_ai.usage.", Attribute.PROMPTS, Attribute.COMPLETIONS),
    *(Attribute.INPUT, Attribute.OUTPUT),
)


def kind_of(span: TraceSpan) -> Kind:
    """The kind of a span, found by its operation, or by its name if google-adk recorded it."""
    attributes = span.attributes
    # google-adk writes such a span around parallel tool calls, each of which has a span of its own.
    if span.name == "execute_tool (merged)" or attributes.get(Attribute.TOOL_NAME) == "(merged tools)":
        return "other"
    if operation := scalar_text(attributes.get(Attribute.OPERATION)):
        return _OPERATIONS.get(operation, "strange")
    if span.name in _ADK_NAMES and (
        span.scope == Attribute.ADK or any(key.startswith(Attribute.ADK + ".") for key in attributes)
    ):
        return _ADK_NAMES[span.name]
    # Model and provider alone prove nothing: some recorders write them on every span.
    provider = attributes.get(Attribute.SYSTEM) or attributes.get(Attribute.PROVIDER)
    has_model = bool(attributes.get(Attribute.REQUEST_MODEL) and provider)
    if has_model and any(key.startswith(_WRITTEN_BY_MODEL_CALLS) for key in attributes):
        return "inference"
    # OpenInference and OpenLLMetry call a span a tool in an attribute of their own.
    kinds = (attributes.get(key) for key in (Attribute.OPENINFERENCE_KIND, Attribute.OPENLLMETRY_KIND))
    is_strange = (
        any((scalar_text(kind) or "").lower() == "tool" for kind in kinds)
        or span.name.startswith("execute_tool")
        or any(key.startswith("gen_ai.tool.") for key in attributes)
    )
    return "strange" if is_strange else "other"


@dataclass(slots=True)
class Trace:
    """Everything in a file with one trace id."""

    id: str
    spans: dict[str, TraceSpan] = field(default_factory=dict)
    logs: dict[str | None, list[Event]] = field(default_factory=dict)
    """The events from log records, by span; None for those without a span."""
    children: dict[str | None, list[TraceSpan]] = field(default_factory=dict)
    """The spans by parent, earliest first; None for those without a parent in this file, and the first of a cycle."""


def traces_of(entries: Iterable[TraceSpan | Event], doubts: Doubts) -> dict[str, Trace]:
    """The traces by id, in file order. Of several spans with one id, the first counts."""
    traces: dict[str, Trace] = {}
    logs: list[Event] = []
    for entry in entries:
        if isinstance(entry, Event):
            logs.append(entry)
            continue
        trace = traces.setdefault(entry.trace_id, Trace(entry.trace_id))
        first = trace.spans.setdefault(entry.id, entry)
        if first is not entry:
            doubts.note(Doubt.DUPLICATE, f"span {entry.id}")
            if first != entry:  # an exporter may send a span twice
                doubts.lose(entry.trace_id)
            continue
        check_warnings(entry.attributes.get(Attribute.JAEGER_WARNINGS), entry.trace_id, doubts)
        if not entry.start:
            doubts.note(Doubt.NO_START, f"span {entry.id}")
    # After all spans: a log exporter may write a record before its span has ended.
    for log in logs:
        log_trace = traces.get(log.trace_id or "")
        if log_trace and (log.span_id is None or log.span_id in log_trace.spans):
            log_trace.logs.setdefault(log.span_id, []).append(log)
        else:
            doubts.skip(Doubt.LOST_LOG, log.trace_id, f"trace {log.trace_id}" if log.trace_id else "")
    for trace in traces.values():
        _link_spans(trace, doubts)
    return traces


def _link_spans(trace: Trace, doubts: Doubts) -> None:
    spans = trace.spans
    parents = {key: span.parent_id if span.parent_id in spans else None for key, span in spans.items()}
    seen: set[str] = set()
    for start in spans:
        path: list[str] = []
        key: str | None = start
        while key is not None and key not in seen:
            seen.add(key)
            path.append(key)
            key = parents[key]
        # The path ends at a span of this path only if it has gone round; else at a root or at an earlier path.
        if key in path:
            parents[min((spans[key] for key in path[path.index(key) :]), key=BY_START).id] = None
            doubts.note(Doubt.CYCLE, f"trace {trace.id}")
    for span in sorted(spans.values(), key=BY_START):
        trace.children.setdefault(parents[span.id], []).append(span)


class TurnStep(NamedTuple):
    """A span of a turn and the spans around it."""

    span: TraceSpan
    kind: Kind
    model: str | None = None
    """The id of the nearest span of a model around it, with no agent or tool between."""
    tool: str | None = None
    """The id of the nearest span of a tool around it, with no agent or model between."""
    is_delegated: bool = False
    """Whether it happens within a tool."""
    is_covered: bool = False
    """Whether an agent or tool is around it, so that no turn begins with it."""


def strange_spans(steps: Sequence[TurnStep]) -> list[TraceSpan]:
    """The spans of a turn that may be tools in a form that evaltui does not read."""
    # A strange span around or within a tool is the same call, recorded by another library.
    parents = {step.span.id: step.span.parent_id for step in steps}
    around_tools: set[str] = set()
    for step in steps:
        parent = step.span.parent_id if step.kind == "tool" else None
        while parent in parents and parent not in around_tools:
            around_tools.add(parent)
            parent = parents[parent]
    strange = (step for step in steps if step.kind == "strange" and step.tool is None)
    return [step.span for step in strange if step.span.id not in around_tools]


def turns_in(trace: Trace) -> list[list[TurnStep]]:
    """The spans of each possible turn of a trace, in the order of its tree: a parent stands before its children.

    An agent or workflow span begins a turn, unless an agent, workflow or tool span is around it. Spans outside of such
    turns belong to their root.
    """
    turns: list[list[TurnStep]] = []
    # A stack, because spans may nest deeper than Python can call.
    stack = [(TurnStep(root, kind_of(root)), list[TurnStep]()) for root in reversed(trace.children[None])]
    while stack:
        step, steps = stack.pop()
        if step.kind == "agent" and not step.is_covered:
            steps = []
        if not steps:
            turns.append(steps)
        steps.append(step)
        inner, kind = step, step.kind
        if kind not in {"other", "strange"}:
            inner = step._replace(
                model=step.span.id if kind == "inference" else None,
                tool=step.span.id if kind == "tool" else None,
                is_delegated=step.is_delegated or kind == "tool",
                is_covered=step.is_covered or kind != "inference",
            )
        for child in reversed(trace.children.get(step.span.id, ())):
            stack.append((inner._replace(span=child, kind=kind_of(child)), steps))
    return turns
