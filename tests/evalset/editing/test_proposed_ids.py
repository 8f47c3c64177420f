"""Ids that are proposed for recorded cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.editing.proposed_ids import LONGEST, proposed_id


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Book flight 1", "book_flight_1"),
        ("What's on?\nAnd where?", "whats_on_and_where"),
        ("  ", "case_7"),
        ("🙂!", "case_7"),
        ("東京へ行きたい", "東京へ行きたい"),
        ("Zürich – Köln", "zürich_köln"),
        ("../../etc/passwd", "etc_passwd"),
        ("a" * 50, "a" * LONGEST),
        ("please book me a flight from Lisbon to Montreal", "please_book_me_a_flight_from_lisbon_to"),
    ],
)
def test_an_id_has_the_first_words(text: str, made: str) -> None:
    assert proposed_id(text, 7, lambda _: False) == made


@given(st.text(), st.integers(0, 30))
def test_an_id_is_new_short_and_of_letters_digits_and_underscores(text: str, taken_before: int) -> None:
    taken: set[str] = set()
    for _ in range(taken_before):
        taken.add(proposed_id(text, 1, taken.__contains__))
    made = proposed_id(text, 1, taken.__contains__)
    assert len(taken) == taken_before
    assert made not in taken
    assert 0 < len(made) <= LONGEST
    assert all(sign.isalnum() or sign == "_" for sign in made)
