"""Free-form objects in evaluations (`google.protobuf.struct_pb2.Struct`), whose numbers are doubles."""

from __future__ import annotations

from typing import Any, Final

from evaltui.interop.output_tree import Value, remade, value_of

_MOST_EXACT: Final = 2**53
"""Doubles hold all integers up to this one."""

_ROUNDED = "CX Agent Studio reads numbers as doubles, which lose the last digits of this integer"
_TOO_LARGE = "CX Agent Studio reads numbers as doubles. This integer is too large, so evaltui writes a string"
_AS_TEXT = "If all digits matter, make the number a string."


def struct(value: Value | None) -> Value | None:
    """A value as a Struct has it; integers with more digits than a double are reported."""
    plain = value_of(value)
    if value is None or not any(map(_is_rounded, _numbers(plain))):
        return value
    if any(map(_is_too_large, _numbers(plain))):
        return remade(value, _with_texts(plain), "changed", _TOO_LARGE)
    return remade(value, plain, "changed", _ROUNDED, _AS_TEXT)


def _numbers(value: Any) -> list[int]:
    """All integers in a value."""
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return [number for item in items for number in _numbers(item)]
    return [value] if isinstance(value, int) else []


def _is_rounded(number: int) -> bool:
    return abs(number) > _MOST_EXACT and (_is_too_large(number) or int(float(number)) != number)


def _is_too_large(number: int) -> bool:
    try:
        float(number)
    except OverflowError:
        return True
    return False


def _with_texts(value: Any) -> Any:
    """The value with texts for integers that are larger than any double."""
    if isinstance(value, dict):
        return {name: _with_texts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_with_texts(each) for each in value]
    return str(value) if isinstance(value, int) and _is_too_large(value) else value
