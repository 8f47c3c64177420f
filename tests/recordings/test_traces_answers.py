"""Answers in traces that were cut off, hidden or mixed with others: no text or call is made of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.evalset.turn import Turn
from tests.recordings.spans import Json, agent, any_value, assistant, chat, export, read, tool, typed, user, warnings

ASKED = [user("Price?")]
PHONE = {"item": "phone"}
CUT = "an attribute length limit may have cut them off"


def around(*inner: Json, **outer: Any) -> Json:
    """A trace of an agent with these spans."""
    outermost = agent(**outer)
    return export([outermost, *({**each, "parentSpanId": outermost["spanId"]} for each in inner)])


def traced(*inner: Json, **outer: Any) -> Turn:
    (conversation,) = read(around(*inner, **outer))
    (turn,) = conversation.turns
    return turn


def said(*messages: Json) -> Json:
    """The attributes of an agent that answers with these messages."""
    told = {"input": ASKED, "output": list(messages)}
    return {f"gen_ai.{way}.messages": json.dumps(each) for way, each in told.items()}


def missing(turn: Turn) -> tuple[str, set[str]]:
    return turn.response, set(turn.unrecorded)


# --- values of attributes ---------------------------------------------------------------------------------------


def with_arguments(value: object) -> Json:
    """A tool span whose arguments have this value."""
    found = tool("price")
    found["attributes"].append({"key": "gen_ai.tool.call.arguments", "value": value})
    return found


def listed(*values: object) -> Json:
    return {"kvlistValue": {"values": [{"key": "item", "value": each} for each in values]}}


@pytest.mark.parametrize(
    "value",
    [
        *(listed(each) for each in ({"string_value": "phone"}, "phone", 5, {"stringValue": ["phone"]})),
        *(listed(each) for each in ({"stringValue": None}, {"intValue": "abc"}, {"intValue": 1.5}, {"intValue": True})),
        *(listed(each) for each in ({"boolValue": "false"}, {"doubleValue": "much"}, {"arrayValue": {"values": "x"}})),
        listed({"arrayValue": {"values": ["phone"]}}),
        listed({"kvlistValue": {"values": [{"value": {"stringValue": "phone"}}]}}),
        *({"kvlistValue": each} for each in ({"values": PHONE}, {"fields": PHONE}, [], None, {"values": ["item"]})),
    ],
)
def test_arguments_with_a_value_that_cannot_be_read_are_not_recorded(value: object) -> None:
    inner = with_arguments(value)
    assert missing(traced(inner, attributes=said(assistant("500")))) == ("500", {"calls", "arguments"})
    assert warnings(around(inner, attributes=said(assistant("500"))))[0] == "1 attribute cannot be read and is skipped"


def test_values_that_are_empty_are_read() -> None:
    for value, args in (
        (
            any_value({"item": None, "sizes": [], "more": {}, "all": False}),
            {"item": None, "sizes": [], "more": {}, "all": False},
        ),
        ({"kvlistValue": {}}, {}),
        (listed({"arrayValue": {}}), {"item": []}),
        ({"kvlistValue": {"values": [{"key": "item"}]}}, {"item": None}),
    ):
        turn = traced(with_arguments(value), attributes=said(assistant("500")))
        assert (turn.calls[0].args, turn.unrecorded) == (args, set())


def test_messages_with_a_value_that_cannot_be_read_are_not_recorded() -> None:
    message = any_value([{"role": "assistant", "content": "It costs "}])
    message["arrayValue"]["values"].append("500")
    outer = agent()
    outer["attributes"] += [
        *typed({"gen_ai.input.messages": json.dumps(ASKED)}),
        {"key": "gen_ai.output.messages", "value": message},
    ]
    ((turn,),) = (each.turns for each in read(export([outer])))
    assert missing(turn) == ("", {"calls", "response"})
    record = {"traceId": f"{1:032x}", "eventName": "gen_ai.choice", "body": listed("x")}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    assert [set(turn.unrecorded) for each in read(export([chat(ASKED)]), logs) for turn in each.turns] == [
        {"calls", "response"}
    ]
