"""Access to unchecked JSON values: a value with the wrong type counts as absent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from evaltui.evalset.case_data import get, items_in, objects_in

_LATEST = 32_503_680_000  # the year 3000 in seconds; larger numbers are in smaller units


def text(value: Any, name: str) -> str | None:
    """A member that is a text with something in it."""
    member = get(value, name)
    return member if isinstance(member, str) and member else None


def number(value: Any, name: str) -> float | None:
    """A member that is a finite number."""
    return finite(get(value, name))


def finite(value: Any) -> float | None:
    """A number, if a float can hold it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def objects(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """The objects in a member that is a list."""
    return objects_in(items_in(value, name))


def moment(value: Any) -> float | None:
    """A time in seconds since 1970, from a number of seconds, milliseconds or microseconds, or from ISO 8601."""
    if isinstance(value, str):
        try:
            time = datetime.fromisoformat(value)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    seconds = finite(value)
    if seconds is None or seconds <= 0:
        return None
    while seconds > _LATEST:
        seconds /= 1000
    return seconds
