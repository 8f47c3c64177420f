"""Values that JSON files hold and JSON cannot: found, replaced, and told from what only looks so."""

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.conversion import convert, text_of
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError
from evaltui.interop.losses import has_odd_values, odd_values
from evaltui.interop.output_tree import with_finite_numbers
from evaltui.interop.portable_set import FormatType

LONG = "9" * 400


def found(text: str) -> list[tuple[str, bool]]:
    root = read_document(text.encode())
    values = odd_values(root, "") if has_odd_values(root) else ()
    return [(pointer, reason.kind == "no_place") for pointer, _, reason in values]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [NaN, 1, -Infinity]}', [("/a/0", False), ("/a/2", False)]),
        ('{"a": 1e999, "b": 1e99}', [("/a", False)]),
        (f'{{"a": {LONG}, "b": {LONG}.5}}', [("/b", False)]),
        ('{"a": {"b": 1, "b": 2}, "a/b": {"x": 1}}', [("/a/b", True)]),
        ('{"a": "NaN", "b": "1e999", "c": {"a": 1}}', []),
        ("[]", []),
    ],
)
def test_odd_values_are_found_with_their_pointers(text: str, expected: list[tuple[str, bool]]) -> None:
    assert found(text) == expected


def test_numbers_that_json_lacks_become_texts() -> None:
    value: Any = {"a": [float("inf"), -float("inf"), 1.5], "b": float("nan"), "c": int(LONG)}
    assert with_finite_numbers(value) == {"a": ["Infinity", "-Infinity", 1.5], "b": "NaN", "c": int(LONG)}


def test_long_integers_are_carried_on_as_they_are() -> None:
    body = b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [], "n": %s}]}' % LONG.encode()
    conversion = convert(read_document(body), EVAL_SET, EVAL_SET)
    assert conversion.losses == []
    assert json.loads(text_of(conversion)) == json.loads(body)


def test_what_nests_too_deep_is_refused_with_a_sentence() -> None:
    deep = b"[" * 3000 + b"]" * 3000
    body = b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [], "n": %s}]}' % deep
    with pytest.raises(ConversionError, match="nested too deeply"):
        convert(read_document(body), EVAL_SET, EVAL_SET)


@pytest.mark.parametrize("target", [each for each in FORMATS if each.write is not None], ids=lambda each: each.option)
def test_bytes_that_are_not_utf_8_are_reported_with_their_places(target: FormatType) -> None:
    said = b'{"user_content": {"role": "user", "parts": [{"text": "Caf\xe9?"}]}}'
    session = b'{"app_name": "a", "user_id": "u", "state": {"Caf\xe9": "x", "city": "Qu\xe9bec"}}'
    case = b'{"eval_id": "a", "conversation": [' + said + b'], "session_input": ' + session + b"}"
    root = read_document(b'{"eval_set_id": "s", "eval_cases": [' + case + b"]}")
    made = convert(root, EVAL_SET, target)
    found = {each.pointer: (each.kind, each.reason) for each in made.losses if "UTF-8" in each.reason}
    assert [pointer.removeprefix("/eval_cases/0/") for pointer in found] == [
        "conversation/0/user_content/parts/0/text",
        "session_input/state/Caf\udce9",
        "session_input/state/city",
    ]
    assert {kind for kind, _ in found.values()} == {"changed"}
    text_of(made).decode()
