"""Which calls match, by match type."""

from itertools import permutations

import pytest
from hypothesis import given

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, MatchType, passes, trajectory_matches
from tests.scoring.helpers import call, call_lists, calls

NAN = float("nan")


@pytest.mark.parametrize(
    ("actual", "passing"),
    [
        ("ab", ["EXACT", "IN_ORDER", "ANY_ORDER"]),
        ("axb", ["IN_ORDER", "ANY_ORDER"]),
        ("ba", ["ANY_ORDER"]),
        ("aa", []),
        ("", []),
    ],
)
def test_match_types(actual: str, passing: list[str]) -> None:
    found = passes([call("a"), call("b")], [call(name) for name in actual])
    assert [kind for kind, does in found.items() if does] == passing


def test_nothing_expected_is_matched_by_anything_but_exactly() -> None:
    assert passes([], [call("a")]) == {"EXACT": False, "IN_ORDER": True, "ANY_ORDER": True}


@given(call_lists, call_lists)
def test_stricter_types_imply_looser_ones(expected: list[TurnCall], actual: list[TurnCall]) -> None:
    exact, in_order, any_order = passes(expected, actual).values()
    assert exact <= in_order <= any_order
    ignoring = passes(expected, actual, ignore_args=True)
    assert all(does <= ignoring[kind] for kind, does in passes(expected, actual).items())


@given(calls, calls, calls)
def test_any_order_is_some_order(one: TurnCall, two: TurnCall, three: TurnCall) -> None:
    for expected in permutations([one, two]):
        assert trajectory_matches(expected, [one, two, three], "ANY_ORDER") is any(
            trajectory_matches(order, [one, two, three], "IN_ORDER") for order in permutations(expected)
        )


@pytest.mark.parametrize("match_type", MATCH_TYPES)
def test_thousands_of_calls(match_type: MatchType) -> None:
    many = [call("find", page=number, filter={"of": [number]}) for number in range(3_000)]
    actual = many[::-1] if match_type == "ANY_ORDER" else many
    assert trajectory_matches(many, actual, match_type)
    assert not trajectory_matches([*many[1:], call("find", page=-1)], actual, match_type)


def test_thousands_of_calls_with_nan_match_nothing() -> None:
    many = [call("find", page=NAN)] * 3_000
    assert not trajectory_matches(many, many, "ANY_ORDER")
