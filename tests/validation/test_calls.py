"""Names of tools and how their responses pair with calls."""

import unicodedata
from typing import Any

from .findings import case, fixed, found_in, said_of, set_of, turn, with_calls

DATA = "/eval_cases/0/conversation/0/intermediate_data"
COMPOSED = "find_caf\u00e9"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def call(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "args": {}, **members}


def response(name: str, **members: Any) -> dict[str, Any]:
    return {"name": name, "response": {"name": name}, **members}


def test_of_calls_without_any_ids_each_gets_the_last_response() -> None:
    data = set_of(with_calls([call("f"), call("g")], [response("f"), response("g")]))
    (found,) = found_in(data)
    assert (found.code, found.severity, found.pointer) == ("calls-without-ids", "info", f"{DATA}/tool_uses/0/id")
    assert found.fix is not None
    assert found.fix.safe
    made = fixed(data, "calls-without-ids")["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert [each["id"] for each in made["tool_uses"]] == ["call_1", "call_2"]
    assert [each["id"] for each in made["tool_responses"]] == ["call_1", "call_2"]


def test_where_the_order_differs_nobody_can_tell_the_pairs() -> None:
    (found,) = found_in(set_of(with_calls([call("f"), call("g")], [response("g"), response("f")])))
    assert found.code == "calls-without-ids"
    assert found.fix is None


def test_one_call_or_calls_without_responses_need_no_ids() -> None:
    assert said_of(set_of(with_calls([call("f")], [response("f")]))) == []
    assert said_of(set_of(with_calls([call("f"), call("g")]))) == []


def test_calls_without_ids_among_events() -> None:
    parts = [{"function_call": call("f")}, {"function_call": call("g")}, {"function_response": response("g")}]
    events = [{"author": "desk", "content": {"parts": parts}}]
    data = set_of(case(turn(intermediate_data={"invocation_events": events})))
    at = f"{DATA}/invocation_events/0/content/parts/0/function_call/id"
    assert said_of(data) == [("calls-without-ids", at)]


def test_the_name_of_a_tool_is_to_be_composed() -> None:
    data = set_of(with_calls([call(DECOMPOSED)]))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("name-not-composed", f"{DATA}/tool_uses/0/name")
    assert found.fix is not None
    assert not found.fix.safe
    made = fixed(data, "name-not-composed")
    assert made["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]["name"] == COMPOSED
    assert said_of(set_of(with_calls([call(COMPOSED)]))) == []


def test_blanks_around_the_names_of_a_session_are_taken_away() -> None:
    data = set_of(case(session_input={"app_name": "desk ", "user_id": "user"}))
    assert said_of(data) == [("blanks-around", "/eval_cases/0/session_input/app_name")]
    assert fixed(data, "blanks-around")["eval_cases"][0]["session_input"]["app_name"] == "desk"
