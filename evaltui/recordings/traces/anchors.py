"""Where turns begin: the outermost spans of agents, and roots under which models are asked without an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from evaltui.recordings.traces.kinds import Kind, kind_of
from evaltui.recordings.traces.spans import TraceSpan
from evaltui.recordings.traces.trace_tree import Trace


class TurnStep(NamedTuple):
    """A span of a turn and what is around it there."""

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

    An agent or workflow begins a turn unless an agent, workflow or tool is around it. What no such turn covers belongs
    to its root.
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
    if kind is Kind.OTHER:
        return outer._replace(anchor=anchor)
    return _Waiting(
        span=outer.span,
        anchor=anchor,
        is_covered=outer.is_covered or kind is not Kind.INFERENCE,
        model=outer.span.id if kind is Kind.INFERENCE else None,
        tool=outer.span.id if kind is Kind.TOOL else None,
        is_delegated=outer.is_delegated or kind is Kind.TOOL,
    )
