"""Calls and responses of results and eval sets that stand in a place that nobody reads, or that are missing.

They are not recorded. What google-adk itself writes stays recorded.
"""

from pathlib import Path

import pytest

from evaltui.recordings.conversation import Conversation
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import Json, call, case_result, content, eval_set, event, result, write

ASKED: Json = {"user_content": content("Hi"), "final_response": content("Hello", "model")}
CALL = {"name": "hours", "args": {"day": 1}}
CALLED = event("desk", {"function_call": CALL | {"id": "c1"}})
OTHER = event("desk", {"function_call": {"id": "c2", "name": "close", "args": {}}})
ANSWER = {"id": "c1", "name": "hours", "response": {"open": True}}
ANSWERED = event("desk", {"function_response": ANSWER}, role="user")
CLOSED = event("desk", {"function_response": {"id": "c2", "name": "close", "response": {}}}, role="user")
SPOKE = {"author": "desk", "usage_metadata": {"prompt_token_count": 5}, "model_version": "m"}
USES = "google-adk has tool calls in intermediate_data.tool_uses"
NO_CONTENT = "an event of the agent has no content"


def lists(*calls: Json, **members: object) -> Json:
    return ASKED | {"intermediate_data": {"tool_uses": list(calls)} | members}


def events(*values: Json) -> Json:
    return ASKED | {"intermediate_data": {"invocation_events": list(values)}}


def opened(tmp_path: Path, value: Json) -> tuple[Conversation, list[str]]:
    found = open_recording(write(tmp_path / "recording.json", value), for_cases=True)
    return found.conversations[0], [each.removeprefix("a, turn 1: ") for each in found.warnings]


def both(*turns: Json) -> list[Json]:
    return [result(case_result("a", *turns)), eval_set(*turns, eval_id="a")]


UNREAD: list[tuple[Json, str]] = [
    (lists(CALL, invocation_events=[]), f"intermediate_data.tool_uses is not read: {USES}"),
    (lists(CALL, invocation_events=None), f"intermediate_data.tool_uses is not read: {USES}"),
    (lists(CALL) | {"tool_calls": [CALL]}, f"tool_calls is not read: {USES}"),
    (lists() | {"log": "hours(day=1)"}, f"log is not read: {USES}"),
    (lists(steps=[CALL]), f"intermediate_data.steps is not read: {USES}"),
    (lists(CALL, toolUses=[]), f"intermediate_data.tool_uses is not read: {USES}"),
    (lists(CALL) | {"intermediateData": {"tool_uses": []}}, f"intermediate_data is not read: {USES}"),
    (lists(CALL, more=[CALL]), f"intermediate_data.more is not read: {USES}"),
    (
        ASKED | {"intermediate_data": {"tool_uses": [], "intermediate_data": {"tool_uses": [CALL]}}},
        f"intermediate_data.intermediate_data is not read: {USES}",
    ),
    (
        lists(intermediate_responses=[["desk", [{"text": "One moment"}, {"function_call": CALL}]]]),
        f"intermediate_data.intermediate_responses is not read: {USES}",
    ),
    (
        lists(intermediate_responses=[["desk", [{"tool_use": CALL}]]]),
        f"intermediate_data.intermediate_responses is not read: {USES}",
    ),
    (
        lists() | {"final_response": content("Hello", "model") | {"actions": [CALL]}},
        f"final_response.actions is not read: {USES}",
    ),
    (
        events(event("desk", {"text": "One moment", "uses": [CALL]}), OTHER, CLOSED),
        f"invocation_events.content.parts.uses is not read: {USES}",
    ),
    (
        events(event("desk", {"tool_call": CALL}), OTHER),
        f"invocation_events.content.parts.tool_call.name is not read: {USES}",
    ),
    (events({"author": "desk", "data": CALLED["content"]}, OTHER), f"invocation_events.data is not read: {USES}"),
    (events({"author": "desk", "content": None}, OTHER), NO_CONTENT),
    (events({"author": "desk"}, OTHER), NO_CONTENT),
    (events(OTHER, {"author": "desk"}), NO_CONTENT),
    (events({"author": "desk", "content": {"role": "model", "parts": None}}, OTHER), NO_CONTENT),
    (events({"author": "desk", "content": {"parts": [{"thought_signature": "x"}]}}, OTHER), NO_CONTENT),
    (events(event("desk", {"text": "One moment"}, {"function_call": None})), NO_CONTENT),
    (events(SPOKE, OTHER, CLOSED, SPOKE), NO_CONTENT),
    (events(SPOKE | {"content": {"role": "model", "parts": []}}), NO_CONTENT),
    (events(ANSWERED, OTHER), "hours has a response, but its call is not recorded"),
    (lists(tool_responses=[ANSWER]), "hours has a response, but its call is not recorded"),
    (lists(tool_responses=[{"response": {}}]), "a tool has a response, but its call is not recorded"),
    (
        lists(CALL, tool_responses=[{"name": "hours"}, {"name": "hours"}]),
        "hours has a response, but its call is not recorded",
    ),
    (lists(intermediate_responses={"desk": [CALL]}), f"intermediate_data.intermediate_responses is not read: {USES}"),
    (lists(tool_responses={"hours": {}}), f"intermediate_data.tool_responses is not read: {USES}"),
]


@pytest.mark.parametrize(("turn", "said"), UNREAD)
def test_calls_that_may_stand_elsewhere_or_are_missing_are_not_recorded(tmp_path: Path, turn: Json, said: str) -> None:
    for value in both(turn):
        conversation, warnings = opened(tmp_path, value)
        assert [set(each.unrecorded) for each in conversation.turns] == [{"calls"}]
        assert warnings == [said]
        assert "intermediate_data" not in conversation.recorded_turns[0].invocation


@pytest.mark.parametrize(
    "between",
    [{"tool_uses": None}, {"tool_uses": None, "tool_responses": []}, {"invocation_events": None}],
)
def test_null_in_the_place_of_calls_states_nothing(tmp_path: Path, between: Json) -> None:
    for value in both(ASKED | {"intermediate_data": between}):
        conversation, warnings = opened(tmp_path, value)
        assert (set(conversation.turns[0].unrecorded), warnings) == ({"calls"}, [])


@pytest.mark.parametrize(
    "turn",
    [
        lists(CALL, tool_responses=[], intermediate_responses=[["desk", [{"text": "One moment"}]]]),
        lists(call("hours"), call("hours", "c2"), tool_responses=[ANSWER, ANSWER, {"name": "hours"}]),
        lists(CALL) | {"duration": 1.5, "app_details": {"agent_details": {}}, "rubrics": [], "turn": 1, "note": None},
        events(CALLED, ANSWERED, SPOKE),
        events(CALLED, SPOKE),
        events({"author": "desk", "content": None}),
        events(event("desk", {"text": "Draft"}), {"author": "desk"}, OTHER, CLOSED),
        events(SPOKE, event("desk", {"inline_data": {"mime_type": "audio/pcm", "data": "AAAA"}})),
        events({"author": "desk", "content": None, "grounding_metadata": {"web_search_queries": ["a"]}}, OTHER, SPOKE),
        events(CALLED | {"id": "e", "invocationIndex": 1, "timestamp": 5.0, "long_running_tool_ids": ["c1"]}),
        {"intermediate_data": {"toolUses": [], "invocationEvents": [CALLED]}} | ASKED,
    ],
)
def test_turns_as_google_adk_writes_them_are_recorded(tmp_path: Path, turn: Json) -> None:
    for value in both(turn):
        conversation, warnings = opened(tmp_path, value)
        assert ([set(each.unrecorded) for each in conversation.turns], warnings) == ([set()], [])


def test_a_tool_may_answer_in_a_later_turn(tmp_path: Path) -> None:
    for value in both(events(CALLED, SPOKE), events(ANSWERED, SPOKE)):
        conversation, warnings = opened(tmp_path, value)
        assert ([set(each.unrecorded) for each in conversation.turns], warnings) == ([set(), set()], [])


@pytest.mark.parametrize(
    "members",
    [
        {"message": content("Hello")},
        {"final_text": "Hello"},
        {"final_response": {"role": "model", "parts": [{"output": "Hello"}]}},
        {"final_response": {"role": "model", "parts": [], "content": "Hello"}},
        {"intermediate_data": {"tool_uses": [], "final_response": content("Hello")}},
        {"intermediate_data": {"invocation_events": [{"author": "desk", "message": content("Hello")}]}},
    ],
)
def test_a_response_that_may_stand_elsewhere_is_not_recorded(tmp_path: Path, members: Json) -> None:
    turn = {"user_content": content("Hi"), "intermediate_data": {"tool_uses": []}} | members
    for value in both(turn):
        conversation, warnings = opened(tmp_path, value)
        assert set(conversation.turns[0].unrecorded) == {"calls", "response"}
        assert [each.endswith("and the response in final_response.parts") for each in warnings] == [True]


def test_members_beside_the_turns_of_a_result_may_hold_their_parts(tmp_path: Path) -> None:
    silent = {"user_content": content("Hi"), "intermediate_data": {"tool_uses": []}}
    case = case_result("a", silent)
    beside_turn = {"actual_invocation": silent, "final_response": content("Hello")}
    for value in (
        case | {"eval_metric_result_per_invocation": [beside_turn]},
        case | {"trajectory": [CALL]},
    ):
        conversation, warnings = opened(tmp_path, result(value))
        assert set(conversation.turns[0].unrecorded) == {"calls", "response"}
        assert len(warnings) == 1


@pytest.mark.parametrize(
    ("told", "keys"),
    [
        ({"name": "hours", "payload": {"day": 1}}, "payload"),
        ({"name": "hours", "args": {}, "arguments": {"day": 1}}, "arguments"),
        ({"name": "hours", "args": None, "query": "day=1"}, "query"),
        ({"name": "hours", "day": 1}, "day"),
        ({"name": "hours", "args": {"day": 1}, "more": {"shop": "north"}}, "more"),
    ],
)
def test_arguments_that_may_stand_elsewhere_are_not_recorded(tmp_path: Path, told: Json, keys: str) -> None:
    for turn in (lists(told), events(event("desk", {"function_call": told}))):
        for value in both(turn):
            conversation, warnings = opened(tmp_path, value)
            (read,) = conversation.turns
            assert (set(read.unrecorded), [each.has_args for each in read.calls]) == ({"arguments"}, [False])
            assert warnings == [f"{keys} is not read: google-adk has the arguments of a tool call in args"]


@pytest.mark.parametrize(
    ("told", "keys"),
    [
        ({"partial_args": [{"json_path": "$.day"}]}, "partial_args"),
        ({"args": {"day": 1}, "partialArgs": [{"jsonPath": "$.day"}]}, "partialArgs"),
        ({"args": {"day": 1}, "will_continue": True}, "will_continue"),
        ({"args": {}, "willContinue": True}, "willContinue"),
    ],
)
def test_arguments_that_a_model_has_not_finished_are_not_recorded(tmp_path: Path, told: Json, keys: str) -> None:
    for turn in (lists({"name": "hours"} | told), events(event("desk", {"function_call": {"name": "hours"} | told}))):
        for value in both(turn):
            conversation, warnings = opened(tmp_path, value)
            assert [set(each.unrecorded) for each in conversation.turns] == [{"arguments"}]
            assert warnings == [f"the arguments of a tool call are not finished: it has {keys}"]


@pytest.mark.parametrize("told", [{"will_continue": False}, {"willContinue": None}, {"partialArgs": []}])
def test_finished_arguments_are_recorded(tmp_path: Path, told: Json) -> None:
    conversation, warnings = opened(tmp_path, both(lists({"name": "hours", "args": {"day": 1}} | told))[0])
    assert [turn.unrecorded for turn in conversation.turns] == [frozenset()]
    assert warnings == []


@pytest.mark.parametrize("name", [None, ""])
def test_the_name_of_a_call_may_stand_elsewhere(tmp_path: Path, name: str | None) -> None:
    for value in both(lists({"name": name, "tool": "hours"}), lists(CALL)):
        conversation, warnings = opened(tmp_path, value)
        assert [set(each.unrecorded) for each in conversation.turns] == [{"calls"}, set()]
        read = "google-adk has the name of a tool call in name, and its arguments in args"
        assert warnings == [f"tool is not read: {read}"]
