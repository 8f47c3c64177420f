"""What is said in a case, what is expected, and texts that must not be empty."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.scoring.eval_config import config_of
from evaltui.validation.case_checks import check_document
from tests.validation.findings import TURN, case, fixed, found_in, said_of, set_of, turn

FIRST = "/eval_cases/0/conversation/0"
CALL = {"name": "get_fines", "args": {}}


def said(*parts: Any, role: str = "") -> dict[str, Any]:
    return {"parts": list(parts), **({"role": role} if role else {})}


def test_a_set_without_cases_and_a_case_without_turns() -> None:
    assert said_of(set_of()) == [("empty-set", "/eval_cases")]
    assert said_of(set_of({"eval_id": "a", "conversation": []})) == [
        ("empty-conversation", "/eval_cases/0/conversation")
    ]
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Ask."}
    assert said_of(set_of({"eval_id": "a", "conversation_scenario": scenario})) == []


@pytest.mark.parametrize("content", [{}, said(), said({"text": ""}), said({"text": " \n"}), said({"thought": True})])
def test_a_user_who_says_nothing(content: dict[str, Any]) -> None:
    assert said_of(set_of(case(turn(user_content=content)))) == [("no-user-text", f"{FIRST}/user_content")]


def test_a_user_who_sends_a_picture_says_something() -> None:
    picture = {"file_data": {"file_uri": "gs://desk/card.png", "mime_type": "image/png"}}
    assert said_of(set_of(case(turn(user_content=said(picture))))) == []


def test_an_empty_part_is_taken_out() -> None:
    data = set_of(case(turn(user_content=said({"text": "Hi"}, {}))))
    assert said_of(data) == [("empty-part", f"{FIRST}/user_content/parts/1")]
    assert fixed(data, "empty-part")["eval_cases"][0]["conversation"] == [TURN]


def test_a_part_with_two_payloads_in_either_spelling() -> None:
    part = {"text": "Hi", "fileData": {"fileUri": "gs://desk/card.png"}}
    (found,) = found_in(set_of(case(turn(user_content=said(part)))))
    assert (found.code, found.pointer) == ("two-payloads", f"{FIRST}/user_content/parts/0")
    assert found.message == "the part holds text and file_data; only one is allowed"
    assert said_of(set_of(case(turn(user_content=said({"text": "Hi", "thought": False}))))) == []


@pytest.mark.parametrize(
    ("data", "moved"),
    [
        ({}, {"tool_uses": [CALL]}),
        (
            {"intermediate_data": {"tool_uses": [{"name": "f", "args": {}}]}},
            {"tool_uses": [{"name": "f", "args": {}}, CALL]},
        ),
        ({"intermediate_data": {"tool_responses": []}}, {"tool_responses": [], "tool_uses": [CALL]}),
    ],
)
def test_a_call_in_the_final_response_is_moved_where_metrics_read_it(data: dict[str, Any], moved: Any) -> None:
    given = set_of(case(turn(final_response=said({"functionCall": CALL}, {"text": "Two"}), **data)))
    (found,) = found_in(given)
    assert (found.code, found.pointer) == ("call-in-final-response", f"{FIRST}/final_response/parts/0/functionCall")
    assert found.fix is not None
    assert not found.fix.safe
    (made,) = fixed(given, "call-in-final-response")["eval_cases"][0]["conversation"]
    assert (made["intermediate_data"], made["final_response"]) == (moved, said({"text": "Two"}))


def test_a_call_of_a_tool_that_runs_long_is_recorded_in_both_places() -> None:
    content = said({"function_call": CALL}, role="model")
    events = {"invocation_events": [{"author": "desk", "content": content}]}
    assert said_of(set_of(case(turn(final_response=content, intermediate_data=events)))) == []


def test_a_case_that_expects_nothing() -> None:
    user = {"user_content": said({"text": "Hi"})}
    assert said_of(set_of(case(user, {**user, "final_response": None}))) == [("no-expectation", "/eval_cases/0")]
    assert said_of(set_of(case(user, TURN))) == []
    rubric = {"rubric_id": "r", "type": "TOOL_USE_QUALITY", "rubric_content": {"text_property": "Yes?"}}
    assert said_of(set_of(case(user, rubrics=[rubric]))) == []
    assert said_of(set_of(case({**user, "rubrics": [rubric]}))) == []


def test_a_final_response_without_a_role_among_others_with_one() -> None:
    answer, user = said({"text": "Hello"}), said({"text": "Hi"}, role="user")
    data = set_of(case(turn(user_content=user, final_response=answer)))
    assert said_of(data) == [("missing-role", f"{FIRST}/final_response/role")]
    assert fixed(data, "missing-role")["eval_cases"][0]["conversation"][0]["final_response"]["role"] == "model"
    assert said_of(set_of(case(turn(final_response=answer)))) == []
    assert said_of(set_of(case(turn(final_response={**answer, "role": "model"})))) == []


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


SCENARIO = {"conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask."}}
NO_CALLS = "tool_trajectory_avg_score, which is never evaluated: scenarios expect no tool calls"
NO_TEXT = "response_match_score, which is never evaluated: scenarios expect no final response"
NO_TEXTS = (
    "response_match_score and final_response_match_v2, which are never evaluated: scenarios expect no final response"
)


@pytest.mark.parametrize(
    ("criteria", "cases", "said"),
    [
        (["tool_trajectory_avg_score", "hallucinations_v1"], [SCENARIO], [NO_CALLS]),
        (["tool_trajectory_avg_score", "response_match_score"], [SCENARIO, SCENARIO], [NO_TEXT, NO_CALLS]),
        (["response_match_score", "final_response_match_v2"], [SCENARIO, {"conversation": []}], [NO_TEXTS]),
        (["hallucinations_v1", "safety_v1"], [SCENARIO], []),
        (["tool_trajectory_avg_score"], [], []),
        (["tool_trajectory_avg_score"], [{"conversation": []}], []),
        (["response_match_score"], [SCENARIO, {"conversation": [TURN]}], []),
    ],
)
def test_a_metric_that_needs_expected_values_is_said_in_a_set_of_scenarios(
    criteria: list[str], cases: list[dict[str, object]], said: list[str]
) -> None:
    config = config_of({"criteria": dict.fromkeys(criteria, 0.8)}, Path("test_config.json"))
    data = set_of(*({"eval_id": f"case_{number}", **case} for number, case in enumerate(cases)))
    found = [each for each in check_document(Document(data), config) if each.code == "metric-without-expectations"]
    assert [each.message for each in found] == [f"the config has {each}" for each in said]
