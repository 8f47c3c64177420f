"""New cases and turns: where they go, and that they look as their neighbours do."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import add_case, add_turn
from evaltui.evalset.set_views import EvalCaseView, EvalSetView
from tests.evalset.editing.layouts import in_each_layout
from tests.evalset.helpers import first_turn, layers, revised
from tests.evalset.sets import EVENTS, LISTED


def sample(case: str) -> Any:
    """A set of two cases in snake or camel case, its members in an order that no writer gives them."""
    names = ("eval_id", "session_input", "app_name", "user_id", "user_content", "final_response", "invocation_id")
    if case == "camel":
        names = ("evalId", "sessionInput", "appName", "userId", "userContent", "finalResponse", "invocationId")
    eval_id, session, app, user, said, answered, identifier = names

    def turn(number: int, user_text: str, answer: str) -> Any:
        saying = {"role": "user", "parts": [{"text": user_text}]}
        answering = {"role": "model", "parts": [{"text": answer}]}
        return {said: saying, answered: answering, identifier: f"inv-{number}"}

    def one(name: str, turns: list[Any], state: Any) -> Any:
        return {session: {user: "u", app: "x", "state": state}, "conversation": turns, eval_id: name}

    cases = [
        one("a-1", [turn(1, "Hi", "Hello"), turn(2, "Bye", "Bye")], {"vip": True}),
        one("a-2", [turn(1, "x", "y")], {}),
    ]
    return {"eval_set_id": "s", "eval_cases": cases}, one("a-3", [turn(1, "", "")], {}), turn(3, "", "")


@in_each_layout
@pytest.mark.parametrize("spelling", ["snake", "camel"])
@pytest.mark.parametrize("after", [0, 1, None])
def test_a_new_case_looks_like_the_others(laid_out: Callable[[Any], str], spelling: str, after: int | None) -> None:
    value, case, _ = sample(spelling)
    source = laid_out(value)
    result = revised(source, lambda s: add_case(s, s.cases[after] if after is not None else None))
    value["eval_cases"].insert(2 if after is None else after + 1, case)
    assert result.text == laid_out(value)
    assert result.revision.label == "add case a-3"


@in_each_layout
@pytest.mark.parametrize("spelling", ["snake", "camel"])
@pytest.mark.parametrize("after", [0, 1, None])
def test_a_new_turn_looks_like_the_others(laid_out: Callable[[Any], str], spelling: str, after: int | None) -> None:
    value, _, turn = sample(spelling)
    turns = value["eval_cases"][0]["conversation"]

    def make(eval_set: EvalSetView) -> Revision:
        case = eval_set.cases[0]
        return add_turn(eval_set, case, EvalCaseView(case).invocations[after] if after is not None else None)

    result = revised(laid_out(value), make)
    turns.insert(2 if after is None else after + 1, turn)
    assert result.text == laid_out(value)
    assert result.revision.label == "add turn to a-1"


def test_a_new_case_keeps_to_the_lines_of_one_laid_out_by_hand() -> None:
    result = revised(LISTED, lambda s: add_case(s, s.cases[0]))
    end = "    }\n  ]\n}\n"
    assert result.text == LISTED.removesuffix(end) + """    },
    {
      "eval_id": "paris-2",
      "conversation": [
        {
          "invocation_id": "inv-1",
          "user_content": {"role": "user", "parts": [{"text": ""}]},
          "final_response": {"role": "model", "parts": [{"text": ""}]}
        }
      ],
      "session_input": {"user_id": "u", "app_name": "travel", "state": {}}
""" + end  # fmt: skip


def test_a_new_turn_keeps_to_tabs_crlf_and_short_objects_on_one_line() -> None:
    result = revised(EVENTS, lambda s: add_turn(s, s.cases[0], first_turn(s)))
    end = '"e-1"\r\n\t\t\t\t}'
    assert result.text == EVENTS.replace(end, end + """,
				{
					"userContent": {"parts": [{"text": ""}], "role": "user"},
					"invocationId": "e-2"
				}""".replace("\n", "\r\n"))  # fmt: skip


NEW_TURN = {"invocation_id": "inv-1", "user_content": {"parts": [{"text": ""}], "role": "user"}}
NEW_CASE = {"eval_id": "case_1", "conversation": [NEW_TURN]}


@pytest.mark.parametrize(
    "before", ['"eval_cases": [ ]', '"eval_cases": null', '"eval_cases": {}', '"eval_cases": "x"', ""]
)
def test_the_first_case_brings_the_list_along(before: str) -> None:
    source = '{"eval_set_id": "s"%s}' % (f", {before}" if before else "")
    result = revised(source, lambda s: add_case(s, None))
    assert layers(result.value) == layers({"eval_set_id": "s", "eval_cases": [NEW_CASE]})
    assert result.revision.label == "add case case_1"


@pytest.mark.parametrize(
    ("case", "turn"),
    [
        ({"eval_id": "a"}, NEW_TURN),
        ({"eval_id": "a", "conversation": None}, NEW_TURN),
        ({"eval_id": "a", "conversation": []}, NEW_TURN),
        ({"evalId": "a", "conversation": {}}, {"invocationId": "inv-1", "userContent": NEW_TURN["user_content"]}),
    ],
)
def test_the_first_turn_brings_the_conversation_along(case: Any, turn: Any) -> None:
    result = revised(json.dumps({"eval_cases": [case]}), lambda s: add_turn(s, s.cases[0], None))
    assert layers(result.value) == layers({"eval_cases": [{**case, "conversation": [turn]}]})


@pytest.mark.parametrize("near", [5, "x", None, [], {}])
def test_a_case_can_be_added_beside_a_broken_one(near: Any) -> None:
    def behind(eval_set: EvalSetView) -> Node:
        return eval_set.cases[0]

    result = revised(json.dumps({"eval_cases": [near]}), lambda s: add_case(s, behind(s)))
    assert result.value == {"eval_cases": [near, NEW_CASE]}


def test_an_id_that_acts_on_terminals_does_not_in_the_label() -> None:
    result = revised('{"eval_cases": [{"eval_id": "red\\u001b[m 1"}]}', lambda s: add_case(s, s.cases[0]))
    assert result.value["eval_cases"][1]["eval_id"] == "red\x1b[m 2"
    assert result.revision.label == "add case red␛[m 2"
