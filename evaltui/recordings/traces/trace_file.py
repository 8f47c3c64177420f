"""A file of traces: its format, found by its content, and its conversations, which may join several traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from evaltui.evalset.case_data import get, objects
from evaltui.evalset.turn import Turn
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, LostSpans, Recording, recorded_turns
from evaltui.recordings.traces import jaeger, otlp
from evaltui.recordings.traces.trace_steps import traces_of
from evaltui.recordings.traces.trace_turns import RecordedTrace, lacks_earlier_turns, record_trace, turns_of
from evaltui.recordings.traces.trace_warnings import Doubts

TraceFormat = Literal["jaeger", "otlp", "tempo"]


def trace_format(value: Any) -> TraceFormat | None:
    """The format of a trace, from the value of a JSON document or of one JSON line; None for anything else."""
    if isinstance(value, list):
        if value and all(map(jaeger.is_trace, value)):
            return "jaeger"
        # A recorder may write a span without its own id, but a list without any known entry is of another program.
        may_be_otlp = all(
            otlp.kind_of_entry(entry) or (isinstance(entry, dict) and "traceId" in entry) for entry in value
        )
        return "otlp" if may_be_otlp and any(map(otlp.kind_of_entry, value)) else None
    if kind := otlp.kind_of_entry(value):
        return "tempo" if kind == "response" or (kind == "export" and "batches" in value) else "otlp"
    # Jaeger answers a query without results with an empty list.
    is_jaeger = jaeger.is_trace(value) or get(value, "data") == []
    has_traces = any("spans" in trace or "traceID" in trace for trace in objects(value, "data"))
    return "jaeger" if is_jaeger or has_traces else None


def read_traces(
    documents: Iterable[Any],
    path: Path,
    format: TraceFormat,
    *,
    multi_turn: bool,
    has_lost: Callable[[], bool] = lambda: False,
) -> Recording:
    """The conversations of a file, and a warning with a count for each kind of doubt about them.

    `documents` are the JSON values of the file: one, or one per line. They are read one after another, and only the
    parts that turns need are kept. `has_lost` says, after that, whether a part of the file may be missing in them.
    `multi_turn` says whether the set has a case of several turns, which decides how traces are grouped. Raises only the
    errors of `documents`, whatever the values are.
    """
    doubts = Doubts()
    read_entries = jaeger.read_entries if format == "jaeger" else otlp.read_entries
    by_id = traces_of((entry for document in documents for entry in read_entries(document, doubts)), doubts)
    if has_lost():
        doubts.lose(None, spans=True)
    # `pop` frees the spans of each trace once its turns are read.
    traces = [record_trace(by_id.pop(trace_id), path, doubts) for trace_id in list(by_id)]
    # The tool calls of a trace without a turn belong to some turn of its time, which lacks them.
    strays = [
        LostSpans(None, trace.start, trace.end, doubts.has_lost(trace.id, spans=True))
        for trace in traces
        if not trace.drafts and trace.id in doubts.losses
    ]
    traces = [trace_without(trace, strays) for trace in traces]
    conversations = conversations_of(traces, doubts, multi_turn=multi_turn)
    # Other files may have the traces of skipped spans, and the turns of these tool calls.
    lost = [
        LostSpans(trace_id, may_be_of_models=doubts.has_lost(trace_id, spans=True))
        for trace_id in doubts.losses.keys() - {trace.id for trace in traces}
    ]
    return Recording(path, format, tuple(conversations), doubts.sentences(), tuple(traces), (*lost, *strays))


def conversations_of(traces: Sequence[RecordedTrace], doubts: Doubts, *, multi_turn: bool) -> list[Conversation]:
    """The conversations of traces, grouped as in agentevals (`--group-by auto`).

    Traces are grouped by conversation if the set has a case of several turns or a trace names a session; else each
    trace is a conversation. A conversation in several files belongs to the file of its first trace.
    """
    by_conversation = multi_turn or any(trace.is_named for trace in traces)
    groups: dict[str, list[RecordedTrace]] = {}
    for trace in traces:
        groups.setdefault(trace.key if by_conversation else trace.id, []).append(trace)
    conversations: list[Conversation] = []
    for key, group in groups.items():
        group.sort(key=lambda trace: trace.start)
        end = max(trace.end for trace in group)
        drafts = [draft for trace in group for draft in trace.drafts]
        drafts.sort(key=lambda draft: (draft.start, draft.span.id))
        if not (turns := turns_of(drafts, doubts)):
            continue
        names = [trace.agent_names for trace in group]
        with_turns = [trace.id for trace in group if trace.drafts]
        unread = None
        if len(set(with_turns)) < len(with_turns):
            unread = "its turns are unknown, because spans of one trace are in several files"
        elif len(turns) > 1 and not all(draft.start for draft in drafts):
            unread = "the order of its turns is unknown, because a span has no start time"
        conversation = Conversation(
            path=group[0].path,
            id=key,
            turns=turns,
            unread=unread,
            case_id=next((trace.case_id for trace in group if trace.case_id), None),
            recorded_at=end / 1e9 if end > 0 else None,
            lacks_turns=any(trace.lacks_turns for trace in group) or lacks_earlier_turns(drafts),
            agent_names=AgentNames(
                service=next((name.service for name in names if name.service), None),
                agents=frozenset().union(*(name.agents for name in names)),
            ),
        )
        conversations.append(conversation)
    # A trace that names no conversation may have turns of any other.
    has_keyless = by_conversation and any(trace.drafts and not trace.has_key for trace in traces)
    if len(conversations) > 1 and has_keyless:
        return [replace(conversation, lacks_turns=True) for conversation in conversations]
    return conversations


def with_invocations(conversation: Conversation) -> Conversation:
    """The conversation with invocations in the shape `tool_uses`. Traces name no user."""
    recorded = recorded_turns(conversation.turns, map(_invocation_of, conversation.turns))
    return replace(conversation, recorded_turns=recorded, started=conversation.recorded_at)


def _invocation_of(turn: Turn) -> dict[str, Any]:
    invocation: dict[str, Any] = {"invocation_id": turn.invocation_id}
    invocation["user_content"] = {"role": "user", "parts": [{"text": turn.user_text}] if turn.user_text else []}
    if turn.response:
        invocation["final_response"] = {"role": "model", "parts": [{"text": turn.response}]}
    calls = [{"id": call.id, "name": call.name, "args": call.args if call.has_args else None} for call in turn.calls]
    answered = (call for call in turn.calls if call.response is not None)
    responses = [{"id": call.id, "name": call.name, "response": call.response} for call in answered]
    invocation["intermediate_data"] = {
        name: [{key: value for key, value in item.items() if value is not None} for item in items]
        for name, items in (("tool_uses", calls), ("tool_responses", responses))
    }
    return invocation


def trace_without(trace: RecordedTrace, lost: Sequence[LostSpans]) -> RecordedTrace:
    """The trace; parts of it are not recorded if any of these spans may belong to it."""
    # Times that are not recorded may be any.
    own = [
        spans
        for spans in lost
        if spans.trace_id == trace.id
        or (spans.trace_id is None and not (0 < trace.end < spans.start or 0 < spans.end < trace.start))
    ]
    if not own:
        return trace
    trace = trace.with_losses(may_lack_spans=any(spans.may_be_of_models for spans in own))
    # A tool span without its turn is a call of some turn, and no sign of further turns.
    return trace._replace(lacks_turns=trace.lacks_turns or not all(spans.start for spans in own))


def whole_traces(traces: Iterable[RecordedTrace]) -> list[RecordedTrace]:
    """The traces of several files without copies. Parts of a trace are not recorded if other files have its spans."""
    first: dict[str, RecordedTrace] = {}
    distinct: list[RecordedTrace] = []
    split: set[str] = set()
    for trace in traces:
        earlier = first.setdefault(trace.id, trace)
        if earlier is trace or trace._replace(path=earlier.path) != earlier:
            distinct.append(trace)
            split |= {trace.id} if earlier.path != trace.path else set()
    # Only the turns of each file are known here, not its spans, so nobody knows which turn the other spans belong to.
    return [
        trace.with_losses(may_lack_spans=True)._replace(lacks_turns=True) if trace.id in split else trace
        for trace in distinct
    ]
