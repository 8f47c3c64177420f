"""Traces told apart by what they hold."""

from __future__ import annotations

from typing import Any, Literal

from evaltui.recordings.traces.attribute_values import items

TraceFormat = Literal["jaeger", "otlp", "tempo"]

_EXPORT = ("resourceSpans", "resourceLogs", "resourceMetrics", "batches")
_WITH_UNDERSCORES = ("resource_spans", "resource_logs", "resource_metrics")
_WRAPPED = ("resourceSpans", "batches")


def trace_format(value: Any) -> TraceFormat | None:
    """The format of a trace, from the value of a JSON document or of one JSON line; None for anything else."""
    if isinstance(value, list):
        return "otlp" if value and all(is_export(each) or is_bare_span(each) for each in value) else None
    if is_export(value):
        return "tempo" if _is_wrapped(value) or "batches" in value else "otlp"
    if is_bare_span(value):
        return "otlp"
    return "jaeger" if _is_jaeger(value) else None


def is_export(value: Any) -> bool:
    """Whether this is an OTLP or Tempo document of spans or logs."""
    return isinstance(value, dict) and (
        any(key in value for key in (*_EXPORT, *_WITH_UNDERSCORES)) or _is_wrapped(value)
    )


def is_bare_span(value: Any) -> bool:
    """Whether this is an OTLP span without the document around it."""
    return isinstance(value, dict) and ("spanId" in value or "traceId" in value)


def unwrapped(document: dict[str, Any]) -> dict[str, Any]:
    """The document within `trace`, if there is one, and with the names of OTLP's JSON in place of those of protobuf.

    google.protobuf's names (`resource_spans`, `trace_id`) are what other writers of the same JSON leave.
    """
    if any(key in document for key in _WITH_UNDERSCORES):
        _rename(document)
    return document["trace"] if _is_wrapped(document) else document


def _is_wrapped(value: dict[str, Any]) -> bool:
    inner = value.get("trace")
    return isinstance(inner, dict) and any(key in inner for key in _WRAPPED)


def _is_jaeger(value: Any) -> bool:
    data = value.get("data") if isinstance(value, dict) else None
    traces = [each for each in items(data) if isinstance(each, dict)]
    return data == [] or any("spans" in each or "traceID" in each for each in traces)


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
