"""Traces that a store cut off, and texts that an error cut off: neither stands for what the agent did."""

import json
from typing import Any

import pytest

from tests.recordings.spans import (
    Json,
    agent,
    asks,
    assistant,
    chat,
    export,
    in_form_of_jaeger,
    read,
    span,
    tells,
    tool,
    typed,
    user,
    warnings,
)

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
    around = traced(ANSWERED)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    spans = [in_form_of_jaeger(each) for each in around]
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


# --- texts beside an error ------------------------------------------------------------------------------------

ERROR: Json = {"status": {"code": 2}}
BEGINNING = [assistant("It cos")]
PRICE = asks("price", {"item": "phone"}, "k0")
TOLD = {"gen_ai.input.messages": json.dumps(ASKED), "gen_ai.output.messages": json.dumps(BEGINNING)}


def adk(response: Json) -> Json:
    """A model span of google-adk."""
    contents = [{"role": "user", "parts": [{"text": "Price?"}]}]
    told = {"llm_request": {"contents": contents}, "llm_response": response}
    return span({f"gcp.vertex.agent.{key}": json.dumps(value) for key, value in told.items()}, name="call_llm")


CONTENT = {"role": "model", "parts": [{"text": "It cos"}]}


@pytest.mark.parametrize(
    "document",
    [
        traced(attributes=TOLD, **ERROR),
        traced(chat(ASKED, BEGINNING), attributes=TOLD, **ERROR),
        traced(chat(ASKED, BEGINNING), **ERROR),
        traced(chat(ASKED, BEGINNING, **ERROR), **ERROR),
        traced(chat(ASKED, BEGINNING, **ERROR)),
        traced(chat(ASKED, BEGINNING, {"error.type": "TimeoutError"})),
        traced(attributes={**TOLD, "error.type": "CancelledError"}),
        traced(chat(ASKED, BEGINNING, {"gen_ai.response.finish_reasons": ["error"]})),
        traced(chat(ASKED, [{**BEGINNING[0], "finish_reason": "error"}])),
        traced(attributes={**TOLD, "gen_ai.output.messages": json.dumps([{**BEGINNING[0], "finish_reason": "error"}])}),
        traced(adk({"content": CONTENT, "error_code": "OTHER"})),
        traced(adk({"content": CONTENT, "errorMessage": "Connection lost"})),
        traced(
            span(
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.prompt.0.content": "Price?",
                    "gen_ai.completion.0.content": "It cos",
                    "gen_ai.completion.0.finish_reason": "ERROR",
                }
            )
        ),
        traced(
            chat(
                ASKED,
                events=[
                    {
                        "name": "gen_ai.choice",
                        "attributes": typed({"finish_reason": "error", "message": json.dumps({"content": "It cos"})}),
                    }
                ],
            )
        ),
    ],
)
def test_a_text_beside_an_error_is_not_the_response(document: Json) -> None:
    ((_, _, tells_response),) = recorded(document)
    ((turn,),) = [conversation.turns for conversation in read(document)]
    assert (turn.response, tells_response) == ("", False)
    assert any("error" in each for each in warnings(document))


def test_an_error_before_the_response_is_none_of_the_response() -> None:
    failed, ran, again = chat(ASKED, BEGINNING, **ERROR), tool("price", {}, **ERROR), chat(ASKED, [assistant("500.")])
    for document in (traced(failed, again), traced(ran, again), traced(failed, attributes=TOLD)):
        assert recorded(document)[0][2] is True


def tells_calls(*inner: Json, **outer: Any) -> bool:
    ((_, tells_calls, _),) = recorded(traced(*inner, **outer))
    return tells_calls


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (PRICE, ERROR),
        (asks("price", {"item": "phone"}, "k1"), ERROR),
        (asks("price", {"item": "phone"}), {"more": {"gen_ai.response.finish_reasons": ["error"]}}),
        (asks("price", None), {"more": {"error.type": "TimeoutError"}}),
    ],
)
def test_a_call_of_a_model_that_failed_may_not_have_happened(asked: Json, why: Json) -> None:
    repeated, told = asks("price", {"item": "phone"}, "k1"), tells("500", "k1")
    failed, again = chat(ASKED, [assistant(asked)], **why), chat(ASKED, [assistant(repeated)])
    ran = tool("price", {"item": "phone"}, "500", {"gen_ai.tool.call.id": "k1"})
    done = chat([*ASKED, assistant(repeated), told], [assistant("It costs 500.")])
    assert not tells_calls(failed, again, done)
    assert not tells_calls(failed, again, ran, done)
    assert not tells_calls(failed, again, tool("price"), done)
    assert any("nobody knows whether the tool ran" in each for each in warnings(traced(failed, again, done)))
    assert tells_calls(again, ran, done)


def test_a_call_of_a_model_that_failed_counts_with_a_span_or_a_response() -> None:
    failed, ran = chat(ASKED, [assistant(PRICE)], **ERROR), tool("price", more={"gen_ai.tool.call.id": "k0"})
    answered = chat([*ASKED, assistant(PRICE), tells("500", "k0")], [assistant("It costs 500.")])
    unknown = chat([*ASKED, assistant(PRICE), tells("500")], [assistant("It costs 500.")])
    done = chat(ASKED, [assistant("It costs 500.")])
    assert recorded(traced(failed, answered)) == [(["price"], True, True)]
    assert recorded(traced(failed, ran, done)) == [(["price"], True, True)]
    assert not tells_calls(failed, done)
    assert not tells_calls(failed, unknown)
    assert not tells_calls(failed, **ERROR)
