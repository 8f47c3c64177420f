"""Ids of the cases of a dataset, and keys that agents-cli does not find or nothing reads."""

import json
from typing import Any

import pytest

from tests.validation.datasets import CASE, HELLO, HI, case, dataset, fixed, found_in, said_of


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("conversation", []),
        ("session_input", {"app_name": "desk", "user_id": "u", "state": {"fines": 0}}),
        ("sessionInput", "desk"),
        ("rubrics", [{"rubric_id": "polite"}]),
        ("eval_id", "a"),
    ],
)
def test_members_of_google_adk(key: str, value: Any) -> None:
    assert said_of(case(**{key: value})) == [("adk-member", f"{CASE}/{key}")]


@pytest.mark.parametrize(
    "members",
    [
        {"session_input": {"app_name": "desk", "user_id": "u"}},
        {"sessionInput": {"app_name": "desk", "state": {}}},
        {"final_session_state": {"fines": 0}},
        {"creation_timestamp": 1700000000.5},
    ],
)
def test_members_that_convert_keeps_for_the_way_back(members: dict[str, Any]) -> None:
    assert said_of(case(**members)) == []


def test_an_id_and_a_scenario_of_google_adk_get_their_names_in_a_dataset() -> None:
    data = dataset(case("first"), {"eval_id": "b", "prompt": HI})
    assert fixed(data, "adk-member")["eval_cases"][1] == {"eval_case_id": "b", "prompt": HI}
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Ask."}
    fixed_case = fixed(dataset(case(conversation_scenario=scenario)), "adk-member")["eval_cases"][0]
    assert fixed_case["user_scenario"] == scenario
    (found,) = found_in(dataset(case(conversation_scenario={**scenario, "user_persona": "NOVICE"})))
    assert found.fix is not None
    assert not found.fix.safe


@pytest.mark.parametrize(
    ("key", "name", "value"),
    [
        ("promt", "prompt", HI),
        ("agent-data", "agent_data", {"turns": []}),
        ("references", "reference", {"response": {"role": "model", "parts": [{"text": "Hello"}]}}),
        ("id", "eval_case_id", "b"),
        ("rubric_group", "rubric_groups", {}),
    ],
)
def test_misspelt_keys_are_renamed_and_not_said_to_be_missing(key: str, name: str, value: Any) -> None:
    members = {member: other for member, other in case().items() if member != name}
    data = dataset({**members, key: value})
    (found,) = found_in(data)
    assert (found.code, found.pointer, found.at_key) == ("misspelt-key-ignored", f"{CASE}/{key}", True)
    assert found.message == f"{key} is ignored; {name} is probably meant"
    document = json.loads(data)
    (told,) = found.fix.edits if found.fix is not None else ()
    assert told.pointer == f"{CASE}/{key}"
    assert document["eval_cases"][0][key] == value


@pytest.mark.parametrize("given", ["Hello", HELLO, {"response": HELLO}])
def test_a_response_that_metrics_do_not_read(given: Any) -> None:
    data = dataset(case(response=given))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("single-response", f"{CASE}/response")
    assert fixed(data, "single-response")["eval_cases"] == [case(responses=[{"response": HELLO}])]


def test_members_of_ones_own_are_nobodys_business() -> None:
    assert said_of(case(context="Fines", category="smoke", tags=["a"], expected_output={"a": 1})) == []


def test_keys_that_eval_generate_finds_in_snake_case_only() -> None:
    asked = {"author": "user", "content": HI}
    data = dataset({"eval_case_id": "a", "agentData": {"turns": [{"turnIndex": 0, "events": [asked]}]}})
    (found,) = found_in(data)
    assert (found.code, found.severity) == ("camel-case-key", "warning")
    assert "agent_data" in fixed(data, "camel-case-key")["eval_cases"][0]
    data = json.dumps({"evalCases": [case()]}).encode()
    assert fixed(data, "camel-case-key") == {"eval_cases": [case()]}
    (found,) = found_in(dataset({"evalCaseId": "a", "prompt": HI}))
    assert (found.code, found.severity) == ("camel-case-key", "info")


def test_a_key_in_both_spellings() -> None:
    (found,) = found_in(dataset(case(evalCaseId="a")))
    assert (found.code, found.pointer) == ("both-spellings", f"{CASE}/eval_case_id")
    assert found.message == "agents-cli reads evalCaseId and ignores eval_case_id; delete one of them"


def test_ids_that_are_missing_get_a_free_one() -> None:
    bare = [{"prompt": HI}, {"eval_case_id": "", "prompt": HI}, {"eval_case_id": None, "prompt": HI}]
    data = dataset(case("case_2"), *bare)
    found = found_in(data)
    assert [(each.code, each.pointer) for each in found] == [
        ("missing-eval-case-id", f"/eval_cases/{number}/eval_case_id") for number in (1, 2, 3)
    ]
    titles = [each.fix.title for each in found if each.fix is not None]
    assert titles == ["Set the id to case_3", "Set the id to case_4", "Set the id to case_5"]


def test_where_no_case_has_an_id_it_is_said_once() -> None:
    data = dataset({"prompt": HI}, {"prompt": HI})
    assert [(each.code, each.pointer) for each in found_in(data)] == [("missing-eval-case-id", "/eval_cases")]
    assert fixed(data, "missing-eval-case-id")["eval_cases"] == [case("case_1"), case("case_2")]


def test_the_later_one_of_two_equal_ids_is_renamed() -> None:
    data = dataset(case("a"), case("a_2"), case("a"))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("duplicate-eval-case-id", "/eval_cases/2/eval_case_id")
    assert found.message == 'eval_case_id "a" is a duplicate of case 1'
    assert fixed(data, found.code)["eval_cases"][2] == case("a_3")
