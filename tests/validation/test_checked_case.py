"""Values that know where they stand."""

import json
from typing import Any

import pytest

from evaltui.validation.checked_case import CheckedCase, PointedValue
from tests.validation.findings import found_in, set_of, with_calls


def test_members_are_found_in_either_spelling_the_one_in_camel_case_first() -> None:
    value = PointedValue({"evalId": "a", "eval_id": "b", "conversation": [{"user~/content": 1}]})
    member = value.member("eval_id")
    assert member is not None
    assert (member.data, member.pointer) == ("a", "/evalId")
    assert value.items("conversation")[0].members()[0].pointer == "/conversation/0/user~0~1content"


@pytest.mark.parametrize("data", [None, "text", 3, [], {"items": None}, {"items": "text"}])
def test_of_another_type_nothing_is_there(data: Any) -> None:
    assert PointedValue(data).items("items") == []
    assert CheckedCase(data).turns == []


def test_an_object_somewhere_in_a_case_is_told_from_an_equal_one() -> None:
    case = CheckedCase(json.loads('{"conversation": [{"rubrics": [{}, {}]}, {"rubrics": [{}]}]}'))
    assert [case.at(rubric).pointer for rubric in case.all_rubrics] == [
        "/conversation/0/rubrics/0",
        "/conversation/0/rubrics/1",
        "/conversation/1/rubrics/0",
    ]


def test_a_value_that_lies_deep_has_a_pointer() -> None:
    data: Any = "text"
    for _ in range(20_000):
        data = [data]
    value = PointedValue(data)
    while isinstance(value.data, list):
        value = value.below(0)
    assert value.pointer == "/0" * 20_000


def test_a_finding_in_a_call_stands_where_the_call_stands() -> None:
    data = set_of(with_calls([{"id": "c1", "name": "a", "args": {}}, {"id": "c1", "name": "a"}]))
    assert {each.pointer for each in found_in(data)} == {
        "/eval_cases/0/conversation/0/intermediate_data/tool_uses/1/args",
        "/eval_cases/0/conversation/0/intermediate_data/tool_uses/1/id",
    }
