"""Turns of sessions: the traps of google-adk's events, and what evaltui leaves out beyond its conversion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.recordings.recording_file import open_recording
from tests.recordings.session_files import (
    START,
    Json,
    call,
    event,
    exchange,
    numbered,
    part,
    response,
    session,
    write_json,
    write_sqlalchemy,
    write_sqlite,
)


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Reads a session of some events, with details."""

    def read(*events: Json) -> Conversation:
        path = write_json(tmp_path / "s1.session.json", session("s1", *events))
        (found,) = open_recording(path, for_cases=True).conversations
        return found

    return read


def recorded(conversation: Conversation) -> tuple[RecordedTurn, ...]:
    return conversation.recorded_turns


def events_of(turn: RecordedTurn) -> list[Json]:
    found: list[Json] = turn.invocation["intermediate_data"]["invocation_events"]
    return found


def test_events_of_one_invocation_are_one_turn(read: Any) -> None:
    found = read(
        event("e1", "user", part("book it")),
        event("e1", "trip", part("Let me see."), call("book", flight=1)),
        event("e1", "trip", response("book", ref="K7")),
        event("e1", "trip", part("Booked K7"), usage_metadata={"prompt_token_count": 3}),
    )
    (turn,) = found.turns
    assert (turn.user_text, turn.response, turn.invocation_id) == ("book it", "Booked K7", "e1")
    assert [(each.name, each.args, each.id, each.response) for each in turn.calls] == [
        ("book", {"flight": 1}, "c1", {"ref": "K7"})
    ]
    (details,) = recorded(found)
    assert [sorted(each) for each in events_of(details)] == [
        ["author", "content"],
        ["author", "content"],
        ["author", "usage_metadata"],
    ]
    assert details.invocation["creation_timestamp"] == START
    assert (found.recorded_at, found.started) == (START + 3, START)
    assert (found.agent_names.app, found.user_id) == ("trip", "user")


def test_model_calls_are_counted_only_if_an_event_names_a_model(read: Any) -> None:
    asked, said = event("e1", "user", part("hi")), event("e1", "trip", part("Hello"))
    assert read(asked, said).turns[0].inference_calls is None
    assert read(asked, {**said, "model_version": "gemini"}).turns[0].inference_calls == 1


def test_an_invocation_that_comes_again_continues_its_turn(read: Any) -> None:
    found = read(
        event("e1", "user", part("one")),
        *exchange("e2", "two", "second"),
        event("e1", "trip", part("first")),
    )
    assert [(turn.user_text, turn.response) for turn in found.turns] == [("one", "first"), ("two", "second")]


def test_the_last_final_response_with_text_counts(read: Any) -> None:
    found = read(
        event("e1", "user", part("go")),
        event("e1", "hotel", part("Hotel booked")),
        event("e1", "trip", part("All booked")),
        event("e1", "sound", {"inline_data": {"mime_type": "audio/pcm", "data": "AAAA"}}),
    )
    assert found.turns[0].response == "All booked"
    assert [each["author"] for each in events_of(recorded(found)[0])] == ["hotel", "trip", "sound"]
    assert "content" not in events_of(recorded(found)[0])[1]


@pytest.mark.parametrize("author", ["user", "USER", "User"])
def test_the_author_of_a_user_is_found_in_any_case(read: Any, author: str) -> None:
    assert read(event("e1", author, part("hi"))).turns[0].user_text == "hi"


def test_an_event_without_author_is_of_the_agent(read: Any) -> None:
    found = read(event("e1", "user", part("hi")), event("e1", None, part("Hello")))
    assert found.turns[0].response == "Hello"
    assert events_of(recorded(found)[0]) == [{"author": ""}]


def test_the_last_words_of_a_user_in_a_turn_win(read: Any) -> None:
    found = read(*exchange("e1", "one", "?"), event("e1", "user", part("two")), event("e1", "user"))
    assert [turn.user_text for turn in found.turns] == ["two"]
    assert recorded(found)[0].invocation["creation_timestamp"] == START + 2


def test_a_turn_without_user_text_does_not_count(read: Any) -> None:
    found = read(
        event("e1", "trip", part("I resumed")),
        event("e2", "user", {"inline_data": {"mime_type": "image/png", "data": "AAAA"}}),
        *exchange("e3", "hi", "Hello"),
    )
    assert [turn.invocation_id for turn in found.turns] == ["e3"]
    assert [recorded.turn.invocation_id for recorded in found.recorded_turns] == ["e1", "e2", "e3"]


def test_a_turn_without_an_answer_keeps_its_error(read: Any) -> None:
    found = read(
        event("e1", "user", part("hi")),
        event("e1", "trip", error_code="RESOURCE_EXHAUSTED", error_message="try\nlater \x1b[2J"),
    )
    assert found.turns[0].response == ""
    assert recorded(found)[0].error == "RESOURCE_EXHAUSTED: try later ␛[2J"
    assert "final_response" not in recorded(found)[0].invocation


@pytest.mark.parametrize(
    ("members", "parts", "is_final"),
    [
        ({}, [part("a")], True),
        ({}, [call("book")], False),
        ({}, [response("book")], False),
        ({"actions": {"skipSummarization": True}}, [response("book")], True),
        ({"long_running_tool_ids": ["c1"]}, [call("book")], True),
        ({"long_running_tool_ids": []}, [call("book")], False),
        ({"error_code": "X"}, [response("book")], True),
        ({"error_code": "X"}, [call("book")], False),
        ({}, [part("a"), {"code_execution_result": {"output": "1"}}], False),
        ({}, [{"code_execution_result": {"output": "1"}}, part("a")], True),
    ],
)
def test_final_responses_are_those_of_google_adk(read: Any, members: Json, parts: list[Json], is_final: bool) -> None:
    found = read(event("e1", "user", part("hi")), event("e1", "trip", *parts, **members))
    assert ("final_response" in recorded(found)[0].invocation) == is_final


def test_a_final_response_with_calls_keeps_them_in_its_event(read: Any) -> None:
    found = read(event("e1", "user", part("hi")), event("e1", "trip", call("book"), long_running_tool_ids=["c1"]))
    assert events_of(recorded(found)[0])[0]["content"]["parts"] == [call("book")]
    assert [each.name for each in found.turns[0].calls] == ["book"]


def test_an_event_with_grounding_metadata_alone_is_kept(read: Any) -> None:
    grounding = {"web_search_queries": ["trips"]}
    found = read(
        event("e1", "user", part("hi")),
        event("e1", "trip", grounding_metadata=grounding),
        event("e1", "trip", part("")),
    )
    assert events_of(recorded(found)[0]) == [{"author": "trip", "grounding_metadata": grounding}]


def test_partial_events_are_left_out_and_counted(read: Any) -> None:
    found = read(
        event("e1", "user", part("hi")),
        event("e1", "trip", part("Hel"), partial=True),
        event("e1", "trip", part("Hello"), partial=True),
        event("e1", "trip", part("Hello")),
    )
    assert events_of(recorded(found)[0]) == [{"author": "trip"}]
    assert found.left_out == ("2 partial events skipped; the complete events contain them",)


def test_turns_that_were_taken_back_do_not_count(read: Any) -> None:
    back = event("e4", "user", actions={"rewind_before_invocation_id": "e2"})
    found = read(
        *exchange("e1", "one", "1"), *exchange("e2", "two", "2"), *exchange("e3", "three", "3"), back,
        *exchange("e5", "four", "4"),
    )  # fmt: skip
    assert [turn.user_text for turn in found.turns] == ["one", "four"]
    assert [(turn.invocation["invocation_id"], turn.is_rewound) for turn in recorded(found)] == [
        ("e1", False),
        ("e2", True),
        ("e3", True),
        ("e5", False),
    ]


def test_a_rewind_to_a_turn_that_is_not_there_takes_nothing_back(read: Any) -> None:
    found = read(*exchange("e1", "one", "1"), event("e2", "user", actions={"rewindBeforeInvocationId": "e9"}))
    assert [turn.user_text for turn in found.turns] == ["one"]
    assert len(found.recorded_turns) == 1


@pytest.mark.parametrize("name", ["adk_request_confirmation", "adk_request_credential", "adk_request_input"])
def test_requests_to_the_person_are_no_calls(read: Any, name: str) -> None:
    found = read(
        event("e1", "user", part("book it")),
        event("e1", "trip", part("A moment."), call("book", "c1")),
        event("e1", "trip", call(name, "r1", hint="sure?"), long_running_tool_ids=["r1"]),
        event("e2", "user", response(name, "r1", confirmed=True)),
        event("e2", "trip", response("book", "c1", ref="K7")),
        event("e2", "trip", part("Booked")),
    )
    first, second = recorded(found)
    assert [call.name for recorded in found.recorded_turns for call in recorded.turn.calls] == ["book"]
    assert "final_response" not in first.invocation
    assert "intermediate_data" not in first.invocation  # the turn goes on in e2
    assert name in first.left_out[0]
    assert second.invocation["user_content"] == {"parts": []}
    assert [turn.invocation_id for turn in found.turns] == ["e1"]
    assert name not in repr([recorded.turn for recorded in found.recorded_turns])


def test_a_request_beside_a_text_leaves_the_text(read: Any) -> None:
    request = call("adk_request_input", "r1")
    found = read(
        event("e1", "user", part("hi")),
        event("e1", "trip", part("Which one?"), request, long_running_tool_ids=["r1"], model_version="m"),
    )
    assert found.turns[0].response == "Which one?"
    assert events_of(recorded(found)[0]) == [{"author": "trip", "model_version": "m"}]


def test_free_values_are_never_respelt(read: Any) -> None:
    odd = {"snake_case": {"camelCase": None}, "aB": [1, None]}
    found = read(event("e1", "user", part("hi")), event("e1", "trip", call("book", **odd)))
    assert found.turns[0].calls[0].args == odd


def test_events_are_read_by_time_and_ties_as_the_service_orders_them(tmp_path: Path) -> None:
    """SqliteSessionService: by rowid. DatabaseSessionService: by id."""
    texts = [event("e1", "user", part("hi"), id="i9"), *(event("e1", "trip", part(each)) for each in ("b", "a"))]
    events = [{**each, "timestamp": START} for each in numbered(texts)]
    events[1]["id"], events[2]["id"] = "i8", "i7"
    whole = {**session("s1"), "events": events}
    (of_sqlite,) = open_recording(write_sqlite(tmp_path / "one.db", whole)).conversations
    (of_sqlalchemy,) = open_recording(write_sqlalchemy(tmp_path / "two.db", whole)).conversations
    assert of_sqlite.turns[0].response == "a"
    assert of_sqlalchemy.turns[0].response == "b"


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (17, "event 2: not an object"),
        ({"id": "x\x1b", "author": 5}, "event 2 (x␛): author is not a string"),
        ({"content": {"parts": [{"text": 1}]}}, "event 2: content/parts/0/text is not a string"),
        (
            {"content": {"parts": [{"function_call": {"args": []}}]}},
            "content/parts/0/function_call/args is not an object",
        ),
        ({"timestamp": "soon"}, "event 2: timestamp is not a number"),
        ({"partial": "perhaps"}, "event 2: partial is neither true nor false"),
        ({"actions": {"skip_summarization": []}}, "actions/skip_summarization is neither true nor false"),
        ({"longRunningToolIds": "c1"}, "event 2: long_running_tool_ids is not a list"),
    ],
)
def test_an_event_that_cannot_be_read_leaves_the_session_unread(tmp_path: Path, broken: Any, sentence: str) -> None:
    whole = session("s1", event("e1", "user", part("hi")))
    whole["events"].append(broken)
    (found,) = open_recording(write_json(tmp_path / "s.json", whole), for_cases=True).conversations
    assert found.unread is not None
    assert sentence in found.unread
