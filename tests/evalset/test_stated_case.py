"""What a dataset case states stays the same whatever an agent did."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.evalset.dataset_turns import stated_in, stated_text
from tests.answered_dataset import ANSWERED, DATASET, calls, event, said

ASKS = event("user", {"text": "Hi"}, role="user")
EXPECTED = {"reference": {"response": said("Hello there", "model")}}
BARE = {"eval_case_id": "a", "prompt": said("Hi"), **EXPECTED}


def turns(*events: Any) -> dict[str, Any]:
    return {"turns": [{"turn_index": 0, "turn_id": "turn_0", "events": list(events)}]}


def test_an_answered_case_states_what_the_case_without_answers_states() -> None:
    for one, other in zip(json.loads(DATASET)["eval_cases"], json.loads(ANSWERED)["eval_cases"], strict=True):
        assert stated_in(one) == stated_in(other)


@pytest.mark.parametrize(
    "recorded",
    [
        {"responses": [{"response": said("No.", "model")}]},
        {"predicted_trajectory": [{"tool_name": "book", "tool_input": {}}]},
        {"agent_data": {"agents": {"desk": {"instruction": "Be kind."}}, **turns(calls("book"), event("desk"))}},
        {"agentData": {"turns": [], "error": "no agent"}},
        {"error": "no agent", "agent_info": {"name": "desk"}},
    ],
)
def test_what_an_agent_did_is_not_stated(recorded: dict[str, Any]) -> None:
    assert stated_in({**BARE, **recorded}) == BARE


def test_given_turns_and_the_last_message_are_stated_without_the_ids_and_times_of_a_run() -> None:
    given = [ASKS, calls("look"), event("desk", {"text": "Which one?"}), ASKS]
    case = {"eval_case_id": "a", **EXPECTED}
    stated = stated_in({**case, "agent_data": turns(*given)})
    later = [{**each, "event_time": "2026-01-01T00:00:00Z", "event_id": "7"} for each in given]
    assert stated_in({**case, "agent_data": turns(*later, calls("book"), {"state_delta": {"a": 1}})}) == stated
    for other in (given[:1], [*given[:2], event("desk", {"text": "What?"}), ASKS], [ASKS, calls("see"), *given[2:]]):
        assert stated_in({**case, "agent_data": turns(*other)}) != stated


def test_a_history_ends_with_the_last_message_unless_a_prompt_follows_it() -> None:
    history = [ASKS, event("desk", {"text": "Hello"})]
    case = {"eval_case_id": "a", "conversation_history": history}
    assert len(stated_in(case)["conversation_history"]) == 1
    assert stated_in({**case, "prompt": said("More")})["conversation_history"] == history


def test_the_messages_of_a_simulated_user_are_not_stated() -> None:
    case = {"eval_case_id": "a", "user_scenario": {"starting_prompt": "Hi"}}
    assert stated_in({**case, "agent_data": turns(ASKS, event("desk", {"text": "Hello"}))}) == case


@pytest.mark.parametrize(
    "member", [{"intermediate_events": [calls("book")]}, {"reference": {}}, {"rubrics": [1]}, {"prompt": said("Hey")}]
)
def test_expectations_and_other_keys_are_stated(member: dict[str, Any]) -> None:
    assert stated_in({**BARE, **member}) != stated_in(BARE)


@pytest.mark.parametrize(
    "source", [b"{", b"[1]", b'{"eval_id": "a", "responses": []}', b'{"prompt": ' + b"[" * 9000 + b"]" * 9000 + b"}"]
)
def test_the_text_of_another_value_stays(source: bytes) -> None:
    assert stated_text(source) == source


@pytest.mark.parametrize("odd", [None, 5, "x", [None, 5], {"turns": [None, {"events": 5}, {"events": [None]}]}])
def test_values_of_the_wrong_type_are_no_given_turns(odd: Any) -> None:
    names = ("agent_data", "conversation_history", "prompt")
    for name in names:
        assert stated_in({**EXPECTED, name: odd})["reference"] == EXPECTED["reference"]
