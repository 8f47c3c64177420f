"""The turns of one trace, before those that belong together are joined, and the ids by which traces are grouped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import key_text
from evaltui.recordings.traces.doubts import EMPTY_AGENT, LOST_LOG, NO_TURN, TOOL_OUTSIDE, Doubts
from evaltui.recordings.traces.messages import last_of_user, text_of
from evaltui.recordings.traces.model_calls import ModelCall, model_calls
from evaltui.recordings.traces.span_view import SpanView
from evaltui.recordings.traces.spans import Attributes, Kind, TraceSpan
from evaltui.recordings.traces.tool_calls import Called, calls_of_messages, calls_of_spans, completed
from evaltui.recordings.traces.trace_tree import Anchor, Trace, TurnStep, anchors_of


class TurnDraft(NamedTuple):
    """A turn in the making."""

    span: TraceSpan
    """The span that it begins with."""
    last: TraceSpan
    """The span that it ends with: the same, unless traces were joined."""
    is_agent: bool
    start: int
    """When the first of its spans began, in nanoseconds."""
    user_text: str | None
    """None where no message of a user is recorded, "" where it says nothing."""
    response: str | None
    calls: list[ModelCall]
    tools: list[Called]
    has_failed: bool


class RecordedTrace(NamedTuple):
    """A trace of a file."""

    path: Path
    id: str
    key: str
    """The conversation that it belongs to where traces are taken together."""
    is_named: bool
    """Whether it is of a named session."""
    case_id: str | None
    start: int
    """When its first span began, in nanoseconds since 1970; 0 where nobody knows."""
    end: int
    """When its last span ended."""
    drafts: tuple[TurnDraft, ...]


def recorded(trace: Trace, path: Path, doubts: Doubts) -> RecordedTrace:
    """The turns of a trace, and the ids by which it is grouped."""
    spans = sorted(trace.spans.values(), key=lambda span: span.order)  # what began first speaks for the whole
    own, resources = [span.attributes for span in spans], [span.resource for span in spans]
    session_name = _first_key(resources, attribute_names.SESSION_NAME)
    both = (attributes for span in trace.spans.values() for attributes in (span.attributes, span.resource))
    drafts = drafts_of(trace, doubts)
    if not drafts:
        doubts.note(NO_TURN, f"trace {trace.id}")
    return RecordedTrace(
        path=path,
        id=trace.id,
        key=session_name or _conversation_id(own, resources) or trace.id,
        is_named=session_name is not None,
        case_id=_first_key(both, attribute_names.CASE),
        start=trace.start,
        end=max((span.end for span in spans if span.start > 0), default=0),
        drafts=tuple(drafts),
    )


def drafts_of(trace: Trace, doubts: Doubts) -> list[TurnDraft]:
    """The turns of a trace."""
    anchors = anchors_of(trace)
    _place_loose_logs(trace, anchors, doubts)
    return [draft for anchor in anchors for draft in _drafted(anchor, trace, doubts)]


def tools_of(spans: Sequence[Called], calls: Sequence[ModelCall]) -> list[Called]:
    """The calls of tools of a turn, given those that have spans."""
    return completed(spans, calls) if spans else calls_of_messages(calls)


def _drafted(anchor: Anchor, trace: Trace, doubts: Doubts) -> Iterator[TurnDraft]:
    outer = SpanView(anchor.span, trace.logs.get(anchor.span.id, ()), doubts)

    def view(step: TurnStep) -> SpanView:
        if step.span is anchor.span:
            return outer
        return SpanView(step.span, trace.logs.get(step.span.id, ()), doubts)

    if not _is_turn(anchor, outer, doubts):
        return
    calls = model_calls(anchor.steps, view)
    yield TurnDraft(
        span=anchor.span,
        last=anchor.span,
        is_agent=anchor.is_agent,
        start=min(step.span.start for step in anchor.steps),
        user_text=_user_text(outer, calls),
        response=_response(outer, calls),
        calls=calls,
        tools=tools_of(calls_of_spans(anchor.steps, view, doubts), calls),
        has_failed=anchor.span.failed,
    )


def _is_turn(anchor: Anchor, view: SpanView, doubts: Doubts) -> bool:
    if anchor.has(Kind.INFERENCE):
        return True
    tools = [step.span for step in anchor.steps if step.kind is Kind.TOOL]
    if not anchor.is_agent:
        for tool in tools:
            doubts.note(TOOL_OUTSIDE, f"span {tool.id}")
        return False
    has_failed = anchor.span.failed or anchor.span.attributes.get(attribute_names.ERROR) is not None
    if tools or has_failed or view.input or view.output:
        return True
    doubts.note(EMPTY_AGENT, f"span {anchor.span.id}")
    return False


def _user_text(outer: SpanView, calls: Sequence[ModelCall]) -> str | None:
    if outer.input:
        return text_of(last_of_user(outer.input) or outer.input)
    return next((call.user_text for call in calls if call.is_told), None)


def _response(outer: SpanView, calls: Sequence[ModelCall]) -> str | None:
    if outer.output:
        return text_of(outer.output)
    own = [call for call in calls if not call.is_delegated] or calls
    speaking = [call for call in own if call.text]
    return max(speaking, key=lambda call: call.ending).text if speaking else None


def _place_loose_logs(trace: Trace, anchors: Sequence[Anchor], doubts: Doubts) -> None:
    """Log records that name no span go to the only span of a model, if there is only one."""
    if not trace.loose:
        return
    models = [step.span.id for anchor in anchors for step in anchor.steps if step.kind is Kind.INFERENCE]
    if len(models) == 1:
        trace.logs.setdefault(models[0], []).extend(trace.loose)
    else:
        for _ in trace.loose:
            doubts.note(LOST_LOG, f"trace {trace.id}")


def _conversation_id(own: list[Attributes], resources: list[Attributes]) -> str | None:
    return _first_key([*own, *resources], attribute_names.CONVERSATION) or _first_key(
        [*own, *resources], attribute_names.SESSION
    )


def _first_key(attributes: Iterable[Attributes], key: str) -> str | None:
    return next((found for each in attributes if (found := key_text(each.get(key)))), None)
