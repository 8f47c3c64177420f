"""Whatever a trace holds, reading it ends soon and without an error."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.recordings.traces.trace_file import read_traces, trace_format
from tests.expressions import growth
from tests.recordings.spans import (
    Json,
    agent,
    asks,
    assistant,
    chat,
    export,
    log,
    logs,
    printed,
    read,
    span,
    tells,
    tool,
    user,
    warnings,
)
from tests.sampling import Extent

NAMES = (
    *(
        "data",
        "spans",
        "processes",
        "tags",
        "references",
        "logs",
        "fields",
        "traceID",
        "spanID",
        "refType",
        "startTime",
    ),
    *(
        "resourceSpans",
        "resourceLogs",
        "resource_spans",
        "scopeSpans",
        "batches",
        "trace",
        "attributes",
        "key",
        "value",
    ),
    *(
        "traceId",
        "spanId",
        "parentSpanId",
        "startTimeUnixNano",
        "events",
        "name",
        "status",
        "code",
        "logRecords",
        "body",
    ),
    *(
        "stringValue",
        "intValue",
        "doubleValue",
        "arrayValue",
        "kvlistValue",
        "values",
        "eventName",
        "resource",
        "scope",
    ),
    *("gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.name", "session.id"),
    *("gen_ai.tool.call.arguments", "gcp.vertex.agent.llm_request", "gen_ai.prompt.0.content", "role", "parts", "type"),
)
TEXTS = (
    *NAMES,
    *("", "0" * 32, "1" * 16, "chat", "invoke_agent", "execute_tool", "CHILD_OF", "[{}]", "1e400", "9" * 5000),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from((*TEXTS, 10**400, -1, 1e308, "\ud800", "٣", "²"))
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
)


def everything() -> list[Any]:
    """A file with a bit of everything."""
    outer = agent({"session.id": "s", "agentevals.eval.case.id": "c"})
    first = chat(
        [user("go")], [assistant("So", asks("weather", {"a": 1}, "c1"))], {"gen_ai.usage.input_tokens": 5}, within=outer
    )
    call = tool("weather", '{"a": 1}', '{"b": [2]}', {"gen_ai.tool.call.id": "c1"}, within=outer)
    last = chat([user("go"), tells({"b": 2}, "c1", "weather")], [assistant("done")], within=outer)
    indexed = {"gen_ai.prompt.0.content": "x", "gen_ai.completion.0.tool_calls.0.name": "y", "gen_ai.system": "z"}
    content = {"role": "user", "parts": [{"text": "x"}, {"function_call": {"name": "f", "args": {}}}]}
    adk = {
        "gcp.vertex.agent.llm_request": json.dumps({"contents": [content]}),
        "gcp.vertex.agent.llm_response": json.dumps({"content": content, "usage_metadata": {"prompt_token_count": 1}}),
    }
    more = [chat(more={**indexed, **adk}, within=outer), span({**indexed, "gen_ai.request.model": "m"}, trace=2)]
    told = {"content": {"parts": [{"text": "x"}]}, "message": {"tool_calls": [{"id": "1", "function": {"name": "f"}}]}}
    records = [log(more[1], name, told) for name in ("gen_ai.user.message", "gen_ai.choice", "gen_ai.tool.message")]
    return [
        export([outer, first, call, last, *more], {"session.id": "s"}),
        logs(*records),
        printed(last),
        printed(outer),
    ]


def in_jaeger() -> list[Any]:
    tags = [{"key": "gen_ai.operation.name", "value": "chat"}, {"key": "gen_ai.prompt.0.content", "value": "x"}]
    logged = {"timestamp": 1, "fields": [{"key": "event", "value": "gen_ai.choice"}, {"key": "content", "value": "x"}]}
    inner = {"traceID": "1", "spanID": "2", "references": [{"refType": "CHILD_OF", "spanID": "1"}], "tags": tags}
    spans = [
        {**inner, "logs": [logged], "processID": "p", "startTime": 5, "duration": 1},
        {"traceID": "1", "spanID": "1"},
    ]
    trace = {"spans": spans, "processes": {"p": {"tags": [{"key": "session.id", "value": "s"}]}}}
    return [{"data": [trace]}, {"traceID": "1", **trace}, [{"traceID": "1", **trace}]]


@given(st.lists(VALUES, max_size=3), st.booleans())
def test_any_json_is_read(documents: list[Any], multi_turn: bool) -> None:
    for format in ("jaeger", "otlp", "tempo"):
        found = read_traces(copy.deepcopy(documents), Path("x"), format, multi_turn=multi_turn)
        assert all(each.turns for each in found.conversations)
        assert all(isinstance(each, str) for each in found.warnings)
    assert all(trace_format(each) in ("jaeger", "otlp", "tempo", None) for each in documents)


@given(st.randoms(use_true_random=False), st.lists(VALUES, min_size=1, max_size=6), st.booleans())
def test_traces_with_anything_in_any_place_are_read(chance: random.Random, values: list[Any], as_jaeger: bool) -> None:
    documents = in_jaeger() if as_jaeger else everything()
    for value in values:
        _put(documents, value, chance)
    found = read_traces(documents, Path("x"), "jaeger" if as_jaeger else "otlp", multi_turn=True)
    assert all(each.turns for each in found.conversations)


def _put(document: Any, value: Any, chance: random.Random) -> None:
    """A value in place of another, also in JSON within a text."""
    holder: Any = document
    while True:
        keys = list(range(len(holder)) if isinstance(holder, list) else holder)
        if not keys:
            return
        key = chance.choice(keys)
        inner = holder[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.95:
            holder = inner
        elif isinstance(inner, str) and inner[:1] in ("{", "[") and chance.random() < 0.8:
            within = json.loads(inner)
            _put(within, value, chance)
            holder[key] = json.dumps(within)
            return
        else:
            holder[key] = copy.deepcopy(value)
            return


def chain_of_models(count: int) -> list[Json]:
    spans: list[Json] = []
    for _ in range(count):
        spans.append(chat(None, [assistant("x")], within=spans[-1] if spans else None))
    return spans


def chain_of_tools(count: int) -> list[Json]:
    spans = [agent()]
    for number in range(count):
        spans.append(tool(f"tool {number % 2}", "{}", within=spans[-1]))
    return spans


def calls_that_only_messages_tell(count: int) -> list[Json]:
    outer = agent()
    spans = [
        chat([tells(number, f"other {number}")], [assistant(asks("weather", {}, f"c{number}"))], within=outer)
        for number in range(count)
    ]
    return [outer, *spans, tool("weather", "{}", within=outer)]


def traces_that_go_on_with_each_other(count: int) -> list[Json]:
    session = {"session.id": "s"}
    return [
        chat([tells("x", f"c{n - 1}")], [assistant(asks("f", {}, f"c{n}"))], session, trace=n + 1) for n in range(count)
    ]


def circle_of_parents(count: int) -> list[Json]:
    spans = [chat() for _ in range(count)]
    for child, parent in zip(spans, [*spans[1:], spans[0]], strict=True):
        child["parentSpanId"] = parent["spanId"]
    return spans


MANY = 10_000 if Extent.is_thorough else 1_200
"""Spans: more than Python has levels of calls."""


@pytest.mark.parametrize(
    ("spans", "calls"),
    [
        (chain_of_models, 0),
        (chain_of_tools, MANY),
        (calls_that_only_messages_tell, MANY),
        (traces_that_go_on_with_each_other, MANY),
        (circle_of_parents, 0),
    ],
)
def test_many_spans_of_one_turn_are_read_in_linear_time(spans: Callable[[int], list[Json]], calls: int) -> None:
    (conversation,) = read(spans(MANY), multi_turn=True)
    assert [len(turn.calls) for turn in conversation.turns] == [calls]
    assert growth(lambda given: read(given, multi_turn=True), spans, [400]) == 0.0


@pytest.mark.parametrize("depth", [100, 199, 250, 600, 100_000])
def test_deep_arguments_are_read_up_to_a_depth_and_then_said(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    spans = [agent(), tool("f", '{"a": ' + deep + "}", within=agent())]
    spans[1]["parentSpanId"], spans[1]["traceId"] = spans[0]["spanId"], spans[0]["traceId"]
    (call,) = read(spans)[0].turns[0].calls
    assert call.has_args == (depth < 200)
    assert any("nested too deeply" in each for each in warnings(spans)) == (depth >= 200)


@pytest.mark.parametrize(
    "number", [10**400, 1e308, float("inf"), float("nan"), -(10**30), "9" * 5000, "1e400", True, [], {}]
)
def test_numbers_that_nothing_can_be_are_none(number: Any) -> None:
    counted = {"key": "gen_ai.usage.input_tokens", "value": {"intValue": number}}
    odd = chat([user("go")], startTimeUnixNano=number, endTimeUnixNano=number)
    odd["attributes"].append(counted)
    (conversation,) = read([odd])
    assert conversation.recorded_at is None
    assert conversation.turns[0].seconds is None
