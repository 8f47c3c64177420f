"""Parts of a content that are no text."""

import base64
import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.node import Node
from evaltui.evalset.case_data import text_of_parts
from evaltui.evalset.content_parts import OtherPart, describe_part, part_kind, read_content
from evaltui.evalset.turn import turn_of

PICTURE = bytes(range(256)) * 8
BASE64 = base64.b64encode(PICTURE).decode()

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["QUJD", "image/png"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["data", "name"]), inner, max_size=2),
    max_leaves=4,
)
names = st.sampled_from(["text", "thought", "inline_data", "inlineData", "file_data", "functionCall", "tool_call"])
contents = st.fixed_dictionaries({"parts": st.lists(st.dictionaries(names, values, max_size=2) | values, max_size=3)})


def of_response(*parts: Any) -> tuple[OtherPart, ...]:
    return turn_of({"finalResponse": {"parts": [*parts]}}).other_parts


def test_an_image_is_told_by_type_size_and_hash_of_its_bytes() -> None:
    found = of_response({"text": "Here"}, {"inlineData": {"mimeType": "image/png", "data": BASE64}})
    assert found == (OtherPart("inline_data", "image/png 2.0 kB", 2048, sha256(PICTURE).hexdigest()[:8]),)


@pytest.mark.parametrize("data", [BASE64.rstrip("="), BASE64.replace("+", "-").replace("/", "_"), f"{BASE64}\n"])
def test_the_same_bytes_have_one_hash_however_they_are_spelt(data: str) -> None:
    (found,) = of_response({"inline_data": {"data": data}})
    assert (found.size, found.digest) == (2048, sha256(PICTURE).hexdigest()[:8])


def test_data_that_are_not_base64_are_told_apart_as_they_stand() -> None:
    one, other = of_response({"inline_data": {"data": "é"}}, {"inline_data": {"data": "è"}})
    assert (one.description, one.size) == ("data 2 B", 2)
    assert one.digest != other.digest


def test_other_payloads_are_told_by_their_json_whatever_the_order_of_members() -> None:
    file = {"file_uri": "gs://b/a.pdf", "mime_type": "application/pdf"}
    found = of_response({"file_data": file}, {"file_data": dict(reversed(file.items()))})
    text = json.dumps(file, sort_keys=True).encode()
    part = OtherPart("file_data", "application/pdf at gs://b/a.pdf", len(text), sha256(text).hexdigest()[:8])
    assert found == (part, part)


def test_parts_of_the_user_are_kept_apart() -> None:
    found = turn_of({"user_content": {"parts": [{"text": "Look"}, {"inline_data": {"data": "QUJD"}}]}})
    assert found.user_text == "Look"
    assert [part.description for part in found.user_parts] == ["data 3 B"]
    assert found.other_parts == ()


@pytest.mark.parametrize(
    "part",
    [
        {"text": "x"},
        {"text": "x", "thought": True},
        {"text": "", "thought_signature": "QUJD"},
        {"thoughtSignature": "QUJD"},
        {"inline_data": None},
        {},
        "x",
    ],
)
def test_texts_signatures_and_empty_parts_are_no_other_parts(part: Any) -> None:
    assert of_response(part) == ()


@given(contents)
def test_text_and_other_parts_are_those_of_the_other_readers(content: dict[str, Any]) -> None:
    text, parts = read_content(content)
    assert text == text_of_parts(content)
    nodes = [Node(json.dumps(part).encode()) for part in content["parts"] if isinstance(part, dict)]
    nodes = [node for node in nodes if part_kind(node) not in ("text", "thought", "signature", "empty")]
    assert [part.kind for part in parts] == [*map(part_kind, nodes)]
    named = [part.description for part in parts if part.kind != "inline_data"]
    assert named == [describe_part(node) for node in nodes if part_kind(node) != "inline_data"]


@pytest.mark.parametrize("content", [None, {}, [], "text", {"parts": None}, {"parts": {}}, {"parts": ["x", None, 1]}])
def test_a_content_of_another_shape_has_nothing(content: Any) -> None:
    assert read_content(content) == ("", ())


def test_a_payload_of_very_many_levels_does_no_harm() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = [deep]
    assert [part.kind for part in of_response({"function_call": {"name": "f", "args": {"x": deep}}})] == [
        "function_call"
    ]
