"""New turns, and the ids of new calls, like those a case already has."""

import re
from typing import Any

import pytest

from evaltui.evalset.editing.templates import new_call_id, new_case, new_turn
from evaltui.evalset.set_views import EvalCaseView
from tests.evalset.helpers import first_turn, layers, set_of

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
    case = EvalCaseView(set_of({"eval_id": "a", "conversation": turns}).cases[0])
    made = new_turn(case, case.invocations[after] if after is not None else None)
    assert layers(made) == layers(turn)


def test_new_turns_have_a_uuid_where_the_others_have() -> None:
    case = EvalCaseView(set_of({"conversation": [{"invocation_id": LONG_ID}]}).cases[0])
    identifier = new_turn(case, None)["invocation_id"]
    assert (identifier[:2], len(identifier), identifier == LONG_ID) == ("e-", len(LONG_ID), False)


@pytest.mark.parametrize(
    ("identifier", "pattern"),
    [("inv-1", "inv-1"), ("turn-0001", "turn-0002"), (LONG_ID, f"e-[0-9a-f-]{{36}}(?<!{LONG_ID})"), (None, "")],
)
def test_a_first_turn_has_a_short_id_like_the_others_and_an_own_long_one(identifier: Any, pattern: str) -> None:
    eval_set = set_of({"eval_id": "a", "conversation": [{"invocation_id": identifier}]})
    turn = new_case(eval_set, None)["conversation"][0]
    assert re.fullmatch(pattern, turn.get("invocation_id", ""))
    assert ("invocation_id" in turn) is bool(identifier)


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
        ([[called()], [called("t-7", "t-8")]], "t-8"),
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
    assert new_call_id(eval_set, EvalCaseView(eval_set.cases[here]).invocations[0]) == identifier
