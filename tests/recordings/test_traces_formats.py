"""Formats of traces, told apart and read."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.traces.trace_file import trace_format
from tests.recordings.spans import (
    Json,
    agent,
    assistant,
    chat,
    export,
    logs,
    printed,
    read,
    span,
    tool,
    typed,
    user,
    warnings,
)

SPAN = chat([user("question")], [assistant("answer")])
EXPORT = export([SPAN])


@pytest.mark.parametrize(
    ("value", "format"),
    [
        ({"data": [{"traceID": "1", "spans": []}]}, "jaeger"),
        ({"data": []}, "jaeger"),
        ({"traceID": "1", "spans": [], "processes": {}}, "jaeger"),
        ([{"traceID": "1", "spans": []}, {"traceID": "2", "spans": []}], "jaeger"),
        (printed(SPAN), "otlp"),
        ([printed(SPAN), SPAN], "otlp"),
        (EXPORT, "otlp"),
        ({"resource_spans": []}, "otlp"),
        (logs(), "otlp"),
        ({"resourceMetrics": []}, "otlp"),
        (SPAN, "otlp"),
        ([SPAN, EXPORT], "otlp"),
        ({"batches": []}, "tempo"),
        ({"trace": {"batches": []}}, "tempo"),
        ({"trace": EXPORT}, "tempo"),
        *((other, None) for other in ({}, [], None, 1, "x", [1], {"data": None}, {"data": [{"id": 1}]}, {"trace": {}})),
        ({"eval_set_id": "x", "eval_cases": []}, None),
        ([SPAN, {"name": "case", "data": []}], None),
        ({"traceID": "1", "spans": None}, None),
        ({"name": "x", "context": {"user": 1}}, None),
        ([{"traceID": "1", "spans": []}, {"spans": []}], None),
    ],
)
def test_a_format_is_told_by_what_a_document_holds(value: Any, format: str | None) -> None:
    assert trace_format(value) == format


def tempo() -> Json:
    (group,) = EXPORT["resourceSpans"]
    (scoped,) = group["scopeSpans"]
    old = {"instrumentationLibrary": scoped["scope"], "spans": scoped["spans"]}
    return {"batches": [{"resource": group["resource"], "instrumentationLibrarySpans": [old]}]}


def with_underscores() -> Json:
    text = json.dumps(EXPORT)
    for name in (
        "resourceSpans",
        "scopeSpans",
        "traceId",
        "spanId",
        "startTimeUnixNano",
        "endTimeUnixNano",
        "stringValue",
    ):
        old = "".join("_" + each.lower() if each.isupper() else each for each in name)
        text = text.replace(f'"{name}"', f'"{old}"')
    return json.loads(text)


def in_base64() -> Json:
    names = ("traceId", "spanId")
    return {**SPAN, **{name: base64.b64encode(bytes.fromhex(SPAN[name])).decode() for name in names}}


@pytest.mark.parametrize(
    "document",
    [
        EXPORT,
        tempo(),
        {"trace": tempo()},
        {"trace": EXPORT},
        with_underscores(),
        SPAN,
        [SPAN],
        [EXPORT],
        in_base64(),
        {**SPAN, "traceId": SPAN["traceId"].upper(), "startTimeUnixNano": int(SPAN["startTimeUnixNano"])},
        {**SPAN, "attributes": {each["key"]: each["value"]["stringValue"] for each in SPAN["attributes"]}},
    ],
)
def test_every_way_to_write_a_span_gives_the_same_turn(document: Any) -> None:
    assert read(document) == read(EXPORT)
    assert warnings(document) == ()


def test_spans_of_one_trace_may_be_on_several_lines() -> None:
    outer = agent()
    lines = [export([chat([user("question")], [assistant("answer")], within=outer)]), export([outer])]
    assert [turn.invocation_id for turn in read(*lines)[0].turns] == [outer["spanId"]]


def test_lines_that_are_no_traces_are_counted() -> None:
    lines = [EXPORT, {"name": "foreign"}, 5, {"resourceMetrics": []}]
    assert len(read(*lines)) == 1
    assert warnings(*lines)[:-1] == ("2 lines or entries are not traces and are skipped",)
    assert "no recorded response" in warnings(*lines)[-1], "a line may have been a later call of the model"


def jaeger(*spans: Json, tags: list[Json] | None = None) -> Json:
    return {
        "data": [{"traceID": "t", "spans": list(spans), "processes": {"p1": {"serviceName": "s", "tags": tags or []}}}]
    }


def test_a_trace_of_jaeger_is_read_alone_in_a_list_and_in_a_document() -> None:
    document = jaeger(tagged("1", {"gen_ai.operation.name": "chat", "gen_ai.prompt.0.content": "question"}))
    (trace,) = document["data"]
    expected = read(document, format="jaeger")
    assert expected[0].turns[0].user_text == "question"
    for documents in ([trace], [[trace]], [trace, {"data": []}]):
        assert read(*documents, format="jaeger") == expected


def test_printed_spans_give_the_same_turns_as_exported_ones() -> None:
    outer = agent(status={"code": 2})
    spans = [
        chat([user("question")], [assistant("answer")], within=outer),
        tool("book", '{"day": 1}', '{"ok": true}', within=outer),
        outer,
    ]
    case = {"agentevals.eval.case.id": "the case"}
    expected = read(export(spans, case))
    assert (expected[0].case_id, expected[0].turns[0].calls[0].name) == ("the case", "book")
    assert read(*(printed(each, case) for each in spans)) == expected
    assert warnings(*(printed(each) for each in spans)) == warnings(export(spans)) != ()


@pytest.mark.parametrize("context", [{"trace_id": 1, "span_id": 2}, {"trace_id": "0x", "span_id": "0x1"}])
def test_a_printed_span_without_ids_is_counted(context: Json) -> None:
    assert warnings({**printed(SPAN), "context": context, "start_time": [], "status": None}) != ()
    assert read({**printed(SPAN), "context": context}) == ()


def tagged(id: str, tags: Json, parent: str | None = None, **members: Any) -> Json:
    references = [{"refType": "FOLLOWS_FROM", "spanID": "x"}, {"refType": "CHILD_OF", "spanID": parent}]
    return {
        "traceID": "abc",
        "spanID": id,
        "operationName": "x",
        "references": references if parent else [],
        "startTime": 1_700_000_000_000_000,
        "duration": 2_000_000,
        "tags": [{"key": key, "type": "string", "value": value} for key, value in tags.items()],
        "processID": "p1",
        **members,
    }


def test_jaeger_s_tags_logs_and_processes_are_read() -> None:
    told = [{"key": "event", "value": "gen_ai.user.message"}, {"key": "content", "value": "question"}]
    outer = tagged("1", {"otel.scope.name": "gcp.vertex.agent"}, operationName="invocation")
    inner = tagged("2", {"gen_ai.operation.name": "chat"}, "1", logs=[{"timestamp": 1, "fields": told}])
    counted = {"key": "gen_ai.usage.input_tokens", "type": "int64", "value": "12"}
    inner["tags"].append(counted)
    case = [{"key": "agentevals.eval.case.id", "value": "the case"}]
    (conversation,) = read(jaeger(inner, outer, tags=case), format="jaeger")
    (turn,) = conversation.turns
    assert (conversation.id, conversation.case_id, conversation.recorded_at) == ("abc", "the case", 1_700_000_002.0)
    assert (turn.invocation_id, turn.user_text, turn.seconds) == ("1", "question", 2.0)
    assert turn.tokens == 12
    assert conversation.agent_names.service == "s"


def test_a_tag_of_jaeger_whose_type_is_no_text_is_read() -> None:
    outer = tagged("1", {})
    outer["tags"].append({"key": "gen_ai.operation.name", "type": ["string"], "value": "chat"})
    (conversation,) = read(jaeger(outer), format="jaeger")
    assert conversation.turns[0].inference_calls == 1


@pytest.mark.parametrize(
    ("tags", "has_failed"),
    [
        ({"otel.status_code": "ERROR"}, True),
        ({"error": True}, True),
        ({"error": True, "otel.status_code": "OK"}, False),
        ({"error": "true"}, False),
    ],
)
def test_jaeger_says_by_tags_that_a_span_has_failed(tags: Json, has_failed: bool) -> None:
    found = warnings(jaeger(tagged("1", {"gen_ai.operation.name": "chat", **tags})), format="jaeger")
    assert any("ended with an error" in each for each in found) is has_failed


def test_entries_that_are_no_spans_are_counted() -> None:
    assert warnings(export([SPAN, 5, {**SPAN, "spanId": ""}, {"spanId": "0" * 16, "traceId": "1"}]))[:-1] == (
        "1 entry is not a span and is skipped",
        "2 spans without a trace id or span id are skipped",
    )


@pytest.mark.parametrize(
    "document",
    [
        {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}, {"spans": {"0": SPAN}}]}]},
        {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}, 5]}]},
        {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}, {"scopeSpans": "none"}]},
        {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}, None]},
    ],
)
def test_what_should_hold_spans_and_is_no_list_is_counted(document: Json) -> None:
    assert warnings(document)[0] == "1 entry is not a span and is skipped"


@pytest.mark.parametrize(
    ("attributes", "count"),
    [
        ("gen_ai.tool.name", 1),
        ([5, {"value": {"stringValue": "x"}}], 2),
        ([{"key": "gen_ai.tool.name", "value": "x"}], 1),
        ([{"key": "gen_ai.tool.name", "value": {}}, {"key": "gen_ai.tool.name"}, {"key": "x", "value": "x"}], 0),
        (None, 0),
    ],
)
def test_attributes_that_cannot_be_read_are_counted(attributes: object, count: int) -> None:
    found = warnings(export([SPAN, {**SPAN, "spanId": "2" * 16, "attributes": attributes}]))
    said = {
        0: [],
        1: ["1 attribute cannot be read and is skipped"],
        2: ["2 attributes cannot be read and are skipped"],
    }
    assert [each for each in found if "attribute" in each] == said[count]


def test_tags_and_spans_of_jaeger_that_cannot_be_read_are_counted() -> None:
    whole = jaeger(tagged("1", {"gen_ai.operation.name": "chat"}))
    (trace,) = whole["data"]
    strange = [{**trace, "spans": "none"}, {**trace, "spans": [{**each, "tags": "none"} for each in trace["spans"]]}]
    assert warnings({"data": strange}, format="jaeger")[:2] == (
        "1 entry is not a span and is skipped",
        "1 attribute cannot be read and is skipped",
    )


def test_of_spans_with_one_id_the_first_counts() -> None:
    again = {**SPAN, "attributes": typed({"gen_ai.operation.name": "chat"})}
    assert read([SPAN, SPAN]) == read([SPAN])
    (turn,) = read([SPAN, again])[0].turns
    assert (turn.response, turn.unrecorded) == (read([SPAN])[0].turns[0].response, {"calls"})
    assert warnings([SPAN, again]) == (
        f"1 span has the id of an earlier span; the earlier span is used (span {SPAN['spanId']})",
    )


def test_a_circle_of_parents_opens_where_it_began() -> None:
    first, second = span(), chat([user("question")], [assistant("answer")])
    first["parentSpanId"], second["parentSpanId"] = second["spanId"], first["spanId"]
    assert [turn.invocation_id for turn in read([second, first])[0].turns] == [first["spanId"]]
    assert warnings([second, first])[0] == (
        f"1 cycle of parent spans; the earliest span of the cycle is used as the root (trace {first['traceId']})"
    )


def test_spans_without_a_start_are_said() -> None:
    outer = agent()
    spans = [outer, tool("b", "{}", within=outer, startTimeUnixNano=None), tool("a", "{}", within=outer)]
    assert [call.name for call in read(spans)[0].turns[0].calls] == ["b", "a"]
    assert warnings(spans)[0].startswith("1 span has no start time, so the order of turns")


@pytest.mark.parametrize(
    "document",
    [
        [{"traceId": "1" * 32, "id": "2" * 16, "name": "invoke_agent", "tags": {"gen_ai.operation.name": "chat"}}],
        [{"traceId": "t1", "id": "o1", "type": "TOOL", "name": "price", "input": {"item": "phone"}}],
        {"projectId": "p", "traceId": "1" * 32, "spans": [{"spanId": "1", "name": "invocation", "labels": {}}]},
    ],
)
def test_traces_of_zipkin_langfuse_and_cloud_trace_are_no_otlp(document: Json | list[Json], tmp_path: Path) -> None:
    assert trace_format(document) is None
    (path := tmp_path / "trace.json").write_text(json.dumps(document))
    with pytest.raises(RecordingError, match="a trace in a form that evaltui does not read"):
        open_recording(path)
    assert trace_format([SPAN, {"traceId": "1" * 32, "id": "2"}]) == "otlp"
