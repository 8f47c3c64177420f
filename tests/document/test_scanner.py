"""Where values end, errors of a text that is not JSON, and plain values with one limit of levels on each Python."""

import json
from json import JSONDecodeError, JSONDecoder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import node
from evaltui.document.document import Document
from evaltui.document.errors import JsonSyntaxError
from evaltui.document.node import Node, read_document
from evaltui.document.scanner import (
    MOST_LEVELS,
    TOO_DEEP,
    DepthError,
    after_blanks,
    is_deep,
    item_lengths,
    key_end,
    read_json,
    scanner_of,
    value_end,
    walk,
)
from tests.document.helpers import root_of
from tests.document.strategies import DOCUMENTS
from tests.package_source import texts

COMMA = "a comma or the closing bracket is expected here"
MARKUP = st.text(alphabet='{}[]:,"\\ \n\t0123.-+eEu/tfnasd', max_size=12)

FAULTS = [
    ("", 0, "the file is empty"),
    ("  \n", 3, "the file has only spaces and line breaks"),
    ("[1,]", 3, "extra comma before ]"),
    ('{"a":1,}', 7, "extra comma before }"),
    ("[1,,2]", 3, "extra comma"),
    ("[1 2]", 3, COMMA),
    ('["a" "b"]', 5, COMMA),
    ('{"a":1 "b":2}', 7, COMMA),
    ("[01]", 2, COMMA),
    ("[1.]", 2, COMMA),
    ("[1}", 2, COMMA),
    ('{"a":1]', 6, COMMA),
    (r'[1 "a\qb"]', 3, COMMA),
    (r'{"a" "b\q"}', 5, "a colon is expected here"),
    ('{"a" 1}', 5, "a colon is expected here"),
    ('{"a":}', 5, "a value is expected here"),
    ("[.5]", 1, "a value is expected here"),
    ("[-]", 1, "a value is expected here"),
    ("[undefined]", 1, "a value is expected here"),
    ("{a: 1}", 1, "a key in double quotes is expected here"),
    ("{1: 2}", 1, "a key in double quotes is expected here"),
    ("{'a': 1}", 1, "JSON requires double quotes"),
    ("[True]", 1, "True is not valid JSON; write true"),
    ("[None]", 1, "None is not valid JSON; write null"),
    ("// no\n{}", 0, "JSON has no comments"),
    ('{"a": 1 /* no */}', 8, "JSON has no comments"),
    ("[1", 2, "the text ends where a comma or the closing bracket is expected"),
    ('{"a":', 5, "the text ends where a value is expected"),
    ('{"a"', 4, "the text ends where a colon is expected"),
    ('{"a', 1, "the string has no closing quote"),
    ('["a\r\nb"]', 3, "the string has no closing quote on its line"),
    ('["a\tb"]', 3, "control character U+0009 in a string: write an escape"),
    (r'["a\xb"]', 3, "this backslash does not begin a JSON escape"),
    (r'["\u12g4"]', 2, "this backslash does not begin a JSON escape"),
    ("[1]]", 3, "unexpected text after the end of the JSON"),
    ("{}\x00", 2, "unexpected text after the end of the JSON"),
    ("[" * 2000 + ",", 2000, "extra comma"),
    ("[" * 2000 + "1" + "]" * 1999 + "}", 4000, COMMA),
    ('{"a":' * 2000 + "1" + "}" * 2001, 12001, "unexpected text after the end of the JSON"),
]


@pytest.mark.parametrize(("text", "offset", "sentence"), FAULTS, ids=[repr(text)[:24] for text, _, _ in FAULTS])
def test_what_is_not_json_is_said_with_its_place(text: str, offset: int, sentence: str) -> None:
    document = Document(text.encode())
    assert document.fault is not None
    assert (document.fault.offset, str(document.fault)) == (offset, sentence)
    assert document.root is None
    assert document.to_bytes() == text.encode()


def test_the_place_of_a_fault_counts_code_points_and_lines_from_one() -> None:
    document = Document('\ufeff{\n "é😀": [1,\n  "ü" 2]}'.encode())
    assert document.fault is not None
    assert document.line_and_column(document.fault.offset) == (3, 7)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "[Infinity, -0, 1E-7]", '"\x7f"', "1" * 5000, "\t[]\r\n", "{}"])
def test_what_python_reads_is_read(text: str) -> None:
    assert Document(text.encode()).fault is None


@given(st.one_of(MARKUP, MARKUP.map(lambda text: f"[{text}]"), MARKUP.map(lambda text: f'{{"a":{text}}}')))
def test_json_is_what_the_standard_library_takes(text: str) -> None:
    _assert_agreement_with_the_standard_library(text)


@given(st.data(), DOCUMENTS.map(bytes.decode), st.sampled_from([*'{}[]:,"\\ 0-.eu\n', "true", ""]))
def test_a_text_with_one_mistake_is_found_out_as_the_standard_library_does(
    data: st.DataObject, text: str, mistake: str
) -> None:
    at = data.draw(st.integers(0, len(text)))
    _assert_agreement_with_the_standard_library(text[:at] + mistake + text[at + data.draw(st.integers(0, 1)) :])


def _assert_agreement_with_the_standard_library(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        fault = Document(text.encode()).fault
        assert fault is not None
        healthy = Document(text.encode()[: fault.offset]).fault
        # What stands before the fault is at most unfinished.
        assert healthy is None or healthy.offset == fault.offset or str(healthy) == "the string has no closing quote"
    else:
        assert Document(text.encode()).fault is None


@given(DOCUMENTS)
def test_the_slow_way_ends_where_the_fast_one_does(source: bytes) -> None:
    text = source.decode("latin-1")
    start = after_blanks(text, 0)
    assert walk(text, start) == value_end(text, start)


def test_a_value_too_deep_to_be_seen_at_once_has_no_quick_end() -> None:
    assert value_end("[" * 100_000 + "]" * 100_000, 0) is None


def test_ends_are_found_from_the_middle_of_a_text() -> None:
    text = r'{"a\"b" : [1, "]"] }'
    assert (key_end(text, 1), value_end(text, 10), after_blanks(text, 18)) == (7, 18, 19)


@pytest.mark.parametrize(
    ("opening", "closing", "depth"),
    [
        ("[", "]", 1_000),
        ("[", "]", 20_000),
        ('{"a": ', " }", 1_000),
        ('{"a": ', " }", 10_000),
        ('[0, {"b":', "}, null]", 5_000),
    ],
)
def test_deep_values_are_read_without_recursion(opening: str, closing: str, depth: int) -> None:
    source = (opening * depth + "1" + closing * depth + "\n").encode()
    document = Document(source)
    assert document.fault is None
    assert document.to_bytes() == source
    levels, node = 0, root_of(document)
    while node.is_container:
        levels, node = levels + 1, next((item for item in node.items if item.is_container), node.items[0])
    assert (levels, node.source()) == (depth * sum(opening.count(bracket) for bracket in "[{"), b"1")


# --- plain values ----------------------------------------------------------------------------------------------

SHAPES = {
    "lists": ("[", "1", "]", 1),
    "objects": ('{"a": ', "1", "}", 1),
    "both": ('[{"a[\\"{": ', '"[[[["', "}]", 2),
    "wide": ("[0, [], {}, ", "{}", "]", 1),
}
"""Opening, innermost value, closing, and the levels of each opening."""
FAULTS_OF_PYTHON = {
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
    assert read_json(text) == read_json(text.encode()) == Node(text.encode()).value() == json.loads(text)


@pytest.mark.parametrize("levels", [MOST_LEVELS + 2, 700, 900, 2_000, 100_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_more_levels_are_refused_with_a_sentence(shape: str, levels: int) -> None:
    text = nested(shape, levels)
    for read in (read_json, scan, lambda text: read_json(text.encode()), lambda text: Node(text.encode()).value()):
        with pytest.raises(DepthError, match="values are nested too deeply"):
            read(text)


@pytest.mark.parametrize("rest", ["", ",", "]" * 5, '"'])
@pytest.mark.parametrize("levels", [450, 5_000, 100_000])
def test_levels_before_a_fault_count(levels: int, rest: str) -> None:
    for read in (read_json, scan):
        with pytest.raises(DepthError):
            read("[" * levels + rest)


@pytest.mark.parametrize("start", ["x", "[1 2", '{"a" 1', '["\n'])
def test_levels_behind_a_fault_do_not_count_for_a_scan(start: str) -> None:
    with pytest.raises((ValueError, StopIteration)):
        scan(start + "[" * 100_000)


def scan(text: str) -> Any:
    return scanner_of(JSONDecoder())(text, 0)


@pytest.mark.parametrize(("text", "fault"), FAULTS_OF_PYTHON.items())
def test_a_fault_has_one_message_and_one_place(text: str, fault: tuple[str, int]) -> None:
    for given_ in (text, text.encode("utf-16")):
        with pytest.raises(JSONDecodeError) as caught:
            read_json(given_)
        assert (caught.value.msg, caught.value.pos) == fault


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_bytes_are_decoded_as_json_does(codec: str) -> None:
    data = (
        '{"嬀": ["嬀嬀嬀", "\ud800"]}'.encode(codec, "surrogatepass") + " ".encode(codec.removesuffix("-sig")[:6]) * 0
    )
    assert read_json(data) == json.loads(data)


BRACKETS = st.text(st.sampled_from('[]{}"\\a'), max_size=6)
NESTED_VALUES = st.recursive(
    st.none() | BRACKETS, lambda each: st.lists(each, max_size=3) | st.dictionaries(BRACKETS, each, max_size=3)
)


@given(NESTED_VALUES, st.booleans(), st.integers(1, 6))
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
    with pytest.raises(JsonSyntaxError, match="nested too deeply"):
        read_document(f"[[{text}]]".encode())


def test_a_value_that_nests_too_deep_is_invalid_for_readers_and_too_deep_for_walkers() -> None:
    for kind in (ValueError, RecursionError):
        with pytest.raises(kind):
            read_json(nested("both", 1_000))


def test_foreign_json_becomes_plain_values_in_one_place() -> None:
    own = {
        *("document/scanner.py", "document/journals/journal.py"),
        *("evalset/search/replacement.py", "runs/command_process.py"),
        *("evalset/schema/genai_models.py", "commands/schema.py"),
    }
    """The place itself, and modules that read what evaltui wrote or brings along."""
    assert {path for path, text in texts().items() if "json.load" in text and "`json.load" not in text} <= own
    assert TOO_DEEP == "values are nested too deeply (more than 420 levels)"


def nodes_of(body: bytes) -> object:
    """What is read of a text: the bytes and the place of each node, or the error."""
    try:
        root = read_document(body)
    except JsonSyntaxError as error:
        return str(error), error.offset
    return [
        [(item.pointer(), item.source(), item.lead, item.trail) for item in node.items]
        for node in [root, *root.items]
        if node.is_container
    ]


@given(
    DOCUMENTS, st.integers(0, 60), st.sampled_from([b"", b"]", b"[", b",", b"NaN", b'"', b"\xff", b"01", b"\\", b" 1"])
)
def test_lengths_read_at_once_are_those_read_one_by_one(body: bytes, place: int, extra: bytes) -> None:
    body = b'{"cases": ' + body[:place] + extra + body[place:] + b', "tag": 1}'
    one_by_one = nodes_of(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node, "_LONG_LIST", 0)
        assert nodes_of(body) == one_by_one


def test_lengths_are_known_up_to_the_last_list_of_a_strict_text() -> None:
    assert list(item_lengths(b'{"cases": [ {"a": [1]} , "]", -1.5e3 ] }', 10)) == [10, 3, 6]
    for text in (b"[1, NaN]", b"[1] [2]", b"[1, 01]", b'["\x01"]'):
        assert not list(item_lengths(text, 0))
