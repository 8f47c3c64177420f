"""What is kept of a trace once it has been read: its turns in the making, and what it is grouped by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import key_text
from evaltui.recordings.traces.doubts import NO_TURN, Doubts
from evaltui.recordings.traces.spans import Attributes
from evaltui.recordings.traces.trace_tree import Trace
from evaltui.recordings.traces.turn_drafts import TurnDraft, drafts_of


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
    """What a trace of a file holds."""
    spans = sorted(trace.spans.values(), key=lambda span: span.order)  # what began first speaks for the whole
    own, resources = [span.attributes for span in spans], [span.resource for span in spans]
    session_name = _first(resources, attribute_names.SESSION_NAME)
    both = (attributes for span in trace.spans.values() for attributes in (span.attributes, span.resource))
    drafts = drafts_of(trace, doubts)
    if not drafts:
        doubts.note(NO_TURN, f"trace {trace.id}")
    return RecordedTrace(
        path=path,
        id=trace.id,
        key=session_name or _conversation(own, resources) or trace.id,
        is_named=session_name is not None,
        case_id=_first(both, attribute_names.CASE),
        start=trace.start,
        end=max((span.end for span in spans if span.start > 0), default=0),
        drafts=tuple(drafts),
    )


def _conversation(own: list[Attributes], resources: list[Attributes]) -> str | None:
    return _first([*own, *resources], attribute_names.CONVERSATION) or _first(
        [*own, *resources], attribute_names.SESSION
    )


def _first(attributes: Iterable[Attributes], key: str) -> str | None:
    return next((found for each in attributes if (found := key_text(each.get(key)))), None)
