"""YAML becomes a JSON document, and data becomes YAML that reads back as the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.interop import document_texts
from evaltui.interop.document_texts import read_yaml, yaml_text_of
from evaltui.interop.fields import ConversionError
from tests.sampling import examples

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 2024-01-01", {"a": "2024-01-01"}),
        ("a: '0042'", {"a": "0042"}),
        ("a: 42\nb: 1.5\nc: yes\nd: ~", {"a": 42, "b": 1.5, "c": True, "d": None}),
        ("1: x\n2024-01-01: y\ntrue: z", {"1": "x", "2024-01-01": "y", "true": "z"}),
        ("a: &x [1, 2]\nb: *x", {"a": [1, 2], "b": [1, 2]}),
        ("base: &b {x: 1}\nc: {<<: *b, y: 2}", {"base": {"x": 1}, "c": {"x": 1, "y": 2}}),
        ("\ufeffa: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        ('{"a": "\\u00e9", "b": []}', {"a": "é", "b": []}),
    ],
)
def test_yaml_is_read_as_json_has_it(text: str, value: Any) -> None:
    assert read_yaml(text.encode()).value() == value


def test_a_key_that_stands_twice_is_kept_twice() -> None:
    root = read_yaml(b"tool_calls: [a]\ntool_calls: [b]")
    assert [item.value() for item in root.items] == [["a"], ["b"]]


def test_a_key_replaces_the_merged_one_and_stands_once() -> None:
    root = read_yaml(b"a: &a {x: 1, y: 1}\nb: &b {y: 2}\nc: {y: 3, <<: [*a, *b], z: 4}")
    assert [(item.name, item.value()) for item in root.items[2].items] == [("x", 1), ("y", 3), ("z", 4)]
    root = read_yaml(b"a: &a {x: 1, y: 1}\nb: &b {y: 2}\nc: {<<: [*a, *b]}")
    assert root.items[2].value() == {"x": 1, "y": 1}
    assert len(root.items[2].items) == 2


def test_data_too_deep_for_yaml_is_refused_with_a_sentence() -> None:
    value: Any = "end"
    for _ in range(600):
        value = {"deeper": value}
    with pytest.raises(ConversionError, match="nested too deeply for YAML"):
        yaml_text_of(value)


def test_pointers_work_on_yaml() -> None:
    root = read_yaml(b"conversations:\n- turns:\n  - user: Hi\n")
    assert root.at("/conversations/0/turns/0/user").text() == "Hi"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        ("a: [", "invalid YAML: line 1: expected the node content"),
        ("a: b\n- c", "invalid YAML: line 2:"),
        ("a: .nan", "line 1: .nan is not a JSON number. Put it in quotes"),
        (
            "\na: !!python/object/apply:os.system [ls]",
            "line 2: JSON has no equivalent of the tag !!python/object",
        ),
        ("a: !!binary aGk=", "line 1: JSON has no equivalent of the tag !!binary. Delete the tag"),
        ("? [a, b]\n: c", "line 1: a key is a list or an object"),
        ("a: &x [*x]", "line 1: an alias refers to the value that contains it"),
        ("\x00", "invalid YAML: unacceptable character"),
        ("[" * 1000, "line 1: values are nested too deeply for YAML"),
        ("a: !!int \x1b[31m", "invalid YAML: unacceptable character"),
        ("a: !!int x", "line 1: x is not a JSON number. Put it in quotes"),
        ('a: !!int ""', "line 1: an empty text is not a JSON number. Put it in quotes"),
        ('!!float "": a', "line 1: an empty text is not a JSON number. Put it in quotes"),
        ("a: !!bool z", "line 1: z is not a JSON boolean. Put it in quotes"),
    ],
)
def test_yaml_that_json_cannot_hold_is_refused_with_the_line(text: str, sentence: str) -> None:
    with pytest.raises(ConversionError) as caught:
        read_yaml(text.encode())
    assert str(caught.value).startswith(sentence)


def test_bytes_that_are_no_utf_8_are_refused() -> None:
    with pytest.raises(ConversionError, match="invalid YAML"):
        read_yaml(b"a: \xff\xfe")


def _doubled(levels: int, first: str, following: str) -> str:
    """YAML in which each value names the value before it several times."""
    lines = [first, *(following.format(n=n, before=n - 1) for n in range(1, levels))]
    return "\n".join(lines)


_VALUES = "the file has more than 500,000 values, counting aliases"
_CHARACTERS = "the file has more than 10,000,000 characters, counting aliases"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (_doubled(30, "a0: &a0 [x, x]", "a{n}: &a{n} [*a{before}, *a{before}]"), _VALUES),
        (_doubled(30, "a0: &a0 {k: v}", "a{n}: &a{n} {{<<: [*a{before}, *a{before}]}}"), _VALUES),
        (_doubled(30, "a0: &a0 {k: v}", "a{n}: &a{n} {{x: *a{before}, y: *a{before}}}"), _VALUES),
        (f"a: &a {'x' * 200_000}\nb: [{', '.join(['*a'] * 5_000)}]", _CHARACTERS),
        (f"a: &a {{? {'x' * 200_000} : 1}}\nb: [{', '.join(['*a'] * 5_000)}]", _CHARACTERS),
        (f"a: &a {'x' * 200_000}\nb: {{? *a : 1}}\nc: &c [*a, *a, *a, *a]\nd: [{', '.join(['*c'] * 20)}]", _CHARACTERS),
    ],
)
def test_aliases_and_merges_are_refused_before_they_fill_the_memory(
    text: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_texts, "_json_text", lambda *_: pytest.fail("written"))
    with pytest.raises(ConversionError, match=sentence):
        read_yaml(text.encode())


@pytest.mark.parametrize("number", ["1:30", "-1:30:00", "1:30.5", "9" + ":59" * 10_000, "!!int 1:2", "!!float 1:2"])
def test_numbers_to_base_60_are_refused_with_the_line(number: str) -> None:
    with pytest.raises(ConversionError, match=r"line 2: -?[19]:.* is a number to base 60 in YAML. Put it in quotes"):
        read_yaml(f"a: 1\nb: {number}".encode())


@given(_JSON)
@examples(100)
def test_data_reads_back_as_it_was(value: Any) -> None:
    text = yaml_text_of(value)
    assert read_yaml(text.encode()).value() == value


def test_texts_that_look_like_something_else_stay_texts() -> None:
    texts = [
        "12",
        "1e3",
        "0x1f",
        "0o17",
        "1_000",
        "1:30",
        "2024-01-01",
        "yes",
        "n",
        "null",
        "~",
        "=",
        "<<",
        "*a",
        "- b",
    ]
    texts += [
        "",
        " lead",
        "trail ",
        "a: b",
        "# c",
        "\x85",
        "\u2028x",
        "a\r\nb",
        "\ud800",
        "\x1b[31m",
        "\ufeff",
        "!!str",
    ]
    assert read_yaml(yaml_text_of({text: text for text in texts}).encode()).value() == {text: text for text in texts}


def test_yaml_is_readable() -> None:
    value = {"z": "one\ntwo\n", "a": "Grüße 🙂", "list": [{"b": 1, "a": "x"}]}
    assert yaml_text_of(value) == "z: |\n  one\n  two\na: Grüße 🙂\nlist:\n- b: 1\n  a: x\n"


def test_equal_values_are_written_out_and_not_as_aliases() -> None:
    shared = {"x": [1]}
    assert "&" not in yaml_text_of([shared, shared])


def test_escapes_never_reach_the_file_as_such() -> None:
    text = yaml_text_of({"\x1b]0;title\x07": "\x1b[2J\u202e"})
    assert text.isprintable() or not {"\x1b", "\x07"} & set(text)


def test_the_corpus_reads_back_from_yaml(shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("*_adk_evalset__*.json"))[::4]
    assert len(paths) > 20
    for path in paths:
        if path.stat().st_size > 200_000:
            continue
        value = json.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        assert read_yaml(yaml_text_of(value).encode()).value() == value, path.name
