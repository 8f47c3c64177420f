"""Which traces are one conversation."""

from __future__ import annotations

from collections.abc import Iterable

from . import keys
from .spans import Attributes
from .trace import Trace
from .values import key_text


def groups_of(traces: Iterable[Trace], *, multi_turn: bool) -> list[tuple[str, list[Trace]]]:
    """The traces of each conversation with what identifies it, as agentevals groups them (`--group-by auto`).

    By conversation if the set has a case of several turns or a trace is of a named session; else each trace is one.
    """
    traces = list(traces)
    by_conversation = multi_turn or any(_session_name(trace) for trace in traces)
    groups: dict[str, list[Trace]] = {}
    for trace in traces:
        groups.setdefault(_key(trace) if by_conversation else trace.id, []).append(trace)
    return [(key, sorted(members, key=lambda trace: trace.start)) for key, members in groups.items()]


def case_of(traces: Iterable[Trace]) -> str | None:
    """The case that a conversation says it is of, on a span or its resource."""
    spans = (span for trace in traces for span in trace.spans.values())
    return _first((attributes for span in spans for attributes in (span.attributes, span.resource)), keys.CASE)


def _key(trace: Trace) -> str:
    spans = sorted(trace.spans.values(), key=lambda span: span.order)  # what began first speaks for the whole
    own, resources = [span.attributes for span in spans], [span.resource for span in spans]
    return (
        _first(resources, keys.SESSION_NAME)
        or _first([*own, *resources], keys.CONVERSATION)
        or _first([*own, *resources], keys.SESSION)
        or trace.id
    )


def _session_name(trace: Trace) -> str | None:
    return _first((span.resource for span in trace.spans.values()), keys.SESSION_NAME)


def _first(attributes: Iterable[Attributes], key: str) -> str | None:
    return next((found for each in attributes if (found := key_text(each.get(key)))), None)
