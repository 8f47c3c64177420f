"""Jaeger's JSON: traces with their processes, tags for attributes, logs for events; alone, in a list or in `data`."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces.attribute_names import SERVICE
from evaltui.recordings.traces.attribute_values import (
    SPAN_ID,
    TRACE_ID,
    decimal,
    identifier,
    items,
    members,
    moment,
    scalar_text,
    whole_number,
)
from evaltui.recordings.traces.doubts import (
    BAD_ATTRIBUTE,
    NO_IDS,
    NO_SPAN,
    NO_TRACE,
    STRANGE_EVENT,
    UNREAD_MEMBER,
    Doubts,
)
from evaltui.recordings.traces.spans import (
    DETAILS,
    NONE,
    TELLING,
    Attributes,
    Event,
    TraceSpan,
    is_wanted,
    may_tell,
    unread_spans,
)
from evaltui.recordings.traces.store_warnings import check_errors, check_warnings

_MICROSECOND = 1000
_OF_A_SPAN = frozenset(
    {
        *("traceID", "spanID", "parentSpanID", "flags", "operationName", "references", "startTime", "duration"),
        *("tags", "logs", "processID", "process", "warnings", "startTimeMillis"),
    }
)
_OF_A_TRACE = frozenset({"traceID", "spans", "processes", "warnings"})
_OF_A_DOCUMENT = frozenset({"data", "errors", "total", "limit", "offset"})
_DROPPED = ("otel.dropped_attributes_count", "otel.dropped_events_count")
"""The tags in which OpenTelemetry keeps the counts of what a limit dropped, in all formats without a place for them."""
_SCOPES = ("otel.scope.name", "otel.library.name")


def is_trace(value: Any) -> bool:
    """Whether this is one trace, without the document around it."""
    return isinstance(value, dict) and isinstance(value.get("spans"), list) and "traceID" in value


def entries(document: Any, doubts: Doubts) -> Iterator[TraceSpan]:
    """The spans of a document, of a trace, or of a list of traces."""
    traces = document if isinstance(document, list) else [document] if is_trace(document) else None
    if traces is None:
        traces = items(members(document).get("data"))
        _check_members(document, _OF_A_DOCUMENT, None, doubts)
        check_errors(members(document).get("errors"), doubts)
    for trace in traces:
        if not isinstance(trace, dict):
            doubts.skip(NO_TRACE)
            continue
        processes = members(trace.get("processes"))
        resources = {key: _resource(members(each)) for key, each in processes.items()}
        trace_id = identifier(trace.get("traceID"), TRACE_ID)
        _check_members(trace, _OF_A_TRACE, trace_id, doubts)
        check_warnings(trace.get("warnings"), trace_id, doubts)
        if not isinstance(trace.get("spans"), list | None):
            doubts.skip(NO_SPAN)
        for raw in items(trace.get("spans")):
            yield from _span(raw, resources, doubts)


def _check_members(value: Any, known: Set[str], trace_id: str | None, doubts: Doubts) -> None:
    """Count the members that may hold spans, but that nobody reads."""
    for key in unread_spans(value, known):
        doubts.skip(UNREAD_MEMBER, trace_id, key)


def _span(raw: Any, resources: dict[str, Attributes], doubts: Doubts) -> Iterator[TraceSpan]:
    if not isinstance(raw, dict):
        doubts.skip(NO_SPAN)
        return
    trace_id, span_id = identifier(raw.get("traceID"), TRACE_ID), identifier(raw.get("spanID"), SPAN_ID)
    if trace_id is None or span_id is None:
        doubts.skip(NO_IDS, trace_id)
        return
    tags, name, process = _tags(raw.get("tags")), raw.get("operationName"), raw.get("processID")
    is_whole = isinstance(raw.get("tags", []), list) and all(map(_is_tag, items(raw.get("tags"))))
    wanted, has_dropped = _wanted(tags), any(whole_number(tags.get(key)) for key in _DROPPED)
    if not is_whole or (has_dropped and wanted) or (not raw.get("tags") and any(unread_in(raw, _OF_A_SPAN))):
        doubts.skip(BAD_ATTRIBUTE, trace_id)
    _check_members(raw, _OF_A_SPAN, trace_id, doubts)
    check_warnings(raw.get("warnings"), trace_id, doubts)
    start = moment(raw.get("startTime"), _MICROSECOND)
    yield TraceSpan(
        trace_id=trace_id,
        id=span_id,
        parent_id=_parent(raw.get("references")) or identifier(raw.get("parentSpanID"), SPAN_ID),
        name=name if isinstance(name, str) else "",
        scope=next((tags[key] for key in _SCOPES if isinstance(tags.get(key), str)), ""),
        start=start,
        end=start + moment(raw.get("duration"), _MICROSECOND),
        failed=_has_failed(tags),
        attributes=wanted,
        events=tuple(_events(raw.get("logs"), trace_id, doubts)),
        resource=resources.get(process, NONE) if isinstance(process, str) else NONE,
    )


def _resource(process: dict[str, Any]) -> Attributes:
    """The attributes of a process. Jaeger keeps the name of its service apart from them."""
    service = process.get("serviceName")
    named = {SERVICE: service} if isinstance(service, str) else {}
    return {**named, **_wanted(_tags(process.get("tags")))} or NONE


def _parent(references: Any) -> str | None:
    for each in items(references):
        if isinstance(each, dict) and each.get("refType") == "CHILD_OF":
            found = identifier(each.get("spanID"), SPAN_ID)
            if found:
                return found
    return None


def _has_failed(tags: dict[str, Any]) -> bool:
    status = (scalar_text(tags.get("otel.status_code")) or "").upper()
    return status == "ERROR" or (status != "OK" and tags.get("error") is True)


def _events(logs: Any, trace_id: str, doubts: Doubts) -> Iterator[Event]:
    for each in logs if isinstance(logs, list) else [] if logs is None else [logs]:
        fields = _tags(members(each).get("fields"))
        name = fields.pop("event", "" if fields else None)
        if isinstance(name, str) and name in TELLING:
            yield Event(name, _wanted(fields) if name == DETAILS else fields, fields)
        elif may_tell(name):
            doubts.skip(STRANGE_EVENT, trace_id)


def _tags(raw: Any) -> dict[str, Any]:
    return {tag["key"]: _value(tag) for tag in items(raw) if _is_tag(tag)}


def _is_tag(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("key"), str)


def _wanted(tags: dict[str, Any]) -> Attributes:
    return {key: value for key, value in tags.items() if is_wanted(key)} or NONE


def _value(tag: dict[str, Any]) -> Any:
    value, kind = tag.get("value"), tag.get("type")
    if not isinstance(value, str) or kind not in {"int64", "float64"}:
        return value
    number = whole_number(value) if kind == "int64" else decimal(value)
    return value if number is None else number
