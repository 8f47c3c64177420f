"""Differences between the arguments of two calls, value by value, and a phrase for each."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple
from unicodedata import normalize

from evaltui.printable import one_line
from evaltui.scoring.equality import equal
from evaltui.scoring.results import plain

State = Literal["equal", "value_differs", "type_differs", "missing", "extra"]
"""missing: only the expected side has it; extra: only the actual side."""
_MOST = 2_000
"""The most entries of a comparison value by value. Nobody reads more."""
_PLACE, _VALUE = 60, 40
"""The most characters of a place and of a value in a sentence."""

ABSENT: Any = object()
"""Marks the side without a value. None is JSON null."""


class ArgumentDifference(NamedTuple):
    """An argument, or a value inside an argument, on both sides."""

    pointer: str
    """Its place below the arguments (RFC 6901)."""
    state: State
    expected: Any = ABSENT
    actual: Any = ABSENT

    def to_json(self) -> dict[str, Any]:
        """The difference for reports. A side that is absent has no key."""
        shown: dict[str, Any] = {"pointer": self.pointer, "state": self.state}
        for side, value in (("expected", self.expected), ("actual", self.actual)):
            if value is not ABSENT:
                shown[side] = plain(value)
        return shown


def argument_differences(
    expected: dict[str, Any] | None, actual: dict[str, Any] | None
) -> tuple[ArgumentDifference, ...]:
    """Compare each argument of either side, in the order of the expected side, extra arguments last.

    Objects and lists that differ are compared value by value, until there are 2,000 entries. A value that is equal as
    a whole is one entry.
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
    """The JSON type of a value, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "string", int: "number", float: "number", list: "list", dict: "object"}
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


def difference_text(each: ArgumentDifference) -> str:
    """`flight_id is the string "1" in the set and the number 1 in the recording`."""
    place = one_line(each.pointer[1:].replace("~1", "/").replace("~0", "~"), _PLACE) or '""'
    with_kind = each.state == "type_differs"
    ours, theirs = _said(each.expected, with_kind=with_kind), _said(each.actual, with_kind=with_kind)
    if normalize("NFC", ours) == normalize("NFC", theirs):
        return f"{place} {_alike(each.expected, each.actual, ours)}"
    return f"{place} is {ours} in the set and {theirs} in the recording"


def _alike(ours: Any, theirs: Any, shown: str) -> str:
    """A phrase for two different values that look the same."""
    if isinstance(ours, float):
        return f"is {shown} on both sides, but {shown} never equals {shown}"
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return "differs in a part that is too long to show"
    at = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), -1)
    at = min(len(ours), len(theirs)) if at < 0 else at
    ends = [_said(side[at:], with_kind=False) for side in (ours, theirs)]
    if ends[0] == ends[1] or normalize("NFC", ours) == normalize("NFC", theirs):
        return f"is {shown} on both sides, but with different characters that look the same"
    return f"differs from character {at + 1}: {ends[0]} in the set and {ends[1]} in the recording"


def _said(value: Any, *, with_kind: bool) -> str:
    if value is ABSENT:
        return "absent"
    shown = plain(value)
    text = shown if isinstance(value, float) and shown != value else json.dumps(shown, ensure_ascii=False)
    text = one_line(text, _VALUE)
    says_its_kind = value is None or isinstance(value, bool)
    return f"the {kind_of(value)} {text}" if with_kind and not says_its_kind else text
