"""OTLP's JSON: documents of spans and logs, bare spans, Tempo's names for the same, and spans printed by a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from evaltui.evalset.case_data import get, text
from evaltui.evalset.case_data import moment as seconds_of
from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces.attributes import (
    SPAN_ID,
    TRACE_ID,
    Attributes,
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

_DEEPEST = 64
_DOCUMENT_KEYS = frozenset({"resourceSpans", "resourceLogs", "resourceMetrics"})
_WITH_UNDERSCORES = frozenset({"resource_spans", "resource_logs", "resource_metrics"})
_GROUP_KEYS = frozenset(
    {
        *("resource", "schemaUrl", "scopeSpans", "instrumentationLibrarySpans", "scopeMetrics"),
        *("scopeLogs", "instrumentationLibraryLogs"),
    }
)
_SCOPE_KEYS = frozenset({"scope", "instrumentationLibrary", "schemaUrl", "spans", "logRecords"})
_SPAN_KEYS = frozenset(
    {
        *("traceId", "spanId", "parentSpanId", "traceState", "flags", "name", "kind", "status", "attributes"),
        *("startTimeUnixNano", "endTimeUnixNano", "events", "links"),
        *("droppedAttributesCount", "droppedEventsCount", "droppedLinksCount"),
        *("context", "parent_id", "start_time", "end_time", "resource"),  # as the console exporter prints it
    }
)
# Log records of older SDKs have no `eventName`, but one of these attributes.
_EVENT_NAMES = ("otel.event.name", "event.name")


def kind_of_entry(value: Any) -> Literal["export", "response", "span", "console"] | None:
    """How an entry of a file is written; None if it holds neither spans nor logs.

    These are an OTLP or Tempo document, such a document in a response of Tempo, a span without a document around it,
    and a span as the console exporter of OpenTelemetry's Python SDK prints it.
    """
    if not isinstance(value, dict):
        return None
    document, context = value.get("trace"), value.get("context")
    if isinstance(document, dict) and ("resourceSpans" in document or "batches" in document):
        return "response"
    if not value.keys().isdisjoint({"batches", *_DOCUMENT_KEYS, *_WITH_UNDERSCORES}):
        return "export"
    # Zipkin, Langfuse and Cloud Trace write objects with a `traceId`, too, but without a `spanId`.
    if "spanId" in value:
        return "span"
    return "console" if isinstance(context, dict) and "trace_id" in context and "span_id" in context else None


def read_entries(document: Any, doubts: Doubts) -> Iterator[TraceSpan | Event]:
    """The spans of a document, a line, or a list of either, and the log records that hold messages."""
    for entry in document if isinstance(document, list) else [document]:
        kind = kind_of_entry(entry)
        if kind in ("export", "response"):
            if kind == "response":
                check_keys(entry, {"trace"}, doubts)
                # Tempo's status of a response (`tempopb.TraceByIDResponse`) that has all spans, and why it has not.
                is_complete = entry.get("status") in (None, 0, "COMPLETE")
                if not is_complete or entry.get("message") not in (None, ""):
                    doubts.skip(Doubt.PARTIAL, place="message" if is_complete else "status")
            if not entry.keys().isdisjoint(_WITH_UNDERSCORES):
                _rename_keys(entry)
            yield from _read_export(entry["trace"] if kind_of_entry(entry) == "response" else entry, doubts)
        elif kind == "span":
            yield from _read_span(entry, NO_ATTRIBUTES, "", doubts)
        elif kind == "console":
            resource = read_attributes(get(entry.get("resource"), "attributes"), doubts, is_wanted)
            yield from _read_span(_convert_printed_span(entry), resource, "", doubts)
        else:
            doubts.skip(Doubt.NO_TRACE)


def _rename_keys(value: Any) -> None:
    """Give the keys the names of OTLP's JSON. Some writers keep those of protobuf (`resource_spans`, `trace_id`)."""
    if isinstance(value, dict):
        for key in [key for key in value if "_" in key]:
            head, *words = key.split("_")
            value[head + "".join(word[:1].upper() + word[1:] for word in words)] = value.pop(key)
        for key, child in value.items():
            # The names of attributes in a plain object are the recorder's own.
            if key != "attributes" or isinstance(child, list):
                _rename_keys(child)
    elif isinstance(value, list):
        for child in value:
            _rename_keys(child)


def _convert_printed_span(value: dict[str, Any]) -> dict[str, Any]:
    """An OTLP span made of one from the console (`opentelemetry.sdk.trace.ReadableSpan.to_json`)."""
    context, status = value["context"], value.get("status")
    ids = {"traceId": context["trace_id"], "spanId": context["span_id"], "parentSpanId": value.get("parent_id")}
    times = {"startTimeUnixNano": value.get("start_time"), "endTimeUnixNano": value.get("end_time")}
    return {
        **value,
        **{name: number.removeprefix("0x") for name, number in ids.items() if isinstance(number, str)},
        # The console has microseconds. A double of seconds cannot hold nanoseconds, so they are rounded first.
        **{name: round((seconds_of(time) or 0.0) * 1e6) * 1000 for name, time in times.items()},
        "status": {"code": f"STATUS_CODE_{status.get('status_code')}"} if isinstance(status, dict) else {},
    }


def _read_export(document: dict[str, Any], doubts: Doubts) -> Iterator[TraceSpan | Event]:
    groups = document.get("resourceSpans")
    check_keys(document, _DOCUMENT_KEYS if groups else _DOCUMENT_KEYS | {"batches"}, doubts)
    for group in _read_objects(groups or document.get("batches"), doubts):
        resource = read_attributes(get(group.get("resource"), "attributes"), doubts, is_wanted)
        check_keys(group, _GROUP_KEYS, doubts)
        # Tempo and exporters before OTLP 1.0 write the second name. A group with both has spans under both.
        scopes = _read_objects(group.get("scopeSpans"), doubts)
        for scoped in (*scopes, *_read_objects(group.get("instrumentationLibrarySpans"), doubts)):
            scope = text(scoped.get("scope") or scoped.get("instrumentationLibrary"), "name") or ""
            check_keys(scoped, _SCOPE_KEYS, doubts)
            for span in _read_objects(scoped.get("spans"), doubts):
                yield from _read_span(span, resource, scope, doubts)
    for group in _read_objects(document.get("resourceLogs"), doubts):
        check_keys(group, _GROUP_KEYS, doubts)
        for scoped in _read_objects(group.get("scopeLogs") or group.get("instrumentationLibraryLogs"), doubts):
            check_keys(scoped, _SCOPE_KEYS, doubts)
            for record in _read_objects(scoped.get("logRecords"), doubts):
                yield from _read_log(record, doubts)


def _read_objects(values: Any, doubts: Doubts) -> Iterator[dict[str, Any]]:
    """The objects of a list of spans, or of an object with such lists."""
    if isinstance(values, list):
        for value in values:
            if isinstance(value, dict):
                yield value
            else:
                doubts.skip(Doubt.NO_SPAN)
    elif values is not None:
        doubts.skip(Doubt.NO_SPAN)


def _read_span(raw: dict[str, Any], resource: Attributes, scope: str, doubts: Doubts) -> Iterator[TraceSpan]:
    trace_id, span_id = read_id(raw.get("traceId"), TRACE_ID), read_id(raw.get("spanId"), SPAN_ID)
    if trace_id is None or span_id is None:
        doubts.skip(Doubt.NO_IDS, trace_id)
        return
    code = get(raw.get("status"), "code")
    doubts_before = doubts.number
    span = TraceSpan(
        trace_id=trace_id,
        id=span_id,
        parent_id=read_id(raw.get("parentSpanId"), SPAN_ID),
        name=text(raw, "name") or "",
        scope=scope,
        start=read_time(raw.get("startTimeUnixNano")),
        end=read_time(raw.get("endTimeUnixNano")),
        failed=not isinstance(code, bool) and code in (2, "2", "STATUS_CODE_ERROR"),
        attributes=read_attributes(raw.get("attributes"), doubts, is_wanted),
        events=tuple(_read_events(raw.get("events"), trace_id, doubts)),
        resource=resource,
    )
    # A span that never had attributes of an agent lost none of them to a limit.
    has_dropped = any(read_integer(raw.get(key)) for key in ("droppedAttributesCount", "droppedEventsCount"))
    # A span without attributes may have them under a key that OTLP does not have.
    if (has_dropped and span.attributes) or (not raw.get("attributes") and any(unread_in(raw, _SPAN_KEYS))):
        doubts.note(Doubt.BAD_ATTRIBUTE)
    check_keys(raw, _SPAN_KEYS, doubts, trace_id)
    if doubts.number > doubts_before:  # an attribute or event is skipped
        doubts.lose(trace_id)
    yield span


def _read_events(raw: Any, trace_id: str, doubts: Doubts) -> Iterator[Event]:
    for event in raw if isinstance(raw, list) else [] if raw is None else [raw]:
        name = event.get("name") if isinstance(event, dict) else None
        if is_read_event(name, trace_id, doubts):
            # An event of one message has its members as attributes, which have no prefix.
            is_read = is_wanted if name == DETAILS else lambda _key: True
            attributes = read_attributes(event.get("attributes"), doubts, is_read)
            if read_integer(event.get("droppedAttributesCount")):
                doubts.note(Doubt.BAD_ATTRIBUTE)
            yield Event(name, attributes)


def _read_log(raw: dict[str, Any], doubts: Doubts) -> Iterator[Event]:
    attributes = read_attributes(raw.get("attributes"), doubts, lambda key: key in _EVENT_NAMES or is_wanted(key))
    names = (raw.get("eventName"), *(attributes.get(key) for key in _EVENT_NAMES))
    name = next((name for name in names if isinstance(name, str) and name), "")
    trace_id = read_id(raw.get("traceId"), TRACE_ID)
    if not is_read_event(name, trace_id, doubts):
        return
    if read_integer(raw.get("droppedAttributesCount")):
        doubts.skip(Doubt.BAD_ATTRIBUTE, trace_id)
    body = None
    try:
        body = read_any_value(raw.get("body"), doubts)
    except ValueError:
        doubts.skip(Doubt.BAD_ATTRIBUTE, trace_id)
    span_id = read_id(raw.get("spanId"), SPAN_ID) if trace_id else None
    time = read_time(raw.get("timeUnixNano")) or read_time(raw.get("observedTimeUnixNano"))
    yield Event(name, attributes if name == DETAILS else body, time, trace_id, span_id)


def read_attributes(raw: Any, doubts: Doubts, is_wanted: Callable[[str], bool]) -> Attributes:
    """The wanted attributes of a list or plain object. Values in objects get dotted names; the last value counts."""
    if isinstance(raw, dict):
        return {key: value for key, value in _flatten(raw, "", 0) if is_wanted(key)} or NO_ATTRIBUTES
    attributes: dict[str, Any] = {}
    if raw is not None and not isinstance(raw, list):
        doubts.note(Doubt.BAD_ATTRIBUTE)
    for item in raw if isinstance(raw, list) else ():
        key = item.get("key") if isinstance(item, dict) else None
        if not isinstance(key, str):
            doubts.note(Doubt.BAD_ATTRIBUTE)
        elif is_wanted(key) and (value := item.get("value")) is not None:
            try:
                attributes[key] = read_any_value(value, doubts)
            except ValueError:
                doubts.note(Doubt.BAD_ATTRIBUTE)
    return attributes or NO_ATTRIBUTES


def read_any_value(raw: Any, doubts: Doubts, depth: int = 0) -> Any:
    """The value of an `AnyValue`; bytes stay the text that encodes them; None for an empty value.

    Raises ValueError if a value in it cannot be read.
    """
    if raw is None or raw == {}:
        return None
    if depth > _DEEPEST:
        doubts.note(Doubt.TOO_DEEP)
        return None
    value: Any = None
    match raw:
        case {"stringValue": content} | {"bytesValue": content}:
            value = scalar_text(content)
        case {"boolValue": content}:
            value = content if isinstance(content, bool) else None
        case {"intValue": content}:
            is_whole = not isinstance(content, float) or content.is_integer()
            value = read_integer(content) if is_whole else None
        case {"doubleValue": content}:
            value = read_decimal(content)
        case {"arrayValue": content}:
            value = [read_any_value(item, doubts, depth + 1) for item in _read_values(content)]
        case {"kvlistValue": content}:
            value = {}
            for item in _read_values(content):
                key = item.get("key") if isinstance(item, dict) else None
                if not isinstance(key, str):
                    raise ValueError("a value without a key")  # noqa: TRY004 - as for all other values
                value[key] = read_any_value(item.get("value"), doubts, depth + 1)
    if value is None:
        # A null in the place of the value would state that a list or an object has nothing there.
        raise ValueError(f"not a value of OTLP: {raw}")
    return value


def _read_values(listed: Any) -> list[Any]:
    """The items of an `ArrayValue` or `KeyValueList`. Raises ValueError."""
    # protobuf's JSON leaves out an empty list.
    values = listed.get("values", []) if isinstance(listed, dict) else None
    if isinstance(values, list) and not any(unread_in(listed, {"values"})):
        return values
    raise ValueError("not a list of values")


def _flatten(raw: dict[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in raw.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _flatten(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value
