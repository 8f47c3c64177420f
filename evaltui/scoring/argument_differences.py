"""Where the arguments of two calls differ, value by value."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from evaltui.scoring.equality import equal
from evaltui.scoring.plain_json import plain

State = Literal["equal", "value_differs", "type_differs", "missing", "extra"]
"""missing: only the expected side has it; extra: only the actual side."""
_MOST = 2_000
"""So many entries are made by looking into values; a person reads no more."""

ABSENT: Any = object()
"""Stands for the side that has no value; None is null."""


class ArgumentDifference(NamedTuple):
    """One argument, or a value within one."""

    pointer: str
    """Its place below the arguments (RFC 6901)."""
    state: State
    expected: Any = ABSENT
    actual: Any = ABSENT

    def to_json(self) -> dict[str, Any]:
        """As reports have it; a side that is absent has no key."""
        shown: dict[str, Any] = {"pointer": self.pointer, "state": self.state}
        for side, value in (("expected", self.expected), ("actual", self.actual)):
            if value is not ABSENT:
                shown[side] = plain(value)
        return shown


def argument_differences(
    expected: dict[str, Any] | None, actual: dict[str, Any] | None
) -> tuple[ArgumentDifference, ...]:
    """Every argument of either side with how it compares, in the order of the expected side, what is extra last.

    Objects and lists that differ are looked into, lists element by element, as long as that makes 2,000 entries at
    most; what is equal as a whole is one entry.
    """
    found: list[ArgumentDifference] = []
    left = [*reversed(_members("", expected or {}, actual or {}))]
    while left:
        pointer, one, other = left.pop()
        state = _state(one, other)
        is_looked_into = state == "value_differs" and isinstance(one, dict | list)
        if not is_looked_into or len(found) + len(left) + len(one) + len(other) > _MOST:
            found.append(ArgumentDifference(pointer, state, one, other))
        elif isinstance(one, dict):
            left += reversed(_members(pointer, one, other))
        else:
            left += reversed(_members(pointer, dict(enumerate(one)), dict(enumerate(other))))
    return tuple(found)


def kind_of(value: Any) -> str:
    """What JSON calls a value, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "number", float: "number", list: "list", dict: "object"}
    return names.get(type(value), "value")


def _members(pointer: str, one: dict[Any, Any], other: dict[Any, Any]) -> list[tuple[str, Any, Any]]:
    keys = dict.fromkeys([*one, *other])
    return [(f"{pointer}/{_token(key)}", one.get(key, ABSENT), other.get(key, ABSENT)) for key in keys]


def _token(key: Any) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _state(one: Any, other: Any) -> State:
    if other is ABSENT:
        return "missing"
    if one is ABSENT:
        return "extra"
    if equal(one, other):
        return "equal"
    return "value_differs" if kind_of(one) == kind_of(other) else "type_differs"
