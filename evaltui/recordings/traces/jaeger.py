"""Jaeger's JSON: traces with their processes, tags for attributes, logs for events; alone, in a list or in `data`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from evaltui.evalset.case_data import get, items_in, objects, text
from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces.attributes import (
    SPAN_ID,
    TRACE_ID,
    Attribute,
    Attributes,
    parse_json_text,
    read_decimal,
    read_id,
    read_integer,
    read_time,
    scalar_text,
)
from evaltui.recordings.traces.spans import (
    DETAILS,
    NO_ATTRIBUTES,
    Event,
    TraceSpan,
    check_keys,
    is_read_event,
    is_wanted,
)
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts

# Jaeger's adjusters warn of times and ids that they changed. No span is missing because of that.
_HARMLESS_WARNING = re.compile("clock skew|span reference|span link|unique span ID", re.IGNORECASE)

_MICROSECOND = 1000
_DOCUMENT_KEYS = frozenset({"data", "errors", "total", "limit", "offset"})
_TRACE_KEYS = frozenset({"traceID", "spans", "processes", "warnings"})
_SPAN_KEYS = frozenset(
    {
        # Jaeger's storage has parentSpanID, its API a reference.
        *("traceID", "spanID", "parentSpanID", "flags", "operationName", "references", "startTime", "duration"),
        *("tags", "logs", "processID", "process", "warnings", "startTimeMillis"),
    }
)
# OpenTelemetry keeps the counts of what a limit dropped in these tags, for all formats without a place for them.
_DROPPED = ("otel.dropped_attributes_count", "otel.dropped_events_count")
_SCOPES = ("otel.scope.name", "otel.library.name")


def is_trace(value: Any) -> bool:
    """Whether this is one trace, without the document around it."""
    return isinstance(value, dict) and isinstance(value.get("spans"), list) and "traceID" in value


def read_entries(document: Any, doubts: Doubts) -> Iterator[TraceSpan]:
    """The spans of a document, of a trace, or of a list of traces."""
    traces = document if isinstance(document, list) else [document] if is_trace(document) else None
    if traces is None:
        traces = items_in(document, "data")
        check_keys(document, _DOCUMENT_KEYS, doubts)
        errors = get(document, "errors")
        for error in errors if isinstance(errors, list) else [errors]:
            if error:
                # An error of a query names the trace whose spans may be missing, or none.
                doubts.skip(Doubt.PARTIAL, read_id(get(error, "traceID"), TRACE_ID), "errors")
    for trace in traces:
        if not isinstance(trace, dict):
            doubts.skip(Doubt.NO_TRACE)
            continue
        resources: dict[str, Attributes] = {}
        processes = trace.get("processes")
        for key, process in processes.items() if isinstance(processes, dict) else ():
            # Jaeger keeps the name of its service apart from the tags.
            service = get(process, "serviceName")
            named = {Attribute.SERVICE: service} if isinstance(service, str) else {}
            resources[key] = _keep_wanted({**named, **_read_tags(process, "tags")})
        trace_id = read_id(trace.get("traceID"), TRACE_ID)
        check_keys(trace, _TRACE_KEYS, doubts, trace_id)
        check_warnings(trace.get("warnings"), trace_id, doubts)
        if not isinstance(trace.get("spans"), list | None):
            doubts.skip(Doubt.NO_SPAN)
        for raw in items_in(trace, "spans"):
            yield from _read_span(raw, resources, doubts)


def _read_span(raw: Any, resources: dict[str, Attributes], doubts: Doubts) -> Iterator[TraceSpan]:
    if not isinstance(raw, dict):
        doubts.skip(Doubt.NO_SPAN)
        return
    trace_id, span_id = read_id(raw.get("traceID"), TRACE_ID), read_id(raw.get("spanID"), SPAN_ID)
    if trace_id is None or span_id is None:
        doubts.skip(Doubt.NO_IDS, trace_id)
        return
    tags, process = _read_tags(raw, "tags"), raw.get("processID")
    attributes = _keep_wanted(tags)
    is_whole = isinstance(raw.get("tags", []), list) and all(map(_is_tag, items_in(raw, "tags")))
    # A span that never had attributes of an agent lost none of them to a limit.
    has_dropped = bool(attributes) and any(read_integer(tags.get(key)) for key in _DROPPED)
    # A span without tags may have them under a key that Jaeger does not have.
    if not is_whole or has_dropped or (not raw.get("tags") and any(unread_in(raw, _SPAN_KEYS))):
        doubts.skip(Doubt.BAD_ATTRIBUTE, trace_id)
    check_keys(raw, _SPAN_KEYS, doubts, trace_id)
    check_warnings(raw.get("warnings"), trace_id, doubts)
    parents = [link.get("spanID") for link in objects(raw, "references") if link.get("refType") == "CHILD_OF"]
    parent_ids = (read_id(parent, SPAN_ID) for parent in (*parents, raw.get("parentSpanID")))
    start = read_time(raw.get("startTime"), _MICROSECOND)
    status = (scalar_text(tags.get("otel.status_code")) or "").upper()
    yield TraceSpan(
        trace_id=trace_id,
        id=span_id,
        parent_id=next(filter(None, parent_ids), None),
        name=text(raw, "operationName") or "",
        scope=next((tags[key] for key in _SCOPES if isinstance(tags.get(key), str)), ""),
        start=start,
        end=start + read_time(raw.get("duration"), _MICROSECOND),
        failed=status == "ERROR" or (status != "OK" and tags.get("error") is True),
        attributes=attributes,
        events=tuple(_read_events(raw.get("logs"), trace_id, doubts)),
        resource=resources.get(process, NO_ATTRIBUTES) if isinstance(process, str) else NO_ATTRIBUTES,
    )


def _read_events(logs: Any, trace_id: str, doubts: Doubts) -> Iterator[Event]:
    for log in logs if isinstance(logs, list) else [] if logs is None else [logs]:
        fields = _read_tags(log, "fields")
        name = fields.pop("event", "" if fields else None)
        if is_read_event(name, trace_id, doubts):
            # An event of one message has its members as fields, which have no prefix.
            yield Event(name, _keep_wanted(fields) if name == DETAILS else fields)


def _read_tags(value: Any, name: str) -> dict[str, Any]:
    tags: dict[str, Any] = {}
    for tag in filter(_is_tag, items_in(value, name)):
        content, kind, number = tag.get("value"), tag.get("type"), None
        if isinstance(content, str) and kind in ("int64", "float64"):
            number = read_integer(content) if kind == "int64" else read_decimal(content)
        tags[tag["key"]] = content if number is None else number
    return tags


def _is_tag(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("key"), str)


def _keep_wanted(tags: dict[str, Any]) -> Attributes:
    return {key: value for key, value in tags.items() if is_wanted(key)} or NO_ATTRIBUTES


def check_warnings(warnings: Any, trace_id: str | None, doubts: Doubts) -> None:
    """Count the warnings of a trace or span, a list or its JSON text. Jaeger writes one if it cuts a trace off."""
    parsed = parse_json_text(warnings, Doubts())
    for warning in parsed if isinstance(parsed, list) else [parsed]:
        if warning and not (isinstance(warning, str) and _HARMLESS_WARNING.search(warning)):
            doubts.skip(Doubt.PARTIAL, trace_id, "warnings")
