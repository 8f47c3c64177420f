"""Hashes of JSON values: layout, order of keys and spelling never count, and every change of a value does."""

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.node import Node
from evaltui.document.strings import escaped
from evaltui.document.value_comparison import _hashed_scalar, _hashed_text, _sorted_text, same_value, value_hash

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)

SURROGATES = re.compile("[\ud800-\udfff]")


def spelt(value: object, rng: random.Random) -> str:
    """A JSON text of the value with the keys, blanks, escapes and numbers as chance has them."""
    blank = rng.choice(["", " ", "\n\t"])
    if isinstance(value, dict):
        members = [f"{spelt(key, rng)}{blank}:{spelt(member, rng)}" for key, member in value.items()]
        rng.shuffle(members)
        return "{" + blank + f"{blank},{blank}".join(members) + "}"
    if isinstance(value, list):
        return "[" + ("," + blank).join(spelt(each, rng) for each in value) + blank + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice([str(value), f"{value}.0", f"{value}.00e-0", f"{value}E+00", f"{value * 10}e-1"])
    return json.dumps(value)


@given(VALUES, st.randoms(use_true_random=False))
def test_spelling_order_and_layout_never_change_a_hash(value: object, rng: random.Random) -> None:
    # A lone surrogate has no raw spelling: its three bytes are no UTF-8.
    first, second = (escaped(spelt(value, rng), SURROGATES).encode() for _ in range(2))
    assert value_hash(first) == value_hash(second)


@given(VALUES, VALUES)
def test_equal_hashes_mean_equal_values(one: object, other: object) -> None:
    left, right = (json.dumps(each).encode() for each in (one, other))
    assert (value_hash(left) == value_hash(right)) == same_value(Node(left), Node(right))


@given(VALUES, st.randoms(use_true_random=False))
def test_the_walk_without_recursion_gives_the_same_text(value: object, rng: random.Random) -> None:
    source = spelt(value, rng).encode("utf-8", "surrogatepass")
    assert _sorted_text(Node(source), _hashed_scalar, json.dumps) == _hashed_text(source)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "1.0"),
        ("-0", "0.0"),
        ("1e25", "1" + "0" * 25),
        ("1e5000", "1" + "0" * 5000),
        ('"\\u00e9\\/"', '"é/"'),
        ('"\\ud83d\\ude00"', '"😀"'),
        ('{"a": 1, "b": 2, "a": 3}', '{"b": 2, "a": 3}'),
        ("[NaN, -Infinity]", "[ NaN,-Infinity ]"),
        ('"\\uD800"', '"\\ud800"'),
        ("[" * 1000 + "1" + "]" * 1000, "[ " * 1000 + "1.0" + "]" * 1000),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, '{"a": ' * 10_000 + "1" + "}" * 10_000),
    ],
)
def test_these_are_the_same_value(one: str, other: str) -> None:
    assert value_hash(one.encode()) == value_hash(other.encode())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1", "true"),
        ("1", '"1"'),
        ("0", "null"),
        ("12345678901234567890", "12345678901234567891"),
        ("[1, 2]", "[2, 1]"),
        ('{"a": null}', "{}"),
        ("NaN", '"NaN"'),
        ("1e5000", "1e5001"),
        ('"a"', '"a "'),
        ("[" * 1000 + "1" + "]" * 1000, "[" * 1000 + "2" + "]" * 1000),
    ],
)
def test_these_are_other_values(one: str, other: str) -> None:
    assert value_hash(one.encode()) != value_hash(other.encode())


def test_bytes_that_are_no_utf8_have_a_hash_of_their_own() -> None:
    texts = [b'"\xff"', b'"\xfe"', b'""', b'"\xed\xa0\x80"', b'"\\ud800"']
    assert len({value_hash(text) for text in texts}) == len(texts)


def test_the_hash_of_a_value_stays_because_baselines_keep_it() -> None:
    assert value_hash(b'{"eval_id": "a", "n": [1, 2.5, null, "\xc3\xa9"]}') == "f6e582850fb00562"
