"""Invocations as google-adk writes them: names, bytes, numbers and nulls."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from evaltui.evalset.editing.recorded_turns import InvocationError, as_google_adk_writes

ODD = {"snake_case": {"camelCase": None}, "list": [1, None, 1.0, 2**70, "é"]}


def user(**part: Any) -> dict[str, Any]:
    return {"userContent": {"parts": [part], "role": None}}


def test_names_are_snake_case_and_free_values_stay() -> None:
    call = {"functionCall": {"args": ODD, "name": "book", "id": None}, "thoughtSignature": "-_-_"}
    found = as_google_adk_writes(
        {
            **user(text="hi"),
            "invocationId": "e1",
            "intermediateData": {"invocationEvents": [{"author": "trip", "content": {"parts": [call]}}]},
            "creationTimestamp": "12",
        }
    )
    assert found == {
        "invocation_id": "e1",
        "user_content": {"parts": [{"text": "hi"}]},
        "intermediate_data": {
            "invocation_events": [
                {
                    "author": "trip",
                    "content": {
                        "parts": [{"function_call": {"args": ODD, "name": "book"}, "thought_signature": "-_-_"}]
                    },
                }
            ]
        },
        "creation_timestamp": 12.0,
    }


def test_what_is_given_stays_untouched() -> None:
    given = user(inline_data={"data": "AAAA", "mimeType": "image/png"})
    before = json.dumps(given)
    found = as_google_adk_writes(given)
    assert found["user_content"]["parts"] == [{"inline_data": {"data": "AAAA", "mime_type": "image/png"}}]
    assert json.dumps(given) == before


@pytest.mark.parametrize(
    ("invocation", "sentence"),
    [
        ({}, "google-adk rejects it: /user_content"),
        (user(text=1), "/user_content/parts/0/text"),
        (user(text="hi", unknown=1), "/user_content/parts/0/unknown"),
        (user(inline_data={"data": "no base64!"}), "/user_content/parts/0/inline_data/data"),
    ],
)
def test_what_google_adk_refuses_is_said_with_its_place(invocation: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvocationError, match=r"^google-adk rejects it: ") as caught:
        as_google_adk_writes(invocation)
    assert sentence in str(caught.value).replace("userContent", "user_content").replace("inlineData", "inline_data")


@pytest.mark.parametrize("levels", [190, 400, 100_000])
def test_deep_values_are_refused(levels: int) -> None:
    """google-adk reads 190 levels alone, and not within a set."""
    deep: dict[str, Any] = {}
    for _ in range(levels):
        deep = {"a": deep}
    with pytest.raises(InvocationError, match="too deeply nested for google-adk"):
        as_google_adk_writes({**user(text="hi"), "intermediate_data": {"tool_uses": [{"args": deep}]}})


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvocationError, match=r"a text contains an incomplete character"):
        as_google_adk_writes(user(text="\ud83d"))


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (
            {"invocation_events": [{"author": "a", "content": {"parts": [{"function_call": {"args": [1]}}]}}]},
            "/intermediate_data/invocation_events/0/content/parts/0/function_call/args: ",
        ),
        ({"tool_uses": [{"args": [1]}]}, "/intermediate_data/tool_uses/0/args: "),
        ({"other": 1}, "/intermediate_data/other: "),
    ],
)
def test_of_two_shapes_the_one_that_was_meant_is_refused(data: dict[str, Any], place: str) -> None:
    with pytest.raises(InvocationError) as caught:
        as_google_adk_writes({**user(text="hi"), "intermediate_data": data})
    assert place in snake_place(str(caught.value))


def snake_place(sentence: str) -> str:
    """A sentence with the names of its place in snake_case."""
    return re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", sentence)
