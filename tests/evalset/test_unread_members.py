"""Members of contents and calls that google-genai does not have are named."""

from typing import Any

import pytest

from evaltui.evalset.unread_members import unread_in_call, unread_in_content


@pytest.mark.parametrize(
    ("content", "unread"),
    [
        (None, []),
        ({"role": "model", "parts": None}, []),
        ({"parts": [{"text": "a", "thoughtSignature": "x"}, {"functionCall": {"name": "f", "args": {}}}]}, []),
        ({"parts": [{"text": "a", "tool_calls": []}]}, []),
        ({"parts": [{"text": "a", "tool_calls": [{"name": "f"}]}]}, ["parts.tool_calls"]),
        ({"parts": [{"FunctionCall": {"name": "f"}}]}, ["parts.FunctionCall"]),
        ({"parts": [{"tool_call": {"name": "f"}}]}, ["parts.tool_call.name"]),
        ({"parts": [{"tool_call": {"tool_type": "GOOGLE_SEARCH", "id": "1"}}]}, []),
        ({"parts": [{"function_call": "f"}, "text"]}, ["parts.function_call", "parts"]),
        ({"parts": [{"text": ["a"]}], "steps": [1]}, ["steps", "parts.text"]),
        ({"parts": {"text": "a"}}, ["parts"]),
        ({"parts": [{"functionCall": None, "function_call": {"name": "f"}}]}, ["parts.function_call"]),
        ({"parts": [{"functionCall": {"name": "f"}, "function_call": None}]}, []),
        ("a", ["content"]),
    ],
)
def test_unread_members_of_a_content_are_named(content: Any, unread: list[str]) -> None:
    assert list(unread_in_content(content)) == unread


def test_unread_members_of_a_call_are_named() -> None:
    assert list(unread_in_call({"name": "f", "args": {}, "payload": {"a": 1}, "note": None})) == ["payload"]
