"""Equality of tool calls as google-adk defines it, and the differences between the arguments of two calls.

google-adk compares names and arguments as Python values: 1, 1.0 and true are equal, "1" is not. NaN equals nothing, not
even NaN. Absent arguments equal null but not {}. The order of keys does not count, the order of list elements does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from evaltui.document.pointer import escape
from evaltui.evalset.turn import TurnCall
from evaltui.scoring.results import plain

ArgumentState = Literal["equal", "value_differs", "type_differs", "missing", "extra"]
"""missing: only the expected side has it; extra: only the actual side."""

ABSENT: Any = object()
"""Marks the side without a value. None is JSON null."""

_PLAIN = frozenset({str, int, bool, type(None)})
_MOST_DIFFERENCES = 2_000
"""The most entries of a comparison value by value. Nobody reads more."""


def equal(expected: Any, actual: Any, *, same_types: bool = False) -> bool:
    """Whether two JSON values are equal for google-adk. With `same_types`, 1, 1.0 and true are different."""
    # Python's `==` is not enough: two lists with NaN are equal to it, because `json` uses a single NaN object. For an
    # object of strings, integers and null it is, and takes a third of the time. Nearly all arguments are such objects.
    if not same_types and isinstance(expected, dict) and _PLAIN.issuperset(map(type, expected.values())):
        return bool(expected == actual)
    # Values come from files and may be of any depth, so no function here recurses.
    pairs = [(expected, actual)]
    while pairs:
        value, other_value = pairs.pop()
        if same_types and type(value) is not type(other_value):
            return False
        if isinstance(value, dict):
            if not isinstance(other_value, dict) or value.keys() != other_value.keys():
                return False
            pairs += [(member, other_value[key]) for key, member in value.items()]
        elif isinstance(value, list):
            if not isinstance(other_value, list) or len(value) != len(other_value):
                return False
            pairs += zip(value, other_value, strict=True)
        elif value != other_value:
            return False
    return True


def same_call(expected: TurnCall, actual: TurnCall, *, ignore_args: bool = False) -> bool:
    """Whether two calls match. With `ignore_args`, only the names count."""
    return expected.name == actual.name and (ignore_args or equal(expected.args, actual.args))


def number_calls(*sides: Iterable[TurnCall], ignore_args: bool = False) -> list[list[int]]:
    """Number the calls of each side. Calls that match have the same number, so that many calls compare quickly."""
    numbered: defaultdict[tuple[str | None, int | None], list[tuple[int, TurnCall]]] = defaultdict(list)
    numbers: list[list[int]] = []
    count = 0
    for calls in sides:
        numbers.append([])
        for call in calls:
            mark = 0 if ignore_args else fingerprint(call.args)
            similar = numbered[call.name, mark]
            # A call with NaN in its arguments matches no other call, so its number is its own.
            matching = (
                number
                for number, similar_call in similar
                if mark is not None and (ignore_args or equal(similar_call.args, call.args))
            )
            number = next(matching, 0)
            if not number:
                count += 1
                number = count
                similar.append((count, call))
            numbers[-1].append(number)
    return numbers


def fingerprint(value: Any) -> int | None:
    """A number that equal values share; None for a value with NaN in it, which equals nothing."""
    # XOR, because the order of keys does not count. Each hash includes its place, so [1, 2] and [2, 1] differ.
    total, parts = 0, [(0, value)]
    while parts:
        place, part = parts.pop()
        if isinstance(part, dict):
            total ^= hash((place, "{", len(part)))
            parts += [(hash((place, key)), member) for key, member in part.items()]
        elif isinstance(part, list):
            total ^= hash((place, "[", len(part)))
            parts += [(hash((place, index)), element) for index, element in enumerate(part)]
        elif part != part:  # noqa: PLR0124 - only NaN differs from itself
            return None
        else:
            total ^= hash((place, part))
    return total


class ArgumentDifference(NamedTuple):
    """An argument, or a value inside an argument, on both sides."""

    pointer: str
    """Its place below the arguments (RFC 6901)."""
    state: ArgumentState
    expected: Any = ABSENT
    actual: Any = ABSENT

    def to_json(self) -> dict[str, Any]:
        """The difference for reports. A side that is absent has no key."""
        sides = {"expected": self.expected, "actual": self.actual}
        values = {side: plain(value) for side, value in sides.items() if value is not ABSENT}
        return {"pointer": self.pointer, "state": self.state, **values}


def argument_differences(
    expected: dict[str, Any] | None, actual: dict[str, Any] | None
) -> tuple[ArgumentDifference, ...]:
    """Compare each argument of either side, in the order of the expected side, extra arguments last.

    Objects and lists that differ are compared value by value, until there are 2,000 entries. A value that is equal as
    a whole is one entry.
    """
    differences: list[ArgumentDifference] = []
    # The stack is last in, first out, so the members of a value are pushed in reverse.
    stack = _members("", expected or {}, actual or {})[::-1]
    while stack:
        pointer, value, other_value = stack.pop()
        state: ArgumentState = "value_differs" if kind_of(value) == kind_of(other_value) else "type_differs"
        if value is ABSENT or other_value is ABSENT:
            state = "missing" if other_value is ABSENT else "extra"
        elif equal(value, other_value):
            state = "equal"
        has_members = state == "value_differs" and isinstance(value, dict | list)
        if not has_members or len(differences) + len(stack) + len(value) + len(other_value) > _MOST_DIFFERENCES:
            differences.append(ArgumentDifference(pointer, state, value, other_value))
        elif isinstance(value, dict):
            stack += _members(pointer, value, other_value)[::-1]
        else:
            stack += _members(pointer, dict(enumerate(value)), dict(enumerate(other_value)))[::-1]
    return tuple(differences)


def _members(pointer: str, expected: dict[Any, Any], actual: dict[Any, Any]) -> list[tuple[str, Any, Any]]:
    """The members of either object: the pointer of each, and its value on both sides."""
    return [
        (f"{pointer}/{escape(str(key))}", expected.get(key, ABSENT), actual.get(key, ABSENT))
        for key in {**expected, **actual}
    ]


def kind_of(value: Any) -> str:
    """The JSON type of a value, in words."""
    names: dict[type, str] = {type(None): "null", bool: "true or false", str: "string", list: "list", dict: "object"}
    return names.get(type(value), "number" if isinstance(value, int | float) else "value")
