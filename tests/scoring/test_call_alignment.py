"""Calls beside each other."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.call_alignment import Row, align_calls, common_subsequence
from evaltui.scoring.call_equality import same_call
from evaltui.scoring.metrics.tool_trajectory import passes
from tests.scoring.helpers import call, call_lists


def states(expected: list[TurnCall], actual: list[TurnCall]) -> list[tuple[Any, ...]]:
    return [(row.state, row.expected, row.actual) for row in align_calls(expected, actual)]


def calls_of(letters: str) -> list[TurnCall]:
    return [call(letter) for letter in letters]


def test_the_example_of_the_contract() -> None:
    expected = [call("search"), call("book_flight", flight_id="1")]
    actual = [call("search"), call("book_flight", flight_id=1), call("send_email")]
    assert [row.to_json() for row in align_calls(expected, actual)] == [
        {"state": "matched", "expected": 0, "actual": 0},
        {
            "state": "arguments_differ",
            "expected": 1,
            "actual": 1,
            "arguments": [{"pointer": "/flight_id", "state": "type_differs", "expected": "1", "actual": 1}],
        },
        {"state": "extra", "actual": 2},
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "rows"),
    [
        ("", "", []),
        ("a", "", [("missing", 0, None)]),
        ("", "a", [("extra", None, 0)]),
        ("ab", "axb", [("matched", 0, 0), ("extra", None, 1), ("matched", 1, 2)]),
        ("ab", "ba", [("matched", 0, 1), ("moved", 1, 0)]),
        ("abc", "bca", [("moved", 0, 2), ("matched", 1, 0), ("matched", 2, 1)]),
        ("abcd", "acbd", [("matched", 0, 0), ("matched", 1, 2), ("moved", 2, 1), ("matched", 3, 3)]),
        ("aab", "ab", [("matched", 0, 0), ("missing", 1, None), ("matched", 2, 1)]),
    ],
)
def test_rows(expected: str, actual: str, rows: list[tuple[Any, ...]]) -> None:
    assert states(calls_of(expected), calls_of(actual)) == rows


def test_of_several_calls_of_a_tool_the_equal_ones_stand_together() -> None:
    expected, actual = ([call("a", x=number) for number in numbers] for numbers in ([1, 2, 3], [2, 3, 4]))
    assert states(expected, actual)[:3] == [("moved", 0, 2), ("matched", 1, 0), ("matched", 2, 1)]


def test_of_several_calls_that_differ_the_most_similar_stand_together() -> None:
    expected = [call("a", x=1, y=2)]
    actual = [call("a", x=9, y=9), call("a", x=1, y=3)]
    assert states(expected, actual) == [("extra", None, 0), ("arguments_differ", 0, 1)]


def test_a_call_with_other_arguments_at_another_place_is_moved_and_says_how_it_differs() -> None:
    moved = align_calls([call("a", x=1), call("b")], [call("b"), call("a", x=2)])[0]
    assert (moved.state, moved.actual) == ("moved", 1)
    assert moved.arguments is not None
    assert [each.state for each in moved.arguments] == ["value_differs"]


def test_absent_arguments_against_empty_ones_differ_in_nothing_one_could_name() -> None:
    assert align_calls([TurnCall("a")], [TurnCall("a", {})]) == (Row("arguments_differ", 0, 0, ()),)


@given(call_lists, call_lists)
def test_every_call_is_in_one_row_and_states_say_what_is_so(expected: list[TurnCall], actual: list[TurnCall]) -> None:
    rows = align_calls(expected, actual)
    assert sorted(row.expected for row in rows if row.expected is not None) == [*range(len(expected))]
    assert sorted(row.actual for row in rows if row.actual is not None) == [*range(len(actual))]
    assert [row.expected for row in rows if row.expected is not None] == [*range(len(expected))]
    for row in rows:
        if row.expected is None or row.actual is None:
            assert row.state == ("missing" if row.actual is None else "extra")
            continue
        one, other = expected[row.expected], actual[row.actual]
        assert one.name == other.name
        assert (row.arguments is None) is same_call(one, other)
        assert row.state != "matched" or row.arguments is None
        assert row.state != "arguments_differ" or row.arguments is not None


@given(call_lists, call_lists)
def test_rows_agree_with_the_match_types(expected: list[TurnCall], actual: list[TurnCall]) -> None:
    rows = align_calls(expected, actual)
    found = passes(expected, actual)
    ours = [row for row in rows if row.expected is not None]
    assert found["EXACT"] is all(row.state == "matched" for row in rows)
    assert found["IN_ORDER"] is all(row.state == "matched" for row in ours)
    assert found["ANY_ORDER"] is all(row.state in ("matched", "moved") and row.arguments is None for row in ours)


@given(call_lists, call_lists)
def test_what_stands_in_order_is_in_order(expected: list[TurnCall], actual: list[TurnCall]) -> None:
    in_order = [row.actual for row in align_calls(expected, actual) if row.state in ("matched", "arguments_differ")]
    assert in_order == sorted(place for place in in_order if place is not None)


@pytest.mark.parametrize(("tools", "pages"), [(1, 1_000_000), (3, 2), (2000, 1)])
def test_two_thousand_calls_a_side(tools: int, pages: int) -> None:
    expected = [call(f"tool{number % tools}", page=number * 7919 % pages) for number in range(2000)]
    actual = [call(f"tool{number * 31 % tools}", page=number * 104729 % pages) for number in range(2000)]
    rows = align_calls(expected, actual)
    assert sum(row.expected is not None for row in rows) == 2000


@given(call_lists, call_lists)
def test_a_common_subsequence_is_as_long_as_can_be(one: list[TurnCall], other: list[TurnCall]) -> None:
    left, right = ([len(str(each)) % 3 for each in side] for side in (one, other))
    check_common_subsequence(left, right)


def test_a_common_subsequence_of_long_lists_is_as_long_as_can_be() -> None:
    chance = Random(36)
    for length, other_length in ((255, 300), (256, 256), (257, 90), (513, 512), (700, 701)):
        left, right = ([chance.randrange(6) for _ in range(count)] for count in (length, other_length))
        check_common_subsequence(left, right)


def check_common_subsequence(left: list[int], right: list[int]) -> None:
    pairs = common_subsequence(left, right)
    assert all(left[first] == right[second] for first, second in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for row in range(len(left)):
        for column in range(len(right)):
            both = lengths[row][column] + 1 if left[row] == right[column] else 0
            lengths[row + 1][column + 1] = max(both, lengths[row][column + 1], lengths[row + 1][column])
    assert len(pairs) == lengths[-1][-1]
