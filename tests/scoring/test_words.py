"""Words that two texts share, miss and add."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.scoring.metrics.adk_rs import compare_words_of_adk_rs
from evaltui.scoring.metrics.response_match import response_match
from evaltui.scoring.words import compare_words

texts = st.text(st.sampled_from("ab c1é-ยิ日, S"), max_size=12) | st.text(max_size=8)


def test_words_are_those_compared_before_stemming_as_often_as_they_stand() -> None:
    found = compare_words("Booking the FIRST flight, the first!", "He booked the first trip")
    assert found.shared == ["booking", "the", "first"]
    assert found.missing == ["flight", "the", "first"]
    assert found.added == ["he", "trip"]
    assert (found.precision, found.recall) == (3 / 5, 3 / 6)


def test_words_are_marked_in_their_places() -> None:
    found = compare_words("a b a", "a c")
    assert found.expected == (("a", True), ("b", False), ("a", False))
    assert found.actual == (("a", True), ("c", False))


@given(texts, texts)
def test_words_add_up_to_the_score(expected: str, actual: str) -> None:
    found = compare_words(expected, actual)
    assert found.score == response_match(expected, actual)
    assert len(found.shared) + len(found.missing) == len(found.expected)
    assert len(found.shared) + len(found.added) == len(found.actual)


@pytest.mark.parametrize(
    ("expected", "actual", "note"),
    [
        ("Hello, Bob!", "hello bob", "case, punctuation or spaces"),
        ("a b", "b a", "another order"),
        ("He books", "he booked", "word endings"),
        ("It costs 1,000 euros", "It costs 1000 euros", "how numbers are written"),
        ("I rolled a 17.", "I rolled a seventeen", "how numbers are written"),
        ("twenty-one days", "21 days", "how numbers are written"),
        ("I rolled a 17", "I rolled a 18", "only in numbers"),
        ("don't", "dont", "inside words"),
        ("e-mail", "email", "inside words"),
        ("Café", "cafe", "accents"),
    ],
)
def test_what_a_reader_hardly_sees_is_noted(expected: str, actual: str, note: str) -> None:
    assert note in (compare_words(expected, actual).note or "")


@pytest.mark.parametrize(("expected", "actual"), [("same", "same"), ("", "x"), ("x", ""), ("one way", "other way")])
def test_nothing_is_noted_where_there_is_nothing_to_note(expected: str, actual: str) -> None:
    assert compare_words(expected, actual).note is None


def test_adk_rs_asks_only_whether_a_word_is_there() -> None:
    found = compare_words_of_adk_rs("cat cat dog.", "Cat concatenate dog")
    assert (found.shared, found.missing, found.added) == (["cat", "cat"], ["dog."], ["concatenate", "dog"])
    assert found.score == found.recall == 2 / 3
