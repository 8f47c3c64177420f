"""Requests to a person within a session, such as to confirm a call: no case expects them."""

from pathlib import Path
from typing import Any

from evaltui.recordings.conversation import Conversation
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions.adk_session import with_events

SAMPLE = Path(__file__).parents[2] / "sample_sets" / "travel_desk" / ".adk" / "session.db"
ASKED = {"id": "ask-1", "name": "adk_request_confirmation"}


def event(author: str, *parts: dict[str, Any], turn: str = "e-1") -> dict[str, Any]:
    return {"author": author, "invocation_id": turn, "timestamp": 1.0, "content": {"parts": [*parts]}}


def read(*events: dict[str, Any]) -> Conversation:
    return with_events(Conversation(Path("session.db"), "s", ()), [*events], [], for_cases=True)


CONFIRMED = (
    event("user", {"text": "Delete it."}),
    event("agent", {"function_call": {"id": "c1", "name": "delete", "args": {"id": 7}}}),
    event("agent", {"function_response": {"id": "c1", "name": "delete", "response": {"error": "confirm first"}}}),
    event("agent", {"function_call": {**ASKED, "args": {}}}) | {"long_running_tool_ids": ["ask-1"]},
    event("user", {"function_response": {**ASKED, "response": {"confirmed": True}}}),
    event("agent", {"function_response": {"id": "c1", "name": "delete", "response": {"ok": True}}}),
    event("agent", {"text": "Deleted."}),
)


def test_what_the_user_said_stays_where_a_person_confirms_within_the_turn() -> None:
    conversation = read(*CONFIRMED)
    (turn,) = conversation.turns
    assert (turn.user_text, turn.response) == ("Delete it.", "Deleted.")
    assert [(call.name, call.response) for call in turn.calls] == [("delete", {"ok": True})]
    (recorded,) = conversation.recorded_turns
    assert recorded.left_out == ("adk_request_confirmation: google-adk asks the user to confirm a call",)
    assert "adk_request" not in str(recorded.invocation)


def test_a_confirmation_under_an_id_of_its_own_is_a_turn_without_user_text() -> None:
    before, after = CONFIRMED[:4], [each | {"invocation_id": "e-2"} for each in CONFIRMED[4:]]
    conversation = read(*before, *after)
    assert [turn.user_text for turn in conversation.turns] == ["Delete it."]
    assert [recorded.turn.response for recorded in conversation.recorded_turns] == ["", "Deleted."]


def test_a_response_is_known_by_its_id_where_its_name_is_missing() -> None:
    nameless = event("user", {"function_response": {"id": "ask-1", "response": {"confirmed": True}}})
    (turn,) = read(*CONFIRMED[:4], nameless, *CONFIRMED[5:]).turns
    assert turn.user_text == "Delete it."


def test_a_call_with_an_empty_id_is_no_request() -> None:
    asked = event("agent", {"function_call": {**ASKED, "id": "", "args": {}}})
    call = {"id": "", "name": "delete", "args": {"id": 7}}
    (turn,) = read(CONFIRMED[0], event("agent", {"function_call": call}), asked).turns
    assert [made.name for made in turn.calls] == ["delete"]


def test_words_beside_a_request_stay() -> None:
    asked = event("agent", {"text": "May I?"}, {"function_call": {**ASKED, "args": {}}})
    (turn,) = read(CONFIRMED[0], asked).turns
    assert (turn.response, turn.calls) == ("May I?", ())


def test_the_sample_chat_that_was_confirmed_keeps_its_call() -> None:
    turns = [turn for each in open_recording(SAMPLE).conversations for turn in each.turns]
    assert [[call.name for call in turn.calls] for turn in turns if "B7K41Q" in turn.user_text] == [["cancel_booking"]]
