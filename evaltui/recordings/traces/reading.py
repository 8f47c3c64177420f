"""From the decoded documents of a file to a recording."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evaltui.recordings.conversation import Recording
from evaltui.recordings.traces import jaeger, otlp
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.formats import TraceFormat
from evaltui.recordings.traces.recorded import recorded
from evaltui.recordings.traces.recorded_traces import conversations_of
from evaltui.recordings.traces.trace_tree import traces_of

_ENTRIES = {"jaeger": jaeger.entries, "otlp": otlp.entries, "tempo": otlp.entries}


def read_traces(documents: Iterable[Any], path: Path, format: TraceFormat, *, multi_turn: bool) -> Recording:
    """The conversations of a file, and a warning for each kind of doubt about them, with its number.

    `documents` are the values of its JSON: one, or one a line. They are taken one after another, and of each only what
    turns are made of is kept. `multi_turn` says whether the set has a case of several turns, which tells how traces are
    grouped. Whatever the values are, nothing is raised but what `documents` raises.
    """
    doubts = Doubts()
    entries = _ENTRIES[format]
    found = traces_of((entry for document in documents for entry in entries(document, doubts)), doubts)
    traces = tuple(recorded(found.pop(key), path, doubts) for key in list(found))
    conversations = conversations_of(traces, doubts, multi_turn=multi_turn)
    return Recording(path, format, tuple(conversations), doubts.sentences(), traces)
