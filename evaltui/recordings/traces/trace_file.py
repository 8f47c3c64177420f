"""A file of traces: its format, found by its content, and its conversations, which may join several traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from evaltui.evalset.turn import Turn
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, LostSpans, Recording
from evaltui.recordings.traces import jaeger, otlp
from evaltui.recordings.traces.attribute_values import items
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.trace_tree import traces_of
from evaltui.recordings.traces.turn_draft import lacks_turns
from evaltui.recordings.traces.turns import RecordedTrace, recorded, turns_of

TraceFormat = Literal["jaeger", "otlp", "tempo"]

_SECOND = 1e9
_ENTRIES = {"jaeger": jaeger.entries, "otlp": otlp.entries, "tempo": otlp.entries}
"""The reader of each format."""


def trace_format(value: Any) -> TraceFormat | None:
    """The format of a trace, from the value of a JSON document or of one JSON line; None for anything else."""
    if isinstance(value, list):
        if value and all(map(jaeger.is_trace, value)):
            return "jaeger"
        is_otlp = all(_is_otlp(each) or (isinstance(each, dict) and "traceId" in each) for each in value)
        return "otlp" if is_otlp and any(map(_is_otlp, value)) else None
    if otlp.is_export(value):
        return "tempo" if otlp.is_wrapped(value) or "batches" in value else "otlp"
    if _is_otlp(value):
        return "otlp"
    return "jaeger" if _is_jaeger(value) else None


def _is_otlp(value: Any) -> bool:
    return otlp.is_export(value) or otlp.is_bare_span(value) or otlp.is_console_span(value)


def _is_jaeger(value: Any) -> bool:
    data = value.get("data") if isinstance(value, dict) else None
    traces = [each for each in items(data) if isinstance(each, dict)]
    return jaeger.is_trace(value) or data == [] or any("spans" in each or "traceID" in each for each in traces)


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
    entries = _ENTRIES[format]
    found = traces_of((entry for document in documents for entry in entries(document, doubts)), doubts)
    if has_lost():
        doubts.lose_spans(None)
    traces = tuple(recorded(found.pop(key), path, doubts) for key in list(found))
    traces = _without_strays(traces, doubts)
    conversations = conversations_of(traces, doubts, multi_turn=multi_turn)
    lost = tuple(_lost_spans(traces, doubts))
    return Recording(path, format, tuple(conversations), doubts.sentences(), traces, lost)


def _without_strays(traces: tuple[RecordedTrace, ...], doubts: Doubts) -> tuple[RecordedTrace, ...]:
    """The traces; if a trace without a turn has tool calls, the traces of its time do not know all of theirs."""
    strays = [trace for trace in traces if not trace.drafts and doubts.has_lost(trace.id)]
    if not strays:
        return traces
    return tuple(
        trace.with_losses(may_lack_spans=doubts.lacks_spans(trace.id)) if any(map(trace.overlaps, strays)) else trace
        for trace in traces
    )


def _lost_spans(traces: Sequence[RecordedTrace], doubts: Doubts) -> Iterator[LostSpans]:
    """Spans that are skipped without a trace in this file, and traces without a turn that have tool calls."""
    for trace_id in doubts.lossy - {trace.id for trace in traces}:
        yield LostSpans(trace_id, may_be_of_models=doubts.lacks_spans(trace_id))
    for trace in traces:
        if not trace.drafts and trace.id in doubts.lossy:
            yield LostSpans(None, trace.start, trace.end, doubts.lacks_spans(trace.id))


def conversations_of(traces: Sequence[RecordedTrace], doubts: Doubts, *, multi_turn: bool) -> list[Conversation]:
    """The conversations of traces, grouped as in agentevals (`--group-by auto`).

    Traces are grouped by conversation if the set has a case of several turns or a trace names a session; else each
    trace is a conversation. A conversation in several files belongs to the file of its first trace.
    """
    by_conversation = multi_turn or any(trace.is_named for trace in traces)
    groups: dict[str, list[RecordedTrace]] = {}
    for trace in traces:
        groups.setdefault(trace.key if by_conversation else trace.id, []).append(trace)
    for members in groups.values():
        members.sort(key=lambda trace: trace.start)
    found = [each for key, members in groups.items() if (each := _conversation(key, members, doubts)).turns]
    # A trace that names no conversation may have turns of any other.
    may_lack = len(found) > 1 and by_conversation and any(trace.drafts and not trace.has_key for trace in traces)
    return [replace(each, lacks_turns=True) for each in found] if may_lack else found


def across_files(recordings: Iterable[Recording], *, multi_turn: bool) -> list[Recording]:
    """The recordings, with conversations joined across files: exporters may write each trace to a file of its own."""
    recordings = [*recordings]
    if lost := [one for each in recordings for one in each.lost]:
        recordings = [
            without_lost_spans(each, lost, multi_turn=multi_turn) for each in recordings if not each.is_unread
        ]
    traces = [trace for recording in recordings for trace in recording.traces]
    if len({trace.path for trace in traces}) < 2:
        return recordings
    found = conversations_of(whole_traces(traces), Doubts(), multi_turn=multi_turn)
    return [
        replace(each, conversations=tuple(one for one in found if one.path == each.path)) if each.traces else each
        for each in recordings
    ]


def without_lost_spans(recording: Recording, lost: Sequence[LostSpans], *, multi_turn: bool) -> Recording:
    """The recording of a run, in whose files these spans are lost: parts of its traces are not recorded then."""
    traces = tuple(trace_without(trace, lost) for trace in recording.traces)
    if traces == recording.traces:
        return recording
    found = conversations_of(traces, Doubts(), multi_turn=multi_turn)
    return replace(recording, traces=traces, conversations=tuple(found))


def trace_without(trace: RecordedTrace, lost: Sequence[LostSpans]) -> RecordedTrace:
    """The trace; parts of it are not recorded if any of these spans may belong to it."""
    own = [each for each in lost if _may_be_of(trace, each)]
    if not own:
        return trace
    # A tool span without its turn is a call of some turn, and no sign of further turns.
    lacks_turns = trace.lacks_turns or not all(each.start for each in own)
    found = trace.with_losses(may_lack_spans=any(each.may_be_of_models for each in own))
    return found._replace(lacks_turns=lacks_turns)


def _may_be_of(trace: RecordedTrace, spans: LostSpans) -> bool:
    if spans.trace_id is not None:
        return spans.trace_id == trace.id
    return trace.overlaps(trace._replace(start=spans.start, end=spans.end))


def whole_traces(traces: Iterable[RecordedTrace]) -> list[RecordedTrace]:
    """The traces of several files without copies. If a trace has other spans in another file, parts are not recorded.

    Only the turns of a file are known here, not its spans, so nobody knows which turn these belong to.
    """
    first: dict[str, RecordedTrace] = {}
    kept: list[RecordedTrace] = []
    split: set[str] = set()
    for trace in traces:
        earlier = first.setdefault(trace.id, trace)
        if earlier is trace or trace._replace(path=earlier.path) != earlier:
            kept.append(trace)
            split |= {trace.id} if earlier.path != trace.path else set()
    return [
        each.with_losses(may_lack_spans=True)._replace(lacks_turns=True) if each.id in split else each for each in kept
    ]


def split_traces(traces: Sequence[RecordedTrace]) -> list[LostSpans]:
    """The spans of traces that are in several files, for the turns of each of these files."""
    as_read = set(map(id, traces))
    return [LostSpans(each.id) for each in whole_traces(traces) if id(each) not in as_read]


def _conversation(key: str, traces: list[RecordedTrace], doubts: Doubts) -> Conversation:
    end = max(trace.end for trace in traces)
    drafts = [draft for trace in traces for draft in trace.drafts]
    turns = turns_of(drafts, doubts)
    return Conversation(
        path=traces[0].path,
        id=key,
        turns=turns,
        unread=next(_faults(traces, turns), None),
        case_id=next((trace.case_id for trace in traces if trace.case_id), None),
        recorded_at=end / _SECOND if end > 0 else None,
        lacks_turns=any(trace.lacks_turns for trace in traces) or lacks_turns(drafts),
        agent_names=_agent_names([trace.agent_names for trace in traces]),
    )


def _faults(traces: Sequence[RecordedTrace], turns: Sequence[Turn]) -> Iterator[str]:
    """Why the turns are not those that happened."""
    with_turns = [trace.id for trace in traces if trace.drafts]
    if len(set(with_turns)) < len(with_turns):
        yield "its turns are unknown, because spans of one trace are in several files"
    if len(turns) > 1 and not all(draft.start for trace in traces for draft in trace.drafts):
        yield "the order of its turns is unknown, because a span has no start time"


def _agent_names(names: Sequence[AgentNames]) -> AgentNames:
    service = next((each.service for each in names if each.service), None)
    return AgentNames(service=service, agents=frozenset().union(*(each.agents for each in names)))
