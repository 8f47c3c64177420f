"""New cases and turns: where they go, that they look as their neighbours do, and the ids of new calls."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.editing.new_ids import new_call_id
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.templates import add_case, add_turn, new_case, new_turn
from tests.evalset.editing.layouts import in_each_layout
from tests.evalset.helpers import first_turn, layers, revised, set_of
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

    def make(eval_set: CaseFile) -> Revision:
        case = eval_set.cases[0]
        return add_turn(eval_set, case, turns_of(case)[after] if after is not None else None)

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
          "invocation_id": "inv-2",
          "user_content": {"role": "user", "parts": [{"text": ""}]},
          "final_response": {"role": "model", "parts": [{"text": ""}]}
        }
      ],
      "session_input": {"user_id": "u", "app_name": "travel", "state": {}}
""" + end  # fmt: skip


@pytest.mark.parametrize(("users", "expected"), [(("u", "u"), "u"), (("u", None), "u"), (("u", "v"), None)])
def test_a_new_case_gets_the_user_only_if_all_cases_around_it_share_the_user(
    users: tuple[str, str | None], expected: str | None
) -> None:
    cases = [
        {"eval_id": f"a-{number}", **({"session_input": {"app_name": "x", "user_id": user}} if user else {})}
        for number, user in enumerate(users, 1)
    ]
    result = revised(json.dumps({"eval_set_id": "s", "eval_cases": cases}), lambda s: add_case(s, s.cases[0]))
    session = result.value["eval_cases"][1].get("session_input")
    assert session == ({"app_name": "x", "user_id": expected} if expected else None)


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
    def behind(eval_set: CaseFile) -> Node:
        return eval_set.cases[0]

    result = revised(json.dumps({"eval_cases": [near]}), lambda s: add_case(s, behind(s)))
    assert result.value == {"eval_cases": [near, {**NEW_CASE, "eval_id": "case_2"}]}


def test_an_id_that_acts_on_terminals_does_not_in_the_label() -> None:
    result = revised('{"eval_cases": [{"eval_id": "red\\u001b[m 1"}]}', lambda s: add_case(s, s.cases[0]))
    assert result.value["eval_cases"][1]["eval_id"] == "red\x1b[m 2"
    assert result.revision.label == "add case red␛[m 2"


TEXT = [{"text": ""}]
SAYING = {"parts": [{"text": "Hello"}], "role": "user"}
LONG_ID = "e-3fdc7ba0-5b9a-4f0e-9d2c-6f1f1a0c2b11"


@pytest.mark.parametrize(
    ("turns", "after", "turn"),
    [
        ([], None, {"invocation_id": "inv-1", "user_content": {"parts": TEXT, "role": "user"}}),
        (
            [{"user_content": SAYING, "invocation_id": "inv-1"}, {"invocation_id": "inv-2", "user_content": SAYING}],
            0,
            {"user_content": {"parts": TEXT, "role": "user"}, "invocation_id": "inv-3"},
        ),
        (
            [{"finalResponse": {"role": "assistant", "parts": []}, "userContent": None}],
            0,
            {"finalResponse": {"role": "assistant", "parts": TEXT}, "userContent": {"parts": TEXT, "role": "user"}},
        ),
        (["broken"], 0, {"user_content": {"parts": TEXT, "role": "user"}}),
    ],
    ids=["first", "order and next id", "camel, no id, other role", "broken"],
)
def test_a_new_turn_is_like_its_neighbour_in_keys_order_and_shape(turns: Any, after: Any, turn: Any) -> None:
    case = set_of({"eval_id": "a", "conversation": turns}).cases[0]
    made = new_turn(case, turns_of(case)[after] if after is not None else None)
    assert layers(made) == layers(turn)


def test_new_turns_have_a_uuid_where_the_others_have() -> None:
    case = set_of({"conversation": [{"invocation_id": LONG_ID}]}).cases[0]
    identifier = new_turn(case, None)["invocation_id"]
    assert (identifier[:2], len(identifier), identifier == LONG_ID) == ("e-", len(LONG_ID), False)


@pytest.mark.parametrize(
    ("identifier", "pattern"),
    [("inv-1", "inv-2"), ("turn-0001", "turn-0002"), (LONG_ID, f"e-[0-9a-f-]{{36}}(?<!{LONG_ID})"), (None, "")],
)
def test_the_first_turn_of_a_new_case_has_its_own_id_in_the_style_of_the_set(identifier: Any, pattern: str) -> None:
    eval_set = set_of({"eval_id": "a", "conversation": [{"invocation_id": identifier}]})
    turn = new_case(eval_set, None)["conversation"][0]
    assert re.fullmatch(pattern, turn.get("invocation_id", ""))
    assert ("invocation_id" in turn) is bool(identifier)


def ids_of(*cases: list[str | None]) -> CaseFile:
    """A set whose cases have turns with these ids."""
    return set_of(
        *(
            {"eval_id": f"c{number}", "conversation": [{"invocation_id": one} if one else {} for one in ids]}
            for number, ids in enumerate(cases)
        )
    )


@pytest.mark.parametrize(
    ("cases", "after", "of_case", "of_turn"),
    [
        ([["flight-1", "flight-2"], ["hello-1"], ["visa-1"]], 0, "inv-1", "flight-3"),
        ([["flight-1"], ["inv-1"], ["visa-1"]], 0, "inv-2", "flight-2"),
        ([["greet_01"], ["book_01", "book_02"]], 0, "inv_01", "greet_02"),
        ([["hello"], ["book"]], 0, "inv-1", "hello_2"),
        ([["turn-1", "turn-2"], ["turn-3"]], 0, "turn-4", "turn-4"),
        ([["turn-1"], ["turn-2", "turn-3"]], None, "turn-4", "turn-4"),
        ([["inv-1", "inv-2"], ["inv-1"], ["inv-1"]], 0, "inv-1", "inv-3"),
        ([[], ["inv-1"]], 0, "inv-2", "inv-2"),
        ([[], [None]], 0, None, None),
        ([[None], [None]], None, None, None),
    ],
    ids=[
        *("a prefix for each case", "a taken id", "other style", "no number", "one series", "at the end"),
        *("each case counts from 1", "no turn yet", "no turn and no ids beside it", "no ids"),
    ],
)
def test_ids_of_new_turns_are_unique_in_the_set_and_in_its_style(
    cases: list[list[str | None]], after: int | None, of_case: str | None, of_turn: str | None
) -> None:
    eval_set = ids_of(*cases)
    near = eval_set.cases[after if after is not None else -1]
    assert new_case(eval_set, near if after is not None else None)["conversation"][0].get("invocation_id") == of_case
    (insert,) = add_turn(eval_set, near, None).edits
    assert json.loads(insert.source).get("invocation_id") == of_turn  # type: ignore[union-attr]


def called(*ids: str | None) -> dict[str, Any]:
    """A turn whose calls have these ids."""
    calls = [{"name": "f", **({} if one is None else {"id": one})} for one in ids]
    return {"user_content": {}, "intermediate_data": {"tool_uses": calls, "tool_responses": [{"id": "c6"}]}}


@pytest.mark.parametrize(
    ("cases", "identifier"),
    [
        ([[called()]], "call_1"),
        ([[called("c1", "c2")]], "c3"),
        ([[called("c5")]], "c7"),
        ([[called("c1"), called("c2"), called("x")]], "c3"),
        ([[called(None)]], ""),
        ([[called()], [called(None)]], ""),
        ([[called()], [called("t-7", "t-8")]], "t-1"),
        ([[called()], [called("call_02"), called("call_03")]], "call_01"),
        ([[called()], [called("c6", "c7")], [called("c6")]], "c1"),
        ([[called()], [called("c1", "c2")], [called("c3")]], "c4"),
        ([[called(), called("u3")]], "u4"),
    ],
)
def test_a_new_call_has_an_id_where_those_nearby_have_one(cases: Any, identifier: str) -> None:
    eval_set = set_of(*({"eval_id": "a", "conversation": turns} for turns in cases))
    assert new_call_id(eval_set, first_turn(eval_set)) == identifier


@pytest.mark.parametrize(
    ("cases", "here", "identifier"),
    [
        ([["a1"], ["b1"], [], ["c1"]], 2, "b2"),
        ([["a1"], [], [], ["c1"]], 2, "a2"),
        ([[], [], ["c1"], ["d1"]], 1, "c2"),
        ([["a1"], *[[]] * 17, ["d1"]], 9, "call_1"),
    ],
)
def test_the_first_call_of_a_case_has_an_id_like_the_case_before_else_the_one_behind(
    cases: list[list[str]], here: int, identifier: str
) -> None:
    eval_set = set_of(*({"eval_id": "a", "conversation": [called(*ids)]} for ids in cases))
    assert new_call_id(eval_set, turns_of(eval_set.cases[here])[0]) == identifier
