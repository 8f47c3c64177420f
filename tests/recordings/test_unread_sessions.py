"""Sessions with events that nobody can read whole: the parts of a turn that they could hold are not recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import Recording
from evaltui.recordings.recording_file import open_recording
from tests.recordings.session_files import (
    Json,
    call,
    event,
    exchange,
    part,
    response,
    session,
    write_json,
    write_older,
    write_sqlalchemy,
    write_sqlite,
)

ASKED, ANSWERED = event("e1", "user", part("Price?")), event("e1", "shop", part("500"))
PRICE, PRICED = event("e1", "shop", call("price", "a")), event("e1", "shop", response("price", "a", is_=1))
CONTENT = {"role": "model", "parts": [part("500")]}


def read(tmp_path: Path, *events: Json) -> Recording:
    return open_recording(write_json(tmp_path / "s.session.json", session("s", *events)), for_cases=True)


def missing(recording: Recording) -> list[set[str]]:
    return [set(turn.unrecorded) for turn in recording.conversations[0].turns]


def of_parts(*parts: Any) -> Json:
    return event("e1", "shop", content={"role": "model", "parts": list(parts)})


@pytest.mark.parametrize(
    ("unread", "reason"),
    [
        (of_parts({"tool_call": {"name": "price", "args": {}}}), "content.parts.tool_call.name"),
        (of_parts({"type": "tool_use", "name": "price"}), "content.parts.type, content.parts.name"),
        (of_parts(part("One moment.") | {"anything": [1]}), "content.parts.anything"),
        (event("e1", "shop", content=CONTENT | {"anything": "x"}), "content.anything"),
        (event("e1", "shop", anything={"parts": []}), "anything"),
        (event("e1", "shop", part("One moment."), actions={"anything": [1]}), "actions.anything"),
    ],
)
def test_members_that_google_adk_does_not_have_make_the_calls_unknown(
    tmp_path: Path, unread: Json, reason: str
) -> None:
    recording = read(tmp_path, ASKED, unread, ANSWERED)
    assert missing(recording) == [{"calls"}]
    why = f"s, turn 1: {reason} is not read: google-adk has texts and tool calls in content.parts"
    assert recording.warnings[0] == why


@pytest.mark.parametrize(
    "lost",
    [
        event("e1", "shop"),
        event("e1", "shop", content=None, actions={}),
        event("e1", "shop", content={"role": "model", "parts": None}),
        event("e1", "shop", content={"role": "model", "parts": [{"function_call": None}]}),
        event("e1", "shop", usage_metadata={"prompt_token_count": 1}, model_version="m", finish_reason="STOP"),
        event("e1", "shop", model_version="m", actions={"state_delta": {"a": 1}}),
        event("e1", "shop", long_running_tool_ids=["a"]),
    ],
)
def test_an_event_without_content_may_have_been_a_call(tmp_path: Path, lost: Json) -> None:
    recording = read(tmp_path, ASKED, lost, ANSWERED)
    assert missing(recording) == [{"calls"}]
    assert recording.warnings == ("s, turn 1: an event of the agent has no content",)
    assert missing(read(tmp_path, ASKED, ANSWERED, lost)) == [{"calls", "response"}]


@pytest.mark.parametrize(
    "members",
    [
        {"actions": {"state_delta": {"a": 1}}},
        {"actions": {"end_of_agent": True}},
        {"actions": {"agent_state": {}}},
        {"actions": {"transfer_to_agent": "desk"}},
        {"error_code": "500"},
        {"interrupted": True},
        {"turn_complete": True, "model_version": "m"},
        {"usage_metadata": {"prompt_token_count": 1}},
        {"usage_metadata": {"prompt_token_count": 1}, "model_version": "m", "live_session_id": "l"},
        {"grounding_metadata": {"web_search_queries": ["x"]}},
        {"output": 0, "node_info": {"path": "a"}},
        {"node_info": {"path": "a"}},
        {"content": {"role": "model"}, "finish_reason": "STOP", "usage_metadata": {"prompt_token_count": 1}},
    ],
)
def test_google_adk_writes_some_events_without_content(tmp_path: Path, members: Json) -> None:
    recording = read(tmp_path, ASKED, event("e1", "shop", **members), ANSWERED)
    assert missing(recording) == [set()]
    assert recording.warnings == ()


def test_actions_of_an_older_database_are_unknown_and_may_be_all_that_an_event_has(tmp_path: Path) -> None:
    of_session = session("s", ASKED, event("e1", "shop"), ANSWERED)
    assert missing(open_recording(write_older(tmp_path / "a.db", of_session, actions=b"\x80\x04N."))) == [set()]


@pytest.mark.parametrize("write", [write_sqlite, write_sqlalchemy])
def test_databases_give_the_same_warnings(tmp_path: Path, write: Any) -> None:
    recording = open_recording(write(tmp_path / "session.db", session("s", ASKED, PRICED, ANSWERED)))
    assert missing(recording) == [{"calls"}]
    assert recording.warnings == ("s, turn 1: price has a response, but its call is not recorded",)


@pytest.mark.parametrize(
    "events",
    [
        [PRICED],
        [PRICE | {"partial": True}, PRICED],
        [PRICE | {"invocation_id": ""}, PRICED],
        [PRICE, PRICED, event("e1", "shop", response("price", "b"))],
        [event("e1", "shop", {"function_response": {"name": "price", "response": {}}})],
    ],
)
def test_a_tool_response_without_its_call_shows_that_a_call_is_missing(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events, ANSWERED)
    assert missing(recording) == [{"calls"}]
    assert "s, turn 1: price has a response, but its call is not recorded" in recording.warnings


@pytest.mark.parametrize(
    "events",
    [
        [PRICE, PRICED, PRICED],
        [event("e1", "shop", {"function_call": {"name": "price", "args": {}}}), PRICED],
        [PRICE, event("e1", "shop", {"function_response": {"name": "price", "response": {}}})],
    ],
)
def test_a_response_belongs_to_its_call_by_id_or_name(tmp_path: Path, events: list[Json]) -> None:
    assert missing(read(tmp_path, ASKED, *events, ANSWERED)) == [set()]


def test_a_tool_may_answer_in_a_later_turn(tmp_path: Path) -> None:
    later = [each | {"invocation_id": "e2"} for each in (event("e1", "user", part("Done?")), PRICED, ANSWERED)]
    assert missing(read(tmp_path, ASKED, PRICE, ANSWERED, *later)) == [set(), set()]


def test_an_event_without_an_invocation_may_belong_to_any_turn(tmp_path: Path) -> None:
    recording = read(tmp_path, ASKED, PRICE | {"invocation_id": ""}, PRICED | {"invocation_id": ""}, ANSWERED)
    assert missing(recording) == [{"calls"}]
    assert recording.warnings == ("s: events of the agent have no invocation_id; they belong to no turn",)


SOUND = {"inline_data": {"mime_type": "audio/pcm", "data": "AAAA"}}


@pytest.mark.parametrize("parts", [[SOUND], [{"content": "Price?"}], [{"text": None}], []])
def test_a_turn_whose_user_message_cannot_be_read_stays(tmp_path: Path, parts: list[Json]) -> None:
    asked = event("e2", "user", content={"role": "user", "parts": parts})
    recording = read(tmp_path, *exchange("e1", "Hi", "Hello"), asked, event("e2", "shop", part("500")))
    (conversation,) = recording.conversations
    assert [(turn.user_text, turn.response) for turn in conversation.turns] == [("Hi", "Hello"), ("", "500")]
    assert "user_text" in conversation.turns[1].unrecorded
    assert not conversation.lacks_turns


def test_a_turn_without_an_event_of_the_user_may_be_missing(tmp_path: Path) -> None:
    (conversation,) = read(tmp_path, *exchange("e1", "Hi", "Hello"), event("e2", "shop", part("500"))).conversations
    assert [turn.user_text for turn in conversation.turns] == ["Hi"]
    assert conversation.lacks_turns


def test_a_turn_in_which_the_user_answers_a_tool_has_no_message(tmp_path: Path) -> None:
    events = [event("e2", "user", response("price", "a")), event("e2", "shop", part("500"))]
    (conversation,) = read(tmp_path, ASKED, PRICE, *events).conversations
    assert [turn.user_text for turn in conversation.turns] == ["Price?"]
    assert not conversation.lacks_turns
    assert "user_text" not in conversation.recorded_turns[1].turn.unrecorded


def test_a_part_of_the_last_answer_that_nobody_reads_may_be_the_response(tmp_path: Path) -> None:
    recording = read(tmp_path, ASKED, of_parts(part("One moment."), {"type": "output_text", "content": "500"}))
    assert missing(recording) == [{"calls", "response"}]


@pytest.mark.parametrize("payload", ["500", {"name": "price"}])
def test_a_payload_of_another_form_may_be_the_response(tmp_path: Path, payload: Any) -> None:
    assert missing(read(tmp_path, ASKED, of_parts({"tool_call": payload}))) == [{"calls", "response"}]


def test_a_failed_turn_may_lack_calls(tmp_path: Path) -> None:
    failed = event("e1", "shop", error_code="500")
    assert missing(read(tmp_path, ASKED, failed)) == [set()]
    assert missing(read(tmp_path, ASKED, of_parts({"call": 1}), failed)) == [{"calls"}]


@pytest.mark.parametrize("actions", ["{}", [{}], 5])
def test_actions_of_another_type_cannot_be_read(tmp_path: Path, actions: Any) -> None:
    recording = read(tmp_path, ASKED, ANSWERED | {"actions": actions}, event("e1", "shop", actions=actions))
    assert recording.conversations[0].unread == "event 2 (i1): actions is not an object"


STOCK, COUNTED = event("e1", "shop", call("stock", "b")), event("e1", "shop", response("stock", "b", is_=2))
PENDING = event("e1", "shop", call("price", "a"), long_running_tool_ids=["a"])


@pytest.mark.parametrize(
    "events",
    [
        [PRICE],
        [PRICE, PRICED],
        [PRICE, PRICED, event("e1", "shop", actions={"state_delta": {"a": 1}})],
        [PRICE, PRICED | {"actions": {"transfer_to_agent": "desk"}}],
        [PRICE, PRICED, event("e1", "shop", part("It co"), partial=True)],
        [event("e1", "desk", part("One moment.")), PRICE, PRICED],
        [event("e1", "shop", {"executable_code": {"code": "1"}}, {"code_execution_result": {"output": "1"}})],
        [
            event("e1", "shop", call("finish_task", "f")),
            event("e1", "shop", response("finish_task", "f", result="The result is missing.")),
        ],
    ],
)
def test_a_turn_that_ends_before_a_response_may_lack_calls_and_its_response(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events)
    assert missing(recording) == [{"calls", "response"}]
    assert "s, turn 1: it ends before a final response, so later calls may be missing" in recording.warnings


@pytest.mark.parametrize(
    "events",
    [
        [PRICE, PRICED | {"actions": {"skip_summarization": True}}],
        [PRICE, PRICED | {"actions": {"escalate": True}}],
        [PRICE, PRICED, event("e1", "shop", actions={"end_of_agent": True})],
        [PRICE, PRICED, event("e1", "shop", output={"price": 500}, node_info={"path": "a"})],
        [PENDING],
        [PENDING, PRICED],
        [PRICE, PRICED, event("e1", "shop", error_code="500")],
        [PRICE, PRICED, ANSWERED, event("e1", "shop", actions={"state_delta": {"a": 1}})],
        [
            event("e1", "shop", call("finish_task", "f")),
            event("e1", "shop", response("finish_task", "f", result="Task completed.")),
        ],
    ],
)
def test_some_turns_end_without_a_text(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events)
    assert "calls" not in missing(recording)[0]
    assert recording.warnings == ()


def test_a_turn_that_goes_on_under_another_invocation_lacks_calls(tmp_path: Path) -> None:
    later = [each | {"invocation_id": "e2"} for each in (STOCK, COUNTED, ANSWERED)]
    recording = read(tmp_path, ASKED, PRICE, PRICED, *later)
    assert missing(recording) == [{"calls", "response"}]
    assert recording.conversations[0].lacks_turns


def messages(*invocations: str) -> list[Json]:
    """Two questions with their answers, whose events have these invocation ids."""
    asked, answered = event("", "user", part("And now?")), event("", "shop", part("600"))
    told = [ASKED, PRICE, PRICED, ANSWERED, asked, answered]
    return [each | {"invocation_id": name} for each, name in zip(told, invocations, strict=True)]


def test_a_second_message_in_one_invocation_replaces_the_first_as_in_google_adk(tmp_path: Path) -> None:
    recording = read(tmp_path, *messages(*["e1"] * 6))
    (conversation,) = recording.conversations
    assert [(turn.user_text, turn.response) for turn in conversation.turns] == [("And now?", "600")]
    assert conversation.lacks_turns
    assert conversation.unread is None
    assert recording.warnings == ("s, turn 1: it has 2 user messages; google-adk keeps only the last",)


def test_messages_without_invocation_ids_are_not_turns(tmp_path: Path) -> None:
    told = "the events have no invocation_id, so nobody knows where a turn begins"
    without = [{key: value for key, value in each.items() if key != "invocation_id"} for each in messages(*[""] * 6)]
    for events in (messages(*[""] * 6), without):
        assert read(tmp_path, *events).conversations[0].unread == told
    recording = read(tmp_path, *messages(*[""] * 6)[:4])
    assert recording.conversations[0].unread is None
    assert [turn.user_text for turn in recording.conversations[0].turns] == ["Price?"]


def test_an_answer_of_the_user_in_the_same_invocation_keeps_the_turn(tmp_path: Path) -> None:
    recording = read(tmp_path, ASKED, PENDING, event("e1", "user", response("price", "a", is_=1)), ANSWERED)
    (conversation,) = recording.conversations
    assert missing(recording) == [{"user_text"}]
    assert [turn.response for turn in conversation.turns] == ["500"]
    assert recording.warnings == ("s, turn 1: it has 2 user messages; google-adk keeps only the last",)


def test_adk_go_wrote_the_time_of_an_event_as_seconds(tmp_path: Path) -> None:
    of_go = session("s", ASKED, PRICE, PRICED, ANSWERED)
    events = [
        {"time" if key == "timestamp" else key: value for key, value in each.items()} | {"time": 1_770_000_000 + at}
        for at, each in enumerate(of_go["events"])
    ]
    path = write_json(tmp_path / "s.session.json", of_go | {"events": events})
    recording = open_recording(path, for_cases=True)
    assert missing(recording) == [set()]
    assert recording.warnings == ()
    assert recording.conversations[0].started == 1_770_000_000
    events[3]["time"] = {"calls": [1]}
    assert missing(open_recording(write_json(path, of_go | {"events": events}))) == [{"calls"}]
