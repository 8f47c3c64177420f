"""Where the arguments of two calls differ."""

import json
from typing import Any

import pytest
from hypothesis import given

from evaltui.scoring.argument_differences import argument_differences
from evaltui.scoring.equality import equal
from tests.scoring.helpers import arguments

NAN = float("nan")


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
