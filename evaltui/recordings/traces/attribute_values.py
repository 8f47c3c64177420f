"""Values of attributes: ids, numbers, texts, and JSON within texts. Nothing here raises, whatever the value."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from evaltui.document.plain_values import plain_value
from evaltui.recordings.traces.doubts import TOO_DEEP, Doubts

TRACE_ID, SPAN_ID = 16, 8
"""Lengths of ids in bytes."""
_DEEPEST = 200
_LATEST = 2**64
_HEX = re.compile("[0-9a-f]+")


def identifier(raw: Any, length: int) -> str | None:
    """An id as lowercase hex digits, whether written in hex or in base64; another text as it is, None for none."""
    if not isinstance(raw, str):
        return None
    text = raw.strip().lower()
    if len(text) == 2 * length and _HEX.fullmatch(text):
        return text if text.strip("0") else None
    try:
        data = base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    return data.hex() if len(data) == length and any(data) else text or None


def whole_number(value: Any) -> int | None:
    """A number, or a number in a text, without its fraction; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        pass
    try:
        return int(float(value))
    except (ValueError, OverflowError):
        return None


def moment(value: Any, unit: int = 1) -> int:
    """A time in nanoseconds, from a number and its unit in nanoseconds; 0 for an impossible time."""
    number = whole_number(value) or 0
    return number * unit if abs(number) < _LATEST else 0


def count(value: Any) -> int | None:
    """A number of tokens: whole, or a text of a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value)
    except (ValueError, OverflowError):
        return None
    is_whole = not isinstance(value, float) or number == value
    return max(0, number) if is_whole and number < _LATEST else None


def decimal(value: Any) -> float | None:
    """A number with a fraction, or such a number in a text."""
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError):
        return None


def scalar_text(value: Any) -> str | None:
    """A text, number or truth value as text; None for anything else."""
    if isinstance(value, str):
        return value
    try:
        return str(value) if isinstance(value, bool | int | float) else None
    except ValueError:  # a number of thousands of digits
        return None


def key_text(value: Any) -> str | None:
    """A value that may name a conversation or case: a short printable text or number."""
    text = None if isinstance(value, bool) else scalar_text(value)
    text = (text or "").strip()
    return text if text and len(text) <= 256 and text.isprintable() else None


def parsed(value: Any, doubts: Doubts) -> Any:
    """The JSON value in a text; other values unchanged; None for invalid JSON."""
    may_be_deep = isinstance(value, dict | list)
    if isinstance(value, str):
        may_be_deep = value.count("[") + value.count("{") > _DEEPEST
        try:
            value = plain_value(value)
        except (ValueError, RecursionError) as error:
            if isinstance(error, RecursionError):
                doubts.note(TOO_DEEP)
            return None
    if may_be_deep and _is_deep(value):
        doubts.note(TOO_DEEP)
        return None
    return value


def parsed_or_same(value: Any, doubts: Doubts) -> Any:
    """The JSON that a text holds, or the text itself."""
    found = parsed(value, doubts)
    return value if found is None and isinstance(value, str) else found


def as_object(value: Any, key: str) -> dict[str, Any]:
    """The object that google-adk requires for arguments and responses: other values go under `key`, None becomes {}."""
    if isinstance(value, dict):
        return value
    return {} if value is None else {key: value}


def items(value: Any) -> list[Any]:
    """The value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def members(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def _is_deep(value: Any) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_DEEPEST):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
