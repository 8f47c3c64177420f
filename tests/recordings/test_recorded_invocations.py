"""Which turns of a case the agent had, if an eval set is used as a recording."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings.files import Json, call, content, invocation, write

EXPECTED = invocation("Price?", "It costs 500 euros.", call("get_price", item="phone"))
ACTUAL = invocation("Price?", "I do not know.")
NONE = "the case has no turns in actual_conversation"


def opened(tmp_path: Path, *cases: Json) -> Recording:
    value = {"eval_set_id": "shop", "eval_cases": [{"eval_id": f"case_{n}", **each} for n, each in enumerate(cases, 1)]}
    return open_recording(write(tmp_path / "recording.json", value), for_cases=True)


@pytest.mark.parametrize(
    "members",
    [
        {"eval_mode": "trace", "conversation": [EXPECTED], "actual_conversation": [ACTUAL]},
        {"evalMode": "trace", "conversation": [EXPECTED], "actualConversation": [ACTUAL]},
        {"eval_mode": "trace", "actual_conversation": [ACTUAL]},
        {"conversation": [EXPECTED], "actual_conversation": [ACTUAL]},
        {"eval_mode": "default", "conversation": [EXPECTED], "actual_conversation": [ACTUAL]},
        {"eval_mode": "default", "conversation": [ACTUAL]},
    ],
)
def test_the_agent_had_the_turns_of_actual_conversation(tmp_path: Path, members: Json) -> None:
    (found,) = opened(tmp_path, members).conversations
    (turn,) = found.turns
    assert (turn.response, turn.calls, turn.unrecorded) == ("I do not know.", (), frozenset())
    assert [each.invocation for each in found.recorded_turns] == [ACTUAL], "record makes a case of the same turns"


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"eval_mode": "trace"}, NONE),
        ({"eval_mode": "Trace"}, NONE),
        ({"eval_mode": 2}, NONE),
        ({"evalMode": "trace", "actual_conversation": []}, NONE),
        ({"actual_conversation": {"turns": [ACTUAL]}}, NONE),
        ({"candidate_conversation": [ACTUAL]}, "candidate_conversation has turns, too, and nobody knows which turns"),
        ({"referenceConversation": ["", ACTUAL]}, "referenceConversation has turns, too, and nobody knows which turns"),
        (
            {"actual_conversation": [EXPECTED], "actualConversation": [ACTUAL]},
            "actual_conversation has turns, too, and nobody knows which turns the agent had",
        ),
    ],
)
def test_a_case_does_not_count_as_what_its_agent_had(tmp_path: Path, members: Json, reason: str) -> None:
    with pytest.raises(RecordingError, match=f"no recorded conversation in this file; case_1: {reason}"):
        opened(tmp_path, {"conversation": [EXPECTED], **members})
    recording = opened(tmp_path, {"conversation": [EXPECTED], **members}, {"conversation": [EXPECTED]})
    assert [each.eval_id for each in recording.conversations] == ["case_2"], "other cases of the file count"
    assert recording.warnings[0].startswith(f"case_1: {reason}")


@pytest.mark.parametrize(
    "members",
    [
        {"eval_mode": None, "actual_conversation": None},
        {"eval_mode": ""},
        {"tags": ["smoke"], "metadata": {"user_content": "x"}, "history": [{"role": "user", "content": "x"}]},
        {"conversation_notes": [], "user_contents": [content("x")]},
    ],
)
def test_other_members_of_a_case_are_no_turns(tmp_path: Path, members: dict[str, Any]) -> None:
    (found,) = opened(tmp_path, {"conversation": [EXPECTED], **members}).conversations
    assert found.turns[0].response == "It costs 500 euros."


def test_members_of_recorded_turns_that_nobody_reads_are_named(tmp_path: Path) -> None:
    recording = opened(tmp_path, {"actual_conversation": [{**ACTUAL, "tool_calls": [{"name": "get_price"}]}]})
    (turn,) = recording.conversations[0].turns
    assert turn.unrecorded == {"calls"}
    assert recording.warnings[0].startswith("case_1, turn 1: tool_calls is not read")
