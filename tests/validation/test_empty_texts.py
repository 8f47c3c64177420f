"""Texts that must not be empty."""

from typing import Any

import pytest

from tests.validation.findings import case, said_of, set_of, turn

CASE = "/eval_cases/0"


def scenario(**members: str) -> bytes:
    said = {"starting_prompt": "Hi", "conversation_plan": "Ask for a refund.", **members}
    return set_of({"eval_id": "a", "conversation_scenario": said})


def test_a_scenario_says_something() -> None:
    at = f"{CASE}/conversation_scenario"
    assert said_of(scenario()) == []
    assert said_of(scenario(starting_prompt=" ")) == [("empty-scenario", f"{at}/starting_prompt")]
    assert said_of(scenario(starting_prompt="", conversation_plan="")) == [
        ("empty-scenario", f"{at}/starting_prompt"),
        ("empty-scenario", f"{at}/conversation_plan"),
    ]


@pytest.mark.parametrize("content", [{}, {"text_property": ""}, {"text_property": None}, {"text_property": "\n"}])
def test_a_rubric_says_what_is_judged(content: dict[str, Any]) -> None:
    rubric = {"rubric_id": "r", "type": "TOOL_USE_QUALITY", "rubric_content": content}
    at = "rubrics/0/rubric_content/text_property"
    assert said_of(set_of(case(rubrics=[rubric]))) == [("empty-rubric", f"{CASE}/{at}")]
    assert said_of(set_of(case(turn(rubrics=[rubric])))) == [("empty-rubric", f"{CASE}/conversation/0/{at}")]
    assert said_of(set_of(case(rubrics=[{**rubric, "rubric_content": {"text_property": "Yes?"}}]))) == []
