"""Changes of tool calls and responses that stand in lists (`tool_uses`, `tool_responses`)."""

import json
from typing import Any

import pytest

from evaltui.evalset.editing.call_edits import add_call, change_call_id, delete_call, rename_call
from tests.evalset.helpers import difference, first_turn, layers, revised, turn_with, use
from tests.evalset.sets import LISTED

SEARCH = '              {"id": "c1", "name": "search", "args": {"to": "CDG", "max": 1.0}}'
BOOK = '              {"id": "c2", "name": "book", "args": {"flight": 7}}'
FOUND = '              {"id": "c1", "name": "search", "response": {"flights": [7]}}'


def test_renaming_a_call_renames_its_response() -> None:
    result = revised(LISTED, lambda s: rename_call(s, use(s), "find"))
    assert result.text == LISTED.replace('"search"', '"find"')
    assert result.revision.label == "rename tool call search in paris-1 › turn 1"


def test_renaming_leaves_a_response_of_another_name_alone() -> None:
    source = LISTED.replace(FOUND, FOUND.replace("search", "lookup"))
    result = revised(source, lambda s: rename_call(s, use(s), "find"))
    assert result.text == source.replace('"search"', '"find"')


def test_a_call_without_a_name_gets_one() -> None:
    result = turn_with({"tool_uses": [{"args": {}}]}, lambda s: rename_call(s, use(s), "f"))
    assert result.turn["intermediate_data"] == {"tool_uses": [{"args": {}, "name": "f"}]}
    assert result.revision.label == "name the tool call f in a › turn 1"
    result = turn_with({"tool_uses": [{"args": {}}]}, lambda s: change_call_id(s, use(s), "1"))
    assert result.revision.label == "change id of the unnamed tool call in a › turn 1"


def test_a_new_id_reaches_the_response_in_the_same_step() -> None:
    result = revised(LISTED, lambda s: change_call_id(s, use(s), "call-9"))
    assert result.text == LISTED.replace('"c1"', '"call-9"')
    assert result.revision.label == "change id of search in paris-1 › turn 1"
    assert result.revision.remark == "the tool response has the new id, too"


def test_an_id_for_a_call_without_an_answer_changes_only_that() -> None:
    result = revised(LISTED, lambda s: change_call_id(s, use(s, 1), "c3"))
    assert difference(LISTED, result.text) == ("2", "3")
    assert result.revision.remark == ""


def test_an_empty_id_is_taken_out_of_both() -> None:
    result = revised(LISTED, lambda s: change_call_id(s, use(s), ""))
    assert result.text == LISTED.replace('"id": "c1", ', "")


def test_a_pair_without_ids_gets_one_on_both_sides_where_the_others_have_it() -> None:
    source = LISTED.replace('"id": "c1", ', "")
    result = revised(source, lambda s: change_call_id(s, use(s), "c1"))
    assert result.text == LISTED.replace(FOUND, FOUND.replace('{"id": "c1", ', "{").replace("]}}", ']}, "id": "c1"}'))


def test_no_id_for_a_call_that_has_none_changes_nothing() -> None:
    source = LISTED.replace('"id": "c1", ', "")
    result = revised(source, lambda s: change_call_id(s, use(s), ""))
    assert (result.text, result.revision.edits) == (source, [])


def test_of_two_calls_with_one_id_only_the_one_and_its_answer_are_changed() -> None:
    calls = [{"id": "1", "name": "f"}, {"id": "1", "name": "g"}]
    data = {"tool_uses": calls, "tool_responses": [{"id": "1", "name": "f"}, {"id": "1", "name": "g"}]}
    result = turn_with(data, lambda s: change_call_id(s, use(s, 1), "2"))
    assert result.turn["intermediate_data"] == {
        name: [{"id": "1", "name": "f"}, {"id": "2", "name": "g"}] for name in data
    }


def test_deleting_a_call_takes_its_response_along() -> None:
    result = revised(LISTED, lambda s: delete_call(s, use(s)))
    gone = LISTED.replace(SEARCH + ",\n", "").replace(f"[\n{FOUND}\n            ]", "[]")
    assert result.text == gone
    assert result.revision.label == "delete tool call search of paris-1 › turn 1"
    assert result.revision.remark == "with its response"


def test_deleting_a_call_without_an_answer_takes_nothing_along() -> None:
    result = revised(LISTED, lambda s: delete_call(s, use(s, 1)))
    assert result.text == LISTED.replace(f",\n{BOOK}", "")
    assert result.revision.remark == ""


@pytest.mark.parametrize("number", [None, 0, 1])
def test_a_new_call_goes_behind_another_or_last_and_looks_like_it(number: int | None) -> None:
    result = revised(LISTED, lambda s: add_call(s, first_turn(s), use(s, number) if number is not None else None))
    new = '              {"id": "c3", "name": "", "args": {}}'
    before = SEARCH if number == 0 else BOOK
    assert result.text == LISTED.replace(before, f"{before},\n{new}")
    assert result.revision.label == "add tool call to paris-1 › turn 1"


CALL = {"name": "", "args": {}, "id": "call_1"}


@pytest.mark.parametrize(
    ("turn", "data"),
    [
        ({}, {"intermediate_data": {"tool_uses": [CALL]}}),
        ({"intermediate_data": None}, {"intermediate_data": {"tool_uses": [CALL]}}),
        ({"intermediateData": {}}, {"intermediateData": {"toolUses": [CALL]}}),
        ({"userContent": {}}, {"userContent": {}, "intermediateData": {"toolUses": [CALL]}}),
        ({"intermediate_data": {"toolUses": None}}, {"intermediate_data": {"toolUses": [CALL]}}),
        (
            {"intermediate_data": {"tool_uses": [], "tool_responses": []}},
            {"intermediate_data": {"tool_uses": [CALL], "tool_responses": []}},
        ),
        (
            {"intermediate_data": {"intermediate_responses": []}},
            {"intermediate_data": {"intermediate_responses": [], "tool_uses": [CALL]}},
        ),
        ({"intermediate_data": {"tool_uses": {"a": 1}}}, {"intermediate_data": {"tool_uses": [CALL]}}),
        ({"intermediate_data": "broken"}, {"intermediate_data": {"tool_uses": [CALL]}}),
    ],
)
def test_the_first_call_brings_along_what_is_missing_around_it(turn: Any, data: Any) -> None:
    source = json.dumps({"eval_cases": [{"conversation": [turn]}]})
    result = revised(source, lambda s: add_call(s, first_turn(s)))
    assert layers(result.turn) == layers(data)
