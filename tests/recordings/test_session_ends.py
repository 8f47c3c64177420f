"""Ends of turns in sessions: errors, pauses, spoken answers in pieces, and final responses without a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import Conversation, Recording
from evaltui.recordings.recording_file import open_recording
from tests.recordings.session_files import Json, call, event, part, response, session, write_json

ASKED = event("e1", "user", part("Price?"))
PRICE, PRICED = event("e1", "shop", call("price", "a")), event("e1", "shop", response("price", "a", is_=1))
STOCK, COUNTED = event("e1", "shop", call("stock", "b")), event("e1", "shop", response("stock", "b", is_=2))
ANSWERED = event("e1", "shop", part("500"))
DRAFT = event("e1", "writer", part("Draft: money."))
FAILED = event("e1", "critic", error_code="500", error_message="boom")


def read(tmp_path: Path, *events: Json) -> Recording:
    return open_recording(write_json(tmp_path / "s.session.json", session("s", *events)), for_cases=True)


def only(recording: Recording) -> Conversation:
    (conversation,) = recording.conversations
    return conversation


def recorded(conversation: Conversation) -> Any:
    return conversation.recorded_turns[0]


@pytest.mark.parametrize(
    "events",
    [
        [DRAFT, FAILED],
        [DRAFT, {**FAILED, "error_code": None}],
        [DRAFT, FAILED, event("e1", "team", actions={"end_of_agent": True})],
        [DRAFT, FAILED, event("e1", "team", actions={"state_delta": {"a": 1}})],
        [FAILED, DRAFT, FAILED],
        [DRAFT, {**FAILED, "content": {"role": "model", "parts": [{"text": ""}]}}],
    ],
)
def test_a_turn_that_ends_with_an_error_failed_whatever_an_earlier_agent_said(
    tmp_path: Path, events: list[Json]
) -> None:
    conversation = only(read(tmp_path, ASKED, PRICE, PRICED, *events))
    (turn,) = conversation.turns
    assert turn.failure.endswith("boom")
    assert (turn.response, turn.other_parts, turn.unrecorded) == ("", (), frozenset())
    assert [each.name for each in turn.calls] == ["price"]
    assert recorded(conversation).has_failed
    assert "final_response" not in recorded(conversation).invocation


@pytest.mark.parametrize(
    "events",
    [
        [FAILED, ANSWERED],
        [DRAFT, FAILED, ANSWERED],
        [DRAFT, FAILED, ANSWERED, event("e1", "shop", actions={"end_of_agent": True})],
        [DRAFT, FAILED, ANSWERED | {"output": "500"}],
        [DRAFT, ANSWERED, event("e1", "saver", error_code="STOP")],
    ],
)
def test_an_error_before_the_response_is_no_end(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events)
    (turn,) = only(recording).turns
    assert (turn.response, turn.failure, turn.unrecorded) == ("500", "", frozenset())
    assert recording.warnings == ()


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"error_code": "MAX_TOKENS"}, "MAX_TOKENS"),
        ({"errorCode": "SAFETY", "errorMessage": "blocked"}, "SAFETY: blocked"),
        ({"error_message": "the stream ended"}, "the stream ended"),
    ],
)
def test_a_text_beside_an_error_may_be_only_a_beginning(tmp_path: Path, members: Json, told: str) -> None:
    recording = read(tmp_path, ASKED, PRICE, PRICED, event("e1", "shop", part("It co"), **members))
    (turn,) = only(recording).turns
    assert (turn.unrecorded, turn.failure) == ({"response"}, "")
    assert recording.warnings == (f"s, turn 1: its response is not recorded, because it ends with an error: {told}",)
    assert "final_response" not in recorded(only(recording)).invocation


def test_a_call_beside_an_error_counts_only_with_a_response(tmp_path: Path) -> None:
    failed = STOCK | {"error_code": "MALFORMED_FUNCTION_CALL"}
    assert only(read(tmp_path, ASKED, PRICE, PRICED, failed)).turns[0].unrecorded == {"calls"}
    assert only(read(tmp_path, ASKED, PRICE, PRICED, failed, COUNTED, ANSWERED)).turns[0].unrecorded == set()


PENDING = event("e1", "shop", call("stock", "b"), long_running_tool_ids=["b"])
NO_TEXT = [
    COUNTED | {"actions": {"skip_summarization": True}},
    PENDING,
    event("e1", "shop", {"executable_code": {"code": "1", "language": "PYTHON"}}),
]


@pytest.mark.parametrize("last", NO_TEXT)
def test_a_final_response_without_a_text_tells_no_text(tmp_path: Path, last: Json) -> None:
    stock = [STOCK] if last is not PENDING else []
    recording = read(tmp_path, ASKED, PRICE, PRICED, *stock, last)
    (turn,) = only(recording).turns
    assert (turn.response, turn.unrecorded) == ("", {"response"})
    assert turn.other_parts
    assert recorded(only(recording)).invocation["final_response"] == last["content"]


@pytest.mark.parametrize("last", NO_TEXT)
def test_a_final_response_without_a_text_tells_no_text_in_a_result(tmp_path: Path, last: Json) -> None:
    actual = {
        "user_content": ASKED["content"],
        "final_response": last["content"],
        "intermediate_data": {"tool_uses": [{"id": "b", "name": "stock", "args": {}}]},
    }
    case = {"eval_id": "a", "eval_metric_result_per_invocation": [{"actual_invocation": actual}]}
    path = write_json(tmp_path / "a.evalset_result.json", {"eval_set_result_id": "r", "eval_case_results": [case]})
    (turn,) = only(open_recording(path)).turns
    assert (turn.response, turn.unrecorded) == ("", {"response"})


def later(*events: Json, invocation: str = "e2") -> list[Json]:
    return [each | {"invocation_id": invocation} for each in events]


def answer(name: str, identifier: str | None) -> Json:
    """The user answers a call in an invocation of its own."""
    told = {"name": name, "response": {"ok": True}} | ({"id": identifier} if identifier else {})
    return event("e2", "user", {"function_response": told})


ASKS = event("e1", "shop", call("adk_request_confirmation", "c"), long_running_tool_ids=["c"])
WAITS = event("e1", "shop", response("stock", "b", status="pending"))


@pytest.mark.parametrize(
    "events",
    [
        [PENDING, WAITS, event("e1", "shop", part("I asked.")), answer("stock", "b"), *later(PRICE, PRICED, ANSWERED)],
        [PENDING, answer("stock", "b"), *later(PRICE, PRICED, ANSWERED)],
        [PENDING, answer("stock", None), *later(ANSWERED)],
        [PENDING, answer("stock", "b")],
        [STOCK, ASKS, WAITS, answer("adk_request_confirmation", "c"), *later(COUNTED, ANSWERED)],
        [PENDING, answer("stock", "lost"), *later(ANSWERED)],
        [PENDING, *later(COUNTED, ANSWERED)],
        [PENDING, *later(event("", "user", response("stock", "b", is_=1), part("Yes.")), ANSWERED)],
    ],
)
def test_a_turn_that_goes_on_in_another_invocation_records_its_message_only(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events)
    turn = only(recording).turns[0]
    assert (turn.user_text, turn.unrecorded) == ("Price?", {"calls", "response"})
    why = "s, turn 1: it goes on in turn 2, so its calls and its response are not recorded"
    assert why in recording.warnings
    assert "intermediate_data" not in recorded(only(recording)).invocation


def test_a_turn_goes_on_where_its_call_is_answered(tmp_path: Path) -> None:
    """A turn between the pause and the answer is whole, and so is a turn whose continuation was rewound."""
    between = later(ASKED, PRICE, PRICED, ANSWERED, invocation="e0")
    events = [ASKED, PENDING, *between, answer("stock", "b"), *later(ANSWERED)]
    assert [turn.unrecorded for turn in only(read(tmp_path, *events)).turns] == [{"calls", "response"}, set()]
    whole = [ASKED, PRICE, PRICED, ANSWERED]
    rewind = event("e3", "user", actions={"rewind_before_invocation_id": "e2"})
    events = [*whole, answer("price", "a"), *later(ANSWERED), rewind]
    assert [turn.unrecorded for turn in only(read(tmp_path, *events)).turns] == [set()]


@pytest.mark.parametrize(
    "events",
    [
        later(event("", "user", part("Done?")), PRICED, ANSWERED),
        later(event("", "user", part("And now?")), ANSWERED),
    ],
)
def test_a_turn_with_a_message_of_its_own_continues_no_other(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, PRICE, ANSWERED, *events)
    assert [turn.unrecorded for turn in only(recording).turns] == [set(), set()]
    assert recording.warnings == ()


def said(words: str, **members: Any) -> Json:
    return event("e1", "shop", output_transcription={"text": words} | members)


def heard(words: str, **members: Any) -> Json:
    return event("e1", "user", input_transcription={"text": words} | members)


DONE = event("e1", "shop", turn_complete=True)


@pytest.mark.parametrize(
    "events",
    [
        [said("It costs"), said(" 500.")],
        [said("It"), said(" costs"), said(" 500."), DONE],
        [said("It costs", finished=False), DONE, said(" 500.", finished=True)],
        [said("It costs"), heard("Hm.", finished=True), said(" 500.")],
    ],
)
def test_an_answer_that_was_spoken_in_pieces_is_not_recorded(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, PRICE, PRICED, *events)
    (turn,) = only(recording).turns
    assert turn.unrecorded == {"response"}
    why = "s, turn 1: its response was spoken in several pieces without a whole, so it is not recorded"
    assert why in recording.warnings
    assert "final_response" not in recorded(only(recording)).invocation


@pytest.mark.parametrize(
    "events",
    [
        [said("500")],
        [said("One moment."), PRICE, PRICED, said("500")],
        [said("It ", partial=True) | {"partial": True}, said("500", finished=True)],
        [said("50"), said("500", finished=True)],
        [said("One moment.", finished=True), said("500", finished=True)],
        [said("It costs"), said(" 500."), ANSWERED],
    ],
)
def test_an_answer_that_was_spoken_as_a_whole_is_recorded(tmp_path: Path, events: list[Json]) -> None:
    recording = read(tmp_path, ASKED, *events)
    (turn,) = only(recording).turns
    assert (turn.response, turn.unrecorded) == ("500", set())
    assert recording.warnings == ()


def test_a_question_that_was_spoken_in_pieces_is_not_recorded(tmp_path: Path) -> None:
    recording = read(tmp_path, heard("Price of"), heard(" the phone?"), PRICE, PRICED, said("500"))
    (turn,) = only(recording).turns
    assert (turn.user_text, turn.response, turn.unrecorded) == ("", "500", {"user_text"})
    why = "s, turn 1: its user message was spoken in several pieces without a whole, so it is not recorded"
    assert recording.warnings == (why,)
    assert "user_content" not in recorded(only(recording)).invocation
    assert only(read(tmp_path, heard("Price?", finished=True), ANSWERED)).turns[0].user_text == "Price?"
