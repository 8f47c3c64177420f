"""Parts of messages that nobody reads, spans that are skipped, and traces that end early: nothing is made of them."""

import json
from typing import Any

import pytest

from evaltui.evalset.turn import Turn
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
    text,
    tool,
    typed,
    user,
    warnings,
)

ADK = "gcp.vertex.agent."
ASKED = [user("Price?")]
PRICE, STOCK = asks("price", {"item": "phone"}, "k0"), asks("stock", {"shop": "north"}, "k1")
WHOLE = {
    f"gen_ai.{way}.messages": json.dumps(said)
    for way, said in (("input", ASKED), ("output", [assistant("It costs 500.")]))
}
STOPPED = {"gen_ai.response.finish_reasons": ["tool_calls"]}


def traced(*inner: Json, **outer: Any) -> Turn:
    """The turn of an agent with these spans."""
    around = agent(**outer)
    (conversation,) = read(export([around, *({**each, "parentSpanId": around["spanId"]} for each in inner)]))
    (turn,) = conversation.turns
    return turn


def called(turn: Turn) -> tuple[list[str | None], bool, bool]:
    """The names of its calls, and whether its calls and its response are recorded."""
    return [each.name for each in turn.calls], "calls" not in turn.unrecorded, "response" not in turn.unrecorded


def adk(contents: list[Json], response: Json) -> Json:
    """A model span of google-adk."""
    told = {f"{ADK}llm_request": json.dumps({"contents": contents}), f"{ADK}llm_response": json.dumps(response)}
    return span({"gen_ai.operation.name": "chat", **told})


def google(*parts: Json, role: str = "model") -> Json:
    return {"role": role, "parts": list(parts)}


# --- the end of a trace ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "last",
    [
        chat(ASKED, [assistant("Let me look.", PRICE)]),
        chat(ASKED, [assistant("Let me look.")], STOPPED),
        chat(ASKED),
        adk([google({"text": "Price?"}, role="user")], {"finish_reason": "STOP", "usage_metadata": {}}),
        adk([google({"text": "Price?"}, role="user")], {"content": google({"text": None})}),
        adk([google({"text": "Price?"}, role="user")], {"content": google({"functionCall": {"name": "price"}})}),
    ],
)
def test_a_trace_that_ends_before_the_response_does_not_hold_it(last: Json) -> None:
    turn = traced(chat(ASKED, [assistant("Wait.", STOCK)]), tool("stock", {"shop": "north"}), last, tool("price", {}))
    assert (turn.response, "response" in turn.unrecorded) == ("", True)


def test_an_agent_that_ends_with_a_request_has_no_response() -> None:
    said = json.dumps([assistant("Let me look.", PRICE)])
    turn = traced(tool("price", {}), attributes={**WHOLE, "gen_ai.output.messages": said})
    assert called(turn) == (["price"], True, False)


# --- parts of messages ----------------------------------------------------------------------------------------

OPENAI = [
    {"id": "k", "type": "function", "function": {"name": each["name"], "arguments": json.dumps(each["arguments"])}}
    for each in (PRICE, STOCK)
]
GOOGLE = [{"functionCall": {"name": each["name"], "args": each["arguments"]}} for each in (PRICE, STOCK)]


@pytest.mark.parametrize(
    "asking",
    [
        chat(ASKED, [{"role": "assistant", "content": "Let me look.", "tool_calls": OPENAI}]),
        adk([google({"text": "Price?"}, role="user")], {"content": google(*GOOGLE)}),
    ],
)
def test_calls_of_openai_and_google_in_messages_are_read(asking: Json) -> None:
    turn = traced(asking, chat(ASKED, [assistant("It costs 500.")]))
    assert called(turn) == (["price", "stock"], True, True)
    assert [each.args for each in turn.calls] == [{"item": "phone"}, {"shop": "north"}]


def choice(**body: Any) -> Json:
    """A model span whose answer is an event."""
    written = {key: value if isinstance(value, str) else json.dumps(value) for key, value in body.items()}
    told = {"name": "gen_ai.user.message", "attributes": typed({"content": "Price?"})}
    return chat(events=[told, {"name": "gen_ai.choice", "attributes": typed(written)}])


def test_messages_in_json_texts_of_events_are_read() -> None:
    turn = traced(
        choice(finish_reason="tool_calls", message={"role": "assistant", "tool_calls": OPENAI}),
        choice(finish_reason="stop", message={"role": "assistant", "content": "It costs 500."}),
    )
    assert (called(turn), turn.response) == ((["price", "stock"], True, True), "It costs 500.")
    assert traced(choice(message="5")).response == "5"


@pytest.mark.parametrize(
    "asking",
    [
        chat(ASKED, [assistant("Wait.", {"type": "tool_use", "name": "price", "input": {}})]),
        chat(ASKED, [{"role": "assistant", "content": [text("Wait."), {"type": "tool_use", "name": "price"}]}]),
        chat(ASKED, [assistant({"type": "server_tool_call", "name": "price", "server_tool_call": {"type": "x"}})]),
        chat(ASKED, [assistant({**PRICE, "type": "function"})]),
        chat(ASKED, [assistant({**PRICE, "name": None})]),
        chat(ASKED, [assistant({**text("Wait."), "tool_calls": [PRICE]})]),
        chat(ASKED, [{**assistant("Wait."), "tool_calls": OPENAI}]),
        chat(ASKED, [{**assistant("Wait."), "calls": OPENAI}]),
        chat(ASKED, [{**assistant("Wait."), "finish_reason": "tool_call"}]),
        chat(ASKED, [{"messages": [assistant(PRICE)]}]),
        chat(ASKED, [{"role": "assistant", "parts": {"0": PRICE}}]),
        chat(ASKED, [assistant("Wait."), "price()"]),  # type: ignore[list-item]
        chat(ASKED, [google({"text": "Let me look."}, *GOOGLE)]),
        chat(ASKED, [{"role": "assistant", "content": [{"text": "Wait."}, {"toolUse": {"name": "price"}}]}]),
        chat(ASKED, [google({"toolUse": {"name": "price", "input": {}}})]),
        adk([google({"text": "Price?"}, role="user")], {"content": google({"text": "Wait.", "tool_calls": OPENAI})}),
        adk([google({"text": "Price?"}, role="user")], {"content": google({"text": "Wait."}), "calls": OPENAI}),
        adk([google({"text": "Price?"}, role="user")], {"content": [google(*GOOGLE)]}),
        choice(finish_reason="tool_use"),
        choice(content="Wait.", calls=OPENAI),
        span(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.prompt.0.content": "Price?",
                "gen_ai.completion.0.content": "Wait.",
                "gen_ai.completion.0.function_call.name": "price",
            }
        ),
    ],
)
def test_what_may_be_a_call_makes_the_calls_of_its_turn_not_recorded(asking: Json) -> None:
    known, done = chat(ASKED, [assistant(STOCK)]), chat(ASKED, [assistant("It costs 500.")])
    assert called(traced(asking, known, done)) == (["stock"], False, True)
    assert called(traced(asking, attributes=WHOLE)) == ([], False, True)
    around = agent(WHOLE)
    assert "cannot be read and may be" in warnings(export([around, {**asking, "parentSpanId": around["spanId"]}]))[-1]


def test_what_nobody_reads_is_no_call_where_spans_have_all_calls() -> None:
    said = [assistant({"type": "tool_use", "name": "price", "input": {}})]
    one, two, done = chat(ASKED, said), chat(ASKED, said), chat(ASKED, [assistant("It costs 500.")])
    assert called(traced(one, tool("price", {}), done)) == (["price"], True, True)
    assert called(traced(one, two, tool("price", {}), done)) == (["price"], False, True)


@pytest.mark.parametrize("kind", ["reasoning", "thinking", "blob", "file", "uri", "image_url"])
def test_parts_that_are_known_to_be_no_calls_hide_none(kind: str) -> None:
    turn = traced(chat(ASKED, [assistant({"type": kind, "content": "x"}, "It costs 500.")]))
    assert (called(turn), turn.response) == (([], True, True), "It costs 500.")


@pytest.mark.parametrize("strange", [[text("Red")], {"text": "Red"}])
def test_a_list_or_an_object_in_the_place_of_a_text_is_no_text(strange: object) -> None:
    part = {"type": "text", "content": strange}
    said = {**WHOLE, "gen_ai.output.messages": json.dumps([assistant("It is ", part)])}
    turn = traced(attributes=said)
    assert (turn.response, "response" in turn.unrecorded) == ("", True)
    turn = traced(chat([user("Earlier"), assistant("Yes"), assistant(part) | {"role": "user"}], [assistant("Red")]))
    assert (turn.user_text, turn.response, turn.unrecorded) == ("", "Red", {"user_text"})


def test_arguments_beside_other_members_are_not_recorded_where_they_are_empty() -> None:
    for call, is_told in (
        ({**PRICE, "arguments": {}, "input": {"item": "phone"}}, False),
        ({**PRICE, "input": {"item": "phone"}}, True),
        ({**PRICE, "arguments": {}}, True),
    ):
        turn = traced(chat(ASKED, [assistant(call)]), chat([*ASKED, tells("x", "k0")], [assistant("It costs 500.")]))
        assert ("arguments" not in turn.unrecorded, "calls" in turn.unrecorded) == (is_told, False)
