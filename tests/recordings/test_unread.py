"""What of a recorded turn cannot be read is said, so that a call that is lost never passes for none."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import (
    Json,
    agent_data,
    call,
    case_result,
    content,
    dataset,
    eval_set,
    event,
    invocation,
    result,
    write,
)

CALLS = "intermediate_data/tool_uses"
EVENTS = "intermediate_data/invocation_events"

BROKEN: list[tuple[Json, str]] = [
    ({"intermediate_data": {"tool_uses": [call("f"), 5]}}, f"{CALLS}/1 is not an object"),
    ({"intermediateData": {"toolUses": [None]}}, f"{CALLS}/0 is not an object"),
    ({"intermediate_data": {"tool_uses": {"name": "f"}}}, f"{CALLS} is not a list"),
    ({"intermediate_data": {"tool_uses": [{"name": 5}]}}, f"{CALLS}/0/name is not a string"),
    ({"intermediate_data": {"tool_uses": [{"name": "f", "args": "{}"}]}}, f"{CALLS}/0/args is not an object"),
    ({"intermediate_data": "f()"}, "intermediate_data is not an object"),
    ({"intermediate_data": {"invocation_events": "f"}}, f"{EVENTS} is not a list"),
    ({"intermediate_data": {"invocation_events": [7]}}, f"{EVENTS}/0 is not an object"),
    ({"intermediate_data": {"invocation_events": [{"content": "f"}]}}, f"{EVENTS}/0/content is not an object"),
    (
        {"intermediate_data": {"invocation_events": [event("a", {"function_call": "f"})]}},
        f"{EVENTS}/0/content/parts/0/function_call is not an object",
    ),
    (
        {"intermediate_data": {"tool_uses": [call("f")], "invocation_events": [event("a")]}},
        "intermediate_data has both tool_uses and invocation_events",
    ),
    ({"final_response": "Hello"}, "final_response is not an object"),
    ({"final_response": {"parts": "Hello"}}, "final_response/parts is not a list"),
    ({"final_response": {"parts": [{"text": "Hello"}, {"text": 5}]}}, "final_response/parts/1/text is not a string"),
]


def unread(tmp_path: Path, value: object) -> list[str | None]:
    return [each.unread for each in open_recording(write(tmp_path / "r.json", value)).conversations]


def without_data(change: Json) -> Json:
    return {name: each for name, each in invocation().items() if name != "intermediate_data"} | change


@pytest.mark.parametrize(("change", "said"), BROKEN)
def test_results_and_sets_say_what_of_a_turn_is_unread(tmp_path: Path, change: Json, said: str) -> None:
    turns = invocation(), without_data(change)
    assert unread(tmp_path, result(case_result("greeting", *turns))) == [f"turn 2: {said}"]
    assert unread(tmp_path, eval_set(*turns)) == [f"turn 2: {said}"]


@pytest.mark.parametrize(
    "change",
    [
        {"intermediate_data": None, "final_response": None},
        {"intermediate_data": {"tool_uses": None, "invocation_events": []}, "new": 1},
        {
            "intermediate_data": {
                "invocation_events": [{"author": "a"}, {"content": None}, event("a", {}, {"text": None})]
            }
        },
        {"final_response": {"parts": [{"inline_data": 5}], "new": 1}},
    ],
)
def test_what_is_absent_null_or_not_compared_is_no_fault(tmp_path: Path, change: Json) -> None:
    assert unread(tmp_path, result(case_result("greeting", without_data(change)))) == [None]


@pytest.mark.parametrize("turns", [[{"actual_invocation": invocation()}, "turn"], [{"actual_invocation": None}]])
def test_a_result_that_lost_a_turn_says_which(tmp_path: Path, turns: list[Any]) -> None:
    case = case_result("greeting", invocation(), eval_metric_result_per_invocation=turns)
    assert unread(tmp_path, result(case)) == [f"turn {len(turns)}: it is not an object"]


def test_turns_of_a_result_that_are_no_list_are_unread(tmp_path: Path) -> None:
    case = case_result("greeting", eval_metric_result_per_invocation={"0": invocation()})
    assert unread(tmp_path, result(case)) == ["eval_metric_result_per_invocation is not a list"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"intermediate_events": [event("a", {"text": "Hm"}), 5]}, "intermediate_events/1 is not an object"),
        ({"intermediate_events": "f"}, "intermediate_events is not a list"),
        ({"responses": [{"response": content("Hello")}, 5]}, "responses/1 is not an object"),
        (
            {
                "agent_data": agent_data(
                    [event("user", {"text": "Hi"}), event("a", {"function_call": 1}, {"text": "Hello"})]
                )
            },
            "agent_data/turns/0/events/1/content/parts/0/function_call is not an object",
        ),
        ({"responses": [{"response": "a bare text"}]}, None),
    ],
)
def test_datasets_say_it_too(tmp_path: Path, members: Json, said: str | None) -> None:
    found = unread(tmp_path, dataset(**({"responses": [{"response": content("Hello")}]} | members)))
    assert set(found) == {said}
