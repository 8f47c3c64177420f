"""Fresh ids in the manner of those that are there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.editing.new_ids import fresh_id

HEX = "[0-9a-f]"
UUID = f"{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}"
SOME_UUID = "3fdc7ba0-5b9a-4f0e-9d2c-6f1f1a0c2b11"
IDS = st.from_regex(r"[a-z_é\n-]{0,6}[0-9]{0,17}[a-z]?", fullmatch=True) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("examples", "fresh"),
    [
        (["case_1"], "case_2"),
        (["a", "b", "case-41"], "case-42"),
        (["7"], "8"),
        (["turn 9"], "turn 10"),
        (["refund-007"], "refund-008"),
        (["refund-099"], "refund-100"),
        (["refund-999"], "refund-1000"),
        (["inv1.0"], "inv1.1"),
        (["000000000000"], "000000000001"),
        (["book_flight"], "book_flight_2"),
        (["A1002_declined"], "A1002_declined_2"),
        (["two\nlines 1"], "two\nlines 2"),
        (["test_conversation1"], "test_conversation2"),
        (["test_greetingwithoutname"], "test_greetingwithoutname_2"),
        (["order_123456789012"], "order_123456789013"),
        (["case_000000000009"], "case_000000000010"),
        (["12345678901234567890"], "12345678901234567891"),
        (["é①"], "é①_2"),
        ([""], "_2"),
        ([], "call_1"),
    ],
)
def test_the_number_at_the_end_goes_on(examples: list[str], fresh: str) -> None:
    assert fresh_id(examples, "call_1", lambda _: False) == fresh


def test_what_is_taken_is_passed_over() -> None:
    assert fresh_id(["c1"], "c1", {"c2", "c3", "c5"}.__contains__) == "c4"
    assert fresh_id(["c09"], "c1", {"c10"}.__contains__) == "c11"
    assert fresh_id([], "call_1", {"call_1", "call_2"}.__contains__) == "call_3"
    assert fresh_id(["book"], "", {"book", "book_2"}.__contains__) == "book_3"


@pytest.mark.parametrize("prefix", ["", "adk-", "e-", "e_", "two\nlines-", "run 12 of "])
@pytest.mark.parametrize("identifier", [SOME_UUID, SOME_UUID.upper()])
def test_a_uuid_gives_way_to_a_new_one_behind_the_same_prefix(prefix: str, identifier: str) -> None:
    first, second = (fresh_id([prefix + identifier], "", lambda _: False) for _ in range(2))
    assert re.fullmatch(re.escape(prefix) + UUID, first)
    assert first != second


@pytest.mark.parametrize(
    ("example", "pattern"),
    [
        ("toolu_01A09q90qw90lq917835lq9", "toolu_[0-9a-f]{23}"),
        ("call_vR5TlYIFz2rCXaJkA7GbXQ8x", "call_[0-9a-f]{24}"),
        ("call-a1b2c3d4e5f6", "call-[0-9a-f]{12}"),
    ],
)
def test_a_random_tail_gives_way_to_one_of_the_same_length(example: str, pattern: str) -> None:
    first, second = (fresh_id([example], "", lambda _: False) for _ in range(2))
    assert re.fullmatch(pattern, first)
    assert first != second


@given(examples=st.lists(IDS, max_size=4), others=st.sets(IDS, max_size=8), default=IDS)
def test_an_id_is_always_fresh(examples: list[str], others: set[str], default: str) -> None:
    taken = {*examples, *others}
    for _ in range(4):
        identifier = fresh_id(examples, default, taken.__contains__)
        assert identifier not in taken
        assert identifier or not examples
        taken.add(identifier)
        examples.append(identifier)


@given(st.integers(1, 5000), st.sets(st.integers(1, 5000), max_size=5))
def test_of_thousands_in_a_row_one_is_found_that_is_free(count: int, free: set[int]) -> None:
    taken = {f"case_{number:04d}" for number in range(1, count + 1) if number not in free}
    fresh = fresh_id(["case_0001"], "case_1", taken.__contains__)
    assert fresh not in taken
    assert re.fullmatch(r"case_\d{4}", fresh)
