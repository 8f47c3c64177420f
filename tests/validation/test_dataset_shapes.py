"""What agentplatform's models reject of a dataset, and the sentences that take the place of several errors."""

from typing import Any

import pytest

from tests.validation.datasets import ANSWERED, ASKED, CASE, EVENTS, HELLO, HI, case, dataset, fixed, found_in, talk

RUBRIC = {"rubric_id": "polite", "content": {"property": {"description": "It is polite."}}}
GROUP = f"{CASE}/rubric_groups/tone/rubrics"


def rubrics(*listed: Any) -> dict[str, Any]:
    return case(rubric_groups={"tone": {"rubrics": list(listed)}})


@pytest.mark.parametrize("given", ["Hello", HELLO])
def test_a_reference_or_response_that_is_not_wrapped(given: Any) -> None:
    data = dataset(case(reference=given))
    (found,) = found_in(data)
    assert (found.code, found.severity, found.pointer) == ("unwrapped-content", "error", f"{CASE}/reference")
    kind = "a string" if isinstance(given, str) else "content"
    assert found.message == f"reference must be an object with response, not just {kind}"
    assert fixed(data, found.code)["eval_cases"] == [case(reference={"response": HELLO})]
    data = dataset(case(responses=[given]))
    assert fixed(data, "unwrapped-content")["eval_cases"] == [case(responses=[{"response": HELLO}])]


def test_events_and_messages_that_are_contents() -> None:
    data = dataset(talk(HI, {**HELLO, "author": "desk"}, ASKED))
    found = found_in(data, "unwrapped-content")
    assert [each.pointer for each in found] == [f"{EVENTS}/0", f"{EVENTS}/1"]
    assert fixed(dataset(talk(ASKED, {**HELLO, "author": "desk"}, ASKED)), "unwrapped-content")["eval_cases"] == [
        talk(ASKED, ANSWERED, ASKED)
    ]
    fixed_case = fixed(dataset(case(conversation_history=[HI])), "unwrapped-content")["eval_cases"][0]
    assert fixed_case["conversation_history"] == [ASKED]


def test_other_errors_of_the_same_value_stay() -> None:
    found = found_in(dataset(case(reference={**HELLO, "score": 1})))
    assert [(each.code, each.pointer) for each in found] == [
        ("unknown-key", f"{CASE}/reference/score"),
        ("unwrapped-content", f"{CASE}/reference"),
    ]


@pytest.mark.parametrize(
    ("members", "code", "pointer", "message"),
    [
        ({"prompt": 1}, "wrong-type", "/prompt", "prompt must be an object, not 1"),
        ({"eval_case_id": 1}, "wrong-type", "/eval_case_id", "eval_case_id must be a string, not 1"),
        (
            {"prompt": {**HI, "name": "x"}},
            "unknown-key",
            "/prompt/name",
            "name is not a known key here, so agents-cli rejects the file",
        ),
        ({"prompt": {"role": "user", "part": []}}, "misspelt-key", "/prompt/part", "part should be parts"),
        (
            {"user_scenario": {"starting_promt": "Hi"}},
            "misspelt-key",
            "/user_scenario/starting_promt",
            "starting_promt should be starting_prompt",
        ),
        ({"agent_info": {"agents": []}}, "wrong-type", "/agent_info/agents", "agents must be an object, not a list"),
    ],
)
def test_errors_of_the_models_in_the_words_of_eval_sets(
    members: dict[str, Any], code: str, pointer: str, message: str
) -> None:
    found = [each for each in found_in(dataset(case(**members))) if each.severity == "error"]
    assert [(each.code, each.pointer, each.message) for each in found] == [(code, CASE + pointer, message)]


def test_a_prompt_that_is_a_text_becomes_a_content() -> None:
    assert fixed(dataset(case(prompt="Hi")), "wrong-type")["eval_cases"] == [case()]


@pytest.mark.parametrize(("key", "code"), [("name", "unknown-key"), ("eval_case", "misspelt-key")])
def test_unknown_keys_at_the_top(key: str, code: str) -> None:
    (found,) = found_in(b'{"%s": []}' % key.encode())
    assert (found.code, found.pointer) == (code, f"/{key}")


def test_a_rubric_in_the_form_of_google_adk() -> None:
    data = dataset(rubrics({"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("adk-rubric", f"{GROUP}/0/rubric_content")
    assert fixed(data, found.code)["eval_cases"] == [rubrics(RUBRIC)]


@pytest.mark.parametrize(
    ("rubric", "place"),
    [
        ({"rubric_id": "polite"}, "content"),
        ({"rubric_id": "polite", "content": {}}, "content/property"),
        ({"rubric_id": "polite", "content": {"property": {"description": " "}}}, "content/property/description"),
    ],
)
def test_a_rubric_that_says_nothing(rubric: dict[str, Any], place: str) -> None:
    assert [(each.code, each.pointer) for each in found_in(dataset(rubrics(rubric)))] == [
        ("empty-rubric", f"{GROUP}/0/{place}")
    ]


def test_two_rubrics_of_a_group_with_one_id() -> None:
    data = dataset(rubrics(RUBRIC, RUBRIC))
    assert fixed(data, "same-rubric-id")["eval_cases"] == [rubrics(RUBRIC, {**RUBRIC, "rubric_id": "polite_2"})]


def test_rubrics_of_several_turns() -> None:
    turns = [{"turn_index": number, "events": [ASKED]} for number in range(2)]
    groups = {"tone": {"rubrics": [RUBRIC]}}
    (found,) = found_in(dataset(case(agent_data={"turns": turns}, rubric_groups=groups)))
    assert (found.code, found.pointer) == ("rubrics-of-several-turns", f"{CASE}/rubric_groups")
