"""The turns of a conversation: each trace gives drafts of turns, and those that belong together are joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

from evaltui.evalset.placeholders import placeholder_in
from evaltui.evalset.turn import ALL_PARTS, Durations, Tokens, Turn, TurnCall, UnrecordedArguments, without_blanks
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import as_object, key_text, scalar_text
from evaltui.recordings.traces.doubts import (
    BAD_ARGUMENTS,
    CUT_RESPONSE,
    EMPTY_AGENT,
    ENDS_EARLY,
    FAILED_CALL,
    FAILED_TURN,
    HIDDEN_ARGUMENTS,
    LOST_CALL,
    LOST_LOG,
    MAY_CONTINUE,
    NO_ARGUMENTS,
    NO_RESPONSE,
    NO_TURN,
    NO_USER_TEXT,
    OTHER_CALL,
    OUTSIDE_AGENT,
    STRANGE_TOOL,
    TOOL_OUTSIDE,
    UNKNOWN_CALLS,
    UNREAD_PART,
    Doubts,
)
from evaltui.recordings.traces.messages import (
    answer_of,
    ends_with_request,
    is_read,
    not_recorded,
    unread_of,
)
from evaltui.recordings.traces.model_calls import ModelCall, calls_and_responses, model_calls
from evaltui.recordings.traces.span_view import SpanView
from evaltui.recordings.traces.spans import Attributes, Kind, TraceSpan
from evaltui.recordings.traces.tool_calls import (
    Called,
    calls_of_messages,
    calls_of_spans,
    completed,
    has_open_calls,
    lacks_told_calls,
)
from evaltui.recordings.traces.trace_tree import Anchor, Trace, TurnStep, anchors_of
from evaltui.recordings.traces.turn_draft import TurnDraft, order_of
from evaltui.recordings.traces.user_messages import after_user, earlier_text, last_of_user, user_text_of

_SECOND = 1e9
_UNNAMED = "unknown_service"
"""The beginning of OpenTelemetry's name for a service without a name."""


class RecordedTrace(NamedTuple):
    """A trace of a file."""

    path: Path
    id: str
    key: str
    """The conversation that it belongs to if traces are joined."""
    has_key: bool
    """Whether it names this conversation; else it is alone in it, whatever conversation it was a part of."""
    is_named: bool
    """Whether it is of a named session."""
    case_id: str | None
    start: int
    """The start time of its first span, in nanoseconds since 1970; 0 if unknown."""
    end: int
    """When its last span ended."""
    drafts: tuple[TurnDraft, ...]
    lacks_turns: bool
    """Whether a span of an agent is skipped, because nothing of its turn is recorded."""
    agent_names: AgentNames

    def with_losses(self, *, may_lack_spans: bool) -> RecordedTrace:
        """The trace, if something of it is missing."""
        drafts = tuple(draft.with_losses(may_lack_spans=may_lack_spans) for draft in self.drafts)
        return self._replace(drafts=drafts)

    def overlaps(self, other: RecordedTrace) -> bool:
        """Whether both may have happened at the same time; times that are not recorded may be any."""
        return not 0 < self.end < other.start and not 0 < other.end < self.start


def recorded(trace: Trace, path: Path, doubts: Doubts) -> RecordedTrace:
    """The turns of a trace, and the ids by which it is grouped."""
    spans = sorted(trace.spans.values(), key=lambda span: span.order)  # the earliest draft stands for the whole turn
    resources = [span.resource for span in spans]
    every = [*(span.attributes for span in spans), *resources]
    session_name = _first_key(resources, attribute_names.SESSION_NAME)
    both = (attributes for span in trace.spans.values() for attributes in (span.attributes, span.resource))
    anchors = anchors_of(trace)
    _place_loose_logs(trace, anchors, doubts)
    drafts = [draft for anchor in anchors for draft in _drafted(anchor, trace, doubts)]
    if not drafts:
        doubts.note(NO_TURN, f"trace {trace.id}")
    _check_parents(anchors, doubts)
    is_lossy = doubts.has_lost(trace.id)
    if is_lossy:
        drafts = [draft.with_losses(may_lack_spans=doubts.lacks_spans(trace.id)) for draft in drafts]
    key = session_name or _first_key(every, attribute_names.CONVERSATION) or _first_key(every, attribute_names.SESSION)
    return RecordedTrace(
        path=path,
        id=trace.id,
        key=key or trace.id,
        has_key=key is not None,
        is_named=session_name is not None,
        case_id=_first_key(both, attribute_names.CASE),
        start=trace.start,
        end=max((span.end for span in spans if span.start > 0), default=0),
        drafts=tuple(drafts),
        lacks_turns=is_lossy or sum(anchor.is_agent for anchor in anchors) > sum(draft.is_agent for draft in drafts),
        agent_names=_agent_names(spans),
    )


def _check_parents(anchors: Sequence[Anchor], doubts: Doubts) -> None:
    """Count the model calls whose parents are missing: they may belong to the turns of the agents of the trace."""
    if not any(anchor.is_agent for anchor in anchors):
        return
    for anchor in anchors:
        if not anchor.is_agent and anchor.span.parent_id and anchor.has(Kind.INFERENCE):
            doubts.skip(OUTSIDE_AGENT, anchor.span.trace_id, f"span {anchor.span.id}")


def _agent_names(spans: Sequence[TraceSpan]) -> AgentNames:
    service = _first_key((span.resource for span in spans), attribute_names.SERVICE)
    is_named = service is not None and not service.startswith(_UNNAMED)
    agents = {key_text(span.attributes.get(attribute_names.AGENT_NAME)) for span in spans}
    return AgentNames(service=service if is_named else None, agents=frozenset(filter(None, agents)))


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
    tools = tools_of(calls_of_spans(anchor.steps, view, doubts), calls)
    response = _response(outer, calls, doubts)
    failure, earlier = _failure(anchor.span), earlier_text(outer.input or ())
    yield TurnDraft(
        span=anchor.span,
        last=anchor.span,
        is_agent=anchor.is_agent,
        start=min(step.span.start for step in anchor.steps),
        user_text=_user_text(outer, calls),
        response=response,
        has_own_response=anchor.is_agent and is_read(outer.output),
        told=calls_and_responses((*after_user(outer.input or ()), *(outer.output or ()))),
        calls=calls,
        tells_response=bool(response) or (bool(failure) and _is_silent(outer, calls)),
        tells_calls=_tells_calls(anchor, outer, calls, tools, doubts),
        tools=tools,
        follows=calls[0].follows if calls and earlier is None else earlier,
        ends_early=not failure and _ends_early(outer, calls),
        failure=failure,
    )


def _is_turn(anchor: Anchor, view: SpanView, doubts: Doubts) -> bool:
    if anchor.has(Kind.INFERENCE):
        return True
    tools = [step.span for step in anchor.steps if step.kind is Kind.TOOL]
    if not anchor.is_agent:
        for tool in tools:
            doubts.skip(TOOL_OUTSIDE, tool.trace_id, f"span {tool.id}")
        for strange in anchor.strange():
            doubts.skip(STRANGE_TOOL, strange.trace_id, f"span {strange.id}")
        return False
    has_failed = anchor.span.failed or anchor.span.attributes.get(attribute_names.ERROR) is not None
    if tools or has_failed or is_read(view.input) or is_read(view.output):
        return True
    doubts.note(EMPTY_AGENT, f"span {anchor.span.id}")
    return False


def _user_text(outer: SpanView, calls: Sequence[ModelCall]) -> str | None:
    if outer.input and is_read(outer.input):
        return user_text_of(last_of_user(outer.input) or outer.input)
    return next((call.user_text for call in calls if call.is_told), None)


def _failure(span: TraceSpan) -> str:
    """The error with which a span ended; "" for none, or if it was only interrupted."""
    return (scalar_text(span.attributes.get(attribute_names.ERROR)) or "an error") if span.failed else ""


def _is_silent(outer: SpanView, calls: Sequence[ModelCall]) -> bool:
    """Whether the agent said nothing, and messages are recorded in this trace."""
    is_recorded = bool(outer.input) or any(call.is_told for call in calls)
    return is_recorded and not outer.output and all(call.text == "" and not call.unread for call in calls)


def _ends_early(outer: SpanView, calls: Sequence[ModelCall]) -> bool:
    """Whether calls of tools may have followed those that are recorded: the agent may have been interrupted.

    A model that does not answer counts only if other answers are recorded.
    """
    if outer.output and is_read(outer.output):
        return ends_with_request(outer.output)
    own = _own(calls)
    if not own:
        return bool(outer.input)
    last = max(own, key=lambda call: call.ending)
    is_unanswered = last.is_told and not last.is_said and any(call.is_said for call in own)
    return bool(last.requests) or last.stopped_for_tools or is_unanswered


def _tells_calls(
    anchor: Anchor, outer: SpanView, calls: Sequence[ModelCall], tools: Sequence[Called], doubts: Doubts
) -> bool:
    """Whether all tool calls of a turn are recorded; there may be none.

    What is unread in the messages may be tool calls, unless as many calls are known only from their spans.
    """
    strange = anchor.strange()
    for span in strange:
        doubts.note(STRANGE_TOOL, f"span {span.id}")
    own = tuple(each.name for each in unread_of((*after_user(outer.input or ()), *(outer.output or ())))) or (
        ("messages",) if outer.has_unread_output else ()
    )
    unread = max(own, tuple(name for call in calls for name in call.unread), key=len)
    if len(unread) > len(tools) - sum(len(call.requests) for call in calls):
        for name in unread:
            doubts.note(UNREAD_PART, f"{name} of span {anchor.span.id}")
        return False
    if strange:
        return False
    if any(OTHER_CALL in tool.doubts for tool in tools):
        return False
    # Without spans of tools, all models must have answered on record: the span of an agent says nothing of its calls.
    has_answers = any(call.is_said for call in calls) and all(call.is_said or call.has_failed for call in calls)
    if has_answers or any(tool.span for tool in tools):
        return True
    doubts.note(UNKNOWN_CALLS, f"span {anchor.span.id}")
    return False


def _own(calls: Sequence[ModelCall]) -> Sequence[ModelCall]:
    return [call for call in calls if not call.is_delegated] or calls


def _response(outer: SpanView, calls: Sequence[ModelCall], doubts: Doubts) -> str | None:
    """The text of the response; None if it is not recorded. A text beside an error is only the beginning of one."""
    own, found, has_failed = _own(calls), None, outer.has_failed
    if outer.output and is_read(outer.output):
        is_last = not ends_with_request(outer.output) and not unread_of(outer.output)
        found = answer_of(outer.output) if is_last else None
    elif len(own) == 1 or (own and all(call.end for call in own)):  # else nobody knows which call was the last
        last = max(own, key=lambda call: call.ending)
        found, has_failed = last.response, has_failed or last.has_failed
    if found and has_failed:
        doubts.note(CUT_RESPONSE, f"span {outer.span.id}")
        return None
    return found or None


def _place_loose_logs(trace: Trace, anchors: Sequence[Anchor], doubts: Doubts) -> None:
    """Log records without a span belong to the only model span, if there is exactly one."""
    if not trace.loose:
        return
    models = [step.span.id for anchor in anchors for step in anchor.steps if step.kind is Kind.INFERENCE]
    if len(models) == 1:
        trace.logs.setdefault(models[0], []).extend(trace.loose)
    else:
        for _ in trace.loose:
            doubts.skip(LOST_LOG, trace.id, f"trace {trace.id}")


def _first_key(attributes: Iterable[Attributes], key: str) -> str | None:
    return next((found for each in attributes if (found := key_text(each.get(key)))), None)


def turns_of(drafts: Iterable[TurnDraft], doubts: Doubts) -> tuple[Turn, ...]:
    """The turns in the order of their start times.

    If only model calls are recorded, each has a trace of its own. A trace continues the turn before it if its model
    call receives the tool responses that this turn requested.
    """
    chains: list[_Chain] = []
    for draft in sorted(drafts, key=order_of):
        if chains and chains[-1].goes_on_with(draft):
            chains[-1].add(draft)
            continue
        if chains and chains[-1].may_go_on_with(draft):
            doubts.note(MAY_CONTINUE, f"span {draft.span.id}")
        chains.append(_Chain([draft], _last(draft)))
    return without_blanks(_turn(_joined(chain.drafts), doubts) for chain in chains)


@dataclass(slots=True)
class _Chain:
    """Drafts that form one turn."""

    drafts: list[TurnDraft]
    last: ModelCall | None
    """The call of a model that ended last."""

    def goes_on_with(self, draft: TurnDraft) -> bool:
        """Whether a draft begins with the tool responses that this turn requested last."""
        first = _first(draft)
        if self.last is None or first is None or not first.ends_with_answers:
            return False
        asked = {request.id for request in self.last.requests if request.id}
        answered = {answer.id for answer in first.answers if answer.id}
        return bool(asked & answered) if asked and answered else bool(self.last.requests)

    def may_go_on_with(self, draft: TurnDraft) -> bool:
        """Whether this turn stopped for tools, and the first model call of `draft` can continue it."""
        first = _first(draft)
        return bool(self.last and self.last.stopped_for_tools and first and not first.is_told)

    def add(self, draft: TurnDraft) -> None:
        """Add a draft to the turn; the model call that ended last becomes `last`."""
        self.drafts.append(draft)
        last = _last(draft)
        if last and (self.last is None or last.ending > self.last.ending):
            self.last = last


def _first(draft: TurnDraft) -> ModelCall | None:
    return None if draft.is_agent else min(draft.calls, key=lambda call: call.beginning, default=None)


def _last(draft: TurnDraft) -> ModelCall | None:
    return max(draft.calls, key=lambda call: call.ending, default=None)


def _joined(drafts: Sequence[TurnDraft]) -> TurnDraft:
    first = drafts[0]
    if len(drafts) == 1:
        return first
    calls = sorted((call for draft in drafts for call in draft.calls), key=lambda call: call.beginning)
    spans = [tool for draft in drafts for tool in draft.tools if tool.span]
    return first._replace(
        last=max((draft.last for draft in drafts), key=lambda span: span.end),
        user_text=next((draft.user_text for draft in drafts if draft.user_text is not None), None),
        response=drafts[-1].response,
        tells_response=drafts[-1].tells_response,
        tells_calls=all(draft.tells_calls for draft in drafts),
        calls=calls,
        tools=tools_of(spans, calls),
        ends_early=drafts[-1].ends_early,
        failure=next((draft.failure for draft in drafts if draft.failure), ""),
    )


def _turn(draft: TurnDraft, doubts: Doubts) -> Turn:
    place = f"span {draft.span.id}"
    of_models = (parts for call in draft.calls for parts in (call.told, *call.every_request))
    has_lost_calls = lacks_told_calls(draft.tools, [draft.told, *of_models])
    has_failed_calls = has_open_calls(draft.tools, draft.calls)
    for doubt, holds in (
        (NO_USER_TEXT, not draft.user_text),
        (NO_RESPONSE, not draft.response),
        (FAILED_TURN, draft.failure),
        (ENDS_EARLY, draft.ends_early),
        (LOST_CALL, has_lost_calls),
        (FAILED_CALL, has_failed_calls),
    ):
        if holds:
            doubts.note(doubt, place)
    calls = tuple(_tool_call(tool, doubts) for tool in draft.tools)
    told = {
        "user_text": bool(draft.user_text),
        "calls": draft.tells_calls
        and not (draft.ends_early or has_lost_calls or has_failed_calls)
        and _tells_order(draft),
        "arguments": all(call.has_args for call in calls),
        "response": draft.tells_response,
    }
    return Turn(
        user_text=draft.user_text or "",
        calls=calls,
        response=draft.response or "",
        invocation_id=draft.span.id,
        inference_calls=len(draft.calls),
        tokens=_sum([call.tokens for call in draft.calls if call.tokens]),
        durations=_durations(draft),
        models=tuple(dict.fromkeys(call.model for call in draft.calls if call.model)),
        unrecorded=frozenset(part for part in ALL_PARTS if not told[part]),
        failure="" if draft.response or not draft.tells_response else draft.failure,
    )


def _tells_order(draft: TurnDraft) -> bool:
    """Whether the order of its calls is known: all spans that they are read from have a start time."""
    spans = [tool.span.start for tool in draft.tools if tool.span]
    starts = spans or [call.start for call in draft.calls if call.requests]
    return len(starts) < 2 or all(starts)


def _tool_call(tool: Called, doubts: Doubts) -> TurnCall:
    """The call; arguments that are absent, null or no JSON, such as a text that was cut off, are not recorded."""
    is_told = tool.arguments is not None and not isinstance(tool.arguments, str)
    arguments = as_object(tool.arguments, "value") if is_told else UnrecordedArguments()
    if not is_told:
        is_absent = tool.arguments is None or not_recorded(tool.arguments)
        doubts.note(NO_ARGUMENTS if is_absent else BAD_ARGUMENTS, f"tool {tool.name}")
    elif placeholder_in(arguments):
        arguments = UnrecordedArguments(arguments)
        doubts.note(HIDDEN_ARGUMENTS, f"tool {tool.name}")
    for doubt in sorted(tool.doubts):
        doubts.note(doubt, f"tool {tool.name}")
    response = None if tool.result is None else as_object(tool.result, "result")
    return TurnCall(tool.name, arguments, tool.id, response)


def _sum(tokens: Sequence[Tokens]) -> Tokens | None:
    if not tokens:
        return None
    counted = {field.name: [getattr(each, field.name) for each in tokens] for field in fields(Tokens)}
    known = {name: [count for count in counts if count is not None] for name, counts in counted.items()}
    return Tokens(**{name: sum(counts) if counts else None for name, counts in known.items()})


def _durations(draft: TurnDraft) -> Durations:
    tools = [_seconds(tool.span.start, tool.span.end) for tool in draft.tools if tool.span]
    return Durations(
        total=_seconds(draft.span.start, draft.last.end),
        model=_total([_seconds(call.start, call.end) for call in draft.calls]),
        tool=_total(tools),
    )


def _total(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if known else None


def _seconds(start: int, end: int) -> float | None:
    return (end - start) / _SECOND if 0 < start <= end else None
