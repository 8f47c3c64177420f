"""Whatever a file holds: a recording or a sentence, and soon."""

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_file import open_recording
from tests.recordings import session_files
from tests.recordings.files import (
    agent_data,
    call,
    case_result,
    content,
    dataset,
    eval_set,
    event,
    invocation,
    lines,
    otlp,
    result,
    span,
)
from tests.recordings.matched import case_to_match, match

EVENTS = [event("user", {"text": "Hi"}), event("a", {"function_call": call("f", x=1)}), event("a", {"text": "Hello"})]
SESSION = session_files.session(
    "s1",
    *session_files.exchange("e1", "Hi", "Hello"),
    session_files.event("e1", "trip", session_files.call("adk_request_input", "r1"), long_running_tool_ids=["r1"]),
    session_files.event("e2", "user", session_files.response("adk_request_input", "r1"), partial=False),
    session_files.event("e3", "user", actions={"rewind_before_invocation_id": "e2", "skip_summarization": True}),
    session_files.event("e4", "trip", error_code="X", error_message="Y", grounding_metadata={}, usage_metadata={}),
)
WHOLE: list[Any] = [
    result(case_result("a", invocation("Hi", "Hello", call("f", x=1)), invocation())),
    dataset(responses=[{"response": content("Hello")}], conversation_history=EVENTS, intermediate_events=EVENTS),
    dataset(agent_data=agent_data(EVENTS, EVENTS)),
    eval_set(invocation("Hi", "Hello", call("f", x=1))),
    otlp(span(1, 1), span(2, 1)),
    {"data": [{"traceID": "1", "spans": [{"traceID": "1", "spanID": "2", "tags": []}], "processes": {}}]},
    {"batches": otlp(span())["resourceSpans"]},
    SESSION,
    [SESSION, session_files.session("s2")],
]
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from(
        [10**400, -(10**400), 1e308, float("nan"), float("inf"), "", "\ud800", "\0", "{", [], {}, [[]], [{}]]
    ),
    st.floats(),
    st.text(max_size=5),
    st.recursive(
        st.none(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each container with each of its keys or indexes."""
    found = []
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found += [(value, key), *places(value[key])]
    return found


def opened(data: bytes) -> Recording | None:
    """The recording; None where it is refused with a sentence."""
    try:
        detailed = open_recording(Path("x.json"), multi_turn=True, data=data, for_cases=True)
        assert all(len(each.recorded_turns) >= len(each.turns) for each in detailed.conversations)
        return open_recording(Path("x.json"), multi_turn=True, data=data)
    except RecordingError as error:
        assert str(error).startswith("x.json")
        return None


def assert_sound_or_refused(data: bytes) -> None:
    """The file is refused with a sentence, or each value that others read from its recording has its type."""
    recording = opened(data)
    if recording is None:
        return
    match([case_to_match("a", "Hi", 1)], recording.conversations, "desk")
    for conversation in recording.conversations:
        assert isinstance(conversation.id, str)
        assert conversation.recorded_at is None or 0 < conversation.recorded_at < 1e11
        for turn in conversation.turns:
            assert isinstance(turn.user_text + turn.response, str)
            assert all(each.args is None or isinstance(each.args, dict) for each in turn.calls)


@given(st.sampled_from(WHOLE), st.lists(st.tuples(st.integers(0), STRANGE), min_size=1, max_size=3))
def test_values_of_other_types(whole: Any, changes: list[tuple[int, Any]]) -> None:
    value = json.loads(json.dumps(whole))
    for at, strange in changes:
        found = places(value)
        container, key = found[at % len(found)]
        container[key] = deepcopy(strange)
    assert_sound_or_refused(json.dumps(value).encode())


@given(st.sampled_from(WHOLE), st.randoms(use_true_random=False), st.integers(0, 3))
def test_members_shuffled_dropped_and_swapped(whole: Any, random: Any, drop: int) -> None:
    value = json.loads(json.dumps(whole))
    for _ in range(drop):
        container, key = random.choice(places(value) or [({0: 0}, 0)])
        del container[key]
    found = places(value)
    if len(found) > 1:
        (one, first), (other, second) = random.sample(found, 2)
        one[first], other[second] = json.loads(json.dumps([other[second], one[first]]))
    assert_sound_or_refused(json.dumps(value).encode())


@given(st.sampled_from(WHOLE), st.integers(0), st.booleans(), st.booleans())
def test_truncated_files_are_refused(whole: Any, at: int, packed: bool, doubly: bool) -> None:
    data = json.dumps(json.dumps(whole) if doubly else whole).encode()
    data = gzip.compress(data) if packed else data
    assert opened(data[: at % len(data)]) is None


@given(st.sampled_from(WHOLE), st.integers(0), st.binary(max_size=4), st.booleans())
def test_bytes_in_the_midst(whole: Any, at: int, bytes_: bytes, packed: bool) -> None:
    data = json.dumps(whole).encode()
    data = gzip.compress(data) if packed else data
    at %= len(data)
    assert_sound_or_refused(data[:at] + bytes_ + data[at + len(bytes_) :])


@given(st.lists(st.sampled_from([*WHOLE, 1, "x", [], {}, None]), max_size=5), st.integers(0), st.binary(max_size=3))
def test_lines_of_anything(values: list[Any], at: int, bytes_: bytes) -> None:
    data = lines(*values)
    at %= len(data) + 1
    assert_sound_or_refused(data[:at] + bytes_ + data[at:])


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    assert opened(data) is None
    assert opened(b"\x1f\x8b" + data) is None


@pytest.mark.parametrize("depth", [50, 900, 20_000])
@pytest.mark.parametrize("whole", WHOLE)
def test_deep_values(whole: Any, depth: int) -> None:
    text = json.dumps(whole)
    for at in range(1, len(text), 97):
        assert_sound_or_refused((text[:at] + "[" * depth + "]" * depth + text[at:]).encode())
    for mark in ('"args": ', '"parts": ', '"attributes": ', '"spans": ', '"eval_cases": ', '"eval_case_results": '):
        assert_sound_or_refused(text.replace(mark, mark + '{"a":' * depth + "1" + "}" * depth + ', "b": ', 1).encode())
