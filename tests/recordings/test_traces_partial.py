"""Traces that a store cut off, and texts that an error cut off: neither stands for what the agent did."""

import json
from typing import Any

import pytest

from tests.recordings.spans import Json, agent, assistant, chat, export, read, typed, user, warnings

ASKED = [user("Price?")]
ANSWERED = chat(ASKED, [assistant("It costs 500.")])


def traced(*inner: Json, **outer: Any) -> Json:
    """The document of an agent with these spans."""
    around = agent(**outer)
    return export([around, *({**each, "parentSpanId": around["spanId"]} for each in inner)])


def recorded(document: Any, format: str = "otlp") -> list[tuple[list[str | None], bool, bool]]:
    """For each turn the names of its calls, and whether its calls and its response are recorded."""
    turns = [turn for conversation in read(document, format=format) for turn in conversation.turns]
    return [
        ([each.name for each in turn.calls], "calls" not in turn.unrecorded, "response" not in turn.unrecorded)
        for turn in turns
    ]


# --- stores of traces -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [{}, {"status": None}, {"status": "COMPLETE"}, {"status": 0, "message": ""}])
def test_a_complete_response_of_tempo_holds_all_calls(status: Json) -> None:
    document = {"trace": traced(ANSWERED), "metrics": {"inspectedBytes": "1"}, **status}
    assert recorded(document, "tempo") == [([], True, True)]
    assert warnings(document, format="tempo") == ()


@pytest.mark.parametrize(
    "status",
    [{"status": "PARTIAL"}, {"status": 1}, {"status": "UNKNOWN"}, {"status": ["PARTIAL"]}, {"message": "too large"}],
)
def test_a_partial_response_of_tempo_may_lack_calls_and_the_response(status: Json) -> None:
    document = {"trace": traced(ANSWERED), **status}
    assert recorded(document, "tempo") == [([], False, False)]
    (key,) = status
    assert warnings(document, format="tempo")[0] == (
        f"1 status, error or warning says that spans may be missing ({key})"
    )
    (conversation,) = read(document, format="tempo")
    assert conversation.lacks_turns


CUT_OFF = "trace has more than 2 spans, showing first 2 spans only"
SKEW = "clock skew adjustment disabled; not applying calculated delta of 408.5µs"


def in_jaeger(*, errors: Any = None, of_trace: Any = None, of_span: Any = None, tag: Any = None) -> Json:
    spans = [
        {
            "traceID": "1",
            "spanID": each["spanId"],
            "operationName": "x",
            "references": [{"refType": "CHILD_OF", "spanID": each["parentSpanId"]}] if "parentSpanId" in each else [],
            "startTime": int(each["startTimeUnixNano"]) // 1000,
            "duration": 1,
            "tags": [{"key": tag["key"], "value": next(iter(tag["value"].values()))} for tag in each["attributes"]],
        }
        for each in traced(ANSWERED)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ]
    spans[0]["warnings"] = of_span
    spans[0]["tags"].append({"key": "@jaeger@warnings", "type": "string", "value": tag})
    return {"data": [{"traceID": "1", "spans": spans, "warnings": of_trace}], "errors": errors}


@pytest.mark.parametrize(
    ("said", "is_whole"),
    [
        ({"errors": []}, True),
        ({"errors": [{"code": 404, "msg": "trace not found", "traceID": "2"}]}, True),
        ({"of_trace": [SKEW], "of_span": [SKEW, "invalid span reference removed"]}, True),
        ({"tag": json.dumps([SKEW, SKEW])}, True),
        ({"errors": [{"code": 500, "msg": "timeout", "traceID": "1"}]}, False),
        ({"errors": [{"code": 500, "msg": "timeout"}]}, False),
        ({"errors": ["timeout"]}, False),
        ({"of_trace": ["trace is truncated"]}, False),
        ({"of_span": [SKEW, CUT_OFF]}, False),
        ({"of_span": CUT_OFF}, False),
        ({"tag": json.dumps([SKEW, CUT_OFF])}, False),
    ],
)
def test_errors_and_warnings_of_jaeger_say_that_spans_are_missing(said: Json, is_whole: bool) -> None:
    document = in_jaeger(**said)
    assert recorded(document, "jaeger") == [([], is_whole, is_whole)]
    named = [each for each in warnings(document, format="jaeger") if "spans may be missing" in each]
    assert named or is_whole


def test_warnings_of_jaeger_in_its_otlp_say_that_spans_are_missing() -> None:
    for warning, is_whole in ((SKEW, True), (CUT_OFF, False)):
        cut = {**ANSWERED, "attributes": [*ANSWERED["attributes"], *typed({"@jaeger@warnings": [warning]})]}
        assert recorded(traced(cut)) == [([], is_whole, is_whole)]
