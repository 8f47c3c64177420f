"""Spans, written as short as they can be, and what is read from them."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaltui.recordings.conversation import Conversation
from evaltui.recordings.traces.trace_file import read_traces

_numbers = itertools.count(1)

Json = dict[str, Any]


def span(attributes: Json | None = None, *, within: Json | None = None, trace: int = 1, **members: Any) -> Json:
    """A bare OTLP span; each begins a second after the one before it and takes half of one."""
    number = next(_numbers)
    start = number * 1_000_000_000
    return {
        "traceId": within["traceId"] if within else f"{trace:032x}",
        "spanId": f"{number:016x}",
        **({"parentSpanId": within["spanId"]} if within else {}),
        "name": "",
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 500_000_000),
        "attributes": typed(attributes or {}),
        **members,
    }


def agent(attributes: Json | None = None, **others: Any) -> Json:
    """A span of an agent."""
    return span({"gen_ai.operation.name": "invoke_agent", **(attributes or {})}, **others)


def chat(
    told: list[Json] | None = None, said: list[Json] | None = None, more: Json | None = None, **others: Any
) -> Json:
    """A span of a model, with the messages told to it and said by it."""
    messages = {"gen_ai.input.messages": told, "gen_ai.output.messages": said}
    written = {key: json.dumps(value) for key, value in messages.items() if value is not None}
    return span({"gen_ai.operation.name": "chat", **written, **(more or {})}, **others)


def tool(name: str | None, arguments: Any = None, result: Any = None, more: Json | None = None, **others: Any) -> Json:
    """A span of a tool."""
    named = {"name": name, "call.arguments": arguments, "call.result": result}
    written = {f"gen_ai.tool.{key}": value for key, value in named.items() if value is not None}
    return span({"gen_ai.operation.name": "execute_tool", **written, **(more or {})}, **others)


def in_form_of_jaeger(span: Json) -> Json:
    """The span as Jaeger's API writes it."""
    parent = span.get("parentSpanId")
    return {
        "traceID": "1",
        "spanID": span["spanId"],
        "operationName": "x",
        "references": [{"refType": "CHILD_OF", "spanID": parent}] if parent is not None else [],
        "startTime": int(span["startTimeUnixNano"]) // 1000,
        "duration": 1,
        "tags": [{"key": tag["key"], "value": next(iter(tag["value"].values()))} for tag in span["attributes"]],
    }


def printed(span: Json, resource: Json | None = None) -> Json:
    """A span as the console exporter of OpenTelemetry's Python SDK prints it."""
    start, end = (
        datetime.fromtimestamp(int(span[name]) / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        for name in ("startTimeUnixNano", "endTimeUnixNano")
    )
    return {
        "name": span["name"],
        "context": {"trace_id": f"0x{span['traceId']}", "span_id": f"0x{span['spanId']}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL",
        "parent_id": f"0x{span['parentSpanId']}" if "parentSpanId" in span else None,
        "start_time": start,
        "end_time": end,
        "status": {"status_code": "ERROR" if span.get("status") else "UNSET"},
        "attributes": {each["key"]: next(iter(each["value"].values())) for each in span["attributes"]},
        "events": [],
        "links": [],
        "resource": {"attributes": resource or {}, "schema_url": ""},
    }


def user(*texts: str) -> Json:
    return {"role": "user", "parts": [text(each) for each in texts]}


def assistant(*parts: Any) -> Json:
    return {"role": "assistant", "parts": [text(each) if isinstance(each, str) else each for each in parts]}


def text(content: str) -> Json:
    return {"type": "text", "content": content}


def asks(name: str, arguments: Any, id: str | None = None) -> Json:
    return {"type": "tool_call", "id": id, "name": name, "arguments": arguments}


def tells(response: Any, id: str | None = None, name: str | None = None) -> Json:
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": id, "name": name, "response": response}]}


def typed(attributes: Json) -> list[Json]:
    """Attributes as OTLP writes them."""
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items()]


def any_value(value: Any) -> Json:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list():
            return {"arrayValue": {"values": [any_value(each) for each in value]}}
        case dict():
            return {"kvlistValue": {"values": typed(value)}}
        case None:
            return {}
    return {"stringValue": value}


def export(spans: list[Json], resource: Json | None = None, scope: str = "lib") -> Json:
    """The OTLP document around spans."""
    scoped = [{"scope": {"name": scope}, "spans": spans}]
    return {"resourceSpans": [{"resource": {"attributes": typed(resource or {})}, "scopeSpans": scoped}]}


def logs(*records: Json) -> Json:
    """The OTLP document around log records."""
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(records)}]}]}


def log(of: Json, name: str, body: Any, time: int = 1, **members: Any) -> Json:
    """A log record of a span."""
    about = {"traceId": of["traceId"], "spanId": of["spanId"], "timeUnixNano": str(time)}
    return {**about, "eventName": name, "body": any_value(body), **members}


def read(*documents: Any, format: Any = "otlp", multi_turn: bool = False) -> tuple[Conversation, ...]:
    return read_traces(documents, Path("trace.json"), format, multi_turn=multi_turn).conversations


def warnings(*documents: Any, format: Any = "otlp") -> tuple[str, ...]:
    return read_traces(documents, Path("trace.json"), format, multi_turn=False).warnings
