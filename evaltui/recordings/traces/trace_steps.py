"""The spans of a trace with their kinds, as a tree, and those at which turns begin.

A turn begins with the outermost span of an agent, or with a root under which models are asked without an agent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from evaltui.recordings.traces.attributes import Attribute, scalar_text
from evaltui.recordings.traces.jaeger import check_warnings
from evaltui.recordings.traces.spans import BY_START, Event, Kind, SpanView, TraceSpan
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts

Trace = tuple[dict[str, SpanView], list[Event]]
"""The spans with one trace id by their ids, in file order, and the events from log records that name no span."""

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
_OF_MODEL_CALLS = ("gen_ai.usage.", Attribute.PROMPTS, Attribute.COMPLETIONS, Attribute.INPUT, Attribute.OUTPUT)


def kind_of(span: TraceSpan) -> Kind:
    """The kind of a span, found by its operation, or by its name if google-adk recorded it."""
    attributes = span.attributes
    # google-adk writes such a span around parallel tool calls, each of which has a span of its own.
    if span.name == "execute_tool (merged)" or attributes.get(Attribute.TOOL_NAME) == "(merged tools)":
        return "other"
    if operation := scalar_text(attributes.get("gen_ai.operation.name")):
        return _OPERATIONS.get(operation, "strange")
    if span.name in _ADK_NAMES and (
        span.scope == Attribute.ADK or any(key.startswith(Attribute.ADK + ".") for key in attributes)
    ):
        return _ADK_NAMES[span.name]
    # Model and provider alone prove nothing: some recorders write them on every span.
    provider = attributes.get("gen_ai.system") or attributes.get("gen_ai.provider.name")
    has_model = bool(attributes.get("gen_ai.request.model") and provider)
    if has_model and any(key.startswith(_OF_MODEL_CALLS) for key in attributes):
        return "inference"
    # OpenInference and OpenLLMetry call a span a tool in an attribute of their own.
    kinds = (attributes.get(key) for key in (Attribute.OPENINFERENCE_KIND, Attribute.OPENLLMETRY_KIND))
    is_strange = (
        any((scalar_text(kind) or "").lower() == "tool" for kind in kinds)
        or span.name.startswith("execute_tool")
        or any(key.startswith("gen_ai.tool.") for key in attributes)
    )
    return "strange" if is_strange else "other"


def traces_of(entries: Iterable[TraceSpan | Event], doubts: Doubts) -> dict[str, Trace]:
    """The traces by id, in file order. Of several spans with one id, the first counts."""
    traces: dict[str, Trace] = {}
    logs: list[Event] = []
    for entry in entries:
        if isinstance(entry, Event):
            logs.append(entry)
            continue
        spans, _ = traces.setdefault(entry.trace_id, ({}, []))
        if entry.id in spans:
            doubts.note(Doubt.DUPLICATE, f"span {entry.id}")
            if spans[entry.id].span != entry:  # an exporter may send a span twice
                doubts.lose(entry.trace_id)
            continue
        spans[entry.id] = SpanView(entry, kind_of(entry), doubts)
        check_warnings(entry.attributes.get(Attribute.JAEGER_WARNINGS), entry.trace_id, doubts)
        if not entry.start:
            doubts.note(Doubt.NO_START, f"span {entry.id}")
    # After all spans: a log exporter may write a record before its span has ended.
    for log in logs:
        spans, without_span = traces.get(log.trace_id or "", ({}, []))
        if log.span_id in spans:
            spans[log.span_id].logs.append(log)
        elif spans and log.span_id is None:
            without_span.append(log)
        else:
            doubts.skip(Doubt.LOST_LOG, log.trace_id, f"trace {log.trace_id}" if log.trace_id else "")
    for spans, _ in traces.values():
        _link_spans(spans, doubts)
    return traces


def _link_spans(spans: Mapping[str, SpanView], doubts: Doubts) -> None:
    for view in spans.values():
        view.parent = spans.get(view.span.parent_id or "")
    seen: set[SpanView] = set()
    for start in spans.values():
        path: list[SpanView] = []
        step: SpanView | None = start
        while step is not None and step not in seen:
            seen.add(step)
            path.append(step)
            step = step.parent
        # The path ends at a span of this path only if it has gone round; else at a root or at an earlier path.
        if step in path:
            min(path[path.index(step) :], key=BY_START).parent = None
            doubts.note(Doubt.CYCLE, f"trace {start.span.trace_id}")


def strange_spans(steps: Sequence[SpanView]) -> list[TraceSpan]:
    """The spans of a turn that may be tools in a form that evaltui does not read."""
    # A strange span around or within a tool is the same call, recorded by another library.
    around_tools: set[SpanView] = set()
    for step in steps:
        parent = step.parent if step.kind == "tool" else None
        while parent is not None and parent not in around_tools:
            around_tools.add(parent)
            parent = parent.parent
    strange = (step for step in steps if step.kind == "strange" and step not in around_tools)
    return [step.span for step in strange if step.within("tool") is None]


def turns_in(spans: Iterable[SpanView]) -> list[list[SpanView]]:
    """The spans of each possible turn of a trace, in the order of its tree: a parent stands before its children.

    An agent or workflow span begins a turn, unless an agent, workflow or tool span is around it. Spans outside of such
    turns belong to their root.
    """
    children: defaultdict[SpanView | None, list[SpanView]] = defaultdict(list)
    for step in sorted(spans, key=BY_START, reverse=True):
        children[step.parent].append(step)
    turns: list[list[SpanView]] = []
    # A stack, because spans may nest deeper than Python can call.
    stack: list[tuple[SpanView, SpanView | None, list[SpanView]]] = [(root, None, []) for root in children[None]]
    while stack:
        step, around, steps = stack.pop()
        if around is not None:
            step.around = around
            step.is_delegated = around.is_delegated or around.kind == "tool"
            step.is_covered = around.is_covered or around.kind != "inference"
        if step.kind == "agent" and not step.is_covered:
            steps = []
        if not steps:
            turns.append(steps)
        steps.append(step)
        inner = around if step.kind in ("other", "strange") else step
        stack += [(child, inner, steps) for child in children.get(step, ())]
    return turns
