"""Which turns traces hold, and what is in them."""

from __future__ import annotations

import json

import pytest

from evaltui.evalset.turn import Turn, TurnCall
from tests.recordings.spans import (
    Json,
    agent,
    asks,
    assistant,
    chat,
    export,
    read,
    span,
    tells,
    tool,
    typed,
    user,
    warnings,
)


def turn(*spans: object) -> Turn:
    """The only turn of the only conversation."""
    (conversation,) = read(list(spans))
    (found,) = conversation.turns
    return found


def talking(told: list[Json], said: list[Json] | None = None, more: Json | None = None) -> Json:
    """A span of an agent with messages."""
    messages = {"gen_ai.input.messages": told, "gen_ai.output.messages": said}
    return agent({key: json.dumps(value) for key, value in messages.items() if value is not None} | (more or {}))


def test_an_agent_with_a_tool_is_a_turn_with_all_that_is_recorded() -> None:
    outer = agent(endTimeUnixNano=str(100 * 10**9), startTimeUnixNano=str(97 * 10**9))
    usage = {"gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 2, "gen_ai.request.model": "m"}
    first = chat(
        [user("What is", " the weather?")], [assistant(asks("weather", {"city": "Rome"}, "c1"))], usage, within=outer
    )
    call = tool("weather", '{"city": "Rome"}', '{"w": "sunny"}', {"gen_ai.tool.call.id": "c1"}, within=outer)
    last = chat([user("x"), tells("sunny", "c1")], [assistant("It is ", "sunny.")], usage, within=outer)
    assert turn(outer, first, call, last) == Turn(
        user_text="What is the weather?",
        calls=(TurnCall("weather", {"city": "Rome"}, "c1", {"w": "sunny"}),),
        response="It is sunny.",
        invocation_id=outer["spanId"],
        inference_calls=2,
        tokens=18,
        seconds=3.0,
    )


def test_an_agent_within_a_tool_or_agent_is_no_turn_and_its_text_is_not_the_answer() -> None:
    outer = agent()
    helper = tool("helper", "{}", within=outer)
    inner = agent(within=helper)
    told, said = [user("inner question")], [assistant("inner answer")]
    own = chat([user("question")], [assistant("answer")], within=outer)
    found = turn(outer, own, helper, inner, chat(told, said, within=inner))
    assert (found.user_text, found.response, found.inference_calls) == ("question", "answer", 2)


def test_models_without_an_agent_are_a_turn_of_their_root() -> None:
    root = span()
    found = turn(root, chat([user("question")], [assistant("answer")], within=root))
    assert (found.user_text, found.response, found.invocation_id) == ("question", "answer", root["spanId"])


def test_the_messages_of_the_agent_go_before_those_of_its_models() -> None:
    messages = {"gen_ai.input.messages": [user("asked")], "gen_ai.output.messages": [assistant("answered")]}
    outer = agent({key: json.dumps(value) for key, value in messages.items()})
    found = turn(outer, chat([user("prompted")], [assistant("generated")], within=outer))
    assert (found.user_text, found.response) == ("asked", "answered")


def test_the_user_text_is_the_last_run_of_messages_of_the_user() -> None:
    told = [user("before"), assistant("indeed"), user("one "), user("two"), tells("x", "c1")]
    assert turn(chat(told, [assistant("three")])).user_text == "one two"


def test_a_span_of_a_model_within_another_is_the_same_call() -> None:
    outer = chat([user("question")], None, {"gen_ai.usage.input_tokens": 5})
    inner = chat(None, [assistant("answer")], {"gen_ai.usage.input_tokens": 4}, within=outer)
    found = turn(outer, inner)
    assert (found.user_text, found.response, found.inference_calls) == ("question", "answer", 1)
    assert found.tokens == 4


def test_a_span_of_a_model_around_two_others_is_no_call() -> None:
    whole = agent()
    outer = chat([user("lost")], None, {"gen_ai.usage.input_tokens": 9}, within=whole)
    inner = [chat([user(each)], [assistant(each)], within=outer) for each in ("one", "two")]
    found = turn(whole, outer, *inner)
    assert (found.user_text, found.response, found.inference_calls, found.tokens) == ("one", "two", 2, None)


def test_a_tool_within_the_same_tool_is_one_call() -> None:
    outer = agent()
    call = tool("weather", None, None, {"gen_ai.tool.call.id": "c1"}, within=outer)
    of_server = tool("weather", '{"city": "Rome"}', "sunny", {"gen_ai.tool.call.id": "7"}, within=call)
    other = tool("forecast", "{}", within=of_server)
    found = turn(outer, call, of_server, other)
    assert found.calls == (
        TurnCall("weather", {"city": "Rome"}, "c1", {"result": "sunny"}),
        TurnCall("forecast", {}, None, None),
    )


def test_calls_that_only_messages_tell_stand_where_they_were_asked_for() -> None:
    outer = agent()
    requests = [asks("first", {}, "c1"), asks("second", {}, "c2"), asks("third", {}, "c3")]
    asking = chat([user("go")], [assistant(*requests)], within=outer)
    spans = [tool(name, '{"a": 1}', within=outer) for name in ("first", "third")]
    done = chat([user("go"), tells({"ok": 1}, "c2")], [assistant("done")], within=outer)
    found = turn(outer, asking, *spans, done)
    assert [call.name for call in found.calls] == ["first", "second", "third"]
    assert found.calls[1].response == {"ok": 1}
    assert warnings([outer, asking, *spans, done]) == (
        "1 tool call has no span, but other tool calls have spans; evaltui reads "
        "the call from the messages (tool second)",
    )


def test_what_a_tool_span_lacks_comes_from_the_messages_and_is_said() -> None:
    outer = agent()
    asking = chat([user("go")], [assistant(asks("weather", {"city": "Rome"}, "c1"))], within=outer)
    call = tool("weather", more={"gen_ai.tool.call.id": "other"}, within=outer)
    done = chat([tells("sunny", "c1")], [assistant("done")], within=outer)
    assert turn(outer, asking, call, done).calls == (
        TurnCall("weather", {"city": "Rome"}, "other", {"result": "sunny"}),
    )
    assert warnings([outer, asking, call, done]) == (
        "1 tool span has no arguments or response; evaltui reads these from the tool's next call in the messages "
        "(tool weather)",
    )


BAD = "the arguments of 1 tool call are null or not JSON, and count as not recorded (tool weather)"
NONE = "1 tool call has no recorded arguments (tool weather)"


@pytest.mark.parametrize(
    ("recorded", "args", "said"),
    [
        ('{"a": 1}', {"a": 1}, ""),
        ("{}", {}, ""),
        ({"a": [1, 2.5, True, "x"]}, {"a": [1, 2.5, True, "x"]}, ""),
        ("[1]", {"value": [1]}, ""),
        ('{"city": "Ro', None, BAD),
        ("text", None, BAD),
        ("null", None, BAD),
        ("<not serializable>", None, NONE),
        (5, {"value": 5}, ""),
        ("<elided>", None, NONE),
        ("", None, NONE),
        (None, None, NONE),
    ],
)
def test_arguments_that_are_no_json_are_not_recorded(
    recorded: object, args: dict[str, object] | None, said: str
) -> None:
    outer = agent()
    spans = [outer, tool("weather", recorded, within=outer)]
    (call,) = turn(*spans).calls
    assert (call.args, call.has_args) == (args or {}, args is not None)
    assert [each for each in warnings(spans) if "arguments" in each] == ([said] if said else [])


def test_a_call_whose_messages_are_cut_off_or_missing_is_not_counted_as_none() -> None:
    cut = {"gen_ai.output.messages": '[{"role": "assistant", "parts": [{"type": "tool_call", "name": "wea'}
    stopped = {"gen_ai.response.finish_reasons": ["tool_calls"]}
    for more in (cut, stopped, {}):
        outer = talking([user("go")], [assistant("Yes")])
        assert turn(outer, chat(more=more, within=outer)).unrecorded == {"calls"}


@pytest.mark.parametrize("kind", ["blob", "uri", "file"])
def test_an_image_alone_does_not_tell_the_text_of_a_response(kind: str) -> None:
    image = {"role": "assistant", "parts": [{"type": kind, "mime_type": "image/png"}]}
    assert "response" in turn(talking([user("go")], [image])).unrecorded
    outer = talking([user("go")])
    assert "response" in turn(outer, chat([user("go")], [image], within=outer)).unrecorded
    assert "response" not in turn(talking([user("go")], [image, assistant("Here")])).unrecorded


def test_a_skipped_agent_span_may_be_a_turn_of_its_conversation() -> None:
    joined = {"gen_ai.conversation.id": "one"}
    whole, bare = talking([user("go")], [assistant("Yes")], joined), agent(joined, trace=2)
    assert [each.lacks_turns for each in read(export([whole, bare]), multi_turn=True)] == [True]
    assert [each.lacks_turns for each in read(export([whole, bare]))] == [False]


def test_arguments_in_a_message_that_are_no_json_are_said() -> None:
    spans = [chat([user("go")], [assistant(asks("weather", '{"city": "Ro', "c1"))])]
    assert turn(*spans).calls[0].args == {}
    assert BAD in warnings(spans)


def test_calls_of_models_in_traces_of_their_own_are_one_turn_where_one_answers_the_other() -> None:
    first = chat([user("go")], [assistant(asks("weather", {"city": "Rome"}, "c1"))], trace=1)
    second = chat([user("go"), tells("sunny", "c1")], [assistant("done")], trace=2)
    third = chat([user("thanks")], [assistant("welcome")], trace=3)
    session = {"agentevals.session_name": "night"}
    (conversation,) = read(export([third, second, first], session))
    assert conversation.id == "night"
    assert [(turn.user_text, turn.response) for turn in conversation.turns] == [("go", "done"), ("thanks", "welcome")]
    assert conversation.turns[0].calls == (TurnCall("weather", {"city": "Rome"}, "c1", {"result": "sunny"}),)
    assert conversation.turns[0].seconds == 1.5


def test_a_turn_that_may_go_on_with_the_one_before_stays_alone_and_is_said() -> None:
    stopped = {"gen_ai.response.finish_reasons": ["tool_calls"], "session.id": "s"}
    spans = [chat([user("go")], None, stopped, trace=1), chat(None, [assistant("done")], {"session.id": "s"}, trace=2)]
    assert [len(each.turns) for each in read(spans, multi_turn=True)] == [2]


def test_what_begins_no_turn_is_said() -> None:
    empty, lost = agent(trace=1), tool("weather", trace=2)
    assert read([empty, lost, span(trace=3)]) == ()
    assert warnings([empty, lost, span(trace=3)]) == (
        f"1 agent span has no model calls, tools or messages and is skipped (span {empty['spanId']})",
        f"3 traces have no turn of an agent (first: trace {1:032x})",
        f"1 tool span belongs to no turn and is skipped (span {lost['spanId']})",
    )


def test_a_failed_agent_is_a_turn_and_said() -> None:
    failed = agent(status={"code": "STATUS_CODE_ERROR"})
    assert turn(failed).response == ""
    assert f"1 turn ended with an error (span {failed['spanId']})" in warnings([failed])


def test_turns_without_text_are_said() -> None:
    quiet = chat()
    assert warnings([quiet]) == (
        "1 turn has neither tool spans nor complete model responses that evaltui reads; its calls are not recorded "
        f"(span {quiet['spanId']})",
        f"1 turn has no recorded user message; is message recording switched on? (span {quiet['spanId']})",
        f"1 turn has no recorded response (span {quiet['spanId']})",
    )


def test_messages_that_were_cut_off_are_said() -> None:
    cut = chat(None, [assistant("done")], {"gen_ai.input.messages": '[{"role": "user", "parts": [{"type": "te'})
    assert warnings([cut])[0] == (
        "the messages in 1 attribute cannot be read; an attribute length limit may have cut them off"
    )


def test_a_tool_without_a_name_is_named_by_its_span() -> None:
    outer = agent()
    call = {**tool(None, "{}", within=outer), "name": "execute_tool weather report"}
    assert turn(outer, call).calls[0].name == "weather"
    assert f"1 tool span has no gen_ai.tool.name; the span name is used (span {call['spanId']})" in warnings(
        [outer, call]
    )


MCP = {"mcp.method.name": "tools/call"}


def test_a_call_on_a_server_within_a_tool_span_is_this_call_whatever_its_name() -> None:
    around = agent()
    prefixed = tool("shop_price", '{"item": "phone"}', more={"gen_ai.tool.call.id": "k0"}, within=around)
    client = tool("price", '{"item": "phone"}', '{"euros": 500}', MCP, within=prefixed)
    server = tool("price", '{"item": "phone"}', '{"euros": 500}', MCP, within=client)
    other = tool("stock", '{"shop": "north"}', None, {**MCP, "gen_ai.tool.call.id": "k9"}, within=prefixed)
    for inner in ([client], [client, server], [server], [client, other], [{**server, "attributes": typed(MCP)}]):
        ((call,),) = [turn.calls for each in read(export([around, prefixed, *inner])) for turn in each.turns]
        assert (call.name, call.args, call.id) == ("shop_price", {"item": "phone"}, "k0")


def test_a_tool_does_not_get_the_arguments_of_the_tools_that_it_calls_on_a_server() -> None:
    around = agent()
    code = tool("run_code", within=around)
    client = tool("price", '{"item": "phone"}', "500", MCP, within=code)
    server = tool("price", '{"item": "phone"}', "500", MCP, within=client)
    ((call,),) = [turn.calls for each in read(export([around, code, client, server])) for turn in each.turns]
    assert (call.name, call.has_args, call.response) == ("run_code", False, None)


def test_calls_on_a_server_without_a_tool_span_around_them_and_calls_of_other_tools_within_one_are_calls() -> None:
    around = agent()
    outer = tool("shop_price", '{"item": "phone"}', within=around)
    for inner in (tool("price", "{}", more=MCP, within=around), tool("price", "{}", within=outer)):
        (conversation,) = read(export([around, outer, inner]))
        assert [call.name for call in conversation.turns[0].calls] == ["shop_price", "price"]
