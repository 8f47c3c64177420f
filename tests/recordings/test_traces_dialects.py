"""Dialects of attributes, and which of them goes first."""

from __future__ import annotations

import json
from typing import Any

from evaltui.evalset.turn import Turn, TurnCall
from tests.recordings.spans import Json, assistant, chat, export, log, logs, read, span, tool, typed, user, warnings

DETAILS = "gen_ai.client.inference.operation.details"


def turn(*documents: Any) -> Turn:
    (conversation,) = read(*documents)
    (found,) = conversation.turns
    return found


def messages(told: str, said: str) -> Json:
    inner = {"gen_ai.input.messages": [user(told)], "gen_ai.output.messages": [assistant(said)]}
    return {key: json.dumps(value) for key, value in inner.items()}


def event(name: str, attributes: Json) -> Json:
    return {"name": name, "attributes": typed(attributes)}


def adk(request: str, response: str) -> Json:
    usage = {"prompt_token_count": 3, "candidates_token_count": 4, "cached_content_token_count": 1}
    said = {"content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": response}]}}
    return {
        "gcp.vertex.agent.llm_request": json.dumps({"contents": [{"role": "user", "parts": [{"text": request}]}]}),
        "gcp.vertex.agent.llm_response": json.dumps({**said, "usage_metadata": usage, "model_version": "m-1"}),
    }


def indexed(told: str, said: str) -> Json:
    return {
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be kind.",
        "gen_ai.prompt.10.role": "user",
        "gen_ai.prompt.10.content": told,
        "gen_ai.prompt.2.role": "user",
        "gen_ai.prompt.2.content": "And ",
        "gen_ai.completion.0.content": said,
    }


def test_each_source_is_asked_after_the_one_before_it() -> None:
    sources = [
        ("own", messages("own", "own said")),
        ("event", {}),
        ("log", {}),
        ("told", {}),
        ("adk", adk("adk", "adk said")),
        ("And indexed", indexed("indexed", "indexed said")),
    ]
    for number, (told, _) in enumerate(sources):
        left = [name for name, _ in sources[number:]]
        attributes = {key: value for _, each in sources[number:] for key, value in each.items()}
        events = [event(DETAILS, messages("event", "event said"))] if "event" in left else []
        if "told" in left:
            events.append(event("gen_ai.user.message", {"content": "told"}))
            events.append(event("gen_ai.choice", {"content": "told said"}))
        each = span({"gen_ai.operation.name": "chat", **attributes}, events=events)
        about = logs(log(each, DETAILS, "", attributes=typed(messages("log", "log said")))) if "log" in left else logs()
        found = turn(export([each]), about)
        assert (found.user_text, found.response) == (told, f"{told.removeprefix('And ')} said")


def test_a_message_with_an_empty_role_is_of_the_user() -> None:
    found = turn([span({"gen_ai.operation.name": "chat", **indexed("you?", "Hi"), "gen_ai.prompt.2.role": ""})])
    assert found.user_text == "And you?"


def test_deprecated_names_of_tokens_are_read_where_the_new_ones_are_not_there() -> None:
    old = {"gen_ai.usage.prompt_tokens": 5, "gen_ai.usage.completion_tokens": "6"}
    assert turn([chat(more=old)]).tokens == 11
    assert turn([chat(more={**old, "gen_ai.usage.input_tokens": 1})]).tokens == 7


def test_log_records_are_read_in_the_order_of_their_times() -> None:
    call = {"id": "c1", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}}
    first, second = chat(), chat()
    second = {**second, "traceId": first["traceId"], "parentSpanId": (root := span())["spanId"]}
    first = {**first, "parentSpanId": root["spanId"]}
    found = turn(
        logs(
            log(second, "gen_ai.choice", {"message": {"content": "Sunny."}}, 9),
            log(second, "gen_ai.tool.message", {"id": "c1", "content": "sunny"}, 8),
            log(second, "gen_ai.assistant.message", {"tool_calls": [call]}, 7),
            log(first, "gen_ai.choice", {"message": {"tool_calls": [call]}}, 3),
            log(first, "gen_ai.user.message", {"content": [{"type": "text", "text": "Is it "}, "warm?"]}, 2),
            log(first, "gen_ai.system.message", {"content": "Be kind."}, 1),
        ),
        [root, first, second],
    )
    assert (found.user_text, found.response) == ("Is it warm?", "Sunny.")
    assert found.calls == (TurnCall("weather", {"city": "Rome"}, "c1", {"result": "sunny"}),)


def test_a_log_record_of_no_span_is_of_the_only_call_of_a_model() -> None:
    only = chat()
    loose = {**log(only, "gen_ai.user.message", {"content": "question"}), "spanId": ""}
    assert turn([only], logs(loose)).user_text == "question"
    other = chat()
    assert "1 log record with messages belongs to no span in this file" in warnings([only, other], logs(loose))[0]


def test_google_adk_s_spans_are_known_by_their_names() -> None:
    outer = span(name="invocation")
    asking = span(adk("question", "answer"), within=outer, name="call_llm")
    found = turn(export([outer, asking], scope="gcp.vertex.agent"))
    assert (found.user_text, found.response, found.invocation_id) == ("question", "answer", outer["spanId"])
    assert found.tokens == 7
    assert read(export([span(name="invocation"), span(name="call_llm")], scope="mine")) == ()


def test_google_adk_s_tools_are_read() -> None:
    outer = span({"gen_ai.operation.name": "invoke_agent"})
    prefix = "gcp.vertex.agent."
    calls = [
        tool("a", more={f"{prefix}tool_call_args": '{"x": 1}', f"{prefix}tool_response": '{"r": 1}'}, within=outer),
        tool("b", more={f"{prefix}tool_call_args": "N/A", f"{prefix}tool_response": "<not specified>"}, within=outer),
        tool("(merged tools)", within=outer),
    ]
    assert turn([outer, *calls]).calls == (TurnCall("a", {"x": 1}, None, {"r": 1}), TurnCall("b", {}, None, None))


def test_openllmetry_s_calls_are_read_without_an_operation() -> None:
    call = {"id": "c1", "name": "weather", "arguments": '{"city": "Rome"}'}
    asked = {f"gen_ai.completion.0.tool_calls.0.{key}": value for key, value in call.items()}
    named = {"gen_ai.system": "openai", "gen_ai.request.model": "m"}
    found = turn([span({**named, "gen_ai.prompt.0.content": "question", **asked})])
    assert (found.user_text, found.calls) == ("question", (TurnCall("weather", {"city": "Rome"}, "c1"),))
    assert read([span(named)]) == ()


def test_what_was_left_out_by_the_recorder_is_no_text() -> None:
    told = [user("<elided>")]
    found = turn([chat(told, [assistant("<REDACTED>", " ")])])
    assert (found.user_text, found.response) == ("", "")
