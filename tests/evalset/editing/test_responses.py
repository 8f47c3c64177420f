"""Responses of calls that stand in lists, and where new ones go."""

import pytest

from tests.evalset.helpers import layers, respond, revised, turn_with
from tests.evalset.sets import LISTED

FOUND = '              {"id": "c1", "name": "search", "response": {"flights": [7]}}'


def test_another_response_keeps_its_numbers_as_they_are_spelt() -> None:
    result = revised(LISTED, respond(b'{"flights":[7.0,1E5]}'))
    assert result.text == LISTED.replace("[7]", "[7.0, 1E5]")
    assert result.revision.label == "edit response of search in paris-1 › turn 1"


def test_an_answer_without_a_response_gets_one() -> None:
    source = LISTED.replace(', "response": {"flights": [7]}', "")
    result = revised(source, respond(b'{"flights": [7]}'))
    assert result.text == LISTED


def test_a_call_without_an_answer_gets_one_like_the_others() -> None:
    result = revised(LISTED, respond(b'{"seat": 1.50}', 1))
    new = '              {"id": "c2", "name": "book", "response": {"seat": 1.50}}'
    assert result.text == LISTED.replace(FOUND, f"{FOUND},\n{new}")
    assert result.revision.remark == "a response was added"


@pytest.mark.parametrize("before", ["", ', "tool_responses": null', ', "tool_responses": []', ', "tool_responses": {}'])
def test_a_first_answer_brings_the_list_along(before: str) -> None:
    source = '{"eval_cases": [{"conversation": [{"intermediate_data": {"tool_uses": [{"name": "f"}]%s}}]}]}'
    result = revised(source % before, respond(b'{"ok": 1.0}'))
    assert result.text == source % ', "tool_responses": [{"name": "f", "response": {"ok": 1.0}}]'


def test_answers_of_calls_without_ids_stay_with_their_calls() -> None:
    data = {"tool_uses": [{"name": "f"}, {"name": "f"}], "tool_responses": [{"name": "f", "response": {"n": 1}}]}
    result = turn_with(data, respond(b'{"n": 2}', 1))
    assert [one["response"] for one in result.turn["intermediate_data"]["tool_responses"]] == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize(
    ("neighbour", "answer"),
    [
        ({"response": {}, "name": "g", "id": "1"}, {"response": {"ok": 1}, "name": "f", "id": "2"}),
        ({"name": "g", "response": {}}, {"name": "f", "response": {"ok": 1}, "id": "2"}),
    ],
)
def test_a_new_answer_has_its_members_in_the_order_of_the_others(neighbour: object, answer: object) -> None:
    calls = [{"args": {}, "name": "g", **({"id": "1"} if "id" in str(neighbour) else {})}, {"id": "2", "name": "f"}]
    result = turn_with({"tool_uses": calls, "tool_responses": [neighbour]}, respond(b'{"ok": 1}', 1))
    assert layers(result.turn["intermediate_data"]["tool_responses"][1]) == layers(answer)


def test_an_answer_takes_the_key_case_of_its_calls() -> None:
    result = turn_with({"toolUses": [{"name": "f"}]}, respond(b"{}"))
    assert result.turn["intermediate_data"] == {
        "toolUses": [{"name": "f"}],
        "toolResponses": [{"name": "f", "response": {}}],
    }
