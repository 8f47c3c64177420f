"""Keys that google-adk lets pass and does not read."""

from typing import Any

import pytest

from tests.validation.findings import TURN, case, fixed, found_in, said_of, set_of, turn

SESSION = {"app_name": "desk", "user_id": "user"}
CASE = "/eval_cases/0"


def with_event(**members: Any) -> bytes:
    return set_of(case(turn(intermediate_data={"invocation_events": [{"author": "desk", **members}]})))


@pytest.mark.parametrize("key", ["session_inputs", "SessionInput", "sesion_input", "session-input", "sessioninput"])
def test_a_misspelt_key_of_a_case_is_said_at_the_key_and_renamed(key: str) -> None:
    data = set_of(case(**{key: SESSION}))
    (found,) = found_in(data)
    assert (found.code, found.pointer, found.at_key) == ("misspelt-key-ignored", f"{CASE}/{key}", True)
    assert found.message == f"{key} is ignored; session_input is probably meant"
    assert found.fix is not None
    assert found.fix.safe
    assert fixed(data, "misspelt-key-ignored")["eval_cases"][0] == case(session_input=SESSION)


def test_it_is_renamed_in_the_spelling_of_its_neighbours() -> None:
    data = set_of({"evalId": "a", "conversation": [TURN], "sessionInputs": {"appName": "desk", "userId": "user"}})
    assert "sessionInput" in fixed(data, "misspelt-key-ignored")["eval_cases"][0]


@pytest.mark.parametrize(
    ("members", "at"),
    [
        ({"session_input": {**SESSION, "states": {}}}, f"{CASE}/session_input/states"),
        ({"rubric": []}, f"{CASE}/rubric"),
        ({"create_timestamp": 1763869009.5}, f"{CASE}/create_timestamp"),
    ],
)
def test_misspelt_keys_elsewhere(members: dict[str, Any], at: str) -> None:
    assert said_of(set_of(case(**members))) == [("misspelt-key-ignored", at)]


def test_misspelt_keys_of_events() -> None:
    at = f"{CASE}/conversation/0/intermediate_data/invocation_events/0/modelversion"
    assert said_of(with_event(modelversion="gemini")) == [("misspelt-key-ignored", at)]
    assert said_of(with_event(invocationIndex=0, toolUseIndex=1)) == []
    assert said_of(with_event(metadata={"seen": True})) == []


@pytest.mark.parametrize(
    "members",
    [
        {"metadata": {"owner": "library"}},
        {"description": "The first of all", "tags": ["smoke"]},
        {"session_id": "s-1"},  # near to session_input, which is no text
        {"conversation_id": "c-1"},  # near to conversation, which is there
        {"session_input": SESSION, "session_inputs": SESSION},
        {"create_timestamp": "yesterday"},
    ],
)
def test_keys_of_ones_own_are_let_pass_in_a_case(members: dict[str, Any]) -> None:
    assert said_of(set_of(case(**members))) == []


@pytest.mark.parametrize(
    "key",
    [
        *("actual_conversation", "expectedConversation", "base_conversation", "goldenconversation", "conversation_v2"),
        *("conversation_before", "candidate_conversations", "actual_convrsation", "conversation-2"),
    ],
)
def test_a_known_name_with_a_further_word_is_another_key(key: str) -> None:
    data = set_of({"eval_id": "a", key: [TURN]})
    assert said_of(data) == [("conversation-or-scenario", CASE)]


@pytest.mark.parametrize(
    "key", ["convrsation", "conversations", "Conversation", "conver_sation", "con-versation", "converstaion"]
)
def test_a_slip_in_a_name_is_still_one(key: str) -> None:
    assert fixed(set_of({"eval_id": "a", key: [TURN]}), "misspelt-key-ignored")["eval_cases"][0] == case(eval_id="a")


@pytest.mark.parametrize("key", ["base_eval_set_id", "evalSetIdBefore", "other-eval-set-id"])
def test_a_further_word_makes_another_key_of_a_set(key: str) -> None:
    data = set_of(case()).replace(b'"eval_set_id"', f'"{key}"'.encode())
    found = found_in(data)
    assert {each.code for each in found} == {"missing-field", "dropped-key"}
    assert not any(each.fix and each.fix.safe for each in found)


@pytest.mark.parametrize(
    "key", ["actual_final_response", "expectedFinalResponse", "final_response_v2", "ideal_response", "actual_response"]
)
def test_a_further_or_other_word_makes_another_key_of_a_turn(key: str) -> None:
    said = {"parts": [{"text": "I do not know."}]}
    (found,) = found_in(set_of(case({"user_content": TURN["user_content"], key: said})))
    assert (found.code, found.fix is not None and found.fix.safe) == ("unknown-key", False)


def test_of_two_keys_that_mean_one_only_the_first_is_renamed() -> None:
    data = set_of(case(session_inputs=SESSION, sesion_input=SESSION))
    assert said_of(data) == [("misspelt-key-ignored", f"{CASE}/session_inputs")]


def test_a_case_without_its_conversation_for_a_slip_gets_the_fix_beside_the_error() -> None:
    data = set_of({"eval_id": "a", "conversations": [TURN]})
    assert said_of(data) == [
        ("conversation-or-scenario", CASE),
        ("misspelt-key-ignored", f"{CASE}/conversations"),
    ]
    assert fixed(data, "misspelt-key-ignored")["eval_cases"] == [{"eval_id": "a", "conversation": [TURN]}]


@pytest.mark.parametrize("key", ["creationTimestamp", "creation_timestmp"])
def test_at_the_top_of_a_set_keys_are_renamed_to_snake_case(key: str) -> None:
    data = set_of(case(), **{key: 1763869009.5})
    assert said_of(data) == [("misspelt-key-ignored", f"/{key}")]
    assert fixed(data, "misspelt-key-ignored")["creation_timestamp"] == 1763869009.5


def test_keys_at_the_top_that_google_adk_loses_are_said_once() -> None:
    assert said_of(set_of(case(), metadata={}, _comment="")) == [
        ("dropped-key", "/metadata"),
        ("dropped-key", "/_comment"),
    ]
    assert said_of(set_of(case(), name="n", description=None, creation_timestamp=1.5)) == []
    assert said_of(b'{"evalSetId": "s", "eval_cases": []}') == [
        ("misspelt-key", "/evalSetId"),
        ("empty-set", "/eval_cases"),
    ]


def test_of_two_spellings_the_one_that_is_not_read_is_taken_out() -> None:
    data = set_of(case(evalId="two"))
    (found,) = found_in(data)
    assert (found.code, found.pointer, found.at_key) == ("both-spellings", f"{CASE}/eval_id", True)
    assert found.fix is not None
    assert not found.fix.safe
    assert fixed(data, "both-spellings")["eval_cases"][0]["evalId"] == "two"


def test_that_is_safe_where_both_say_the_same() -> None:
    data = set_of(case(session_input={**SESSION, "appName": "desk"}))
    (found,) = found_in(data)
    assert (found.code, found.pointer) == ("both-spellings", f"{CASE}/session_input/app_name")
    assert found.fix is not None
    assert found.fix.safe
    assert said_of(with_event(model_version="1", modelVersion="2"))[0][0] == "both-spellings"


def test_keys_of_the_list_format_are_not_read_in_a_set() -> None:
    (found,) = found_in(set_of(case(expected_tool_use=[])))
    assert (found.code, found.pointer, found.at_key) == ("legacy-key", f"{CASE}/expected_tool_use", True)


def test_a_final_state_is_read_by_nothing_and_an_empty_one_says_nothing() -> None:
    assert said_of(set_of(case(finalSessionState={"fines": 0}))) == [
        ("unread-final-state", f"{CASE}/finalSessionState")
    ]
    assert said_of(set_of(case(final_session_state={}))) == said_of(set_of(case(final_session_state=None))) == []
