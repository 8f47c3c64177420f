"""The turns of a conversation: each trace gives drafts of turns, and those that belong together are joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, UnrecordedArguments, placeholder_in, without_blanks
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.traces.attributes import Attribute, Attributes, key_text, scalar_text
from evaltui.recordings.traces.spans import BY_START, SpanView, TraceSpan
from evaltui.recordings.traces.trace_calls import (
    BY_BEGINNING,
    BY_END,
    ModelCall,
    complete_tool_calls,
    has_open_calls,
    lacks_calls,
    read_model_calls,
    read_tool_calls,
)
from evaltui.recordings.traces.trace_messages import (
    CallParts,
    ToolResult,
    TracedCall,
    UnreadPart,
    answer_of,
    is_read,
    is_unrecorded,
    parts_of_type,
    split_at_user,
    user_text_of,
)
from evaltui.recordings.traces.trace_steps import Trace, strange_spans, turns_in
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts


class TurnDraft(NamedTuple):
    """A turn in the making."""

    span: TraceSpan
    """The span that it begins with."""
    end: int
    """When this span ended, or the last one that was joined with it, in nanoseconds."""
    is_agent: bool
    start: int
    """When the first of its spans began, in nanoseconds."""
    user_text: str | None
    """None if no message of a user is recorded, "" if it has no text or cannot be read."""
    response: str | None
    """None if it is not recorded; a recorded response may be empty."""
    has_own_response: bool
    """Whether the span of its agent has the response, whatever its models said."""
    are_calls_recorded: bool
    """There may be none."""
    own_history: CallParts
    """The tool requests and results in the messages of its agent. agentevals reads no calls there."""
    calls: list[ModelCall]
    tools: list[TracedCall]
    previous_text: str | None
    ends_early: bool
    """Whether it ends with a call of a tool, or with a model that does not answer."""
    failure: str
    """The error with which the agent ended; "" if it did not fail."""


class RecordedTrace(NamedTuple):
    """A trace of a file, with its turns and the ids by which it is grouped."""

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
        """The trace, if a call of a tool may be missing, and perhaps the span of a model that gave a response."""
        drafts = [draft._replace(are_calls_recorded=False) for draft in self.drafts]
        if may_lack_spans:
            drafts = [draft if draft.has_own_response else draft._replace(response=None) for draft in drafts]
        return self._replace(drafts=tuple(drafts))


# --- from a trace to drafts -------------------------------------------------------------------------------------


def record_trace(trace: Trace, path: Path, doubts: Doubts) -> RecordedTrace:
    """The turns of a trace, and the ids by which it is grouped."""
    by_id, logs_without_span = trace
    turns = turns_in(by_id.values())
    trace_id = turns[0][0].span.trace_id
    models = [step for steps in turns for step in steps if step.kind == "inference"]
    # Log records without a span belong to the only model span, if there is exactly one.
    if len(models) == 1:
        models[0].logs += logs_without_span
    else:
        for _ in logs_without_span:
            doubts.skip(Doubt.LOST_LOG, trace_id, f"trace {trace_id}")
    drafts = [draft for steps in turns if (draft := _draft_turn(steps, doubts))]
    if not drafts:
        doubts.note(Doubt.NO_TURN, f"trace {trace_id}")
    agents = sum(steps[0].kind == "agent" for steps in turns)
    for first, *others in turns:
        has_model = any(step.kind == "inference" for step in (first, *others))
        # A model call whose parent is missing may belong to the turn of an agent of its trace.
        if agents and first.kind != "agent" and first.span.parent_id and has_model:
            doubts.skip(Doubt.OUTSIDE_AGENT, trace_id, f"span {first.span.id}")
    is_lossy = doubts.has_lost(trace_id)
    spans = [step.span for step in sorted(by_id.values(), key=BY_START)]
    resources = [span.resource for span in spans]
    attributes = [*(span.attributes for span in spans), *resources]
    session_name = _find_key(resources, "agentevals.session_name")
    key = session_name or _find_key(attributes, "gen_ai.conversation.id") or _find_key(attributes, Attribute.SESSION)
    in_file_order = (own for step in by_id.values() for own in (step.span.attributes, step.span.resource))
    service = _find_key(resources, Attribute.SERVICE)
    names = {key_text(span.attributes.get("gen_ai.agent.name")) for span in spans}
    recorded = RecordedTrace(
        path=path,
        id=trace_id,
        key=key or trace_id,
        has_key=key is not None,
        is_named=session_name is not None,
        case_id=_find_key(in_file_order, "agentevals.eval.case.id"),
        start=min(span.start for span in spans),
        end=max((span.end for span in spans if span.start > 0), default=0),
        drafts=tuple(drafts),
        lacks_turns=is_lossy or agents > sum(draft.is_agent for draft in drafts),
        agent_names=AgentNames(
            # OpenTelemetry's name for a service without a name begins so.
            service=service if service and not service.startswith("unknown_service") else None,
            agents=frozenset(filter(None, names)),
        ),
    )
    return recorded.with_losses(may_lack_spans=doubts.has_lost(trace_id, spans=True)) if is_lossy else recorded


def _find_key(attributes: Iterable[Attributes], name: str) -> str | None:
    return next((key for values in attributes if (key := key_text(values.get(name)))), None)


def _draft_turn(steps: Sequence[SpanView], doubts: Doubts) -> TurnDraft | None:
    outer = steps[0]
    first, is_agent = outer.span, outer.kind == "agent"
    if not _is_turn(steps, doubts):
        return None
    calls = read_model_calls(steps)
    tools = read_tool_calls(steps, calls, doubts)
    # An agent's text within a tool is not the response of the turn.
    own_calls = [call for call in calls if not call.is_delegated] or calls
    response, ends_early = _read_ending(outer, own_calls, doubts)
    inputs, outputs = outer.input or (), outer.output or ()
    # A span without an error status was only interrupted, even if it has an error attribute.
    failure = (scalar_text(first.attributes.get(Attribute.ERROR)) or "an error") if first.failed else ""
    previous_text, user_text, since_user = split_at_user(inputs)
    messages = (*since_user, *outputs)
    # The agent said nothing, although messages are recorded in this trace.
    has_messages = bool(inputs) or any(call.has_input for call in calls)
    is_silent = has_messages and not outputs and all(call.text == "" and not call.unread for call in calls)
    if not is_read(inputs):
        user_text = next((call.user_text for call in calls if call.has_input), None)
    elif user_text is None:
        user_text = user_text_of(inputs)
    return TurnDraft(
        span=first,
        end=first.end,
        is_agent=is_agent,
        start=min(step.span.start for step in steps),
        user_text=user_text,
        response=response if response or not (failure and is_silent) else "",
        has_own_response=is_agent and is_read(outputs),
        are_calls_recorded=_has_all_calls(steps, calls, tools, doubts),
        own_history=(*parts_of_type(messages, TracedCall), *parts_of_type(messages, ToolResult)),
        calls=calls,
        tools=tools,
        previous_text=calls[0].previous_text if calls and previous_text is None else previous_text,
        ends_early=ends_early and not failure,
        failure=failure,
    )


def _is_turn(steps: Sequence[SpanView], doubts: Doubts) -> bool:
    outer = steps[0]
    if any(step.kind == "inference" for step in steps):
        return True
    tools = [step.span for step in steps if step.kind == "tool"]
    if outer.kind != "agent":
        for tool in tools:
            doubts.skip(Doubt.TOOL_OUTSIDE, tool.trace_id, f"span {tool.id}")
        for span in strange_spans(steps):
            doubts.skip(Doubt.STRANGE_TOOL, span.trace_id, f"span {span.id}")
        return False
    has_failed = outer.span.failed or outer.span.attributes.get(Attribute.ERROR) is not None
    if tools or has_failed or is_read(outer.input) or is_read(outer.output):
        return True
    doubts.note(Doubt.EMPTY_AGENT, f"span {outer.span.id}")
    return False


def _read_ending(outer: SpanView, own_calls: Sequence[ModelCall], doubts: Doubts) -> tuple[str | None, bool]:
    """The text of the response, None if it is not recorded, and whether calls of tools may have followed."""
    response, has_failed = None, outer.has_failed
    last_call = max(own_calls, key=BY_END, default=None)
    if is_read(outer.output):
        ends_early = any(parts_of_type(outer.output[-1:], TracedCall))
        if not ends_early and not any(parts_of_type(outer.output, UnreadPart)):
            response = answer_of(outer.output)
    elif last_call:
        # Where no answer at all is recorded, the recorder leaves out answers: the last one may have come.
        records_answers = any(call.has_output for call in own_calls)
        is_unanswered = last_call.has_input and not last_call.has_output and records_answers
        ends_early = bool(last_call.requests) or last_call.stopped_for_tools or is_unanswered
        # Without end times, nobody knows which of several calls was the last.
        if len(own_calls) == 1 or all(call.end for call in own_calls):
            has_failed = has_failed or last_call.has_failed
            response = None if last_call.requests or last_call.unread else last_call.text
    else:
        ends_early = bool(outer.input)  # the agent may have been interrupted
    if response and has_failed:
        # The text beside an error is only the beginning of a response.
        doubts.note(Doubt.CUT_RESPONSE, f"span {outer.span.id}")
        response = None
    return response or None, ends_early


def _has_all_calls(
    steps: Sequence[SpanView], calls: Sequence[ModelCall], tools: Sequence[TracedCall], doubts: Doubts
) -> bool:
    """Whether all tool calls of a turn are recorded; there may be none."""
    outer, strange = steps[0], strange_spans(steps)
    for span in strange:
        doubts.note(Doubt.STRANGE_TOOL, f"span {span.id}")
    _, _, since_user = split_at_user(outer.input or ())
    own_unread = [part.name for part in parts_of_type((*since_user, *(outer.output or ())), UnreadPart)]
    if not own_unread and outer.has_unread_output:
        own_unread = ["messages"]
    # An agent repeats the messages of its models, so only the longer of both lists counts.
    unread = max(own_unread, [name for call in calls for name in call.unread], key=len)
    # Unread parts may be tool calls, unless as many calls are known only from their spans.
    if len(unread) > len(tools) - sum(len(call.requests) for call in calls):
        for name in unread:
            doubts.note(Doubt.UNREAD_PART, f"{name} of span {outer.span.id}")
        return False
    if strange or any(Doubt.OTHER_CALL in tool.doubts for tool in tools):
        return False
    # Without spans of tools, all models must have answered on record: the span of an agent says nothing of its calls.
    has_answers = any(call.has_output for call in calls) and all(call.has_output or call.has_failed for call in calls)
    if has_answers or any(tool.span for tool in tools):
        return True
    doubts.note(Doubt.UNKNOWN_CALLS, f"span {outer.span.id}")
    return False


# --- from drafts to turns ---------------------------------------------------------------------------------------


def lacks_earlier_turns(drafts: Iterable[TurnDraft]) -> bool:
    """Whether a turn came before these drafts in order, or between two of them, as their messages tell."""
    seen: set[str] = set()
    last_texts: set[str] = set()
    for draft in drafts:
        # A history may be cut off, or begin with a summary, so only its last turn must be among the drafts before it.
        text = draft.previous_text
        # A text that cannot be read may be any. The message of the turn before may have had a context beside its text.
        if text is not None and not (
            text in seen
            or (seen and (not text or "" in seen))
            or any(last.startswith(text) or last.endswith(text) for last in last_texts)
        ):
            return True
        last_texts = {(text or "").strip() for text in (draft.user_text, *(call.user_text for call in draft.calls))}
        seen |= last_texts
    return False


def turns_of(drafts: Iterable[TurnDraft], doubts: Doubts) -> tuple[Turn, ...]:
    """The turns of drafts in order; a draft that continues the turn before it is joined with it."""
    groups: list[list[TurnDraft]] = []
    last_call: ModelCall | None = None
    for draft in drafts:
        first_call = None if draft.is_agent else next(iter(draft.calls), None)
        final_call = max(draft.calls, key=BY_END, default=None)
        if last_call and first_call and _continues(last_call, first_call):
            groups[-1].append(draft)
            last_call = max(last_call, final_call or last_call, key=BY_END)
            continue
        if last_call and last_call.stopped_for_tools and first_call and not first_call.has_input:
            doubts.note(Doubt.MAY_CONTINUE, f"span {draft.span.id}")
        groups.append([draft])
        last_call = final_call
    return without_blanks(_turn_of(_join_drafts(group), doubts) for group in groups)


def _continues(last_call: ModelCall, first_call: ModelCall) -> bool:
    """Whether a model call receives the tool responses that the last call of a turn requested."""
    # If only model calls are recorded, each has a trace of its own.
    if not first_call.ends_with_results:
        return False
    requested = {request.id for request in last_call.requests if request.id}
    answered = {result.id for result in first_call.results if result.id}
    return bool(requested & answered) if requested and answered else bool(last_call.requests)


def _join_drafts(drafts: Sequence[TurnDraft]) -> TurnDraft:
    first, last = drafts[0], drafts[-1]
    if len(drafts) == 1:
        return first
    calls = sorted((call for draft in drafts for call in draft.calls), key=BY_BEGINNING)
    # The calls in messages are read again: a call of one trace may have its response in the next.
    spans = [tool for draft in drafts for tool in draft.tools if tool.span]
    return first._replace(
        end=max(draft.end for draft in drafts),
        user_text=next((draft.user_text for draft in drafts if draft.user_text is not None), None),
        response=last.response,
        are_calls_recorded=all(draft.are_calls_recorded for draft in drafts),
        calls=calls,
        tools=complete_tool_calls(spans, calls),
        ends_early=last.ends_early,
        failure=next((draft.failure for draft in drafts if draft.failure), ""),
    )


def _turn_of(draft: TurnDraft, doubts: Doubts) -> Turn:
    histories = (parts for call in draft.calls for parts in call.histories)
    has_lost_calls = lacks_calls(draft.tools, [draft.own_history, *histories])
    has_failed_calls = has_open_calls(draft.tools, draft.calls)
    for doubt, holds in (
        (Doubt.NO_USER_TEXT, not draft.user_text),
        (Doubt.NO_RESPONSE, not draft.response),
        (Doubt.FAILED_TURN, draft.failure),
        (Doubt.ENDS_EARLY, draft.ends_early),
        (Doubt.LOST_CALL, has_lost_calls),
        (Doubt.FAILED_CALL, has_failed_calls),
    ):
        if holds:
            doubts.note(doubt, f"span {draft.span.id}")
    calls = tuple(_tool_call_of(tool, doubts) for tool in draft.tools)
    # Without start times, the order of calls is unknown, whether it is that of their spans or of the model calls.
    starts = [tool.span.start for tool in draft.tools if tool.span]
    starts = starts or [call.start for call in draft.calls if call.requests]
    has_order = len(starts) < 2 or all(starts)
    is_recorded = {
        "user_text": bool(draft.user_text),
        "calls": draft.are_calls_recorded
        and has_order
        and not (draft.ends_early or has_lost_calls or has_failed_calls),
        "arguments": all(call.has_args for call in calls),
        "response": draft.response is not None,
    }
    counts = [call.tokens for call in draft.calls if call.tokens is not None]
    return Turn(
        user_text=draft.user_text or "",
        calls=calls,
        response=draft.response or "",
        invocation_id=draft.span.id,
        inference_calls=len(draft.calls),
        tokens=sum(counts) if counts else None,
        seconds=(draft.end - draft.span.start) / 1e9 if 0 < draft.span.start <= draft.end else None,
        unrecorded=frozenset(part for part in ALL_PARTS if not is_recorded[part]),
        failure=draft.failure if draft.response == "" else "",
    )


def _tool_call_of(tool: TracedCall, doubts: Doubts) -> TurnCall:
    place = f"tool {tool.name}"
    if tool.arguments is None or isinstance(tool.arguments, str):
        # A text may be JSON that was cut off. agentevals has {} for such arguments, so {} stands here, too.
        arguments: dict[str, Any] = UnrecordedArguments()
        doubts.note(Doubt.NO_ARGUMENTS if is_unrecorded(tool.arguments) else Doubt.BAD_ARGUMENTS, place)
    else:
        arguments = tool.arguments if isinstance(tool.arguments, dict) else {"value": tool.arguments}
        if placeholder_in(arguments):
            arguments = UnrecordedArguments(arguments)
            doubts.note(Doubt.HIDDEN_ARGUMENTS, place)
    for doubt in sorted(tool.doubts, key=lambda doubt: doubt.value):
        doubts.note(doubt, place)
    # google-genai's `FunctionResponse` wants an object; google-adk puts other results under `result`.
    response = tool.result if isinstance(tool.result, dict | None) else {"result": tool.result}
    return TurnCall(tool.name, arguments, tool.id, response)
