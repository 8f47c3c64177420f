"""Cases of a dataset without a message to send, or with two; what is not sent or read beside others."""

from typing import Any

import pytest

from tests.validation.datasets import (
    ANSWERED,
    ASKED,
    CALLED,
    CASE,
    EVENTS,
    HELLO,
    HI,
    case,
    dataset,
    fixed,
    found_in,
    said_of,
    talk,
)
from tests.validation.findings import Said

RECORDED = {"responses": [{"response": HELLO}]}
LAST = ("no-user-message-last", f"{EVENTS}/1")


def test_nothing_is_found_in_what_agents_cli_scaffolds_and_writes() -> None:
    assert said_of(case(), case("b", reference={"response": HELLO})) == []
    assert said_of(talk(ASKED, ANSWERED, ASKED)) == []
    assert said_of(talk(ASKED, ANSWERED, **RECORDED)) == []
    assert said_of(talk(CALLED, ANSWERED, prompt=HI)) == []  # what eval generate writes behind a prompt


@pytest.mark.parametrize("members", [{}, {"question": "Hi"}, {"prompt": None}, {"prompt": {}}, {"agent_data": {}}])
def test_a_case_without_anything_to_send(members: dict[str, Any]) -> None:
    assert said_of({"eval_case_id": "a", **members}) == [("empty-dataset-case", CASE)]


@pytest.mark.parametrize(
    ("member", "severity"),
    [
        ({"user_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask."}}, "warning"),
        ({"conversation_history": [ASKED]}, "warning"),
        ({"interactions_data_source": {"interaction": "projects/p/locations/l/interactions/i"}}, "info"),
        (RECORDED, "info"),
    ],
)
def test_a_case_that_only_other_programs_read(member: dict[str, Any], severity: str) -> None:
    (found,) = found_in(dataset({"eval_case_id": "a", **member}))
    assert (found.code, found.severity, found.pointer) == (
        "case-not-generated",
        severity,
        f"{CASE}/{next(iter(member))}",
    )


def test_a_prompt_beside_agent_data_is_taken_out() -> None:
    data = dataset(talk(ASKED, ANSWERED, ASKED, prompt=HI))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("prompt-and-agent-data", f"{CASE}/prompt")
    assert found.fix is not None
    assert found.fix.safe
    assert fixed(data, found.code)["eval_cases"] == [talk(ASKED, ANSWERED, ASKED)]


def test_the_fix_is_not_safe_where_the_prompt_says_something_else() -> None:
    (found,) = found_in(dataset(talk(ASKED, prompt={"role": "user", "parts": [{"text": "Bye"}]})))
    assert found.fix is not None
    assert not found.fix.safe


@pytest.mark.parametrize(
    ("last", "severity"),
    [
        (ANSWERED, "info"),
        (CALLED, "warning"),
        ({"author": "user"}, "warning"),
        ({"author": "user", "content": None}, "warning"),
    ],
)
def test_agent_data_that_end_without_a_message_of_the_user(last: dict[str, Any], severity: str) -> None:
    (found,) = found_in(dataset(talk(ASKED, last)), "no-user-message-last")
    assert (found.pointer, found.severity) == (f"{EVENTS}/1", severity)


@pytest.mark.parametrize(
    "agent_data", [{"turns": []}, {"turns": [{"turn_index": 0, "events": []}]}, {"agents": {"a": {}}}]
)
def test_agent_data_without_events(agent_data: dict[str, Any]) -> None:
    assert said_of(case(agent_data=agent_data)) == [("no-user-message-last", f"{CASE}/agent_data")]


@pytest.mark.parametrize("content", [{"role": "user"}, {"role": "user", "parts": [{"text": " "}]}])
def test_a_user_who_says_nothing(content: dict[str, Any]) -> None:
    assert said_of(case(prompt=content)) == [("no-user-text", f"{CASE}/prompt")]
    assert said_of(talk({"author": "user", "content": content})) == [("no-user-text", f"{EVENTS}/0/content")]


def test_parts_and_scenarios_are_checked_as_in_eval_sets() -> None:
    assert said_of(case(prompt={"role": "user", "parts": [{"text": "Hi"}, {}]})) == [
        ("empty-part", f"{CASE}/prompt/parts/1")
    ]
    two = {"text": "Hi", "fileData": {"fileUri": "gs://desk/card.png"}}
    assert said_of(talk({"author": "user", "content": {"role": "user", "parts": [two]}})) == [
        ("two-payloads", f"{EVENTS}/0/content/parts/0")
    ]
    scenario = {"starting_prompt": "Hi", "conversation_plan": ""}
    assert ("empty-scenario", f"{CASE}/user_scenario/conversation_plan") in said_of(case(user_scenario=scenario))


def test_history_that_no_agent_gets() -> None:
    assert said_of(case(conversation_history=[ASKED, ANSWERED])) == [("unsent-history", f"{CASE}/conversation_history")]
    assert said_of(case(conversation_history=[])) == []
    assert said_of(case(conversation_history=[ASKED, ANSWERED], **RECORDED)) == []  # graded, and not sent


@pytest.mark.parametrize(
    "reference", [{}, {"response": None}, {"response": {"role": "model"}}, {"response": {"role": "model", "parts": []}}]
)
def test_a_reference_without_an_answer(reference: dict[str, Any]) -> None:
    assert said_of(case(reference=reference)) == [("empty-reference", f"{CASE}/reference")]


def test_members_that_are_not_read_beside_agent_data() -> None:
    value = {"name": "desk"}
    assert said_of(talk(ASKED, agent_info=value)) == [("unread-beside-agent-data", f"{CASE}/agent_info")]
    assert said_of(case(agent_info=value)) == []


def test_expected_calls_beside_agent_data_are_no_problem() -> None:
    """evaltui scores them, and `record --into` writes them there."""
    assert said_of(talk(ASKED, intermediate_events=[ANSWERED])) == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (dataset(), [("empty-dataset", "/eval_cases")]),
        (b"{}", [("empty-dataset", "/eval_cases")]),
        (b'{"eval_cases": null}', [("empty-dataset", "/eval_cases")]),
        (b'{"gcs_source": {"uris": ["gs://desk/cases.jsonl"]}}', []),
        (b"[]", [("wrong-type", "")]),
    ],
)
def test_a_dataset_without_cases(data: bytes, expected: list[Said]) -> None:
    assert [(each.code, each.pointer) for each in found_in(data)] == expected


def test_a_list_of_cases_becomes_a_dataset() -> None:
    assert fixed(b'[{"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}}]', "wrong-type") == {
        "eval_cases": [case()]
    }


def test_secrets_and_odd_json_are_found_as_in_eval_sets() -> None:
    secret = {"role": "user", "parts": [{"text": "-----BEGIN PRIVATE KEY-----"}]}
    assert said_of(case(prompt=secret)) == [("secret", f"{CASE}/prompt/parts/0/text")]
    data = dataset(case(context="x")).replace(b'"x"', b"NaN")
    (found,) = found_in(data)
    assert (found.code, found.message) == (
        "not-a-number",
        "NaN is not valid JSON; agents-cli reads it, but writes null",
    )


def test_an_instruction_that_no_agent_gets() -> None:
    instruction = {"system_instruction": {"parts": [{"text": "Be polite."}]}}
    assert said_of(case(**instruction)) == [("unsent-instruction", f"{CASE}/system_instruction")]
    assert said_of(case(**instruction, **RECORDED)) == []


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
