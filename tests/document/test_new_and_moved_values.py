"""What comes takes after its place, what goes leaves tidy text, what moves keeps its spelling."""

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Move, Remove, Set
from tests.document.helpers import edited, root_of


@pytest.mark.parametrize(
    ("source", "pointer", "left"),
    [
        (b'{\n "a": 1,\n "b": 2,\n "c": 3\n}', "/a", b'{\n "b": 2,\n "c": 3\n}'),
        (b'{\n "a": 1,\n "b": 2,\n "c": 3\n}', "/b", b'{\n "a": 1,\n "c": 3\n}'),
        (b'{\n "a": 1,\n "b": 2,\n "c": 3\n}', "/c", b'{\n "a": 1,\n "b": 2\n}'),
        (b"[ 1, 2, 3 ]", "/0", b"[ 2, 3 ]"),
        (b"[ 1, 2, 3 ]", "/2", b"[ 1, 2 ]"),
        (b"[1 , 2 , 3 ]", "/2", b"[1 , 2 ]"),
        (b"[\n  1,\n  2 ]", "/0", b"[\n  2 ]"),
        (b"[[\n 1\n], 2]", "/0/0", b"[[], 2]"),
        (b'{"a": 1}\n', "/a", b"{}\n"),
        (b'{\r\n\t"a": 1,\r\n\r\n\t"b": 2\r\n}', "/b", b'{\r\n\t"a": 1\r\n}'),
    ],
)
def test_what_is_removed_leaves_tidy_text(source: bytes, pointer: str, left: bytes) -> None:
    assert edited(source, Remove(pointer)) == left


@pytest.mark.parametrize(
    ("source", "edit", "result"),
    [
        (b'{"a":1}', Insert("/b", b"[1, 2]"), b'{"a":1,"b":[1,2]}'),
        (b'{"a": 1}', Insert("/b", b'{"c":[ ]}'), b'{"a": 1, "b": {"c": []}}'),
        (b'{ "a" : 1 }', Insert("/b", b"2"), b'{ "a" : 1, "b" : 2 }'),
        (b'{\n "a": 1\n}', Insert("/b", b'{"c":[1]}'), b'{\n "a": 1,\n "b": {\n  "c": [\n   1\n  ]\n }\n}'),
        (b"{}\r\n", Insert("/a", b"[1]"), b'{\r\n  "a": [\r\n    1\r\n  ]\r\n}\r\n'),
        (b'{\n\t"a": []\n}', Insert("/a/0", b"1"), b'{\n\t"a": [\n\t\t1\n\t]\n}'),
        (
            b'{\n  "x": {"t": [], "u": 1}\n}',
            Insert("/x/t/-", b'{"a":[3]}'),
            b'{\n  "x": {"t": [{"a": [3]}], "u": 1}\n}',
        ),
        (b'{\n  "x": {"u": 1}\n}', Set("/x/u", b"[1,[2]]"), b'{\n  "x": {"u": [1, [2]]}\n}'),
        (b'{\n  "x": {"u": 1}\n}', Insert("/x/v", b"[1]"), b'{\n  "x": {"u": 1, "v": [1]}\n}'),
        (b"[[1,2],[]]", Insert("/1/0", b"3"), b"[[1,2],[3]]"),
        (b"[[ 1, 2 ], [] ]", Insert("/1/0", b"3"), b"[[ 1, 2 ], [ 3 ] ]"),
        (b'[{"t": [\n 1\n]}, {"t": []}]', Insert("/1/t/-", b"2"), b'[{"t": [\n 1\n]}, {"t": [\n 2\n]}]'),
        (b'{"a": 1, "b": 2}', Insert("/c", b"3", before_key="b"), b'{"a": 1, "c": 3, "b": 2}'),
        (b'{"a": 1, "b": 2}', Insert("/c", b"3", before_key="a"), b'{"c": 3, "a": 1, "b": 2}'),
        (b'{"a": 1}', Insert("/c", b"3", before_key="nothing"), b'{"a": 1, "c": 3}'),
        (b"[1]", Set("", b'{"a": 1}'), b'{"a": 1}'),
        (b'{"a": [ ]}', Insert("/a/0", b"1"), b'{"a": [1]}'),
        (b"{ \n }", Insert("/a", b"1"), b'{\n  "a": 1\n}'),
        (b'{\n  "a": {\n\n  }\n}', Insert("/a/b", b"1"), b'{\n  "a": {\n    "b": 1\n  }\n}'),
    ],
)
def test_new_values_take_the_style_of_their_place(source: bytes, edit: Insert | Set, result: bytes) -> None:
    assert edited(source, edit) == result


@pytest.mark.parametrize(
    ("source", "result"),
    [
        (rb'["\u00e9"]', rb'["\u00e9","\u00fc/"]'),
        (rb'["\u00E9"]', rb'["\u00E9","\u00FC/"]'),
        ('["é", "\\u00e9"]'.encode(), '["é", "\\u00e9", "ü/"]'.encode()),
        (rb'["a\/b"]', '["a\\/b","ü\\/"]'.encode()),
    ],
)
def test_new_texts_are_spelt_as_the_file_spells(source: bytes, result: bytes) -> None:
    if b", " not in source:
        result = result.replace(b'","', b'", "')
    assert edited(source, Insert("/-", '"ü/"'.encode())) == result


def test_numbers_and_literals_come_in_as_they_are_given() -> None:
    numbers = b'{"a": 1.0, "b": [1e3, -0, 123456789012345678901234567890, NaN], "c": ' + b"9" * 5000 + b"}"
    assert edited(b'{"x": 1}', Insert("/y", numbers)) == b'{"x": 1, "y": ' + numbers + b"}"


def test_a_copied_value_keeps_layout_and_spelling_on_lines_of_its_own_depth() -> None:
    source = b'{\n  "deep": {\n    "v": {"n":1.0,\n      "s": "\\u00e9\xff"\n    }\n  }\n}'
    value = root_of(Document(source)).at("/deep/v").source()
    copied = edited(source, Insert("/w", value, origin_indent=b"    "))
    assert copied == source[:-2] + b',\n  "w": {"n":1.0,\n    "s": "\\u00e9\xff"\n  }\n}'
    assert edited(source, Set("/deep", value, origin_indent=b"    ")) == (
        b'{\n  "deep": {"n":1.0,\n    "s": "\\u00e9\xff"\n  }\n}'
    )


@pytest.mark.parametrize(
    ("source", "edit", "result"),
    [
        (b'{"x":{"a" : 1.0}, "y": {}}', Move("/x/a", "/y/b"), b'{"x":{}, "y": {"b" : 1.0}}'),
        (b'[\n  [\n    "\\u0061",\n    1\n  ],\n  2\n]', Move("/1", "/0/0"),
         b'[\n  [\n    2,\n    "\\u0061",\n    1\n  ]\n]'),
        (b'{\n  "a": {\n    "b": [\n      1.0\n    ]\n  }\n}', Move("/a/b", "/c"),
         b'{\n  "a": {},\n  "c": [\n    1.0\n  ]\n}'),
        (b"[1,2]", Move("/0", "/1"), b"[2,1]"),
        (b'[{\n},\n{ }]', Move("/0", "/1"), b"[{ },\n{\n}]"),
        (b"[\n  1, 2\n]", Move("/1", "/0"), b"[\n  2, 1\n]"),
        (b'{"a": 1, "b": 2.0}', Move("/b", "/a"), b'{"a": 2.0}'),
        (b'{"a":1, "l": [2]}', Move("/a", "/l/0"), b'{"l": [1, 2]}'),
        (b'{"a":1, "l": [2]}', Move("/l/0", "/b"), b'{"a":1, "l": [], "b":2}'),
    ],
)  # fmt: skip
def test_a_moved_value_keeps_its_spelling_and_takes_its_new_place(source: bytes, edit: Move, result: bytes) -> None:
    assert edited(source, edit) == result


def test_values_that_nest_too_deep_to_be_laid_out_come_in_as_they_are_given() -> None:
    deep = b"[ " * 2000 + b"1" + b" ]" * 2000
    result = edited(b"[\n  0\n]", Insert("/-", deep))
    assert result.count(b"[") == 2001
    assert Document(result).fault is None


def test_a_new_item_looks_like_the_one_before_it() -> None:
    source = b'[\n  {"a": 1, "b": [2]},\n  {\n    "a": 2\n  }\n]'
    document = Document(source)
    document.apply([Insert("/1", b'{"a":3,"b":[4]}')], "add")
    assert document.to_bytes() == source.replace(b"[2]},", b'[2]},\n  {"a": 3, "b": [4]},')
