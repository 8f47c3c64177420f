"""Which traces are one conversation, in a file and across files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evaltui.recordings.conversation import Conversation, Recording
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.recorded import RecordedTrace
from evaltui.recordings.traces.turns import turns_of

_SECOND = 1e9


def conversations_of(traces: Sequence[RecordedTrace], doubts: Doubts, *, multi_turn: bool) -> list[Conversation]:
    """The conversations that traces are, as agentevals groups them (`--group-by auto`).

    By conversation if the set has a case of several turns or a trace is of a named session; else each trace is one. A
    conversation of several files is in that of its first trace.
    """
    by_conversation = multi_turn or any(trace.is_named for trace in traces)
    groups: dict[str, list[RecordedTrace]] = {}
    for trace in traces:
        groups.setdefault(trace.key if by_conversation else trace.id, []).append(trace)
    for members in groups.values():
        members.sort(key=lambda trace: trace.start)
    found = (_conversation(key, members, doubts) for key, members in groups.items())
    return [each for each in found if each.turns]


def across_files(recordings: Iterable[Recording], *, multi_turn: bool) -> list[Recording]:
    """The recordings, where the traces of one conversation may lie in several files: each trace is exported alone."""
    recordings = list(recordings)
    traces = [trace for recording in recordings for trace in recording.traces]
    if len({trace.path for trace in traces}) < 2:
        return recordings
    found = conversations_of(traces, Doubts(), multi_turn=multi_turn)
    return [
        replace(each, conversations=tuple(one for one in found if one.path == each.path)) if each.traces else each
        for each in recordings
    ]


def _conversation(key: str, traces: list[RecordedTrace], doubts: Doubts) -> Conversation:
    end = max(trace.end for trace in traces)
    return Conversation(
        path=traces[0].path,
        id=key,
        turns=turns_of((draft for trace in traces for draft in trace.drafts), doubts),
        case_id=next((trace.case_id for trace in traces if trace.case_id), None),
        recorded_at=end / _SECOND if end > 0 else None,
    )
