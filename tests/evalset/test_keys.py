"""Members of ADK's objects in snake_case and camelCase, and which of them a new member takes."""

from typing import Any

import pytest

from evaltui.evalset.keys import camel, filled, items_of, key_for, member, text_of
from tests.evalset.helpers import node_of

CAMEL_BELOW = {
    "eval_set_id": "s",
    "eval_cases": [{"evalId": "a", "conversation": [{"parts": [{"text": "x"}]}]}, {"conversation": [{}]}],
}
MIXED = {"eval_cases": [{"eval_id": "a", "conversation": [{"invocationId": "i", "content": {"role": "user"}}]}]}


@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("user_content", "userContent"),
        ("intermediate_data", "intermediateData"),
        ("id", "id"),
        ("code_2_run", "code2Run"),
        ("evalId", "evalId"),
    ],
)
def test_camel_case_is_that_of_pydantic(name: str, spelt: str) -> None:
    assert camel(name) == spelt


@pytest.mark.parametrize("key", ["user_content", "userContent"])
def test_a_member_is_found_in_either_spelling(key: str) -> None:
    found = member(node_of({"a": 1, key: "x", "b": 2}), "user_content")
    assert found is not None
    assert (found.name, found.text()) == (key, "x")


@pytest.mark.parametrize("keys", [("user_content", "userContent"), ("userContent", "user_content")])
def test_of_both_spellings_the_camel_case_one_wins_as_in_google_adk(keys: tuple[str, str]) -> None:
    assert text_of(node_of({key: key for key in keys}), "user_content") == "userContent"
    assert filled(node_of({"userContent": None, "user_content": "x"}), "user_content") is None


def test_null_is_a_member_but_fills_nothing() -> None:
    node = node_of({"name": None})
    found = member(node, "name")
    assert found is not None
    assert (found.kind, filled(node, "name"), text_of(node, "name")) == ("null", None, "")


@pytest.mark.parametrize("value", [{}, [], ["user_content"], "user_content", 1, None])
def test_what_is_no_object_or_has_no_such_member_has_nothing(value: Any) -> None:
    node = node_of(value)
    assert (member(node, "user_content"), filled(node, "user_content")) == (None, None)
    assert (text_of(node, "user_content"), items_of(node, "user_content")) == ("", [])


def test_nothing_at_all_has_nothing() -> None:
    assert (member(None, "a"), filled(None, "a"), text_of(None, "a"), items_of(None, "a")) == (None, None, "", [])


@pytest.mark.parametrize("value", [1, True, ["x"], {"x": "y"}, None])
def test_only_a_string_has_text(value: Any) -> None:
    assert text_of(node_of({"name": value}), "name") == ""


@pytest.mark.parametrize("value", [1, "ab", {"x": "y"}, None])
def test_only_a_list_has_items(value: Any) -> None:
    assert items_of(node_of({"parts": value}), "parts") == []


@pytest.mark.parametrize(
    ("value", "pointer", "case"),
    [
        ({"eval_cases": [{"eval_id": "a"}]}, "/eval_cases/0", "snake"),
        (CAMEL_BELOW, "", "snake"),
        (CAMEL_BELOW, "/eval_cases/0", "camel"),
        (CAMEL_BELOW, "/eval_cases/0/conversation/0/parts/0", "camel"),
        (CAMEL_BELOW, "/eval_cases", "camel"),
        (CAMEL_BELOW, "/eval_cases/1/conversation/0", "camel"),
        (MIXED, "/eval_cases/0", "snake"),
        (MIXED, "/eval_cases/0/conversation", "snake"),
        (MIXED, "/eval_cases/0/conversation/0", "camel"),
        (MIXED, "/eval_cases/0/conversation/0/content", "camel"),
        ({"evalSetId": "s", "evalCases": [{}]}, "", "camel"),
        ({"evalSetId": "s", "evalCases": [{}]}, "/evalCases/0", "camel"),
        ({"evalSetId": "s", "evalCases": [{"eval_id": "a"}]}, "/evalCases/0", "snake"),
        ({"name": "s", "eval_cases": [{"evalId": "a"}]}, "", "snake"),
        ({"eval_cases": []}, "/eval_cases", "snake"),
        ({"eval_cases": [{"_comment": "says nothing", "evalId": "a"}]}, "/eval_cases/0", "camel"),
        ({}, "", "snake"),
    ],
)
def test_a_new_key_takes_the_case_of_the_keys_around_it(value: Any, pointer: str, case: str) -> None:
    container = node_of(value).at(pointer)
    assert key_for(container, "final_response") == {"snake": "final_response", "camel": "finalResponse"}[case]
    assert key_for(container, "name") == "name"
