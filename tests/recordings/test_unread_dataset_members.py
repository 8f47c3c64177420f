"""Datasets with cases that nobody can read whole: the parts of a turn that they could hold are not recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import Json, agent_data, content, dataset, event, write

ASKS, SAYS = event("user", {"text": "Hi"}, role="user"), event("desk", {"text": "Yes."})
CALLS = event("desk", {"function_call": {"id": "a", "name": "hours", "args": {"day": 1}}})
TOLD = event("desk", {"function_response": {"id": "a", "name": "hours", "response": {"open": True}}}, role="user")
ANSWERED: Json = {"responses": [{"response": content("Yes.", "model")}]}
HELD = {"parts": [{"function_call": {"name": "hours", "args": {}}}, {"text": "Yes."}]}


def opened(tmp_path: Path, **case: Any) -> Recording:
    return open_recording(write(tmp_path / "dataset.json", dataset(**case)), for_cases=True)


def missing(recording: Recording) -> list[set[str]]:
    return [set(turn.unrecorded) for turn in recording.conversations[0].turns]


def told(tmp_path: Path, *events: Any) -> Recording:
    return opened(tmp_path, agent_data=agent_data([ASKS, *events]))


UNREAD = [
    event("desk", {"tool_call": {"name": "hours"}}),
    event("desk", {"type": "tool_use", "name": "hours"}),
    event("desk", {"text": "One moment.", "anything": [1]}),
    {"author": "desk", "anything": [1]},
    {"author": "desk"},
    {"author": "desk", "content": None},
    {"author": "desk", "content": {"role": "model", "parts": None}},
    {"author": "desk", "content": json.dumps([HELD])},
    {"author": "desk", "content": json.dumps({"error": "no agent"})},
    event("desk", {"function_response": {"id": "b", "name": "hours", "response": {}}}),
    event("desk", {"function_response": {"name": "hours", "response": {}}}),
]


@pytest.mark.parametrize("unread", UNREAD)
def test_an_event_that_nobody_reads_may_be_a_call(tmp_path: Path, unread: Json) -> None:
    for recording in (
        told(tmp_path, unread, SAYS),
        opened(tmp_path, **ANSWERED, intermediate_events=[unread]),
    ):
        assert missing(recording) == [{"calls"}]
        assert len(recording.warnings) == 1
    assert "calls" in missing(told(tmp_path, CALLS, TOLD, SAYS, unread))[0]


@pytest.mark.parametrize("last", [*UNREAD[:2], *UNREAD[3:9], event("desk", {"text": None})])
def test_an_event_that_nobody_reads_may_be_the_response(tmp_path: Path, last: Json) -> None:
    assert missing(told(tmp_path, CALLS, TOLD, last)) == [{"calls", "response"}]
    assert missing(told(tmp_path, CALLS, TOLD, SAYS, last)) == [{"calls", "response"}]


def test_an_agent_may_end_with_an_empty_text(tmp_path: Path) -> None:
    assert missing(told(tmp_path, CALLS, TOLD, event("desk", {"text": ""}))) == [set()]


def test_changes_of_state_have_no_content(tmp_path: Path) -> None:
    changed = {"author": "desk", "state_delta": {"a": 1}, "event_time": "2026-11-21T20:00:00Z"}
    recording = told(tmp_path, changed, CALLS, TOLD, SAYS, changed)
    assert missing(recording) == [set()]
    assert recording.warnings == ()


@pytest.mark.parametrize(
    ("case", "keys"),
    [
        ({"responses": [{"response": HELD}]}, "responses.response.parts.function_call"),
        (
            {"responses": [{"response": content("Yes."), "intermediate_events": [CALLS]}]},
            "responses.intermediate_events",
        ),
        (ANSWERED | {"anything": [CALLS]}, "anything"),
        (ANSWERED | {"anything": json.dumps([CALLS])}, "anything"),
        ({"agent_data": agent_data([ASKS, SAYS]) | {"steps": [CALLS]}}, "agent_data.steps"),
        ({"agent_data": {"turns": [{"events": [ASKS, SAYS], "steps": [CALLS]}]}}, "turns.steps"),
    ],
)
def test_members_of_a_case_may_hold_calls(tmp_path: Path, case: Json, keys: str) -> None:
    recording = opened(tmp_path, **{"intermediate_events": []} | case)
    assert missing(recording) == [{"calls"}]
    where = "evaltui reads tool calls in agent_data, intermediate_events and predicted_trajectory"
    assert recording.warnings == (f"greeting: {keys} is not read: {where}",)


def test_columns_that_hold_no_calls_are_harmless(tmp_path: Path) -> None:
    columns = {"mode": "short", "level": 3, "metadata": {"a": 1}, "golden_calls": [CALLS], "reference_trajectory": [1]}
    assert missing(opened(tmp_path, **ANSWERED, intermediate_events=[], **columns)) == [set()]
    assert missing(opened(tmp_path, **ANSWERED, intermediate_events=[CALLS], anything=[CALLS])) == [set()]


def test_a_json_text_of_a_content_is_that_content(tmp_path: Path) -> None:
    calls, says = ({**each, "content": json.dumps(each["content"])} for each in (CALLS, SAYS))
    (turn,) = told(tmp_path, calls, TOLD, says).conversations[0].turns
    assert ([call.name for call in turn.calls], turn.response, turn.unrecorded) == (["hours"], "Yes.", frozenset())
    responses = [{"response": json.dumps(content("Yes.", "model"))}]
    recording = opened(tmp_path, responses=responses, intermediate_events=[])
    assert [turn.response for turn in recording.conversations[0].turns] == ["Yes."]
    (recorded,) = recording.conversations[0].recorded_turns
    assert recorded.invocation["final_response"] == content("Yes.", "model")


@pytest.mark.parametrize("text", ['[{"type": "text", "text": "Yes."}]', '{"error": {"code": 500}}', " {}"])
def test_other_json_is_not_what_an_agent_said(tmp_path: Path, text: str) -> None:
    assert missing(opened(tmp_path, responses=[{"response": text}], intermediate_events=[])) == [{"response"}]


def test_a_text_that_only_looks_like_json_is_a_text(tmp_path: Path) -> None:
    recording = opened(tmp_path, responses=[{"response": "[Note] Yes."}], intermediate_events=[])
    assert [turn.response for turn in recording.conversations[0].turns] == ["[Note] Yes."]


@pytest.mark.parametrize("turn", [{}, {"turn_index": 1, "events": None}, {"steps": [ASKS, SAYS]}])
def test_a_turn_without_events_may_be_one_that_is_not_read(tmp_path: Path, turn: Json) -> None:
    (conversation,) = opened(tmp_path, agent_data={"turns": [{"events": [ASKS, SAYS]}, turn]}).conversations
    assert len(conversation.turns) == 1
    assert conversation.lacks_turns


@pytest.mark.parametrize("parts", [[], [{"content": "Hi"}], [{"text": None}]])
def test_a_message_that_cannot_be_read_may_begin_a_turn(tmp_path: Path, parts: list[Json]) -> None:
    recording = opened(tmp_path, agent_data=agent_data([ASKS, SAYS], [event("user", *parts), CALLS, TOLD, SAYS]))
    assert recording.conversations[0].unread == "a message of the user has no content that can be read"


@pytest.mark.parametrize(
    "message",
    [{"content": None}, {}, {"content": content("Hi"), "author": ""}, {"content": content("Hi"), "author": "x"}],
)
def test_a_message_of_an_unknown_author_may_begin_a_turn(tmp_path: Path, message: Json) -> None:
    recording = opened(tmp_path, agent_data=agent_data([ASKS, SAYS], [message, CALLS, TOLD, SAYS]))
    assert recording.conversations[0].unread is not None


def test_a_later_turn_begins_with_a_message(tmp_path: Path) -> None:
    for turn, unread in (
        ([CALLS, TOLD, SAYS], "a turn has no message of the user"),
        ([TOLD | {"author": "user"}, SAYS], None),
    ):
        data = agent_data([ASKS, CALLS, SAYS], turn)
        assert opened(tmp_path, agent_data=data).conversations[0].unread == unread


def test_a_prompt_may_be_the_json_of_a_content(tmp_path: Path) -> None:
    recording = opened(tmp_path, **ANSWERED, prompt=json.dumps(content("Hi")), intermediate_events=[])
    assert [turn.user_text for turn in recording.conversations[0].turns] == ["Hi"]


def test_a_spoken_message_begins_a_turn_whose_text_is_not_recorded(tmp_path: Path) -> None:
    spoken = event("user", {"inline_data": {"mime_type": "audio/pcm", "data": "AAAA"}}, role="user")
    recording = opened(tmp_path, agent_data=agent_data([ASKS, SAYS], [spoken, SAYS]))
    assert missing(recording) == [set(), {"user_text"}]


def test_arguments_beside_an_empty_tool_input_are_not_recorded(tmp_path: Path) -> None:
    calls = [{"tool_name": "hours", "tool_input": {}, "payload": {"day": 1}}, {"tool_name": "close", "tool_input": {}}]
    recording = opened(tmp_path, **ANSWERED, predicted_trajectory=calls)
    assert [call.has_args for call in recording.conversations[0].turns[0].calls] == [False, True]


@pytest.mark.parametrize("events", [[CALLS], [CALLS, TOLD], [SAYS, CALLS, TOLD]])
def test_a_turn_that_ends_before_a_response_may_lack_calls(tmp_path: Path, events: list[Json]) -> None:
    sentence = "greeting: turn 1 ends before a final response, so later calls may be missing"
    recording = told(tmp_path, *events)
    assert missing(recording) == [{"calls", "response"}]
    assert recording.warnings == (sentence,)
    recording = told(tmp_path, *events, ASKS, SAYS)
    assert missing(recording) == [{"calls", "response"}, set()]
    assert recording.warnings == (sentence,)
    assert missing(opened(tmp_path, **ANSWERED, agent_data=agent_data([ASKS, *events]))) == [set()]
    assert missing(opened(tmp_path, **ANSWERED, intermediate_events=events)) == [set()]


ERROR = json.dumps({"error": "No results after 3 retries"})


@pytest.mark.parametrize("response", [ERROR, content(ERROR, "model")])
@pytest.mark.parametrize("events", [{}, {"intermediate_events": []}, {"intermediate_events": [CALLS, TOLD]}])
def test_the_error_of_a_failed_inference_is_no_response(tmp_path: Path, response: Any, events: Json) -> None:
    recording = opened(tmp_path, responses=[{"response": response}], **events)
    assert missing(recording) == [{"calls", "response"}]
    why = "greeting: the inference failed, so its response and calls are not recorded: No results after 3 retries"
    assert recording.warnings == (why,)
    (recorded,) = recording.conversations[0].recorded_turns
    assert "final_response" not in recorded.invocation


@pytest.mark.parametrize("text", ['{"error": 5}', '{"error": "no", "answer": "Yes."}', '{"price": 500}', "error"])
def test_other_texts_are_responses(tmp_path: Path, text: str) -> None:
    answer = [{"response": content(text, "model")}]
    assert missing(opened(tmp_path, responses=answer, intermediate_events=[])) == [set()]


ERRORS: list[Json] = [{"error": "boom"}, {"error_message": "boom"}, {"errorCode": 500}, {"error": {"code": 500}}]


@pytest.mark.parametrize("error", ERRORS)
def test_a_text_beside_an_error_is_only_a_beginning(tmp_path: Path, error: Json) -> None:
    said, failed = agent_data([ASKS, SAYS]), agent_data([ASKS, SAYS | error])
    later = agent_data([ASKS, SAYS, {"author": "desk", **error}])
    in_turn = {"turns": [each | error for each in said["turns"]]}
    texts: list[Json] = [
        {"agent_data": data, **responses}
        for data in (failed, later, said | error, in_turn)
        for responses in ({}, ANSWERED)
    ]
    of_case: list[Json] = [{"agent_data": said, **error}, {**ANSWERED, "intermediate_events": [], **error}]
    of_response = [ANSWERED["responses"][0] | error]
    for case in (*texts, *of_case, {"responses": of_response}, {"agent_data": said, "responses": of_response}):
        recording = opened(tmp_path, **case)
        assert missing(recording) == [{"calls", "response"}], case
        assert len(recording.warnings) == 1, case
        assert ("boom" if "boom" in error.values() else "500") in recording.warnings[0]


def test_an_error_before_the_response_leaves_the_response(tmp_path: Path) -> None:
    recording = told(tmp_path, {"author": "desk", "error_code": "500"}, SAYS)
    assert missing(recording) == [{"calls"}]
    assert recording.conversations[0].turns[0].response == "Yes."


def test_the_error_of_a_turn_leaves_the_turns_before_it(tmp_path: Path) -> None:
    assert missing(told(tmp_path, SAYS, ASKS, SAYS | {"error": "boom"})) == [set(), {"calls", "response"}]


@pytest.mark.parametrize("nothing", [None, "", {}, False, 0])
def test_an_empty_error_is_none(tmp_path: Path, nothing: Any) -> None:
    data = agent_data([ASKS, SAYS | {"error_code": nothing}])
    recording = opened(tmp_path, agent_data=data | {"error": nothing}, error=nothing)
    assert (missing(recording), recording.warnings) == ([set()], ())


def test_a_case_without_a_response_says_its_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"greeting: the inference failed, .* are not recorded: boom"):
        opened(tmp_path, error="boom")
