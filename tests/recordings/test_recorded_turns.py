"""Details of conversations: what a case is made of, in every format of recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.editing.recorded_turns import as_google_adk_writes
from evaltui.evalset.turn import turn_of
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.conversation_list import ConversationList
from evaltui.recordings.recording_cache import KnownItems
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import (
    agent_data,
    call,
    case_result,
    content,
    dataset,
    eval_set,
    event,
    invocation,
    otlp,
    result,
    span,
    write,
)

BOOK = call("book", "c1", flight=1)
ANSWER = {"id": "c1", "name": "book", "response": {"ref": "K7"}}
TALK = [
    event("user", {"text": "Book it"}, role="user"),
    event("trip", {"function_call": BOOK}),
    event("trip", {"function_response": ANSWER}, role="user"),
    event("trip", {"text": "Booked"}),
]


def read(tmp_path: Path, value: Any) -> Conversation:
    path = write(tmp_path / "r.json", value)
    (plain,) = open_recording(path).conversations
    (found,) = open_recording(path, for_cases=True).conversations
    assert plain.recorded_turns == ()
    assert len(found.recorded_turns) == len(found.turns)
    return found


def test_a_result_gives_its_actual_invocations_and_its_session(tmp_path: Path) -> None:
    turn = invocation("Hi", "Hello", BOOK) | {"invocation_id": "e1"}
    session = {"appName": "trip", "userId": "ann", "id": "s", "state": {}, "events": []}
    found = read(tmp_path, result(case_result("greeting", turn, session_details=session)))
    assert [each.invocation for each in found.recorded_turns] == [turn]
    assert (found.agent_names.app, found.user_id) == ("trip", "ann")
    assert found.started == 1791797400.5


def test_an_eval_set_gives_its_turns_as_they_stand(tmp_path: Path) -> None:
    whole = eval_set(invocation("Hi", "Hello", BOOK) | {"creation_timestamp": 1791797400.0})
    whole["eval_cases"][0]["sessionInput"] = {"appName": "trip", "userId": "ann"}
    found = read(tmp_path, whole)
    assert [each.invocation for each in found.recorded_turns] == whole["eval_cases"][0]["conversation"]
    assert (found.agent_names.app, found.user_id, found.started) == ("trip", "ann", 1791797400.0)


def test_items_that_are_known_have_details_all_the_same(tmp_path: Path) -> None:
    path, known = write(tmp_path / "r.json", eval_set(*[invocation()] * 3)), KnownItems()
    open_recording(path, known_items=known)
    (found,) = open_recording(path, known_items=known, for_cases=True).conversations
    assert len(found.recorded_turns) == 3


def test_a_dataset_gives_its_exchanges(tmp_path: Path) -> None:
    data = agent_data(TALK)
    data["turns"][0]["turn_id"] = "t1"
    found = read(tmp_path, {"eval_cases": [{"eval_case_id": "greeting", "agent_data": data}]})
    (turn,) = found.recorded_turns
    assert turn.invocation == {
        "invocation_id": "t1",
        "user_content": {"role": "user", "parts": [{"text": "Book it"}]},
        "final_response": TALK[3]["content"],
        "intermediate_data": {"invocation_events": TALK[1:3]},
    }
    assert as_google_adk_writes(turn.invocation)["final_response"]["parts"] == [{"text": "Booked"}]


def test_each_response_of_a_dataset_is_the_answer_of_its_own_details(tmp_path: Path) -> None:
    responses = [{"response": content("One", "model")}, {"response": content("Two", "model")}]
    path = write(tmp_path / "r.json", dataset(responses=responses))
    found = open_recording(path, for_cases=True).conversations
    answers = [each.recorded_turns[-1].invocation["final_response"] for each in found]
    assert answers == [each["response"] for each in responses]


def test_a_trace_gives_invocations_in_the_shape_of_tool_uses(tmp_path: Path) -> None:
    found = read(tmp_path, otlp(span(text="Book it")))
    (turn,) = found.recorded_turns
    assert turn.invocation["user_content"]["parts"] == [{"text": "Book it"}]
    assert turn.invocation["final_response"]["parts"] == [{"text": "Hello"}]
    assert turn.invocation["invocation_id"] == found.turns[0].invocation_id
    assert found.started == found.recorded_at


@pytest.mark.parametrize("name", ["helm.json", "helm_2.json", "k8s.json", "tempo_export_with_batches.json"])
def test_the_invocations_of_public_traces_are_their_turns(shared_folder: Path, name: str) -> None:
    conversations = [*ConversationList(shared_folder / "recordings" / name).conversations()]
    assert conversations
    for each in conversations:
        for turn, recorded in zip(each.turns, each.recorded_turns, strict=True):
            again = turn_of(as_google_adk_writes(recorded.invocation))
            assert (again.user_text, again.response) == (turn.user_text, turn.response)
            assert [call.name for call in again.calls] == [call.name for call in turn.calls]
            assert [call.args for call in again.calls] == [call.args for call in turn.calls]
