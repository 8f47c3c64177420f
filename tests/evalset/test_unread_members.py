"""Members of contents and calls that google-genai does not have are named."""

from typing import Any

import pytest

from evaltui.evalset.unread_members import (
    OF_CALLS,
    responses_without_calls,
    unread_beside_calls,
    unread_in,
    unread_in_content,
)


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
    assert list(unread_in({"name": "f", "args": {}, "payload": {"a": 1}, "note": None}, OF_CALLS)) == ["payload"]


@pytest.mark.parametrize(
    ("responses", "calls", "names"),
    [
        ([("a", "f")], [("a", "f")], []),
        ([("a", "f"), ("a", "f")], [("a", "f")], []),
        ([("a", "f"), ("b", "f")], [("a", "f")], ["f"]),
        ([("a", "f"), ("", "f")], [("a", "f")], ["f"]),
        ([("", "f")], [("a", "f")], []),
        ([("", "f"), ("", "f")], [("", "f"), ("", "g")], ["f"]),
        ([("a", "f"), ("", "f")], [("", "f")], ["f"]),
        ([("", "")], [("a", "f")], []),
        ([("", "")], [], [""]),
    ],
)
def test_a_response_belongs_to_a_call_by_id_or_by_name(
    responses: list[tuple[str, str]], calls: list[tuple[str, str]], names: list[str]
) -> None:
    of = [
        [{"id": identifier or None, "name": name or None} for identifier, name in side] for side in (responses, calls)
    ]
    assert list(responses_without_calls(*of)) == names


def test_values_of_other_types_have_neither_id_nor_name() -> None:
    assert list(responses_without_calls([5, {"id": [], "name": {}}], [None, {"id": 5}])) == []
    assert list(unread_beside_calls({"parts": [{"function_call": {"x": 1}, "y": 1}]})) == ["parts.y"]
