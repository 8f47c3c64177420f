"""When two values are the same, and the edits that make them so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Remove, Set
from evaltui.document.node import parse_value
from evaltui.document.value_comparison import canonical_number, edits_between, same_value
from tests.document.helpers import root_of, spelled_value
from tests.document.strategies import DOCUMENTS

SAME = [
    ("1", "1.0"),
    ("1", "10e-1"),
    ("-0", "0.0"),
    ("1e400", "10e399"),
    ("0e999999999", "0"),
    ("123456789012345678901234567890", "1234567890123456789012345678900e-1"),
    ("9" * 5000, "9" * 5000 + ".0"),
    ('"é"', r'"\u00e9"'),
    (r'"\/"', '"/"'),
    ('{"a": 1, "b": [2]}', '{"b":[2.0],"a":1}'),
    ('{"a": 0, "a": 1}', '{"a": 1}'),
    ("[ ]", "[]"),
    ("NaN", "NaN"),
    ("[" * 5000 + "1" + "]" * 5000, "[" * 5000 + "1.0" + "]" * 5000),
]
OTHER = [
    ("1", "true"),
    ("0", "false"),
    ("1", '"1"'),
    ("1", "-1"),
    ("1", "10"),
    ("12345678901234567890", "12345678901234567891"),
    ("null", "false"),
    ("[]", "{}"),
    ("[1, 2]", "[2, 1]"),
    ("[[1], 2]", "[[1, 2]]"),
    ('{"a": 1}', '{"a": 1, "b": 1}'),
    ('{"a": ",b:1"}', '{"a": "", "b": 1}'),
    (r'"\u0000"', '""'),
    ("Infinity", "-Infinity"),
    ("1e" + "9" * 5000, "2e" + "9" * 5000),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda text: text[:20])
def test_values_are_equal_whatever_their_spelling(one: str, other: str) -> None:
    assert same_value(parse_value(one.encode()), parse_value(other.encode()))


@pytest.mark.parametrize(("one", "other"), OTHER, ids=lambda text: text[:20])
def test_values_that_differ_are_told_apart(one: str, other: str) -> None:
    assert not same_value(parse_value(one.encode()), parse_value(other.encode()))


def test_with_spelling_numbers_must_be_spelt_the_same() -> None:
    assert not same_value(parse_value(b"[1]"), parse_value(b"[1.0]"), spelling=True)
    assert same_value(parse_value(b'["\\u0061"]'), parse_value(b'["a" ]'), spelling=True)


@pytest.mark.parametrize(
    ("raw", "amount"),
    [(b"120", "12e1"), (b"-0.50", "-5e-1"), (b"0e5", "0"), (b"1E+2", "1e2"), (b"Infinity", "Infinity")],
)
def test_an_amount_is_digits_and_a_power_of_ten(raw: bytes, amount: str) -> None:
    assert canonical_number(raw) == amount


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        (b'{"a": 1, "b": 2}', b'{"b": 3, "c": 4}', [Set("/b", b"3"), Remove("/a"), Insert("/c", b"4")]),
        (b"[1, 2, 3]", b"[1, 5, 3]", [Set("/1", b"5")]),
        (b"[1, 2, 3]", b"[1, 3]", [Remove("/1")]),
        (b"[1, 3]", b"[1, 2, 3]", [Insert("/1", b"2")]),
        (b"[1, 2]", b"[]", [Remove("/0"), Remove("/0")]),
        (b'{"a/b": {"~": [1]}}', b'{"a/b": {"~": [2]}}', [Set("/a~1b/~0/0", b"2")]),
        (b"[1.0, true]", b"[1, true]", []),
        (b'{"a": 1, "a": 2}', b'{"a": 1}', [Set("", b'{"a": 1}')]),
        (b'{"a": 1, "a": 2}', b'{"a": 2}', []),
        (b"1", b"true", [Set("", b"true")]),
        (b"[0, [1], 2, 3]", b"[[1], 2, 9, 8, 3]", [Insert("/3", b"9"), Insert("/4", b"8"), Remove("/0")]),
        (b"[[1, 2], 3, 4, 5]", b"[[1, 9], 3, 5]", [Set("/0/1", b"9"), Remove("/2")]),
    ],
)
def test_edits_touch_only_what_differs(old: bytes, new: bytes, edits: list[Set | Insert | Remove]) -> None:
    assert edits_between(parse_value(old), parse_value(new), "") == edits


def test_long_lists_are_aligned_item_by_item() -> None:
    old = list(range(2000))
    new = [n for n in old if n % 700 != 100] + [-1]
    new[50] = -2
    edits = edits_between(parse_value(json.dumps(old).encode()), parse_value(json.dumps(new).encode()), "")
    assert edits == [
        Set("/50", b"-2"),
        Insert("/2000", b"-1"),
        Remove("/1500"),
        Remove("/800"),
        Remove("/100"),
    ]


@given(st.booleans(), DOCUMENTS, DOCUMENTS)
def test_the_edits_lead_from_any_value_to_any_other(with_spelling: bool, old: bytes, new: bytes) -> None:
    document, goal = Document(old), parse_value(new.strip())
    edits = edits_between(root_of(document), goal, "", spelling=with_spelling)
    document.apply(edits, "all")
    assert same_value(parse_value(document.body()), goal, spelling=with_spelling)
    if with_spelling:
        assert spelled_value(document.body()) == spelled_value(new)
    assert edits_between(root_of(document), goal, "", spelling=with_spelling) == []
