"""Invocations as google-adk writes them: names, bytes, numbers and nulls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.evalset.plain_invocation import InvocationError, as_google_adk_writes

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
        ({}, "google-adk refuses it: /user_content"),
        (user(text=1), "/user_content/parts/0/text"),
        (user(text="hi", unknown=1), "/user_content/parts/0/unknown"),
        (user(inline_data={"data": "no base64!"}), "/user_content/parts/0/inline_data/data"),
    ],
)
def test_what_google_adk_refuses_is_said_with_its_place(invocation: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvocationError, match=r"^google-adk refuses it: ") as caught:
        as_google_adk_writes(invocation)
    assert sentence in str(caught.value).replace("userContent", "user_content").replace("inlineData", "inline_data")


def test_deep_values_are_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(InvocationError):
        as_google_adk_writes(user(function_call={"args": deep}))
