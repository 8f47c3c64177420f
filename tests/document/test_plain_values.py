"""Plain values of foreign JSON: one limit of levels and one message for each fault, whatever the version of Python."""

import json
from json import JSONDecodeError, JSONDecoder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import node, plain_values
from evaltui.document.errors import TooDeepError
from evaltui.document.node import Node, read_document
from evaltui.document.plain_values import MOST_LEVELS, TooManyLevelsError, is_deep, plain_value, scanner_of
from evaltui.document.scanner import value_end
from tests.package_source import texts

SHAPES = {
    "lists": ("[", "1", "]", 1),
    "objects": ('{"a": ', "1", "}", 1),
    "both": ('[{"a[\\"{": ', '"[[[["', "}]", 2),
    "wide": ("[0, [], {}, ", "{}", "]", 1),
}
"""Opening, innermost value, closing, and the levels of each opening."""
FAULTS = {
    "[1,]": ("Illegal trailing comma before end of array", 2),
    '{"a": [1, \n ]}': ("Illegal trailing comma before end of array", 8),
    '{"a": 1,}': ("Illegal trailing comma before end of object", 7),
    '[{"a": 1\t,\t}]': ("Illegal trailing comma before end of object", 9),
    '["é", ]': ("Illegal trailing comma before end of array", 4),
    "[]]": ("Extra data", 2),
    "[,]": ("Expecting value", 1),
    "]": ("Expecting value", 0),
    "[1,,]": ("Expecting value", 3),
    "{,}": ("Expecting property name enclosed in double quotes", 1),
    '{"a": 1, ]': ("Expecting property name enclosed in double quotes", 9),
    '{"a": ,}': ("Expecting value", 6),
    "": ("Expecting value", 0),
}


def nested(shape: str, levels: int) -> str:
    opening, inner, closing, count = SHAPES[shape]
    outer = levels - (inner == "{}") - (shape == "wide" and inner != "{}")
    return opening * (outer // count) + inner + closing * (outer // count)


@pytest.mark.parametrize("shape", SHAPES)
def test_as_many_levels_as_the_limit_are_read(shape: str) -> None:
    text = nested(shape, MOST_LEVELS)
    assert plain_value(text) == plain_value(text.encode()) == Node(text.encode()).value() == json.loads(text)


@pytest.mark.parametrize("levels", [MOST_LEVELS + 2, 700, 900, 2_000, 100_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_more_levels_are_refused_with_a_sentence(shape: str, levels: int) -> None:
    text = nested(shape, levels)
    for read in (plain_value, scan, lambda text: plain_value(text.encode()), lambda text: Node(text.encode()).value()):
        with pytest.raises(TooManyLevelsError, match="values are nested too deeply"):
            read(text)


@pytest.mark.parametrize("rest", ["", ",", "]" * 5, '"'])
@pytest.mark.parametrize("levels", [450, 5_000, 100_000])
def test_levels_before_a_fault_count(levels: int, rest: str) -> None:
    for read in (plain_value, scan):
        with pytest.raises(TooManyLevelsError):
            read("[" * levels + rest)


@pytest.mark.parametrize("start", ["x", "[1 2", '{"a" 1', '["\n'])
def test_levels_behind_a_fault_do_not_count_for_a_scan(start: str) -> None:
    with pytest.raises((ValueError, StopIteration)):
        scan(start + "[" * 100_000)


def scan(text: str) -> Any:
    return scanner_of(JSONDecoder())(text, 0)


@pytest.mark.parametrize(("text", "fault"), FAULTS.items())
def test_a_fault_has_one_message_and_one_place(text: str, fault: tuple[str, int]) -> None:
    for given_ in (text, text.encode("utf-16")):
        with pytest.raises(JSONDecodeError) as caught:
            plain_value(given_)
        assert (caught.value.msg, caught.value.pos) == fault


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_bytes_are_decoded_as_json_does(codec: str) -> None:
    data = (
        '{"嬀": ["嬀嬀嬀", "\ud800"]}'.encode(codec, "surrogatepass") + " ".encode(codec.removesuffix("-sig")[:6]) * 0
    )
    assert plain_value(data) == json.loads(data)


WORDS = st.text(st.sampled_from('[]{}"\\a'), max_size=6)
VALUES = st.recursive(
    st.none() | WORDS, lambda each: st.lists(each, max_size=3) | st.dictionaries(WORDS, each, max_size=3)
)


@given(VALUES, st.booleans(), st.integers(1, 6))
def test_levels_are_counted_as_values_nest(value: Any, indents: bool, most: int) -> None:
    text = json.dumps(value, indent=2 if indents else None)
    assert is_deep(text, most=most) == is_deep(text.encode(), most=most) == (levels_of(value) > most)
    assert is_deep(f'"[{text}', 2, most=most) == is_deep(text, most=most)


def levels_of(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(levels_of, value.values() if isinstance(value, dict) else value), default=0)


@pytest.mark.parametrize("levels", [MOST_LEVELS + 2, 700, 3_000])
def test_values_beyond_the_limit_have_no_quick_end_and_count_as_deep(
    levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = nested("lists", levels)
    assert value_end(text, 0) is None
    assert value_end(nested("lists", MOST_LEVELS), 0) == 2 * MOST_LEVELS + 1
    monkeypatch.setattr(node, "_MOST_DEEP", levels // 2)
    with pytest.raises(TooDeepError):
        read_document(f"[[{text}]]".encode())


def test_foreign_json_becomes_plain_values_in_one_place() -> None:
    own = {
        *("document/plain_values.py", "document/journals/journal.py"),
        *("evalset/search/regex_process.py", "runs/command_process.py"),
        *("evalset/schema/genai_models.py", "commands/schema.py"),
    }
    """The place itself, and modules that read what evaltui wrote or brings along."""
    assert {path for path, text in texts().items() if "json.load" in text and "`json.load" not in text} <= own
    assert plain_values.TOO_DEEP == "values are nested too deeply (more than 420 levels)"
