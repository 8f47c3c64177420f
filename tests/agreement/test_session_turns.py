"""The turns of sessions are those that google-adk makes of their events."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.case_data import get
from evaltui.evalset.editing.recorded_turns import as_google_adk_writes
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions.adk_session import fault_in_events
from evaltui.recordings.sessions.session_turns import group_events, invocation_of, live_events
from tests.agreement.random_events import random_events
from tests.agreement.session_oracle import live_ids, turns_of, write_database

COUNT = 100 * int(os.environ.get("EVALTUI_MUTATIONS", "10"))
"""10,000 lists of events with EVALTUI_MUTATIONS=100."""
SEED = os.environ.get("EVALTUI_MUTATION_SEED", "")


def invocations_of_events(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [invocation_of(identifier, group) for identifier, group in group_events(events).items()]


def test_the_turns_of_random_events_are_those_of_google_adk(adk_python: str) -> None:
    chance = random.Random("events" + SEED)
    lists = [random_events(chance) for _ in range(COUNT)]
    refused = 0
    for events, theirs in zip(lists, turns_of(adk_python, lists), strict=True):
        if isinstance(theirs, dict):
            refused += 1
            continue
        assert fault_in_events(events) is None, events
        ours = [as_google_adk_writes(each) for each in invocations_of_events(events)]
        assert json.dumps(ours) == json.dumps(theirs), events
    assert refused < COUNT / 50


def test_the_events_that_rewinds_leave_are_those_of_google_adk(adk_python: str) -> None:
    chance = random.Random("rewinds" + SEED)
    lists = []
    for _ in range(COUNT):
        events = [
            {"id": f"i{number}", "invocation_id": f"e{chance.randint(0, 4)}"} for number in range(chance.randint(0, 9))
        ]
        for event in events:
            if chance.random() < 0.3:
                event["actions"] = {"rewind_before_invocation_id": f"e{chance.randint(0, 5)}"}  # type: ignore[assignment]
        lists.append(events)
    ours = [[get(event, "id") for event in live_events(events)] for events in lists]
    assert ours == live_ids(adk_python, lists)


@pytest.mark.parametrize("kind", ["sqlite", "sqlalchemy"])
def test_the_turns_in_a_database_are_those_of_the_service_that_wrote_it(
    adk_python: str, tmp_path: Path, kind: str
) -> None:
    chance = random.Random("databases" + SEED)
    sessions = [
        [{**event, "invocation_id": get(event, "invocation_id") or "e9", "author": get(event, "author") or "trip"}
         for event in random_events(chance) if not get(event, "partial")]
        for _ in range(20)
    ]  # fmt: skip
    for events in sessions:
        for event in events:
            event.pop("invocationId", None)
            event["timestamp"] = 1_795_311_063.5 + chance.randint(0, 3)
    path = tmp_path / "session.db"
    theirs = write_database(adk_python, kind, str(path), sessions)
    recording = open_recording(path, for_cases=True)
    assert len(recording.conversations) == len(sessions)
    for conversation in recording.conversations:
        ours = [as_google_adk_writes(turn.invocation) for turn in conversation.recorded_turns]
        assert [each["invocation_id"] for each in ours] == [each["invocation_id"] for each in theirs[conversation.id]]
        if not any(turn.left_out for turn in conversation.recorded_turns):
            assert ours == theirs[conversation.id]


@pytest.mark.parametrize(
    ("name", "invocations"),
    [
        ("session.db", "sqlite.invocations.json"),
        ("database_service.db", "database_service.invocations.json"),
        ("sqlite.session.json", "sqlite.invocations.json"),
    ],
)
def test_the_turns_of_real_sessions_are_those_of_google_adk(shared_folder: Path, name: str, invocations: str) -> None:
    folder = shared_folder / "recordings" / "sessions"
    (conversation,) = open_recording(folder / name, for_cases=True).conversations
    ours = [as_google_adk_writes(turn.invocation) for turn in conversation.recorded_turns]
    assert ours == json.loads((folder / invocations).read_bytes())
