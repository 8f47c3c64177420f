"""The spans of one trace as a tree, and the spans at which turns begin.

A turn begins with the outermost span of an agent, or with a root under which models are asked without an agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from evaltui.recordings.traces.doubts import CYCLE, DUPLICATE, LOST_LOG, NO_START, Doubts
from evaltui.recordings.traces.spans import Event, Kind, Log, TraceSpan, kind_of
from evaltui.recordings.traces.store_warnings import JAEGER_WARNINGS, check_warnings


@dataclass(slots=True)
class Trace:
    """Everything in a file with one trace id."""

    id: str
    spans: dict[str, TraceSpan] = field(default_factory=dict)
    logs: dict[str, list[Event]] = field(default_factory=dict)
    """The events from log records, by span."""
    loose: list[Event] = field(default_factory=list)
    """The events from log records without a span."""
    roots: list[TraceSpan] = field(default_factory=list)
    children: dict[str, list[TraceSpan]] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """When its first span began."""
        return min(span.start for span in self.spans.values())

    def link(self, doubts: Doubts) -> None:
        """Find roots and children, each in the order of their beginnings.

        A parent that is not there makes a root, and so does the first span of a circle.
        """
        parents = {key: span.parent_id if span.parent_id in self.spans else None for key, span in self.spans.items()}
        for circle in _circles(parents):
            parents[min(circle, key=lambda key: self.spans[key].order)] = None
            doubts.note(CYCLE, f"trace {self.id}")
        for span in sorted(self.spans.values(), key=lambda span: span.order):
            parent = parents[span.id]
            if parent is None:
                self.roots.append(span)
            else:
                self.children.setdefault(parent, []).append(span)


def traces_of(entries: Iterable[TraceSpan | Log], doubts: Doubts) -> dict[str, Trace]:
    """The traces by id, in file order. Of several spans with one id, the first counts."""
    traces: dict[str, Trace] = {}
    logs: list[Log] = []
    for entry in entries:
        if isinstance(entry, Log):
            logs.append(entry)
            continue
        trace = traces.setdefault(entry.trace_id, Trace(entry.trace_id))
        if entry.id in trace.spans:
            doubts.note(DUPLICATE, f"span {entry.id}")
            if entry != trace.spans[entry.id]:  # an exporter may send a span twice
                doubts.lose(entry.trace_id)
            continue
        trace.spans[entry.id] = entry
        check_warnings(entry.attributes.get(JAEGER_WARNINGS), entry.trace_id, doubts)
        if not entry.start:
            doubts.note(NO_START, f"span {entry.id}")
    for log in logs:
        _join(log, traces, doubts)
    for trace in traces.values():
        trace.link(doubts)
    return traces


def _join(log: Log, traces: dict[str, Trace], doubts: Doubts) -> None:
    trace = traces.get(log.trace_id or "")
    if trace and log.span_id in trace.spans:
        trace.logs.setdefault(log.span_id or "", []).append(log.event)
    elif trace and not log.span_id:
        trace.loose.append(log.event)
    else:
        doubts.skip(LOST_LOG, log.trace_id, f"trace {log.trace_id}" if log.trace_id else "")


def _circles(parents: dict[str, str | None]) -> Iterator[list[str]]:
    seen: set[str] = set()
    for start in parents:
        path: dict[str, int] = {}
        key: str | None = start
        while key is not None and key not in seen:
            seen.add(key)
            path[key] = len(path)
            key = parents[key]
        if key in path:
            yield list(path)[path[key] :]


class TurnStep(NamedTuple):
    """A span of a turn and the spans around it."""

    span: TraceSpan
    kind: Kind
    model: str | None
    """The id of the nearest span of a model around it, with no agent or tool between."""
    tool: str | None
    """The id of the nearest span of a tool around it, with no agent or model between."""
    is_delegated: bool
    """Whether it happens within a tool."""


@dataclass(slots=True)
class Anchor:
    """The span that a turn begins with."""

    span: TraceSpan
    is_agent: bool
    steps: list[TurnStep] = field(default_factory=list)
    """All spans of the turn, itself first, a parent before its children."""

    def strange(self) -> list[TraceSpan]:
        """The spans that may be tools in a form that nobody reads, besides those around or within a tool."""
        parents = {step.span.id: step.span.parent_id for step in self.steps}
        around: set[str] = set()
        for step in self.steps:
            above = step.span.parent_id if step.kind is Kind.TOOL else None
            while above in parents and above not in around:
                around.add(above)
                above = parents[above]
        strange = (step for step in self.steps if step.kind is Kind.STRANGE and step.tool is None)
        return [step.span for step in strange if step.span.id not in around]

    def has(self, kind: Kind) -> bool:
        """Whether any step is of a kind."""
        return any(step.kind is kind for step in self.steps)


class _Waiting(NamedTuple):
    span: TraceSpan
    anchor: Anchor
    is_covered: bool
    model: str | None
    tool: str | None
    is_delegated: bool


def anchors_of(trace: Trace) -> list[Anchor]:
    """The spans of a trace that turns may begin with, in the order of its tree.

    An agent or workflow span begins a turn, unless an agent, workflow or tool span is around it. Spans outside of such
    turns belong to their root.
    """
    found: list[Anchor] = []
    waiting: list[_Waiting] = []
    for root in reversed(trace.roots):
        waiting.append(_Waiting(root, Anchor(root, False), False, None, None, False))
    while waiting:
        each = waiting.pop()
        kind = kind_of(each.span)
        anchor = each.anchor
        if kind is Kind.AGENT and not each.is_covered:
            anchor = Anchor(each.span, True)
        if anchor.span is each.span:
            found.append(anchor)
        anchor.steps.append(TurnStep(each.span, kind, each.model, each.tool, each.is_delegated))
        inner = _within(each, kind, anchor)
        waiting += [inner._replace(span=child) for child in reversed(trace.children.get(each.span.id, ()))]
    return found


def _within(outer: _Waiting, kind: Kind, anchor: Anchor) -> _Waiting:
    if kind in {Kind.OTHER, Kind.STRANGE}:
        return outer._replace(anchor=anchor)
    return _Waiting(
        span=outer.span,
        anchor=anchor,
        is_covered=outer.is_covered or kind is not Kind.INFERENCE,
        model=outer.span.id if kind is Kind.INFERENCE else None,
        tool=outer.span.id if kind is Kind.TOOL else None,
        is_delegated=outer.is_delegated or kind is Kind.TOOL,
    )
