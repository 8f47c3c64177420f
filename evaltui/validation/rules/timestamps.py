"""The rule about the unit of creation times: of an eval set, its cases and their turns."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaltui.document.edits import Set
from evaltui.evalset.case_data import get, unit_of
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import TALK, Diagnostic, Fix, Rule, a_case

_NAME = "creation_timestamp"
_LATEST = 100_000_000_000
"""Numbers below this (the year 5138) count as seconds."""

TIMESTAMP_UNIT = Rule(
    "timestamp-unit",
    "A creation_timestamp is in milliseconds, microseconds or nanoseconds instead of seconds.",
    "google-adk writes seconds since 1970, as a float (`time.time()` in `LocalEvalSetsManager` and `adk web`). In "
    "seconds, this value is a date thousands of years in the future. Python's `datetime.fromtimestamp` raises "
    "*ValueError: year is out of range*.",
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009012, {TALK}}}'),
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009.012, {TALK}}}'),
    "Converts the time to seconds, without losing digits.",
)


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Creation times of a case and its turns that are not in seconds."""
    for owner in (case.data, *(turn.data for turn in case.turns)):
        if _is_late(get(owner, _NAME)) and (time := case.at(owner).member(_NAME)) is not None:
            yield from _in_another_unit(time)


def check_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """The creation time of an eval set, if it is not in seconds."""
    if isinstance(rest.data, dict) and _is_late(rest.data.get(_NAME)):
        yield from _in_another_unit(rest.below(_NAME))


def _is_late(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= _LATEST


def _in_another_unit(time: PointedValue) -> Iterator[Diagnostic]:
    try:
        per_second, unit = unit_of(time.data)
    except ValueError:  # no unit gives a plausible time
        return
    seconds = _seconds(time.data, per_second)
    fix = Fix(f"Write {seconds}", True, (Set(time.pointer, seconds.encode()),))
    yield TIMESTAMP_UNIT.at(time, f"{_NAME} is in {unit}, but google-adk expects seconds", fix=fix)


def _seconds(number: int | float, per_second: int) -> str:
    """`number` in seconds as JSON, without rounding; an int stays an int if possible, a float stays a float."""
    seconds = f"{Decimal(repr(number)) / per_second:f}"
    if "." in seconds:
        seconds = seconds.rstrip("0").removesuffix(".")
    return f"{seconds}.0" if isinstance(number, float) and "." not in seconds else seconds
