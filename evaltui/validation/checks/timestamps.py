"""Checks of the times of creation of a set, its cases and their turns."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaltui.document.edits import Set
from evaltui.evalset.timestamps import unit_of
from evaltui.validation.case_data import Case
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.place import Place
from evaltui.validation.rules.timestamps import TIMESTAMP_UNIT

_NAME = "creation_timestamp"
_LATEST = 100_000_000_000
"""Seconds up to here (the year 5138) are taken for seconds."""


def check(case: Case) -> Iterator[Diagnostic]:
    """Times of a case and of its turns in another unit than seconds."""
    for owner in (case.place, *(turn.place for turn in case.turns)):
        key = owner.key(_NAME)
        if key is not None and _is_late(owner.data[key]):
            yield from _of(owner.below(key))


def of_set(rest: Place) -> Iterator[Diagnostic]:
    """The time of a set in another unit than seconds."""
    if isinstance(rest.data, dict) and _is_late(rest.data.get(_NAME)):
        yield from _of(rest.below(_NAME))


def _is_late(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= _LATEST


def _of(time: Place) -> Iterator[Diagnostic]:
    try:
        per_second, unit = unit_of(time.data)
    except ValueError:  # no unit makes a time of this
        return
    seconds = _seconds(time.data, per_second)
    fix = Fix(f"Write {seconds}", True, (Set(time.pointer, seconds.encode()),))
    yield TIMESTAMP_UNIT.at(time, f"{_NAME} counts {unit}, and google-adk seconds", fix=fix)


def _seconds(number: int | float, per_second: int) -> str:
    """`number` of so many `per_second` as JSON, exactly; it stays an int where it can, and a float."""
    seconds = f"{Decimal(repr(number)) / per_second:f}"
    if "." in seconds:
        seconds = seconds.rstrip("0").removesuffix(".")
    return f"{seconds}.0" if isinstance(number, float) and "." not in seconds else seconds
