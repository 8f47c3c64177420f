"""Details and rubrics of turns find their turn again, also after a turn was deleted or moved."""

from __future__ import annotations

from typing import Any

from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted
from tests.interop.evaluation_datasets.test_writing import case_of, turn


def rubric(name: str) -> list[dict[str, Any]]:
    return [{"rubric_id": name, "rubric_content": {"text_property": f"It is {name}."}}]


def turns_back(case: dict[str, Any]) -> list[dict[str, Any]]:
    (written,) = converted({"eval_cases": [case]}, EVALUATION_DATASET, EVAL_SET).documents
    return list(written["eval_cases"][0]["conversation"])


def three(**second: Any) -> list[dict[str, Any]]:
    return [
        turn("one", "1", invocation_id="t1", creation_timestamp=1.5, rubrics=rubric("short")),
        turn("two", "2", invocation_id="t2", creation_timestamp=2.5, **second),
        turn("three", "3", invocation_id="t3", creation_timestamp=3.5, rubrics=rubric("polite")),
    ]


def test_details_name_their_turns() -> None:
    case = case_of({"conversation": three()})
    assert [each["turn_id"] for each in case["invocation_details"]] == ["t1", "t2", "t3"]
    assert turns_back(case) == three()


def test_a_deleted_turn_takes_its_details_along() -> None:
    case = case_of({"conversation": three(rubrics=rubric("sweet"))})
    del case["agent_data"]["turns"][0]
    assert turns_back(case) == three(rubrics=rubric("sweet"))[1:]


def test_a_moved_turn_keeps_its_details() -> None:
    case = case_of({"conversation": three()})
    turns = case["agent_data"]["turns"]
    turns[0], turns[1] = turns[1], turns[0]
    first, second, third = three()
    assert turns_back(case) == [second, first, third]


def test_turns_with_one_id_or_none_are_found_by_position() -> None:
    for name in ("t1", ""):
        given = [{**each, "invocation_id": name} for each in three()]
        case = case_of({"conversation": given})
        assert not any("turn_id" in each for each in case["invocation_details"])
        assert [each["creation_timestamp"] for each in turns_back(case)] == [1.5, 2.5, 3.5]


def test_details_of_earlier_files_are_read_by_position() -> None:
    case = case_of({"conversation": three()})
    for each in case["invocation_details"]:
        del each["turn_id"]
    assert turns_back(case) == three()
