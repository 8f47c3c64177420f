"""Agents, authors, turns and roles of a dataset."""

import json
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

AGENTS = {"desk": {"agent_id": "desk"}, "loans": {}}


@pytest.mark.parametrize(("content", "author"), [(HI, "user"), (HELLO, "desk")])
def test_an_event_without_author_gets_the_one_that_its_role_tells(content: dict[str, Any], author: str) -> None:
    data = dataset(talk({"content": content}, ASKED, agents={"desk": {}}))
    assert [(each.code, each.pointer) for each in found_in(data)] == [("event-without-author", f"{EVENTS}/0/author")]
    events = fixed(data, "event-without-author")["eval_cases"][0]["agent_data"]["turns"][0]["events"]
    assert events[0] == {"author": author, "content": content}
    assert list(events[0]) == ["author", "content"]


def test_of_several_agents_none_is_guessed() -> None:
    data = dataset(talk({"author": None, "content": HELLO}, ASKED, agents=AGENTS))
    events = fixed(data, "event-without-author")["eval_cases"][0]["agent_data"]["turns"][0]["events"]
    assert events[0]["author"] == "model"


@pytest.mark.parametrize("author", ["tool", "model", "desk", "loans"])
def test_authors_that_need_no_agent_or_have_one(author: str) -> None:
    assert said_of(talk(ASKED, {**ANSWERED, "author": author}, ASKED, agents=AGENTS)) == []


@pytest.mark.parametrize(("author", "safe"), [("Desk", True), ("desk_", False), ("fines", None)])
def test_authors_without_agent(author: str, safe: bool | None) -> None:
    (found,) = found_in(dataset(talk({**ANSWERED, "author": author}, ASKED, agents=AGENTS)))
    assert (found.code, found.pointer) == ("author-without-agent", f"{EVENTS}/0/author")
    assert found.message == f'the author "{author}" is not among the agents: desk, loans'
    assert (found.fix.safe if found.fix is not None else None) is safe


def test_where_no_agents_are_described_any_author_will_do() -> None:
    assert said_of(talk({**ANSWERED, "author": "anybody"}, ASKED)) == []
    assert said_of(talk({**ANSWERED, "author": "anybody"}, ASKED, agents={})) == []


def test_an_event_that_holds_nothing() -> None:
    assert said_of(talk({"author": "desk"}, ASKED)) == [("empty-event", f"{EVENTS}/0")]
    assert said_of(talk({"author": "desk", "state_delta": {"fines": 2}}, ASKED)) == []


def test_an_agent_under_another_key() -> None:
    data = dataset(talk(ASKED, agents={"desk": {"agentId": "help"}}))
    assert fixed(data, "agent-id-differs")["eval_cases"][0]["agent_data"]["agents"] == {"desk": {"agentId": "desk"}}


@pytest.mark.parametrize("numbers", [(None, None), (1, 2), (0, 2), (0, None), (True, 1), ("0", 1), (1, 0)])
def test_turns_are_numbered_at_once(numbers: tuple[Any, Any]) -> None:
    turns = [{**({"turn_index": number} if number is not None else {}), "events": [ASKED]} for number in numbers]
    data = dataset(case(agent_data={"turns": turns}))
    fixed_turns = fixed(data, "turn-index")["eval_cases"][0]["agent_data"]["turns"]
    assert fixed_turns == [{"turn_index": number, "events": [ASKED]} for number in (0, 1)]


@pytest.mark.parametrize(("role", "safe"), [("human", True), ("USER", True), ("assistant", False), ("narrator", False)])
def test_roles_that_gemini_does_not_know(role: str, safe: bool) -> None:
    (found,) = found_in(dataset(case(prompt={**HI, "role": role})))
    assert (found.code, found.pointer) == ("unknown-role", f"{CASE}/prompt/role")
    assert found.fix is not None
    assert (found.fix.title, found.fix.safe) == ("Write user", safe)


def test_the_role_of_a_reference() -> None:
    data = dataset(case(reference={"response": {**HELLO, "role": "assistant"}}))
    assert fixed(data, "unknown-role")["eval_cases"][0] == case(reference={"response": HELLO})
    instruction = {"role": "system", "parts": [{"text": "Help."}]}
    assert found_in(dataset(case(system_instruction=instruction)), "unknown-role") == []


def test_missing_roles_are_added_at_once() -> None:
    bare = {"parts": [{"text": "Hi"}]}
    (found,) = found_in(dataset(case(prompt=bare, reference={"response": {"parts": [{"text": "Hello"}]}})))
    assert (found.code, found.severity, found.pointer) == ("content-without-role", "warning", f"{CASE}/prompt/role")
    assert found.message == "2 messages of the case have no role"
    data = dataset(talk({"author": "user", "content": bare}, {"author": "desk", "content": bare}, ASKED))
    (found,) = found_in(data)
    assert (found.severity, found.pointer) == ("info", f"{EVENTS}/0/content/role")
    events = fixed(data, "content-without-role")["eval_cases"][0]["agent_data"]["turns"][0]["events"]
    assert [event["content"]["role"] for event in events] == ["user", "model", "user"]


@pytest.mark.parametrize(("author", "role"), [("User", "user"), ("USER", "user"), ("Desk", "model")])
def test_the_author_tells_the_missing_role_in_any_case(author: str, role: str) -> None:
    data = dataset(talk({"author": author, "content": {"parts": [{"text": "Hi"}]}}, ASKED))
    first = fixed(data, "content-without-role")["eval_cases"][0]["agent_data"]["turns"][0]["events"][0]
    assert first["content"]["role"] == role


def test_a_system_message_gets_no_role() -> None:
    data = dataset(case(conversation_history=[{"author": "system", "content": {"parts": [{"text": "Help."}]}}]))
    assert found_in(data, "content-without-role") == []


def test_responses_of_tools_need_no_role() -> None:
    response = {"parts": [{"function_response": {"name": "get_fines", "response": {"eur": 2}}}]}
    assert said_of(talk(ASKED, CALLED, {"author": "desk", "content": response}, ASKED)) == []


@pytest.mark.parametrize(("agents", "safe"), [({"desk": {}}, False), (AGENTS, None)])
def test_a_call_is_by_an_agent(agents: dict[str, Any], safe: bool | None) -> None:
    (found,) = found_in(dataset(talk(ASKED, {**CALLED, "author": "user"}, ASKED, agents=agents)))
    assert (found.code, found.severity, found.pointer) == ("call-by-user", "warning", f"{EVENTS}/1/author")
    assert (found.fix.safe if found.fix is not None else None) is safe


def test_a_call_by_the_user_gets_the_only_agent_that_answers() -> None:
    data = dataset(talk(ASKED, {**CALLED, "author": "user"}, ANSWERED, ASKED))
    assert fixed(data, "call-by-user") == json.loads(dataset(talk(ASKED, CALLED, ANSWERED, ASKED)))


def test_a_response_may_be_by_the_user() -> None:
    answer = {"role": "user", "parts": [{"function_response": {"name": "get_fines", "response": {}}}]}
    assert said_of(talk(ASKED, CALLED, {"author": "user", "content": answer}, ANSWERED, ASKED)) == []
