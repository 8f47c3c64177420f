"""Changes as whole words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.search.replaceable_values import apply_matches
from evaltui.evalset.search.replacement import word_changes


def changes(text: str, pattern: str, new: str) -> list[tuple[str, str]]:
    matches = [(*found.span(), new) for found in re.finditer(pattern, text)]
    return [(text[start:end], new) for start, end, new in word_changes(text, matches)]


@pytest.mark.parametrize(
    ("text", "pattern", "new", "changed"),
    [
        ("order 4712 now", "47", "99", [("4712", "9912")]),
        ("rain_in_bergen", "bergen", "Oslo", [("rain_in_bergen", "rain_in_Oslo")]),
        ("raining in Bergen?", "Bergen", "Oslo", [("Bergen", "Oslo")]),
        ("It is Bergen.", "Ber", "Lar", [("Bergen", "Largen")]),
        ("call-1, call-2", "call", "c", [("call-1", "c-1"), ("call-2", "c-2")]),
        ("banana", "a", "o", [("banana", "bonono")]),
        ("a b", " ", "-", [(" ", "-")]),
        ("costs 3.50 or so", "5", "6", [("3.50", "3.60")]),
        ("x" * 100, "^x", "y", [("x" * 41, "y" + "x" * 40)]),
    ],
)
def test_old_and_new_words(text: str, pattern: str, new: str, changed: list[tuple[str, str]]) -> None:
    assert changes(text, pattern, new) == changed


@given(st.text("ab -."), st.text("ab -.", max_size=3), st.text("ab -.", max_size=3))
def test_the_words_with_what_lies_between_are_the_texts(text: str, find: str, new: str) -> None:
    matches = [(*found.span(), new) for found in re.finditer(re.escape(find), text)]
    found = word_changes(text, matches)
    at, after = 0, ""
    for start, end, changed in found:
        assert at <= start
        after += text[at:start] + changed
        at = end
    assert after + text[at:] == apply_matches(text, matches) == text.replace(find, new)
