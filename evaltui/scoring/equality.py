"""Equality of tool calls as google-adk defines it: equal names and equal arguments, compared as Python values.

1, 1.0 and true are equal, "1" is not. NaN equals nothing, not even NaN. Absent arguments equal null but not {}. The
order of keys does not count, the order of list elements does. No function here recurses, so values may be of any depth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaltui.evalset.turn import TurnCall

_PLAIN = frozenset({str, int, bool, type(None)})


def equal(one: Any, other: Any, *, same_types: bool = False) -> bool:
    """Whether two JSON values are equal for google-adk. With `same_types`, 1, 1.0 and true are different.

    Python's `==` is not enough: it treats NaN in two lists as equal, because `json` uses a single NaN object.
    """
    if not same_types and isinstance(one, dict) and _PLAIN.issuperset(map(type, one.values())):
        return bool(one == other)  # the usual case: no NaN and no deep values
    left = [(one, other)]
    while left:
        one, other = left.pop()
        if same_types and type(one) is not type(other):
            return False
        if isinstance(one, dict):
            if not isinstance(other, dict) or one.keys() != other.keys():
                return False
            left += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            left += zip(one, other, strict=True)
        elif one != other:
            return False
    return True


def same_call(one: TurnCall, other: TurnCall, *, ignore_args: bool = False) -> bool:
    """Whether two calls match. With `ignore_args`, only the names count."""
    return one.name == other.name and (ignore_args or equal(one.args, other.args))


class Kinds:
    """Gives matching calls the same number, so that many calls can be compared quickly."""

    def __init__(self, *, ignore_args: bool = False) -> None:
        self._ignore_args = ignore_args
        self._known: dict[tuple[str | None, int], list[tuple[int, TurnCall]]] = {}
        self._count = 0

    def of(self, calls: Iterable[TurnCall]) -> list[int]:
        """The number of each call."""
        return [self._number(call) for call in calls]

    def _number(self, call: TurnCall) -> int:
        mark = 0 if self._ignore_args else fingerprint(call.args)
        alike = self._known.setdefault((call.name, mark), []) if mark is not None else []
        for number, known in alike:
            if self._ignore_args or equal(known.args, call.args):
                return number
        self._count += 1
        alike.append((self._count, call))
        return self._count


def fingerprint(value: Any) -> int | None:
    """A number that equal values share; None for a value with NaN in it, which equals nothing."""
    # XOR, because the order of keys does not count. Each hash includes its place, so [1, 2] and [2, 1] differ.
    total, left = 0, [(0, value)]
    while left:
        place, value = left.pop()
        if isinstance(value, dict):
            total ^= hash((place, "{", len(value)))
            left += [(hash((place, key)), member) for key, member in value.items()]
        elif isinstance(value, list):
            total ^= hash((place, "[", len(value)))
            left += [(hash((place, index)), element) for index, element in enumerate(value)]
        elif value != value:  # noqa: PLR0124 - only NaN differs from itself
            return None
        else:
            total ^= hash((place, value))
    return total
