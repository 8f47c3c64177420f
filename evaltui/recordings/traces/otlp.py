"""OTLP's JSON: documents of spans and logs, bare spans, Tempo's names for the same, and spans printed by a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import Any

from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.json_members import moment as seconds_of
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
    PARTIAL,
    STRANGE_EVENT,
    TOO_DEEP,
    UNREAD_MEMBER,
    Doubts,
)
from evaltui.recordings.traces.spans import (
    DETAILS,
    NONE,
    TELLING,
    Attributes,
    Event,
    Log,
    TraceSpan,
    is_wanted,
    may_tell,
    unread_spans,
)

_DEEPEST = 64
_EXPORT = ("resourceSpans", "resourceLogs", "resourceMetrics", "batches")
_WITH_UNDERSCORES = ("resource_spans", "resource_logs", "resource_metrics")
_WRAPPED = ("resourceSpans", "batches")
_TYPES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue", "arrayValue", "kvlistValue")
_FAILED = (2, "2", "STATUS_CODE_ERROR")
_COMPLETE = (None, 0, "COMPLETE")
"""The values of the status of Tempo's response (`tempopb.TraceByIDResponse`) that has all spans of its trace."""
_OF_A_DOCUMENT = frozenset({"resourceSpans", "resourceLogs", "resourceMetrics"})
_OF_A_GROUP = frozenset(
    {
        *("resource", "schemaUrl", "scopeSpans", "instrumentationLibrarySpans", "scopeMetrics"),
        *("scopeLogs", "instrumentationLibraryLogs"),
    }
)
_OF_A_SCOPE = frozenset({"scope", "instrumentationLibrary", "schemaUrl", "spans", "logRecords"})
_OF_A_SPAN = frozenset(
    {
        *("traceId", "spanId", "parentSpanId", "traceState", "flags", "name", "kind", "status", "attributes"),
        *("startTimeUnixNano", "endTimeUnixNano", "events", "links"),
        *("droppedAttributesCount", "droppedEventsCount", "droppedLinksCount"),
        *("context", "parent_id", "start_time", "end_time", "resource"),  # as the console exporter prints it
    }
)
_EVENT_NAMES = ("otel.event.name", "event.name")


def is_export(value: Any) -> bool:
    """Whether this is an OTLP or Tempo document of spans or logs."""
    return isinstance(value, dict) and (
        any(key in value for key in (*_EXPORT, *_WITH_UNDERSCORES)) or is_wrapped(value)
    )


def is_bare_span(value: Any) -> bool:
    """Whether this is an OTLP span without the document around it.

    Other tools write objects with a `traceId` alone: Zipkin, Langfuse, Cloud Trace.
    """
    return isinstance(value, dict) and "spanId" in value


def is_console_span(value: Any) -> bool:
    """Whether this is a span as the console exporter of OpenTelemetry's Python SDK prints it."""
    context = value.get("context") if isinstance(value, dict) else None
    return isinstance(context, dict) and "trace_id" in context and "span_id" in context


def unwrapped(document: dict[str, Any]) -> dict[str, Any]:
    """The document within `trace`, if there is one, with the key names of OTLP's JSON instead of protobuf's.

    Other writers of the same JSON keep google.protobuf's names (`resource_spans`, `trace_id`).
    """
    if any(key in document for key in _WITH_UNDERSCORES):
        _rename(document)
    return document["trace"] if is_wrapped(document) else document


def is_wrapped(value: dict[str, Any]) -> bool:
    """Whether a document is within `trace`, as in Tempo's responses."""
    inner = value.get("trace")
    return isinstance(inner, dict) and any(key in inner for key in _WRAPPED)


def _rename(document: dict[str, Any]) -> None:
    waiting: list[Any] = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key in [key for key in value if "_" in key]:
                head, *rest = key.split("_")
                value[head + "".join(part[:1].upper() + part[1:] for part in rest)] = value.pop(key)
            # The names of attributes in a plain object are the recorder's own.
            waiting += [each for key, each in value.items() if not (key == "attributes" and isinstance(each, dict))]
        elif isinstance(value, list):
            waiting += value


def entries(document: Any, doubts: Doubts) -> Iterator[TraceSpan | Log]:
    """The spans and the telling log records of a document, a line, or a list of either."""
    for each in document if isinstance(document, list) else [document]:
        if is_export(each):
            if is_wrapped(each):
                _check_members(each, {"trace"}, doubts)
                _check_status(each, doubts)
            yield from _export(unwrapped(each), doubts)
        elif is_bare_span(each):
            yield from _span(each, NONE, "", doubts)
        elif is_console_span(each):
            yield from _span(_as_bare_span(each), _resource(each, doubts), "", doubts)
        else:
            doubts.skip(NO_TRACE)


def _export(document: dict[str, Any], doubts: Doubts) -> Iterator[TraceSpan | Log]:
    groups = document.get("resourceSpans")
    _check_members(document, _OF_A_DOCUMENT if groups else _OF_A_DOCUMENT | {"batches"}, doubts)
    for group in _objects(groups or document.get("batches"), doubts):
        resource = _resource(group, doubts)
        _check_members(group, _OF_A_GROUP, doubts)
        scopes = _objects(group.get("scopeSpans"), doubts)
        for scoped in (*scopes, *_objects(group.get("instrumentationLibrarySpans"), doubts)):
            scope = _scope(scoped)
            _check_members(scoped, _OF_A_SCOPE, doubts)
            for span in _objects(scoped.get("spans"), doubts):
                yield from _span(span, resource, scope, doubts)
    for group in _objects(document.get("resourceLogs"), doubts):
        _check_members(group, _OF_A_GROUP, doubts)
        for scoped in _objects(_either(group, "scopeLogs", "instrumentationLibraryLogs"), doubts):
            _check_members(scoped, _OF_A_SCOPE, doubts)
            for record in _objects(scoped.get("logRecords"), doubts):
                yield from _log(record, doubts)


def _check_members(value: dict[str, Any], known: Set[str], doubts: Doubts) -> None:
    """Count the members that may hold spans or log records, but that nobody reads."""
    for key in unread_spans(value, known):
        doubts.skip(UNREAD_MEMBER, place=key)


def _check_status(response: dict[str, Any], doubts: Doubts) -> None:
    """Count a response of Tempo that has only some of the spans; its message says why."""
    for key in ("status", "message"):
        if response.get(key) not in (_COMPLETE if key == "status" else (None, "")):
            doubts.skip(PARTIAL, place=key)
            return


def _as_bare_span(value: dict[str, Any]) -> dict[str, Any]:
    """An OTLP span made of one from the console (`opentelemetry.sdk.trace.ReadableSpan.to_json`)."""
    context, status = value["context"], members(value.get("status"))
    ids = {"traceId": context["trace_id"], "spanId": context["span_id"], "parentSpanId": value.get("parent_id")}
    times = {"startTimeUnixNano": value.get("start_time"), "endTimeUnixNano": value.get("end_time")}
    return {
        **value,
        **{name: each.removeprefix("0x") for name, each in ids.items() if isinstance(each, str)},
        **{name: round((seconds_of(each) or 0.0) * 1e6) * 1000 for name, each in times.items()},
        "status": {"code": f"STATUS_CODE_{status.get('status_code')}"},
    }


def _objects(values: Any, doubts: Doubts) -> Iterator[dict[str, Any]]:
    """The objects of a list of spans, or of an object with such lists."""
    for value in values if isinstance(values, list) else [] if values is None else [values]:
        if isinstance(values, list) and isinstance(value, dict):
            yield value
        else:
            doubts.skip(NO_SPAN)


def _span(raw: dict[str, Any], resource: Attributes, scope: str, doubts: Doubts) -> Iterator[TraceSpan]:
    trace_id, span_id = identifier(raw.get("traceId"), TRACE_ID), identifier(raw.get("spanId"), SPAN_ID)
    if trace_id is None or span_id is None:
        doubts.skip(NO_IDS, trace_id)
        return
    name = raw.get("name")
    code = members(raw.get("status")).get("code")
    doubts_before = doubts.number
    span = TraceSpan(
        trace_id=trace_id,
        id=span_id,
        parent_id=identifier(raw.get("parentSpanId"), SPAN_ID),
        name=name if isinstance(name, str) else "",
        scope=scope,
        start=moment(raw.get("startTimeUnixNano")),
        end=moment(raw.get("endTimeUnixNano")),
        failed=not isinstance(code, bool) and code in _FAILED,
        attributes=attributes(raw.get("attributes"), doubts, is_wanted),
        events=tuple(_events(raw.get("events"), doubts)),
        resource=resource,
    )
    dropped = any(whole_number(raw.get(key)) for key in ("droppedAttributesCount", "droppedEventsCount"))
    if (dropped and span.attributes) or (not raw.get("attributes") and any(unread_in(raw, _OF_A_SPAN))):
        doubts.note(BAD_ATTRIBUTE)
    for key in unread_spans(raw, _OF_A_SPAN):
        doubts.skip(UNREAD_MEMBER, trace_id, key)
    if doubts.number > doubts_before:  # an attribute or event is skipped
        doubts.lose(trace_id)
    yield span


def _events(raw: Any, doubts: Doubts) -> Iterator[Event]:
    for each in raw if isinstance(raw, list) else [] if raw is None else [raw]:
        name = each.get("name") if isinstance(each, dict) else None
        if isinstance(name, str) and name in TELLING:
            found = attributes(each.get("attributes"), doubts, is_wanted if name == DETAILS else _any)
            if whole_number(each.get("droppedAttributesCount")):
                doubts.note(BAD_ATTRIBUTE)
            yield Event(name, found, found)
        elif may_tell(name):
            doubts.note(STRANGE_EVENT)


def _log(raw: dict[str, Any], doubts: Doubts) -> Iterator[Log]:
    found = attributes(raw.get("attributes"), doubts, _is_wanted_of_logs)
    names = (raw.get("eventName"), *(found.get(key) for key in _EVENT_NAMES))
    name = next((each for each in names if isinstance(each, str) and each), "")
    if name not in TELLING and may_tell(name):
        doubts.skip(STRANGE_EVENT, identifier(raw.get("traceId"), TRACE_ID))
    if name in TELLING:
        trace_id = identifier(raw.get("traceId"), TRACE_ID)
        span_id = identifier(raw.get("spanId"), SPAN_ID) if trace_id else None
        time = moment(raw.get("timeUnixNano")) or moment(raw.get("observedTimeUnixNano"))
        if whole_number(raw.get("droppedAttributesCount")):
            doubts.skip(BAD_ATTRIBUTE, trace_id)
        try:
            body = any_value(raw.get("body"), doubts)
        except ValueError:
            body = None
            doubts.skip(BAD_ATTRIBUTE, trace_id)
        yield Log(trace_id, span_id, Event(name, found, body, time))


def _resource(group: Any, doubts: Doubts) -> Attributes:
    return attributes(members(members(group).get("resource")).get("attributes"), doubts, is_wanted)


def _scope(scoped: Any) -> str:
    name = members(_either(scoped, "scope", "instrumentationLibrary")).get("name")
    return name if isinstance(name, str) else ""


def _either(value: Any, name: str, other: str) -> Any:
    return members(value).get(name) or members(value).get(other)


def _any(_key: str) -> bool:
    return True


def _is_wanted_of_logs(key: str) -> bool:
    return key in _EVENT_NAMES or is_wanted(key)


# --- attributes: lists of keys and typed values, or plain objects ----------------------------------------------


def attributes(raw: Any, doubts: Doubts, is_wanted: Callable[[str], bool]) -> Attributes:
    """The wanted attributes. Values in objects get dotted names, and later attributes override earlier ones."""
    if isinstance(raw, dict):
        return {key: value for key, value in _flat(raw, "", 0) if is_wanted(key)} or NONE
    found: dict[str, Any] = {}
    if raw is not None and not isinstance(raw, list):
        doubts.note(BAD_ATTRIBUTE)
    for item in items(raw):
        key = item.get("key") if isinstance(item, dict) else None
        if not isinstance(key, str):
            doubts.note(BAD_ATTRIBUTE)
        elif is_wanted(key) and (value := item.get("value")) is not None:
            try:
                found[key] = any_value(value, doubts)
            except ValueError:
                doubts.note(BAD_ATTRIBUTE)
    return found or NONE


def any_value(raw: Any, doubts: Doubts, depth: int = 0) -> Any:
    """The value of an `AnyValue`; bytes stay the text that encodes them; None for an empty value.

    Raises ValueError if a value in it cannot be read: nobody would know that a list or an object lacks it.
    """
    if raw is None or raw == {}:
        return None
    if depth > _DEEPEST:
        doubts.note(TOO_DEEP)
        return None
    kind = next((name for name in _TYPES if name in raw), None) if isinstance(raw, dict) else None
    value = raw[kind] if kind else None
    found: Any = None
    match kind:
        case "stringValue" | "bytesValue":
            found = scalar_text(value)
        case "boolValue":
            found = value if isinstance(value, bool) else None
        case "intValue" if not isinstance(value, float) or value.is_integer():
            found = whole_number(value)
        case "doubleValue":
            found = decimal(value)
        case "arrayValue":
            found = [any_value(each, doubts, depth + 1) for each in _values(value)]
        case "kvlistValue":
            found = {_key(each): any_value(each.get("value"), doubts, depth + 1) for each in _values(value)}
    if found is None:
        raise ValueError(f"not a value of OTLP: {raw}")
    return found


def _values(listed: Any) -> list[Any]:
    """The items of an `ArrayValue` or `KeyValueList`, which may leave out an empty list. Raises ValueError."""
    if isinstance(listed, dict) and not any(unread_in(listed, {"values"})):
        found = listed.get("values", [])
        if isinstance(found, list):
            return found
    raise ValueError("not a list of values")


def _key(item: Any) -> str:
    """The key of a value. Raises ValueError if there is none."""
    key = item.get("key") if isinstance(item, dict) else None
    if isinstance(key, str):
        return key
    raise ValueError("a value without a key")


def _flat(raw: dict[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in raw.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value
