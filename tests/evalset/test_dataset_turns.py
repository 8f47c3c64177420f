"""Expectations of a dataset's case: the last message of the user, the events and the reference beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.node import root_of_file
from evaltui.evalset.dataset_turns import explain_unread, is_answered, is_dataset_case
from evaltui.evalset.expected_set import read_case
from evaltui.evalset.keys import camel
from evaltui.evalset.turn import Turn
from evaltui.runs.set_reader import set_of
from tests.recordings.files import Json, agent_data, content, event

ASKS = event("user", {"text": "Is it open?"}, role="user")
CALLS = event("desk", {"function_call": {"id": "a", "name": "hours", "args": {"day": 1}}})
TOLD = event("desk", {"function_response": {"id": "a", "name": "hours", "response": {"open": True}}}, role="user")
SAYS = event("desk", {"text": "Yes."})
REFERENCE = {"response": content("Yes, until six.", "model")}

Said = tuple[str, list[tuple[str | None, Any, Any]], str]


def in_camel_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {camel(name): in_camel_case(each) for name, each in value.items()}
    return [*map(in_camel_case, value)] if isinstance(value, list) else value


def said(turns: tuple[Turn, ...]) -> list[Said]:
    return [
        (turn.user_text, [(call.name, call.args, call.response) for call in turn.calls], turn.response)
        for turn in turns
    ]


HOURS = ("hours", {"day": 1}, {"open": True})
FORMS: list[tuple[str, Json, list[Said], list[Said]]] = [
    ("a prompt alone", {"prompt": content("Hi")}, [], [("Hi", [], "")]),
    ("a bare prompt", {"prompt": "Hi", "reference": {"response": "Ho"}}, [], [("Hi", [], "Ho")]),
    (
        "a prompt with all",
        {"prompt": content("Hi"), "intermediate_events": [CALLS, TOLD], "reference": REFERENCE},
        [],
        [("Hi", [HOURS], "Yes, until six.")],
    ),
    (
        "history before the prompt",
        {
            "conversation_history": [{"content": content("Hey")}, {"content": content("Ho", "model")}],
            "prompt": content("Hi"),
            "reference": REFERENCE,
        },
        [("Hey", [], "Ho")],
        [("Hi", [], "Yes, until six.")],
    ),
    (
        "a trailing user event",
        {"agent_data": agent_data([ASKS, CALLS, TOLD, SAYS], [ASKS]), "intermediate_events": [CALLS]},
        [("Is it open?", [HOURS], "Yes.")],
        [("Is it open?", [("hours", {"day": 1}, None)], "")],
    ),
    (
        "state before the trailing user event",
        {"agent_data": agent_data([{"author": "user", "state_delta": {"a": 1}}, ASKS])},
        [],
        [("Is it open?", [], "")],
    ),
    (
        "a populated trace",
        {
            "prompt": content("Hi"),
            "agent_data": agent_data([CALLS, TOLD, SAYS]),
            "responses": [{"response": content("Yes.", "model")}],
            "reference": REFERENCE,
        },
        [],
        [("Hi", [], "Yes, until six.")],
    ),
    (
        "a populated conversation",
        {"agent_data": agent_data([ASKS, SAYS], [ASKS, CALLS, TOLD, SAYS]), "reference": REFERENCE},
        [("Is it open?", [], "Yes.")],
        [("Is it open?", [], "Yes, until six.")],
    ),
    ("nothing that is said", {"custom": 1}, [], []),
    ("a scenario", {"user_scenario": {"starting_prompt": "Hi"}, "agent_data": agent_data([ASKS, SAYS])}, [], []),
]


@pytest.mark.parametrize("in_camel", [False, True])
@pytest.mark.parametrize(("form", "case", "given", "expected"), FORMS, ids=[form for form, *_ in FORMS])
def test_the_last_message_begins_the_turn_that_is_expected(
    form: str, case: Json, given: list[Said], expected: list[Said], in_camel: bool
) -> None:
    value = {"eval_case_id": "desk"} | case
    found = read_case(json.dumps(in_camel_case(value) if in_camel else value).encode(), 0)
    assert (found.eval_id, said(found.given_turns), said(found.turns)) == ("desk", given, expected)


@pytest.mark.parametrize(
    ("case", "has_answer"),
    [
        ({"prompt": content("Hi")}, False),
        ({"prompt": content("Hi"), "responses": []}, False),
        ({"prompt": content("Hi"), "responses": [{"response": content("Ho")}]}, True),
        ({"prompt": content("Hi"), "intermediate_events": [CALLS, TOLD, SAYS], "reference": REFERENCE}, False),
        ({"prompt": content("Hi"), "agent_data": agent_data([CALLS, SAYS])}, True),
        ({"agent_data": agent_data([ASKS, SAYS])}, True),
        ({"agent_data": agent_data([ASKS, SAYS, ASKS])}, False),
        ({"responses": [{"response": content("Ho")}]}, False),
        ({"intermediate_events": [ASKS, CALLS, SAYS]}, False),
        ({}, False),
    ],
)
def test_responses_and_later_events_are_answers_and_expected_events_are_none(case: Json, has_answer: bool) -> None:
    assert is_answered(case) is has_answer


@pytest.mark.parametrize(
    "value",
    [
        5,
        "x",
        [],
        {},
        {"parts": 5},
        {"parts": [5]},
        {"text": 5},
        {"response": 5},
        {"turns": 5},
        {"turns": [{"events": [5]}]},
    ],
)
@pytest.mark.parametrize(
    "name",
    ["prompt", "reference", "responses", "agent_data", "conversation_history", "intermediate_events", "user_scenario"],
)
def test_values_of_other_types_count_as_absent(name: str, value: Any) -> None:
    case = {"eval_case_id": "desk", "prompt": content("Hi"), "reference": REFERENCE} | {name: value}
    found = read_case(json.dumps(case).encode(), 0)
    assert len(found.turns) in (0, 1)
    assert found.given_turns == ()


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({}, None),
        ({"prompt": "Hi", "reference": {"response": "Ho"}}, None),
        ({"reference": None, "intermediate_events": None, "agent_data": None}, None),
        ({"reference": "Ho"}, "reference is not an object"),
        ({"reference": {"response": 5}}, "reference/response is not an object"),
        ({"prompt": {"parts": {}}}, "prompt/parts is not a list"),
        ({"intermediate_events": [CALLS, 5]}, "intermediate_events/1 is not an object"),
        (
            {"intermediate_events": [event("desk", {"function_call": {"name": 5}})]},
            "intermediate_events/0/content/parts/0/function_call/name is not a string",
        ),
        ({"agent_data": []}, "agent_data is not an object"),
        ({"agent_data": {"turns": [{"events": {}}]}}, "agent_data/turns/0/events is not a list"),
    ],
)
def test_the_first_value_that_cannot_be_read_is_named(members: Json, reason: str | None) -> None:
    assert explain_unread({"prompt": content("Hi")} | members, is_answer=False) == reason


@pytest.mark.parametrize(
    ("case", "is_one"),
    [
        ({"eval_case_id": "a"}, True),
        ({"prompt": content("Hi")}, True),
        ({"userScenario": {}}, True),
        ({"eval_id": "a", "prompt": content("Hi")}, False),
        ({"eval_case_id": "a", "conversation": []}, False),
        ({"custom": 1}, False),
        (5, False),
    ],
)
def test_a_case_that_google_adk_knows_is_none_of_a_dataset(case: Any, is_one: bool) -> None:
    assert is_dataset_case(case) is is_one
    assert (read_case(json.dumps(case).encode(), 0).is_of_dataset) is is_one


def test_each_case_of_the_shared_datasets_expects_one_turn_of_its_last_message(shared_folder: Path) -> None:
    turns: dict[str, list[tuple[int, int]]] = {}
    for path in sorted((shared_folder / "corpus").glob("*platform_dataset*")):
        subject = set_of(root_of_file(path.read_bytes()), path.read_bytes(), path, path.name)
        assert subject.is_dataset
        assert subject.fault is None
        turns[path.name[:3]] = [(len(case.given_turns), len(case.turns)) for case in subject.cases]
    assert turns.pop("193") == [(0, 0)] * 6  # cases that a script of its authors runs
    assert turns.pop("194") == [(1, 1)]
    assert len(turns) == 9
    assert {each for found in turns.values() for each in found} == {(0, 1)}
