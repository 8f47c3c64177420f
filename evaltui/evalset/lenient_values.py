"""Numbers and truth values as pydantic takes them from JSON in its lax mode, in which google-adk reads its files."""

from __future__ import annotations

import math
from typing import Any

_TRUE, _FALSE = frozenset({"1", "on", "t", "true", "y", "yes"}), frozenset({"0", "off", "f", "false", "n", "no"})


def as_number(value: Any) -> float | None:
    """The number that pydantic takes a value of JSON for: a number, a text that holds one, true for 1; else None."""
    if isinstance(value, bool | int | float):
        return float(value) if not isinstance(value, int) or abs(value) < 2**1023 else math.inf
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def as_bool(value: Any) -> bool | None:
    """The truth value that pydantic takes a value of JSON for: true, 1, "yes" and the like; else None."""
    if isinstance(value, str):
        lowered = value.lower()
        return True if lowered in _TRUE else False if lowered in _FALSE else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None
