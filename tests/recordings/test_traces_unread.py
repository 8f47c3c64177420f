"""Parts of messages that nobody reads, spans that are skipped, and traces that end early: nothing is made of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.turn import Turn
from evaltui.recordings.recording_file import open_recording
from tests.recordings.spans import (
    Json,
    agent,
    asks,
    assistant,
    chat,
    export,
    in_form_of_jaeger,
    printed,
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
    assert called(turn) == (["price"], False, False)


@pytest.mark.parametrize(
    ("inner", "outer", "tells_calls"),
    [
        ([chat(ASKED, [assistant(PRICE)]), tool("price", {})], {}, False),
        ([chat(ASKED, [assistant(PRICE)]), tool("price", {}), chat(ASKED)], {}, False),
        ([tool("price", {})], {"gen_ai.input.messages": json.dumps(ASKED)}, False),
        ([chat(ASKED, [assistant(PRICE)]), tool("price", {}), chat(ASKED, [assistant("It costs 500.")])], {}, True),
        ([chat(ASKED, [assistant(PRICE)]), tool("price", {})], WHOLE, True),
        ([chat(ASKED), tool("price", {})], {}, True),
        ([chat(), tool("price", {})], {}, True),
    ],
)
def test_a_turn_that_ends_early_may_lack_calls(inner: list[Json], outer: Json, tells_calls: bool) -> None:
    turn = traced(*inner, attributes=outer)
    assert called(turn)[:2] == (["price"], tells_calls)
    around = agent(outer)
    said = "\n".join(warnings(export([around, *({**each, "parentSpanId": around["spanId"]} for each in inner)])))
    assert ("further tool calls may be missing" in said) is not tells_calls


def test_a_turn_that_failed_has_the_calls_before_the_failure() -> None:
    turn = traced(chat(ASKED, [assistant(PRICE)]), tool("price", {}), status={"code": 2})
    assert (called(turn), turn.failure) == ((["price"], True, True), "an error")


# --- agents: what they say of their calls ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "own",
    [
        {"output": [assistant(PRICE, STOCK), tells("x", "k0"), tells("y", "k1"), assistant("It costs 500.")]},
        {"output": [assistant(PRICE, STOCK, "It costs 500.")]},
        {"output": [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "price"}}]}]},
        {"input": [*ASKED, assistant(PRICE, STOCK), tells("x", "k0"), tells("y", "k1")]},
        {"input": [*ASKED, tells("x", "k0")]},
        {"input": [*ASKED, assistant({"type": "tool_use", "name": "price", "input": {}})]},
    ],
)
def test_calls_in_the_messages_of_an_agent_are_calls(own: dict[str, list[Json]]) -> None:
    said = {**WHOLE, **{f"gen_ai.{way}.messages": json.dumps(messages) for way, messages in own.items()}}
    answered = chat(ASKED, [assistant("It costs 500.")])
    assert called(traced(answered, attributes=said))[:2] == ([], False)
    if "use" not in str(said):
        both = called(traced(answered, tool("price", {}), tool("stock", {}), attributes=said))
        assert both[1] is ("input" in own or len(own["output"]) > 1)


def test_calls_of_earlier_turns_in_the_messages_of_an_agent_are_not_of_this_turn() -> None:
    history = [user("Stock?"), assistant(STOCK), tells("x", "k1"), assistant("Yes."), *ASKED]
    said = {**WHOLE, "gen_ai.input.messages": json.dumps(history)}
    assert called(traced(chat(ASKED, [assistant("It costs 500.")]), attributes=said)) == ([], True, True)


@pytest.mark.parametrize(
    "strange",
    [
        {"operation.name": "ai.toolCall", "ai.toolCall.name": "price"},
        {"langsmith.span.kind": "tool"},
        {"mcp.method.name": "tools/call", "mcp.tool.name": "price"},
        {"openinference.span.kind": "LLM", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "a"},
        {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"},
        {"gen_ai.operation.name": "chat", "gen_ai.completion": "[]"},
        {"http.method": "POST"},
    ],
)
def test_spans_that_tell_no_calls_are_no_proof_that_there_are_none(strange: Json) -> None:
    assert called(traced(span(strange), attributes=WHOLE)) == ([], False, True)
    assert called(traced(attributes=WHOLE)) == ([], False, True)
    answered = chat(ASKED, [assistant("It costs 500.")])
    assert called(traced(answered, attributes=WHOLE)) == ([], True, True)
    assert called(traced(answered, chat(), attributes=WHOLE)) == ([], False, True)


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


# --- what is skipped ------------------------------------------------------------------------------------------


def whole(trace: int = 1) -> list[Json]:
    """An agent with two tools."""
    around = agent(WHOLE, trace=trace)
    return [around, tool("price", {}, within=around), tool("stock", {}, within=around)]


def told(*documents: Any, **others: Any) -> list[tuple[list[str | None], bool, bool]]:
    return [called(turn) for each in read(*documents, **others) for turn in each.turns]


STRANGE_EVENTS: list[object] = [[5], "x", [{"attributes": []}], [{"name": "gen_ai.content.completion"}]]
BAD_ATTRIBUTES: list[object] = ["x", {}, [5], [{"key": "gen_ai.operation.name", "value": "execute_tool"}]]


@pytest.mark.parametrize(
    "skipped",
    [
        {"parentSpanId": "f" * 16},
        {"spanId": ""},
        *({"events": each} for each in STRANGE_EVENTS),
        {"droppedAttributesCount": 3},
        {"attributes": None, "name": "execute_tool price"},
        *({"attributes": empty, "attrs": typed({"gen_ai.tool.name": "price"})} for empty in (None, [])),
        *({"attributes": each, "name": "execute_tool price"} for each in BAD_ATTRIBUTES),
        *(
            {"name": "price", "attributes": typed({**named, "gen_ai.tool.call.arguments": "{}"})}
            for named in (
                {"gen_ai.tool.name": "price"},
                {"gen_ai.tool.name": "price", "gen_ai.operation.name": "EXECUTE_TOOL"},
                {"openinference.span.kind": "TOOL", "tool.name": "price"},
                {"traceloop.span.kind": "tool", "traceloop.entity.name": "price"},
            )
        ),
    ],
)
def test_a_tool_that_is_skipped_makes_the_calls_of_its_turn_not_recorded(skipped: Json) -> None:
    around, price, stock = whole()
    ((names, tells_calls, tells_response),) = told(export([around, {**price, **skipped}, stock]))
    assert (names[-1], tells_calls, tells_response) == ("stock", False, True)
    both = told(export([around, {**price, **skipped}, stock, *whole(trace=2)]))
    assert both[1] == (["price", "stock"], skipped != {"spanId": ""} or both[1][1], True)
    assert warnings(export([around, {**price, **skipped}, stock])) != ()


@pytest.mark.parametrize(
    "strange",
    [
        {"openinference.span.kind": "CHAIN"},
        {"traceloop.span.kind": "workflow"},
        {"gen_ai.operation.name": "create_agent"},
        {"gen_ai.operation.name": "invoke_node"},
        {"gen_ai.operation.name": "compact_events"},
        {"http.method": "GET"},
        {},
    ],
)
def test_spans_that_are_no_tools_hide_none(strange: Json) -> None:
    around, price, stock = whole()
    assert told(export([around, price, stock, span(strange, within=around)])) == [(["price", "stock"], True, True)]


def test_a_strange_tool_around_or_within_a_tool_is_the_same_call() -> None:
    around = agent(WHOLE)
    outer = span({"traceloop.span.kind": "tool"}, within=around)
    price = tool("price", {}, within=outer)
    inner = span({"openinference.span.kind": "TOOL"}, within=price)
    assert told(export([around, outer, price, inner])) == [(["price"], True, True)]


@pytest.mark.parametrize("entry", [None, 5, {"foo": 1}, {"traceId": f"{1:032x}"}])
def test_an_entry_that_is_skipped_may_be_a_call_of_any_turn(entry: object) -> None:
    assert told(export(whole()), entry) == [(["price", "stock"], False, True)]
    assert [each.lacks_turns for each in read(export(whole()), entry)] == [True]


def test_members_that_may_hold_spans_are_counted() -> None:
    around, price, stock = whole()
    document = export([around, price])
    (group,) = document["resourceSpans"]
    for changed in (
        {"resourceSpans": [{**group, "spans": [stock]}]},
        {"resourceSpans": [group, {"scopeSpans": [{"scope": {}, "items": [stock]}]}]},
    ):
        assert told(changed) == [(["price"], False, True)]
    both = {**group, "instrumentationLibrarySpans": [{"spans": [stock]}]}
    assert told({"resourceSpans": [both]}) == [(["price", "stock"], True, True)]


def test_spans_beside_those_that_are_read_are_counted() -> None:
    around, price, stock = whole()
    both, beside = export([around, price]), export([stock])["resourceSpans"]
    for changed in (
        {**both, "batches": beside},
        {**both, "spans": [stock]},
        {**both, "trace": {"resourceSpans": beside}},
        export([{**around, "children": [stock]}, price]),
        export([{**around, "spans": {"1": stock}}, price]),
        [around, {**price, "children": [stock]}],
    ):
        assert [tells_calls for _, tells_calls, _ in told(changed)] in ([False], []), changed
        assert "may hold spans" in warnings(changed)[0], changed
    for harmless in ({**both, "version": 2}, {**both, "metadata": {"took": 5}}, {**both, "batches": []}):
        assert told(harmless) == [(["price"], True, True)]
    assert told(export([{**around, "tags": ["a"], "service": "x"}, price])) == [(["price"], True, True)]


def test_the_response_of_a_model_is_not_recorded_if_a_later_model_call_may_be_skipped() -> None:
    around = agent()
    asked, price = chat(ASKED, [assistant("It costs 500.")], within=around), tool("price", {}, within=around)
    assert told(export([around, price, asked])) == [(["price"], True, True)]
    assert told({**export([around, price, asked]), "spans": [asked]}) == [(["price"], False, False)]


def test_a_tool_within_the_same_tool_may_be_another_call() -> None:
    def nested(outer: Json, inner: Json, outer_id: str | None, inner_id: str | None) -> bool:
        around = agent(WHOLE)
        ids = ({"gen_ai.tool.call.id": each} if each else {} for each in (outer_id, inner_id))
        price = tool("price", json.dumps(outer), within=around, more=next(ids))
        within = tool("price", json.dumps(inner) if inner else None, within=price, more=next(ids))
        ((names, tells_calls, tells_response),) = told(export([around, price, within]))
        assert (names, tells_response) == (["price"], True)
        return tells_calls

    phone, other = {"item": "phone"}, {"item": "other"}
    assert not nested(phone, other, "k0", "zz")
    assert nested(phone, phone, "k0", "1"), "the server of a tool records an id of its own"
    assert nested(phone, {}, "k0", "1")
    assert nested(phone, other, "k0", "k0")
    assert nested(phone, other, "k0", None)


def test_a_gap_in_numbered_attributes_hides_a_message_or_a_call() -> None:
    def numbered(*keys: str) -> Json:
        named = {f"gen_ai.completion.{key}": "price" for key in keys}
        return span({"gen_ai.operation.name": "chat", "gen_ai.prompt.0.content": "Price?", **named})

    def answered(*keys: str) -> tuple[list[str | None], bool, bool]:
        return called(traced(numbered(*keys), chat(ASKED, [assistant("It costs 500.")])))

    assert answered("0.tool_calls.0.name", "0.tool_calls.1.name") == (["price", "price"], True, True)
    assert answered("0.tool_calls.1.name") == (["price"], False, True)
    assert called(traced(numbered("1.content"))) == ([], False, False)
    assert called(traced(numbered("0.content", "999999999.content"))) == ([], False, False)


def test_spans_of_one_id_that_differ_are_two_spans() -> None:
    around, price, stock = whole()
    assert told(export([around, price, {**stock, "spanId": price["spanId"]}])) == [(["price"], False, True)]
    assert told(export([around, price, stock, price])) == [(["price", "stock"], True, True)]


def test_a_tool_in_a_trace_without_a_turn_may_be_of_the_turns_of_its_time() -> None:
    first, second = whole(), whole(trace=2)
    during = tool("more", {}, trace=3, startTimeUnixNano=second[0]["startTimeUnixNano"])
    found = told(export([*first, *second, {**during, "endTimeUnixNano": second[0]["endTimeUnixNano"]}]))
    assert [tells_calls for _, tells_calls, _ in found] == [True, False]


def test_a_model_call_without_its_parent_may_be_of_the_agent() -> None:
    around, lost = agent(WHOLE), chat(ASKED, [assistant(PRICE)], parentSpanId="f" * 16)
    found = told(export([around, {**lost, "traceId": around["traceId"]}]))
    assert [tells_calls for _, tells_calls, _ in found] == [False, False]
    around = agent(WHOLE, parentSpanId="f" * 16)
    assert told(export([around, tool("price", {}, within=around)])) == [(["price"], True, True)]


def test_calls_that_a_model_was_told_of_but_that_are_not_recorded() -> None:
    history = [user("Stock?"), assistant(STOCK), tells("x", "k1"), assistant("Yes."), *ASKED]
    asking = chat(history, [assistant(PRICE)])
    done = chat([*history, assistant(PRICE), tells("x", "k0")], [assistant("It costs 500.")])
    assert called(traced(asking, done)) == (["price"], True, True)
    assert called(traced(done)) == ([], False, True)
    assert called(traced(chat([*ASKED, tells("x", "k0")], [assistant("It costs 500.")]))) == ([], False, True)
    assert called(traced(tool("stock", {}), done)) == (["stock"], False, True)
    assert called(traced(tool("price", {}), done)) == (["price"], True, True)
    around = agent(WHOLE)
    assert warnings(export([around, {**done, "parentSpanId": around["spanId"]}])) == (
        "1 turn has tool calls in the messages of its agent or to its model that are recorded nowhere else "
        f"(span {around['spanId']})",
    )


@pytest.mark.parametrize("more", [PRICE, STOCK])
@pytest.mark.parametrize("name", ["gen_ai.client.inference.operation.details", "gen_ai.choice"])
def test_calls_that_only_a_second_source_of_the_messages_has_are_not_recorded(name: str, more: Json) -> None:
    other = {"gen_ai.output.messages": json.dumps([assistant(more)])}
    if name == "gen_ai.choice":
        asked = {"function": {"name": more["name"], "arguments": "{}"}, "id": more["id"]}
        other = {"message": json.dumps({"tool_calls": [asked]})}
    repeated = chat(ASKED, [assistant(PRICE)], events=[{"name": name, "attributes": typed(other)}])
    done = chat([*ASKED, assistant(PRICE), tells("x", "k0")], [assistant("It costs 500.")])
    assert called(traced(repeated, done)) == (["price"], more == PRICE, True)


def in_jaeger(**changed: object) -> Json:
    spans = [in_form_of_jaeger(each) for each in whole()]
    written = {key: value(spans[1]) if callable(value) else value for key, value in changed.items()}
    return {"data": [{"traceID": "1", "spans": [spans[0], {**spans[1], **written}, spans[2]]}]}


DROPPED = ("otel.dropped_attributes_count", "otel.dropped_events_count")


def test_tools_of_jaeger_that_are_skipped_make_the_calls_not_recorded() -> None:
    assert told(in_jaeger(), format="jaeger") == [(["price", "stock"], True, True)]
    storage = in_jaeger(references=None, parentSpanID=lambda span: span["references"][0]["spanID"])
    assert told(storage, format="jaeger") == [(["price", "stock"], True, True)]
    for changed in (
        {"references": None},
        {"references": [{"refType": "FOLLOWS_FROM", "spanID": "1"}]},
        {"tags": None},
        {"tags": {"gen_ai.operation.name": "execute_tool"}},
        {"spanID": None},
        {"logs": {}},
        {"tags": [], "tag": {"gen_ai.operation.name": "execute_tool"}},
        *({"tags": lambda span, key=key: [*span["tags"], {"key": key, "value": 3}]} for key in DROPPED),
        {"children": [{"tags": []}]},
    ):
        assert told(in_jaeger(**changed), format="jaeger")[0][1] is False, changed


def test_lines_that_are_cut_may_be_calls(tmp_path: Path) -> None:
    lines = [json.dumps(export([each])) for each in whole()]
    for broken in ([lines[0], lines[1][:200], lines[2]], [lines[0], "\0" * 9, lines[2]], ['{"a": 1}', *lines]):
        assert of_file(tmp_path, "\n".join(broken)) == [False]
    assert of_file(tmp_path, "\n".join(lines)) == [True]


def test_printed_spans_that_are_cut_may_be_calls(tmp_path: Path) -> None:
    first, second, third = (json.dumps(printed(each), indent=4) for each in whole())
    for between in ("", "Calling tool\n", '{"level": "info", "trace_id": "0x1"}\n', "{'a': 1}\n"):
        assert of_file(tmp_path, f"Started\n{first}\n{between}{second}\n{between}{third}\n") == [True], between
    for broken in (
        f"{first}\nINFO {second}\n{third}",
        f"{first}\n{second[:40]}\n{third}",
        f"{first}\n{second.replace('parent_id', 'parent_id: print', 1)[:300]}\nprint\n{second[300:]}\n{third}",
        f'{first}\n{{"span": {second}}}\n{third}',
        f"{first}\n{second}\n{third[:40]}",
    ):
        assert of_file(tmp_path, broken) == [False], broken


def of_file(tmp_path: Path, text: str) -> list[bool]:
    """Whether the calls of each turn of a file are recorded."""
    (path := tmp_path / "spans.jsonl").write_text(text)
    return ["calls" not in turn.unrecorded for each in open_recording(path).conversations for turn in each.turns]


# --- order and conversations ----------------------------------------------------------------------------------


def test_without_a_start_time_the_order_of_turns_is_unknown() -> None:
    named = {"gen_ai.conversation.id": "c"}
    first, second = agent({**WHOLE, **named}), agent({**WHOLE, **named}, trace=2)
    (conversation,) = read(export([first, second]), multi_turn=True)
    assert (conversation.unread, len(conversation.turns)) == (None, 2)
    for lost in ({"startTimeUnixNano": None}, {"startTimeUnixNano": "0"}):
        (conversation,) = read(export([first, {**second, **lost}]), multi_turn=True)
        assert conversation.unread == "the order of its turns is unknown, because a span has no start time"
        assert [each.unread for each in read(export([first, {**second, **lost}]))] == [None, None]
        around, price, stock = whole()
        assert told(export([around, {**price, **lost}, stock]))[0][1] is False
        assert told(export([around, {**price, **lost}])) == [(["price"], True, True)]


def test_a_trace_that_names_no_conversation_may_have_turns_of_others() -> None:
    named = {"gen_ai.conversation.id": "c"}
    keys: list[Json] = [named, named, {}, {}]
    one, other, nameless, alone = (agent({**WHOLE, **key}, trace=at) for at, key in enumerate(keys, 1))
    for traces, lacks_turns in (
        ([one, other], [False]),
        ([nameless], [False]),
        ([one, nameless], [True, True]),
        ([alone, nameless], [True, True]),
        ([one, other, span(trace=5)], [False]),
    ):
        assert [each.lacks_turns for each in read(export(traces), multi_turn=True)] == lacks_turns
    assert [each.lacks_turns for each in read(export([one, nameless]))] == [False, False]


UNTYPED = {"text": "no type"}


def test_messages_that_nobody_reads_join_no_turns() -> None:
    asked = chat(ASKED, [assistant(PRICE)], STOPPED)
    later = chat([{"role": "tool", "parts": [UNTYPED]}], [assistant("It costs 500.")], trace=2)
    (conversation,) = read(export([asked, later], {"agentevals.session_name": "talk"}))
    assert [turn.invocation_id for turn in conversation.turns] == [asked["spanId"], later["spanId"]]


def test_a_user_message_that_cannot_be_read_is_not_taken_from_a_later_call() -> None:
    asked = chat([{"role": "user", "parts": [text("Price?"), UNTYPED]}], [assistant(PRICE)], STOPPED)
    later = chat([user("Stock?"), tells("500", "k0")], [assistant("It costs 500.")], trace=2)
    (conversation,) = read(export([asked, later], {"agentevals.session_name": "talk"}))
    (turn,) = conversation.turns
    assert turn.user_text == ""
    assert "user_text" in turn.unrecorded


def test_an_earlier_turn_in_the_messages_of_the_first_one_is_missing() -> None:
    history = [user("Price?"), assistant("It costs 500."), user("And red?")]
    later = chat(history, [assistant("It costs 600.")])
    (conversation,) = read(export([later], {"agentevals.session_name": "talk"}))
    assert conversation.lacks_turns
    first = chat([user("Price?")], [assistant("It costs 500.")], trace=2, startTimeUnixNano="1")
    (conversation,) = read(export([first, later], {"agentevals.session_name": "talk"}))
    assert (len(conversation.turns), conversation.lacks_turns) == (2, False)


def test_a_part_of_google_with_a_text_and_a_call_has_both() -> None:
    call = {"functionCall": {"name": "price", "args": {"item": "phone"}, "id": "k0"}}
    for beside in ({"text": "Let me look."}, {"text": ""}, {"text": "I think.", "thought": True}):
        asking = adk([google({"text": "Price?"}, role="user")], {"content": google({**beside, **call})})
        done = adk([google({"text": "Price?"}, role="user")], {"content": google({"text": "It costs 500."})})
        turn = traced(asking, done)
        assert called(turn) == (["price"], True, True)
        assert (turn.calls[0].args, turn.response) == ({"item": "phone"}, "It costs 500.")
        assert called(traced(asking))[2] is False


def test_an_item_of_another_type_is_no_text_although_it_has_one() -> None:
    def answered(kind: str | None) -> Turn:
        items = [{"type": kind, "text": "raw"}, {"type": "text", "text": "It costs 500."}]
        return traced(chat(ASKED, [{"role": "assistant", "content": items}]))

    for unknown in ("tool_result", "citation", "function_call_output"):
        assert called(answered(unknown)) == ([], False, False)
    for thought in ("thought", "summary_text", "reasoning_text"):
        assert (called(answered(thought)), answered(thought).response) == (([], True, True), "It costs 500.")
    for known in ("text", "output_text", "input_text", None):
        assert answered(known).response == "rawIt costs 500."
