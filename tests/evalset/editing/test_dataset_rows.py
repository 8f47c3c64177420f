"""Cases, turns and events added, duplicated, moved, deleted and pasted; undo gives the bytes of before."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, dataset_turns_of
from evaltui.evalset.case_format import DATASET
from evaltui.evalset.editing.case_parts import add_to_content, write_reference
from evaltui.evalset.editing.pasted_rows import put_copies, recognise_rows
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_copies import clone_rows
from evaltui.evalset.editing.row_moves import delete_rows, move_row, move_rows_to, put_before, shift_rows
from evaltui.evalset.editing.templates import add_case, add_event, add_turn
from evaltui.evalset.keys import items_of
from evaltui.printable import one_line
from tests.evalset.travel import (
    BOOKING,
    CAMEL_TRAVEL,
    LUNCH,
    MUSEUMS,
    REFUND,
    TRAVEL,
    dataset_of,
    in_camel_case,
)

Make = Callable[[CaseFile], Revision]


def changed(source: str, make: Make) -> Any:
    """The value of a file that held `source` after a revision; undo, redo and undo give either text exactly."""
    return json.loads(changed_text(source, make))


def changed_text(source: str, make: Make) -> str:
    document = Document(source.encode())
    assert document.root is not None
    revision = make(CaseFile(document.root, DATASET))
    document.apply(revision.edits, revision.label)
    text = document.to_bytes()
    document.undo()
    assert document.to_bytes() == source.encode()
    document.redo()
    assert document.to_bytes() == text
    assert revision.label == one_line(revision.label)
    return text.decode()


def turns(dataset: CaseFile, case: int = 0) -> list[Node]:
    return dataset_turns_of(dataset.cases[case])


def events(dataset: CaseFile, turn: int = 0) -> list[Node]:
    return items_of(turns(dataset)[turn], "events")


def ids(value: Any) -> list[Any]:
    return [case.get("eval_case_id") for case in value["eval_cases"]]


def numbers(value: Any) -> list[Any]:
    return [turn.get("turn_index") for turn in value["eval_cases"][0]["agent_data"]["turns"]]


# --- new rows ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("like", "wanted"),
    [
        (LUNCH, {"eval_case_id": "case_3", "prompt": {"role": "user", "parts": [{"text": ""}]}}),
        (MUSEUMS, {"eval_case_id": "case_3", "user_scenario": {"starting_prompt": "", "conversation_plan": ""}}),
        (REFUND, {"eval_case_id": "case_3", "prompt": ""}),
        ({"eval_case_id": "own", "question": "x"},
         {"eval_case_id": "case_3", "prompt": {"parts": [{"text": ""}], "role": "user"}}),
    ],
    ids=["prompt", "scenario", "bare text", "members of its own"],
)  # fmt: skip
def test_a_new_case_is_like_the_one_before_it(like: Any, wanted: Any) -> None:
    value = changed(dataset_of(LUNCH | {"eval_case_id": "x"}, like), lambda d: add_case(d, d.cases[1]))
    assert value["eval_cases"][2] == wanted
    assert list(value["eval_cases"][2]) == list(wanted)


def test_a_new_case_like_a_conversation_has_a_turn_of_the_user() -> None:
    case = changed(dataset_of(BOOKING), lambda d: add_case(d, None))["eval_cases"][1]
    (turn,) = case["agent_data"]["turns"]
    assert turn["turn_index"] == 0
    assert turn["events"] == [{"author": "user", "content": {"role": "user", "parts": [{"text": ""}]}}]


def test_the_first_case_of_a_dataset_is_a_prompt() -> None:
    value = changed('{"candidate_name": "x"}', lambda d: add_case(d, None))
    assert value["eval_cases"][0]["prompt"]["parts"] == [{"text": ""}]


def test_new_rows_are_spelt_as_those_around_them() -> None:
    value = changed(CAMEL_TRAVEL, lambda d: add_case(d, d.cases[3]))
    assert list(value["evalCases"][4]) == ["evalCaseId", "prompt"]
    value = changed(CAMEL_TRAVEL, lambda d: add_turn(d, d.cases[0], None))
    assert value["evalCases"][0]["agentData"]["turns"][2]["turnIndex"] == 2


def test_a_new_turn_is_counted_with_the_others() -> None:
    value = changed(TRAVEL, lambda d: add_turn(d, d.cases[0], turns(d)[0]))
    assert numbers(value) == [0, 1, 2]
    ids_of_turns = [turn["turn_id"] for turn in value["eval_cases"][0]["agent_data"]["turns"]]
    assert ids_of_turns == ["turn_0", "turn_2", "turn_1"]
    value = changed(TRAVEL, lambda d: put_before(add_turn(d, d.cases[0], turns(d)[1]), turns(d)[1]))
    assert numbers(value) == [0, 1, 2]


@pytest.mark.parametrize(
    ("prompt", "order"),
    [
        ({"role": "user", "parts": [{"text": "Hi"}]}, ["role", "parts"]),
        ({"parts": [{"text": "Hi"}], "role": "user"}, ["parts", "role"]),
        ("Hi", ["role", "parts"]),
    ],
    ids=["role first", "role last", "no neighbour"],
)
def test_new_contents_have_the_order_of_those_around(prompt: Any, order: list[str]) -> None:
    document = Document(dataset_of({"eval_case_id": "greeting", "prompt": prompt}).encode())
    assert document.root is not None
    dataset = CaseFile(document.root, DATASET)
    (case,) = dataset.cases
    document.apply(add_turn(dataset, case, None).edits, "turn")
    document.apply(write_reference(dataset, case, "Hello").edits, "reference")
    document.apply(add_to_content(dataset, case, "system_instruction", {"text": ""}, "text").edits, "text")
    written = json.loads(document.to_bytes())["eval_cases"][0]
    (event,) = written["agent_data"]["turns"][0]["events"]
    contents = [event["content"], written["reference"]["response"], written["system_instruction"]]
    assert [[*content] for content in contents] == [order] * 3


def test_a_turn_beside_a_prompt_is_remarked() -> None:
    document = Document(TRAVEL.encode())
    assert document.root is not None
    dataset = CaseFile(document.root, DATASET)
    assert "not both" in add_turn(dataset, dataset.cases[3], None).remark
    assert not add_turn(dataset, dataset.cases[0], None).remark


def test_a_new_event_is_of_the_next_author() -> None:
    value = changed(TRAVEL, lambda d: add_event(d, turns(d)[1], events(d, 1)[0]))
    assert value["eval_cases"][0]["agent_data"]["turns"][1]["events"][1] == {
        "author": "planner",
        "content": {"role": "model", "parts": [{"text": ""}]},
    }
    empty = dataset_of({"eval_case_id": "a", "agent_data": {"turns": [{"events": []}]}})
    (event,) = changed(empty, lambda d: add_event(d, turns(d)[0], None))["eval_cases"][0]["agent_data"]["turns"][0][
        "events"
    ]
    assert event["author"] == "user"


@pytest.mark.parametrize("data", [3, "x", [1], {"turns": {"a": 1}}])
def test_nothing_is_added_in_the_place_of_values_of_other_types(data: Any) -> None:
    source = dataset_of(LUNCH, {"eval_case_id": "a", "agent_data": data})
    with pytest.raises(EditError, match="change its type first"):
        changed(source, lambda d: add_turn(d, d.cases[1], None))
    with pytest.raises(EditError):
        changed(dataset_of(LUNCH, 7), lambda d: add_turn(d, d.cases[1], None))


# --- rows that move, come and go -----------------------------------------------------------------------------------


def test_a_clone_has_an_id_of_its_own() -> None:
    value = changed(TRAVEL, lambda d: clone_rows(d, [d.cases[3]]))
    assert ids(value) == ["book_flight", "museum_day", "refund", "lunch_1", "lunch_2"]
    assert value["eval_cases"][4] | {"eval_case_id": "lunch_1"} == LUNCH
    value = changed(TRAVEL, lambda d: clone_rows(d, turns(d)[:1]))
    assert numbers(value) == [0, 1, 2]
    assert len({turn["turn_id"] for turn in value["eval_cases"][0]["agent_data"]["turns"]}) == 3
    value = changed(TRAVEL, lambda d: clone_rows(d, events(d)[1:3]))
    assert len(value["eval_cases"][0]["agent_data"]["turns"][0]["events"]) == 6


def test_turns_that_were_not_counted_keep_their_numbers() -> None:
    odd = TRAVEL.replace('"turn_index": 1', '"turn_index": 5')
    assert numbers(changed(odd, lambda d: shift_rows(d, turns(d)[:1], 1))) == [5, 0]
    assert numbers(changed(odd, lambda d: delete_rows(d, turns(d)[:1]))) == [5]


@given(st.data())
def test_turns_stay_counted_wherever_they_go(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 6))
    made = [{"turn_index": n, "turn_id": f"t{n}", "events": []} for n in range(count)]
    source = dataset_of({"eval_case_id": "a", "agent_data": {"turns": made}})
    chosen = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    target = data.draw(st.integers(0, count - 1))

    def act(d: CaseFile) -> Revision:
        rows = [turns(d)[n] for n in chosen]
        match data.draw(st.sampled_from(["delete", "up", "down", "drag", "clone"])):
            case "delete":
                return delete_rows(d, rows)
            case "drag":
                return move_rows_to(d, rows, turns(d)[target])
            case "clone":
                return clone_rows(d, rows)
            case way:
                return shift_rows(d, rows, -1 if way == "up" else 1)

    found = numbers(changed(source, act))
    assert found == list(range(len(found)))


def test_rows_move_within_their_list() -> None:
    assert ids(changed(TRAVEL, lambda d: move_row(d, d.cases[3], -1))) == [
        "book_flight",
        "museum_day",
        "lunch_1",
        "refund",
    ]
    with pytest.raises(EditError, match="already last"):
        changed(TRAVEL, lambda d: move_row(d, d.cases[3], 1))
    value = changed(TRAVEL, lambda d: shift_rows(d, events(d)[:1], 1))
    assert value["eval_cases"][0]["agent_data"]["turns"][0]["events"][1]["author"] == "user"


def test_rows_of_several_kinds_are_deleted_as_one_step() -> None:
    value = changed(TRAVEL, lambda d: delete_rows(d, [d.cases[1], turns(d)[0], events(d)[0]]))
    assert ids(value) == ["book_flight", "refund", "lunch_1"]
    assert numbers(value) == [0]


def test_a_deleted_case_leaves_the_rest_byte_for_byte() -> None:
    text = changed_text(TRAVEL, lambda d: delete_rows(d, [d.cases[1]]))
    assert text == dataset_of(BOOKING, REFUND, LUNCH)


# --- pasting -----------------------------------------------------------------------------------------------------


def pasted(source: str, text: str, at: Callable[[CaseFile], Node]) -> Any:
    def make(dataset: CaseFile) -> Revision:
        copies, _ = recognise_rows(text, of_dataset=True)
        return put_copies(dataset, copies, at(dataset), is_before=False, from_elsewhere=True)

    return changed(source, make)


def test_pasted_cases_get_free_ids_and_the_keys_of_the_file() -> None:
    value = pasted(TRAVEL, json.dumps(in_camel_case(LUNCH)), lambda d: d.cases[0])
    assert ids(value) == ["book_flight", "lunch_2", "museum_day", "refund", "lunch_1"]
    value = pasted(CAMEL_TRAVEL, TRAVEL, lambda d: d.root)
    assert len(value["evalCases"]) == 8
    copied = value["evalCases"][4]
    assert copied | {"evalCaseId": "book_flight"} == in_camel_case(BOOKING) | {"budget": 400}


def test_pasted_turns_and_events_go_where_they_belong() -> None:
    turn = BOOKING["agent_data"]["turns"][0]
    value = pasted(TRAVEL, json.dumps(turn), lambda d: d.cases[3])
    (new,) = value["eval_cases"][3]["agent_data"]["turns"]
    assert new == turn
    value = pasted(TRAVEL, json.dumps(turn["events"]), lambda d: turns(d)[1])
    assert len(value["eval_cases"][0]["agent_data"]["turns"][1]["events"]) == 5
    value = pasted(TRAVEL, json.dumps({"parts": [{"text": "Hm"}]}), lambda d: turns(d)[1])
    assert value["eval_cases"][0]["agent_data"]["turns"][1]["events"][1] == {"content": {"parts": [{"text": "Hm"}]}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"eval_id": "a", "conversation": []}', "evaltui convert"),
        ('{"x": 1}', "not a case, turn, event or content"),
        ("[]", "nothing to paste"),
        ("hello", "text, not JSON"),
        (json.dumps([LUNCH, BOOKING["agent_data"]["turns"][0]]), "several kinds: case, turn"),
    ],
)
def test_other_texts_are_refused_with_a_sentence(text: str, said: str) -> None:
    with pytest.raises(EditError, match=said):
        recognise_rows(text, of_dataset=True)
