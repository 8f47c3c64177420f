"""Parts of contents: what each is, what is said of it, and what stays when it has nulls."""

import base64
from typing import Any

import pytest

from evaltui.evalset.content_parts import describe_part, is_text_part, part_kind, part_payloads, parts_of, plain_text
from tests.evalset.helpers import node_of

PICTURE = base64.b64encode(b"\x89PNG" * 475_000).decode()
NULLS = {
    **{"video_metadata": None, "thought": None, "inline_data": None, "file_data": None, "thought_signature": None},
    **{"code_execution_result": None, "executable_code": None, "function_call": None, "function_response": None},
    "text": None,
}
"""A part as google-adk 1.0 to 1.14 wrote it, without what it carries."""

KINDS: list[tuple[dict[str, Any], str]] = [
    ({"text": "x"}, "text"),
    ({"text": ""}, "text"),
    ({"text": "x", "thought": True}, "thought"),
    ({"text": "x", "thought": False}, "text"),
    ({"text": "x", "thoughtSignature": "QUJD"}, "text"),
    ({"text": "x", "thought": True, "thought_signature": "QUJD"}, "thought"),
    ({"text": "", "thought_signature": "QUJD"}, "signature"),
    ({"thoughtSignature": "QUJD"}, "signature"),
    ({"function_call": {"name": "f"}, "thought_signature": "QUJD"}, "function_call"),
    ({"functionResponse": {"name": "f"}}, "function_response"),
    ({"inlineData": {"data": "QUJD"}}, "inline_data"),
    ({"video_metadata": {"fps": 1}, "file_data": {"file_uri": "gs://v"}}, "file_data"),
    ({"executable_code": {"code": "1"}}, "executable_code"),
    ({"codeExecutionResult": {"output": "1"}}, "code_execution_result"),
    ({"tool_call": {"tool_type": "GOOGLE_SEARCH"}}, "tool_call"),
    ({"toolResponse": {"id": "1"}}, "tool_response"),
    ({"video_metadata": {"fps": 1}}, "video_metadata"),
    ({"text": "caption", "inline_data": {"data": "QUJD"}}, "inline_data"),
    ({}, "empty"),
    ({"thought": True}, "empty"),
    ({"unheard_of": 1}, "empty"),
]


@pytest.mark.parametrize(("part", "kind"), KINDS, ids=[str(part) for part, _ in KINDS])
def test_a_part_is_told_by_what_it_carries_with_or_without_nulls_beside_it(part: dict[str, Any], kind: str) -> None:
    camel_names = {"inlineData", "functionResponse", "thoughtSignature", "codeExecutionResult"} & {*part}
    spelt = node_of(part)
    assert (part_kind(spelt), is_text_part(spelt)) == (kind, kind in ("text", "thought"))
    if not camel_names:
        assert part_kind(node_of({**NULLS, **part})) == kind


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"inline_data": {"mime_type": "image/png", "data": PICTURE}}, "image/png 1.9 MB"),
        ({"inlineData": {"mimeType": "image/png", "data": base64.b64encode(bytes(1500)).decode()}}, "image/png 1.5 kB"),
        ({"inline_data": {"mime_type": "text/plain", "data": "QUI"}}, "text/plain 2 B"),
        ({"inline_data": {"mime_type": "text/plain", "data": "_-_-"}}, "text/plain 3 B"),
        ({"inline_data": {"data": base64.b64encode(bytes(999)).decode()}}, "data 999 B"),
        ({"inline_data": {"data": base64.b64encode(bytes(1000)).decode()}}, "data 1.0 kB"),
        ({"inline_data": {"data": base64.b64encode(bytes(1_000_000)).decode()}}, "data 1.0 MB"),
        ({"inline_data": {"data": "é"}}, "data 1 B"),
        ({"inline_data": {}}, "data 0 B"),
        ({"inline_data": 5}, "data 0 B"),
        (
            {"file_data": {"file_uri": "gs://b/a.pdf", "mime_type": "application/pdf"}},
            "application/pdf at gs://b/a.pdf",
        ),
        ({"fileData": {"fileUri": "gs://b/a"}}, "file at gs://b/a"),
        ({"function_call": {"name": "book_flight", "args": {}}}, "function call book_flight"),
        ({"function_response": {"name": "book_flight"}}, "function response book_flight"),
        ({"function_call": {"name": None}}, "function call"),
        ({"tool_call": {"tool_type": "GOOGLE_SEARCH"}}, "tool call GOOGLE_SEARCH"),
        ({"tool_response": {"toolType": "URL_CONTEXT"}}, "tool response URL_CONTEXT"),
        ({"executable_code": {"language": "PYTHON", "code": "print(1)"}}, "code python: print(1)"),
        ({"executable_code": {"code": "print(1)"}}, "code: print(1)"),
        ({"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}, "code result: 1"),
        ({"thought_signature": base64.b64encode(bytes(300)).decode()}, "thought signature 300 B"),
        ({"audio_transcription": {}}, "audio transcription"),
        (NULLS, "empty part"),
    ],
)
def test_a_part_that_is_no_text_is_described_in_a_few_words(part: dict[str, Any], words: str) -> None:
    assert describe_part(node_of(part)) == words


def test_a_part_says_all_that_it_carries() -> None:
    part = node_of({**NULLS, "text": "x", "function_call": {"name": "f"}})
    assert [payload.name for payload in part_payloads(part)] == ["text", "function_call"]
    assert part_payloads(node_of(NULLS)) == []


def test_the_plain_text_is_a_line_for_each_text_as_google_adk_joins_it() -> None:
    content = {"parts": [{"text": "a"}, {"text": ""}, {"inline_data": {}}, {"text": "b", "thought": True}, {"text": 5}]}
    assert plain_text(node_of(content)) == "a\nb"


@pytest.mark.parametrize("content", [None, {}, [], "text", {"parts": None}, {"parts": {}}, {"parts": ["x", None, 1]}])
def test_a_content_of_another_shape_has_no_parts(content: Any) -> None:
    node = node_of(content)
    assert (parts_of(node), plain_text(node)) == ([], "")
    assert parts_of(None) == []
