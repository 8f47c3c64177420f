"""Equality of calls, and differences between their arguments."""

import json
from typing import Any

import pytest
from hypothesis import given

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.call_equality import argument_differences, equal, number_calls, same_call
from tests.scoring.helpers import arguments, values

NAN = float("nan")
DEEP: list[object] = []
for _ in range(20_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("one", "other", "are_equal"),
    [
        (1, 1.0, True),
        (1, True, True),
        (0, False, True),
        ("1", 1, False),
        (None, False, False),
        (NAN, NAN, False),
        ([NAN], [NAN], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": True}, True),
        ([1, 2], [2, 1], False),
        ({}, [], False),
        ({"a": None}, {}, False),
        ("\u00e9", "e\u0301", False),
        (2**53 + 1, float(2**53), False),
        (0.1 + 0.2, 0.3, False),
        (DEEP, DEEP, True),
    ],
)
def test_values_are_equal_as_google_adk_has_it(one: object, other: object, are_equal: bool) -> None:
    assert equal(one, other) is are_equal
    numbers = number_calls([TurnCall("find", {"x": one})], [TurnCall("find", {"x": other})])
    assert (numbers[0] == numbers[1]) is are_equal


def test_absent_arguments_are_no_empty_ones() -> None:
    assert not same_call(TurnCall("find"), TurnCall("find", {}))
    assert same_call(TurnCall("find"), TurnCall("find"))
    assert same_call(TurnCall("find"), TurnCall("find", {}), ignore_args=True)


@given(values, values)
def test_calls_have_the_same_number_exactly_where_they_match(one: object, other: object) -> None:
    pair = TurnCall("find", {"x": one}), TurnCall("find", {"x": other})
    ((first, second),) = number_calls(pair)
    assert (first == second) is same_call(*pair)


def told(expected: Any, actual: Any) -> list[dict[str, Any]]:
    return [each.to_json() for each in argument_differences(expected, actual)]


@pytest.mark.parametrize(
    ("expected", "actual", "state"),
    [
        (1, 1.0, "equal"),
        (1, True, "equal"),
        (1, 2, "value_differs"),
        ("1", 1, "type_differs"),
        (None, "", "type_differs"),
        (None, None, "equal"),
        (2, True, "type_differs"),
        ({}, [], "type_differs"),
        ({}, {}, "equal"),
        (NAN, NAN, "value_differs"),
    ],
)
def test_states(expected: Any, actual: Any, state: str) -> None:
    assert [each.state for each in argument_differences({"x": expected}, {"x": actual})] == [state]


def test_a_side_that_is_absent_has_no_key_and_null_is_a_value() -> None:
    assert told({"gone": None, "same": 1}, {"same": 1, "new": None}) == [
        {"pointer": "/gone", "state": "missing", "expected": None},
        {"pointer": "/same", "state": "equal", "expected": 1, "actual": 1},
        {"pointer": "/new", "state": "extra", "actual": None},
    ]


def test_objects_and_lists_that_differ_are_looked_into() -> None:
    expected = {"legs": [{"from": "PAR", "a/b~c": [1, 2]}], "same": {"deep": [1]}}
    actual = {"legs": [{"from": "ROM", "a/b~c": [1, 2, 3]}, "ROM"], "same": {"deep": [1]}}
    assert told(expected, actual) == [
        {"pointer": "/legs/0/from", "state": "value_differs", "expected": "PAR", "actual": "ROM"},
        {"pointer": "/legs/0/a~1b~0c/0", "state": "equal", "expected": 1, "actual": 1},
        {"pointer": "/legs/0/a~1b~0c/1", "state": "equal", "expected": 2, "actual": 2},
        {"pointer": "/legs/0/a~1b~0c/2", "state": "extra", "actual": 3},
        {"pointer": "/legs/1", "state": "extra", "actual": "ROM"},
        {"pointer": "/same", "state": "equal", "expected": {"deep": [1]}, "actual": {"deep": [1]}},
    ]


def test_very_long_lists_are_not_taken_apart() -> None:
    one, other = list(range(100_000)), list(range(1, 100_001))
    assert [each.pointer for each in argument_differences({"x": one, "y": 1}, {"x": other, "y": 2})] == ["/x", "/y"]


def test_nan_and_infinity_stand_as_strings() -> None:
    shown = told({"x": NAN, "y": [float("inf")]}, {"x": float("-inf"), "y": [float("inf")]})
    assert [each["expected"] for each in shown] == ["NaN", ["Infinity"]]
    assert shown[0]["actual"] == "-Infinity"


def test_arguments_deeper_than_python_recurses() -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = [deep]
    shown = told({"x": deep, "y": deep}, {"x": deep})
    assert [each["state"] for each in shown] == ["equal", "missing"]
    assert json.dumps(shown)


@given(arguments, arguments)
def test_arguments_are_equal_exactly_where_nothing_differs(expected: Any, actual: Any) -> None:
    found = argument_differences(expected, actual)
    assert all(each.state == "equal" for each in found) is equal(expected or {}, actual or {})
    pointers = [each.pointer for each in found]
    assert len(pointers) == len(set(pointers))
    assert json.dumps([each.to_json() for each in found], allow_nan=False)
