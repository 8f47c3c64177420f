"""From the decoded documents of a file to conversations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evaltui.recordings.conversation import Conversation

from . import jaeger, otlp
from .doubts import NO_TURN, Doubts
from .drafts import drafts_of
from .formats import TraceFormat
from .grouping import case_of, groups_of
from .trace import Trace, traces_of
from .turns import ended, turns_of

_ENTRIES = {"jaeger": jaeger.entries, "otlp": otlp.entries, "tempo": otlp.entries}


def read_traces(
    documents: Iterable[Any], path: Path, format: TraceFormat, *, multi_turn: bool
) -> tuple[tuple[Conversation, ...], tuple[str, ...]]:
    """The conversations of a file, and a sentence for each kind of doubt about them, with its number.

    `documents` are the values of its JSON: one, or one a line. They are taken one after another, and of each only what
    turns are made of is kept. `multi_turn` says whether the set has a case of several turns, which tells how traces are
    grouped. Whatever the values are, nothing is raised but what `documents` raises.
    """
    doubts = Doubts()
    entries = _ENTRIES[format]
    traces = traces_of((entry for document in documents for entry in entries(document, doubts)), doubts)
    groups = groups_of(traces.values(), multi_turn=multi_turn)
    traces.clear()
    found = [_conversation(path, key, members, doubts) for key, members in groups]
    return tuple(each for each in found if each), doubts.sentences()


def _conversation(path: Path, key: str, traces: list[Trace], doubts: Doubts) -> Conversation | None:
    case_id, recorded_at = case_of(traces), ended(span for trace in traces for span in trace.spans.values())
    drafts = []
    for trace in traces:
        found = drafts_of(trace, doubts)
        if not found:
            doubts.note(NO_TURN, f"trace {trace.id}")
        drafts += found
    turns = turns_of(drafts, doubts)
    traces.clear()  # turns are all that is needed from here on
    return Conversation(path, key, turns, case_id=case_id, recorded_at=recorded_at) if turns else None
