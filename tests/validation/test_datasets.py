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
