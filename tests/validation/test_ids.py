"""Ids of sets, cases and rubrics."""

from typing import Any

import pytest

from tests.validation.findings import case, fixed, found_in, said_of, set_of, turn

AT = "/eval_cases/0/eval_id"


def rubric(identifier: str, **members: Any) -> dict[str, Any]:
    content = {"text_property": "Is it polite?"}
    return {"rubric_id": identifier, "type": "FINAL_RESPONSE_QUALITY", "rubric_content": content, **members}


@pytest.mark.parametrize(
    ("eval_id", "code"),
    [
        ("", "empty-eval-id"),
        ("  ", "empty-eval-id"),
        ("a,b", "unselectable-eval-id"),
        ("a: b", "unselectable-eval-id"),
        ("a ", "blanks-around"),
        ("a b", ""),
        ("ä-1/2", ""),
    ],
)
def test_ids_that_cannot_be_chosen_or_seen(eval_id: str, code: str) -> None:
    assert said_of(set_of(case(eval_id=eval_id))) == ([(code, AT)] if code else [])


def test_of_cases_with_one_id_the_later_ones_get_the_next_number() -> None:
    data = set_of(case(eval_id="a"), case(eval_id="a_2"), case(eval_id="a"))
    assert said_of(data) == [("duplicate-eval-id", "/eval_cases/2/eval_id")]
    assert [each["eval_id"] for each in fixed(data, "duplicate-eval-id")["eval_cases"]] == ["a", "a_2", "a_3"]


@pytest.mark.parametrize(
    ("eval_set_id", "code"),
    [("desk_1", ""), ("desk-1", "odd-eval-set-id"), ("", "odd-eval-set-id"), ("desk ", "blanks-around")],
)
def test_ids_of_sets(eval_set_id: str, code: str) -> None:
    assert said_of(set_of(case(), eval_set_id=eval_set_id)) == ([(code, "/eval_set_id")] if code else [])


def test_rubrics_with_one_id_in_a_case_in_a_turn_and_across() -> None:
    assert said_of(set_of(case(rubrics=[rubric("r"), rubric("s"), rubric("r")]))) == [
        ("duplicate-rubric-id", "/eval_cases/0/rubrics/2/rubric_id")
    ]
    data = set_of(case(turn(rubrics=[rubric("r"), rubric("t")]), turn(rubrics=[rubric("t")]), rubrics=[rubric("r")]))
    assert said_of(data) == [("duplicate-rubric-id", "/eval_cases/0/conversation/0/rubrics/0/rubric_id")]
    made = fixed(data, "duplicate-rubric-id")["eval_cases"][0]["conversation"][0]["rubrics"]
    assert [each["rubric_id"] for each in made] == ["r_2", "t"]


def test_types_of_rubrics() -> None:
    at = "/eval_cases/0/rubrics/0/type"
    assert said_of(set_of(case(rubrics=[rubric("r", type=None)]))) == [("rubric-without-type", at)]
    data = set_of(case(rubrics=[rubric("r", type="Tool use-quality")]))
    assert said_of(data) == [("unknown-rubric-type", at)]
    assert fixed(data, "unknown-rubric-type")["eval_cases"][0]["rubrics"][0]["type"] == "TOOL_USE_QUALITY"
    (found,) = found_in(set_of(case(rubrics=[rubric("r", type="INSTRUCTION_ADHERENCE")])))
    assert (found.code, found.fix) == ("unknown-rubric-type", None)
