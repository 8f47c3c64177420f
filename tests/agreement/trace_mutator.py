"""Traces that no recorder wrote: made of random spans, and made of real ones with things missing, moved and renamed."""

from __future__ import annotations

import base64
import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

from evaltui.recordings.traces import jaeger, otlp
from evaltui.recordings.traces.spans import TraceSpan
from evaltui.recordings.traces.trace_warnings import Doubts
from tests.recordings.spans import any_value, typed

DEPRECATED = {
    "gen_ai.usage.input_tokens": "gen_ai.usage.prompt_tokens",
    "gen_ai.usage.output_tokens": "gen_ai.usage.completion_tokens",
    "gen_ai.response.finish_reasons": "gen_ai.response.finish_reason",
    "gen_ai.provider.name": "gen_ai.system",
    "gen_ai.input.messages": "gen_ai.prompt.0.content",
    "gen_ai.output.messages": "gen_ai.completion.0.content",
    "gen_ai.tool.call.arguments": "gcp.vertex.agent.tool_call_args",
    "gen_ai.tool.call.result": "gcp.vertex.agent.tool_response",
}
VALUES: tuple[Any, ...] = (
    *(
        "",
        "x",
        "null",
        "{}",
        "[]",
        '{"a": 1}',
        '[{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]',
        "N/A",
    ),
    *("<elided>", " ", "<not specified>", 0, 1, -5, 1.5, True, False, "12", "chat", "invoke_agent", "execute_tool"),
    *(
        "[1]",
        '"x"',
        '"{\\"a\\": 1}"',
        '[{"role": "assistant", "content": "said"}]',
        '{"content": [{"text": "one"}, "two"]}',
    ),
    *('[{"parts": [{"text": "no type"}]}]', '[{"role": "tool", "parts": []}]', "{broken", "call_1", "weather"),
    *({"a": [1, {"b": None}]}, ["x", {"type": "text", "content": "y"}], "é\u2028", "(merged tools)"),
)
PARTS: tuple[Any, ...] = (
    *({"type": "text", "content": "one"}, {"type": "text", "content": "two"}, {"type": "text", "content": ""}),
    *({"type": "reasoning", "content": "hm"}, {"type": "text", "content": 5}, {"type": "text", "content": "<elided>"}),
    *(
        {"type": "tool_call", "id": id, "name": name, "arguments": args}
        for id, name, args in (
            ("c1", "weather", {"city": "Rome"}),
            ("c2", "weather", '{"city": "Oslo"}'),
            (None, "book", {}),
            ("c3", "book", "[1]"),
            ("c4", "", {}),
            ("c5", "book", "{bad"),
            ("", "weather", None),
        )
    ),
    *(
        {"type": "tool_call_response", "id": id, "name": name, "response": said}
        for id, name, said in (
            ("c1", None, "sunny"),
            ("c2", "weather", '{"w": 1}'),
            ("c9", None, [1]),
            (None, "book", {"ok": True}),
            ("c3", "book", None),
            ("c7", "weather", "null"),
        )
    ),
    *({"type": "blob"}, {"type": ""}, {"text": "no type"}, {"type": 5}, {}),
)
ROLES = ("user", "user", "assistant", "tool", "system", "", 5)
OPERATIONS = ("chat", "generate_content", "invoke_agent", "invoke_workflow", "execute_tool", "execute_tool", "plan", "")


def written(spans: list[dict[str, Any]], chance: random.Random, as_jaeger: bool) -> str:
    """The text of a file with these spans."""
    if as_jaeger:
        tagged = [{**_in_jaeger(span), "processID": "p1"} for span in spans]
        processes = {"p1": {"serviceName": "s", "tags": _tags(spans[0]["resource"] if spans else {})}}
        return json.dumps({"data": [{"traceID": "t", "spans": tagged, "processes": processes}]})
    dialect = _Dialect(chance)
    exports = [dialect.export(each) for each in spans]
    logs = [each for span in spans for each in dialect.logs(span)]
    records = {"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]} if logs else {}
    way = chance.randrange(6)
    if way == 0:
        lines = [{"resourceSpans": [each]} for each in exports] + ([records] if records else [])
        return "\n".join(json.dumps(each) for each in lines)
    if way == 1:
        return json.dumps(_with_underscores({"resourceSpans": exports, **records}))
    if way == 2 and not logs:
        return "\n".join(json.dumps(each["scopeSpans"][0]["spans"][0]) for each in exports)
    if way == 3:
        renamed = [
            {"resource": each["resource"], "instrumentationLibrarySpans": each["scopeSpans"]} for each in exports
        ]
        return json.dumps(chance.choice(({"batches": renamed, **records}, {"trace": {"batches": renamed, **records}})))
    return json.dumps({"resourceSpans": exports, **records})


class _Dialect:
    """How a file writes ids, attributes and events."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.id = chance.choice((str, str, str.upper, lambda text: base64.b64encode(bytes.fromhex(text)).decode()))
        self.attributes = chance.choice((typed, typed, typed, dict))
        self.has_logs = chance.random() < 0.4

    def export(self, span: dict[str, Any]) -> dict[str, Any]:
        """A span with what is around it."""
        said = {
            "traceId": self.id(span["trace_id"]),
            "spanId": self.id(span["id"]),
            "name": span["name"],
            "startTimeUnixNano": str(span["start"]),
            "endTimeUnixNano": span["end"],
            "attributes": self.attributes(span["attributes"]),
            "status": {"code": self.chance.choice((2, "STATUS_CODE_ERROR"))} if span["failed"] else {},
        }
        if not self.has_logs:
            said["events"] = [
                {"name": each["name"], "attributes": typed(each["attributes"])} for each in span["events"]
            ]
        if span["parent_id"]:
            said["parentSpanId"] = self.id(span["parent_id"])
        return {
            "resource": {"attributes": typed(span["resource"])},
            "scopeSpans": [{"scope": {"name": span["scope"]}, "spans": [said]}],
        }

    def logs(self, span: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The events of a span as log records of it, of its trace, or of nothing that is there."""
        for each in span["events"] if self.has_logs else ():
            about = self.chance.choice((span["id"], span["id"], span["id"], None, "e" * 16))
            name = {"eventName": each["name"]}
            if self.chance.random() < 0.3:
                name = {"attributes": typed({"event.name": each["name"]})}
            if each["name"].endswith("details"):
                name = {"eventName": each["name"], "attributes": typed(each["attributes"])}
            body = self.chance.choice((any_value(each["attributes"]), {"stringValue": json.dumps(each["attributes"])}))
            yield {
                "traceId": self.id(span["trace_id"]),
                **({"spanId": self.id(about)} if about else {}),
                "timeUnixNano": str(self.chance.randint(1, 5)),
                "body": body,
                **name,
            }


def _with_underscores(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_underscores(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), key): _with_underscores(value[key]) for key in value}


def plain(document: Any, format: str) -> list[dict[str, Any]]:
    """The spans of a document as plain objects that `written` writes."""
    entries = jaeger.read_entries if format == "jaeger" else otlp.read_entries
    return [
        {
            "trace_id": span.trace_id,
            "id": span.id,
            "parent_id": span.parent_id,
            "name": span.name,
            "scope": span.scope,
            "start": span.start,
            "end": span.end,
            "failed": span.failed,
            "attributes": dict(span.attributes),
            "resource": dict(span.resource),
            "events": [{"name": event.name, "attributes": dict(event.content)} for event in span.events],
        }
        for span in entries(document, Doubts())
        if isinstance(span, TraceSpan)
    ]


def random_spans(chance: random.Random) -> list[dict[str, Any]]:
    """Up to 14 spans in up to 3 traces."""
    traces = [f"{number:032x}" for number in range(1, chance.choice((1, 1, 2, 3)) + 1)]
    spans: list[dict[str, Any]] = []
    for number in range(chance.randint(1, 14)):
        trace = chance.choice(traces)
        others = [each["id"] for each in spans if each["trace_id"] == trace]
        start = chance.randint(1, 30) * 1_000_000
        spans.append(
            {
                "trace_id": trace,
                "id": f"{chance.choice((number, number, number, 3)) + 1:016x}",
                "parent_id": chance.choice((*others, *others, *others, None, "00000000000000ff")) if others else None,
                "name": chance.choice(
                    ("call_llm", "invocation", "execute_tool book", "execute_tool", "x", "", "openai.chat")
                ),
                "scope": chance.choice(("gcp.vertex.agent", "lib", "lib", "")),
                "start": start,
                "end": start + chance.randint(0, 20) * 1_000_000,
                "failed": chance.random() < 0.1,
                "attributes": _attributes(chance),
                "resource": chance.choice(({}, {}, {"session.id": "s"}, {"agentevals.session_name": "n"})),
                "events": [_event(chance) for _ in range(chance.choice((0, 0, 0, 0, 1, 2)))],
            }
        )
    return spans


def _attributes(chance: random.Random) -> dict[str, Any]:
    said: dict[str, Any] = {}
    operation = chance.choice(OPERATIONS)
    if operation:
        said["gen_ai.operation.name"] = operation
    makers = (
        ("gen_ai.input.messages", lambda: json.dumps(_messages(chance))),
        ("gen_ai.output.messages", lambda: json.dumps(_messages(chance, ("assistant",)))),
        ("gen_ai.tool.name", lambda: chance.choice(("weather", "book", "<not specified>"))),
        ("gen_ai.tool.call.id", lambda: chance.choice(("c1", "c2", "c3"))),
        ("gen_ai.tool.call.arguments", lambda: chance.choice(('{"city": "Rome"}', "{}", "no json", "null", "[]", ""))),
        ("gen_ai.tool.call.result", lambda: chance.choice(('{"w": 1}', "sunny", "[]"))),
        ("gen_ai.usage.input_tokens", lambda: chance.choice((1, "2", 3.0, "x"))),
        ("gen_ai.usage.completion_tokens", lambda: chance.randint(1, 9)),
        ("gen_ai.request.model", lambda: "m"),
        ("gen_ai.system", lambda: chance.choice(("acme", "gcp.vertex.agent"))),
        ("gen_ai.conversation.id", lambda: chance.choice(("k1", "k2"))),
        ("gen_ai.response.finish_reasons", lambda: ["tool_calls"]),
        ("error.type", lambda: "timeout"),
        ("agentevals.eval.case.id", lambda: chance.choice(("case", "other", " "))),
        ("gcp.vertex.agent.llm_request", lambda: json.dumps({"contents": [_content(chance) for _ in range(2)]})),
        ("gcp.vertex.agent.llm_response", lambda: json.dumps({"content": _content(chance)})),
        ("gen_ai.prompt.0.role", lambda: "user"),
        ("gen_ai.prompt.0.content", lambda: "indexed"),
        ("gen_ai.completion.0.content", lambda: "completed"),
        ("gen_ai.completion.0.tool_calls.0.name", lambda: "book"),
        ("gen_ai.completion.0.tool_calls.0.arguments", lambda: chance.choice(('{"n": 1}', "bad", '"{}"'))),
    )
    for key, make in makers:
        is_of_tool = key.startswith("gen_ai.tool.")
        if chance.random() < (
            0.7 if is_of_tool == (operation == "execute_tool") and "messages" in key + "tool." else 0.2
        ):
            said[key] = make()
    return said


def _messages(chance: random.Random, roles: tuple[Any, ...] = ROLES) -> list[dict[str, Any]]:
    return [
        {
            "role": chance.choice(roles),
            "parts": [copy.deepcopy(chance.choice(PARTS)) for _ in range(chance.randint(0, 3))],
        }
        for _ in range(chance.randint(0, 4))
    ]


def _content(chance: random.Random) -> dict[str, Any]:
    parts: tuple[Any, ...] = (
        *({"text": "said"}, {"text": "thought", "thought": True}, {"text": ""}, {"inline_data": {"mime_type": "x"}}),
        *({"function_call": {"id": "c1", "name": "weather", "args": {"a": 1}}}, {"function_call": {"name": "book"}}),
        *({"function_response": {"id": "c1", "name": "weather", "response": {"r": 1}}}, {"file_data": None}, {}),
    )
    return {"role": chance.choice(("user", "model", None)), "parts": chance.choices(parts, k=chance.randint(0, 3))}


def _event(chance: random.Random) -> dict[str, Any]:
    names = ("user.message", "choice", "assistant.message", "tool.message", "system.message")
    name = "gen_ai." + chance.choice((*names, "client.inference.operation.details"))
    said: dict[str, Any] = {"content": chance.choice(("told", "", '{"a": 1}', "<elided>")), "id": "c1"}
    if name.endswith("details"):
        said = {"gen_ai.output.messages": json.dumps(_messages(chance)), "gen_ai.usage.input_tokens": 3}
    if name.endswith("choice") and chance.random() < 0.5:
        said = {
            "message": chance.choice(({"content": "chosen"}, {"tool_calls": [{"id": "c1", "function": {"name": "f"}}]}))
        }
    return {"name": name, "attributes": said}


def mutated(spans: list[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    """The spans with up to six things changed."""
    changed = copy.deepcopy(spans)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        if changed:
            _change(changed, chance)
    return changed


def _change(spans: list[dict[str, Any]], chance: random.Random) -> None:
    telling = [each for each in spans if each["attributes"]] or spans
    span = chance.choice(telling)
    match chance.randrange(11):
        case 0:
            spans.remove(span)
        case 1:
            chance.shuffle(spans)
        case 2:
            span["parent_id"] = chance.choice([None, *(each["id"] for each in spans)])
        case 3:
            span["start"] = chance.choice(spans)["start"]
        case 4:
            span["end"] = chance.choice(spans)["end"]
        case 5:
            spans.append({**copy.deepcopy(span), "name": "again"})
        case 6:
            span["trace_id"] = "f" * 32
        case 7 | 8 | 9 if span["attributes"]:
            _change_attribute(span["attributes"], chance)
        case _:
            chance.choice((span["attributes"], span["resource"]))[
                chance.choice(("session.id", "gen_ai.conversation.id", "agentevals.session_name"))
            ] = chance.choice(("a", "b"))


def _change_attribute(attributes: dict[str, Any], chance: random.Random) -> None:
    key = chance.choice(list(attributes))
    way = chance.randrange(4)
    if way == 0:
        del attributes[key]
    elif way == 1:
        attributes[DEPRECATED.get(key, key)] = attributes.pop(key)
    elif way == 2 and isinstance(attributes[key], str) and attributes[key][:1] in ("{", "["):
        attributes[key] = _changed_json(attributes[key], chance)
    else:
        attributes[key] = copy.deepcopy(chance.choice(VALUES))


def _changed_json(text: str, chance: random.Random) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    places = list(_places(value))
    if places:
        holder, key = chance.choice(places)
        if chance.random() < 0.5:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(chance.choice((*PARTS, "x", "c1", None, [], {})))
    return json.dumps(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield value, key
            yield from _places(each)


def _in_jaeger(span: dict[str, Any]) -> dict[str, Any]:
    parent = {"refType": "CHILD_OF", "traceID": span["trace_id"], "spanID": span["parent_id"]}
    fields = [[{"key": "event", "value": each["name"]}, *_tags(each["attributes"])] for each in span["events"]]
    status = {"otel.scope.name": span["scope"], **({"error": True} if span["failed"] else {})}
    return {
        "traceID": span["trace_id"],
        "spanID": span["id"],
        "operationName": span["name"],
        "references": [parent] if span["parent_id"] else [],
        "startTime": span["start"] // 1000,
        "duration": (span["end"] - span["start"]) // 1000,
        "tags": _tags({**span["attributes"], **status}),
        "logs": [{"timestamp": 1, "fields": each} for each in fields],
    }


def _tags(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": value} for key, value in attributes.items()]
