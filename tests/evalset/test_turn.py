"""Turns as metrics look at them, from both shapes and both spellings."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.turn import TurnCall, turn_of

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "a", "1.5"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("intermediate_data", "invocation_events", "tool_uses", "content", "parts", "text", "name"),
                    *("function_call", "args", "usage_metadata", "prompt_token_count", "duration", "model_version"),
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


def event(*parts: Any, **members: Any) -> dict[str, Any]:
    return {"author": "agent", "content": {"parts": [*parts]}, **members}


def of_events(*events: Any) -> dict[str, Any]:
    return {"intermediateData": {"invocationEvents": [*events]}}


def test_texts_are_joined_as_google_adk_joins_them() -> None:
    parts = [{"text": "a"}, {"text": ""}, {"inline_data": {}}, {"text": "b", "thought": True}, {"text": None}]
    found = turn_of({"userContent": {"parts": parts}, "final_response": {"parts": parts}, "invocationId": "e1"})
    assert (found.user_text, found.response, found.invocation_id) == ("a\nb", "a\nb", "e1")


def test_calls_of_both_shapes_with_their_responses() -> None:
    call, answer = {"name": "find", "args": {"x": 1}, "id": "c1"}, {"id": "c1", "response": {"y": 2}}
    listed = turn_of({"intermediate_data": {"tool_uses": [call, {}], "toolResponses": [answer]}})
    parts = [{"functionCall": call}, {"function_call": {}}, {"function_call": None}]
    events = turn_of(of_events(event(*parts), event({"function_response": answer})))
    assert listed.calls == (TurnCall("find", {"x": 1}, "c1", {"y": 2}), TurnCall(None))
    assert events.calls == tuple(call._replace(author="agent") for call in listed.calls)


def test_model_calls_are_events_that_a_model_gave() -> None:
    events = [
        event(),
        event(usage_metadata={}),
        event(modelVersion="gemini-2.5-flash"),
        event(model_version="gemini-2.5-pro", usageMetadata=None),
        event(model_version="gemini-2.5-flash"),
        event(model_version=""),
    ]
    found = turn_of(of_events(*events))
    assert found.inference_calls == 5
    assert turn_of(of_events()).inference_calls == 0
    assert turn_of({"intermediate_data": {}}).inference_calls is None


def test_tokens_are_added_up_and_the_total_is_that_of_both_directions() -> None:
    one = {"promptTokenCount": 10, "candidates_token_count": 4, "totalTokenCount": 99}
    two = {"prompt_token_count": "1", "toolUsePromptTokenCount": 2.0, "thoughts_token_count": 3}
    found = turn_of(of_events(event(usage_metadata=one), event(usage_metadata=two), event()))
    assert found.tokens == 20
    assert turn_of(of_events(event(usage_metadata={}))).tokens is None
    assert turn_of(of_events(event())).tokens is None


@pytest.mark.parametrize(
    ("members", "seconds"),
    [
        ({"duration": 1.5, "modelDuration": 1, "tool_duration": "0.25"}, 1.5),
        ({"duration": 2}, 2.0),
        ({"model_duration": 1.0}, None),
        ({"duration": None}, None),
    ],
)
def test_durations(members: dict[str, Any], seconds: float | None) -> None:
    assert turn_of(members).seconds == seconds


@given(st.dictionaries(st.sampled_from(["intermediate_data", "user_content", "duration"]), ANYTHING))
def test_what_has_another_type_counts_as_absent(invocation: dict[str, Any]) -> None:
    found = turn_of(invocation)
    assert all(isinstance(each, TurnCall) for each in found.calls)
    assert isinstance(found.response, str)
