"""Names of tools and how their responses pair with calls."""

import unicodedata
from typing import Any

import pytest

from tests.validation.findings import case, fixed, found_in, said_of, set_of, turn, with_calls

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


def events(*parts: dict[str, Any]) -> bytes:
    content = {"parts": list(parts)}
    return set_of(case(turn(intermediate_data={"invocation_events": [{"author": "desk", "content": content}]})))


def ids(data: bytes, code: str) -> list[list[str]]:
    """The ids of calls and of responses as the fix of a finding leaves them."""
    made = fixed(data, code)["eval_cases"][0]["conversation"][0]["intermediate_data"]
    return [[each.get("id", "") for each in made[name]] for name in ("tool_uses", "tool_responses")]


@pytest.mark.parametrize("members", [{}, {"name": ""}, {"name": None}])
def test_a_call_without_a_name(members: dict[str, Any]) -> None:
    at = f"{DATA}/tool_uses/0/name"
    assert said_of(set_of(with_calls([{"args": {}, **members}]))) == [("call-without-name", at)]


@pytest.mark.parametrize("members", [{}, {"args": None}])
def test_args_that_are_absent_are_made_empty(members: dict[str, Any]) -> None:
    data = set_of(with_calls([{"name": "f", **members}]))
    assert said_of(data) == [("args-absent", f"{DATA}/tool_uses/0/args")]
    made = fixed(data, "args-absent")["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert made == {"tool_uses": [{"name": "f", "args": {}}]}


def test_a_model_may_have_left_out_the_args_of_a_recorded_call() -> None:
    (found,) = found_in(events({"function_call": {"id": "c", "name": "exit_loop"}}))
    assert (found.code, found.severity) == ("args-absent", "info")
    assert found.fix is not None
    assert not found.fix.safe


def test_a_call_without_an_id_takes_that_of_its_response() -> None:
    data = set_of(with_calls([call("f"), call("g", id="c2")], [response("f", id="c1"), response("g", id="c2")]))
    assert said_of(data) == [("call-without-id", f"{DATA}/tool_uses/0/id")]
    assert ids(data, "call-without-id") == [["c1", "c2"], ["c1", "c2"]]


def test_a_call_without_an_id_gets_a_fresh_one_where_no_response_is_left() -> None:
    data = set_of(with_calls([call("f"), call("g", id="c2")], [response("g", id="c2")]))
    assert ids(data, "call-without-id") == [["c3", "c2"], ["c2"]]


def test_of_two_calls_with_one_id_the_later_takes_the_response_that_is_left() -> None:
    data = set_of(
        with_calls([call("f", id="c1"), call("g", id="c1")], [response("f", id="c1"), response("g", id="c2")])
    )
    assert said_of(data) == [("duplicate-call-id", f"{DATA}/tool_uses/1/id")]
    assert ids(data, "duplicate-call-id") == [["c1", "c2"], ["c1", "c2"]]


def test_a_response_takes_the_id_of_the_call_that_is_left() -> None:
    data = set_of(with_calls([call("f", id="c1"), call("g", id="c2")], [response("f", id="c1"), response("g", id="x")]))
    assert said_of(data) == [
        ("answer-without-call", f"{DATA}/tool_responses/1/id"),
        ("call-without-answer", f"{DATA}/tool_uses/1"),
    ]
    assert ids(data, "answer-without-call") == [["c1", "c2"], ["c1", "c2"]]


def test_a_call_without_a_name_and_a_response_is_an_unnamed_one() -> None:
    for name in ("", " "):
        found = found_in(set_of(with_calls([call("f", id="c1"), call(name, id="c2")], [response("f", id="c1")])))
        (said,) = (each.message for each in found if each.code == "call-without-answer")
        assert said == "an unnamed tool call has no tool response, but other calls of the turn have one"


def test_a_response_that_answers_nothing_is_left_as_it_is() -> None:
    found = found_in(set_of(with_calls([call("f", id="c1")], [response("f", id="c1"), response("h", id="x")])))
    assert [(each.code, each.pointer, each.fix) for each in found] == [
        ("answer-without-call", f"{DATA}/tool_responses/1/id", None)
    ]


def test_a_response_named_unlike_its_call() -> None:
    data = set_of(with_calls([call("f", id="c1")], [response("g", id="c1")]))
    assert said_of(data) == [("answer-name-differs", f"{DATA}/tool_responses/0/name")]
    made = fixed(data, "answer-name-differs")["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert made["tool_responses"][0]["name"] == "f"


def test_calls_that_pair_are_let_pass_in_either_shape() -> None:
    pair = call("f", id="c1"), response("f", id="c1")
    assert said_of(set_of(with_calls([pair[0]], [pair[1]]))) == []
    assert said_of(events({"function_call": pair[0]}, {"function_response": pair[1]})) == []
    assert said_of(set_of(with_calls([call("f", id="c1"), call("g", id="c2")]))) == []
