"""Creation timestamps: seconds since 1970, though some writers count milliseconds or finer."""

from __future__ import annotations

from datetime import UTC, datetime

from evaltui.document.node import Node

_UNITS = (
    (1, "", 1e11),
    (1000, "milliseconds", 1e14),
    (1_000_000, "microseconds", 1e17),
    (1_000_000_000, "nanoseconds", 1e20),
)
"""For each unit: units per second, its name, and the first number that is too large for it."""


def date_of(source: str) -> str:
    """The date of a number, in UTC, with its unit if that is not seconds; "" if it is not a date."""
    try:
        number = float(source)
        per_second, unit = unit_of(number)
        at = datetime.fromtimestamp(number / per_second, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    if not number:
        return ""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC" + (f" (in {unit})" if unit else "")


def seconds_of(text: str, existing: Node | None) -> bytes | None:
    """A date in ISO form as a number in the unit of `existing`; UTC without a time zone. None if it is not a date."""
    try:
        at = datetime.fromisoformat(text.strip().removesuffix("UTC").strip())
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    try:
        per_second = unit_of(float(existing.source()))[0] if existing is not None else 1
    except ValueError:
        per_second = 1
    value = at.timestamp() * per_second
    is_float = existing is None or b"." in existing.source()
    return (repr(value) if is_float else str(round(value))).encode()


def unit_of(number: float) -> tuple[int, str]:
    """Units per second, and the name of the unit ("" for seconds), judged by the size of the number.

    Raises `ValueError` if it is too large for any unit.
    """
    for per_second, unit, end in _UNITS:
        if abs(number) < end:
            return per_second, unit
    raise ValueError("the number is too large for a date")
