"""Eval cases as plain data (`json.loads`), in either spelling and either shape of intermediate data.

A case need not be valid: a value of the wrong type counts as absent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.keys import camel


def get(value: Any, name: str) -> Any:
    """The value of key `name` (in snake_case) of an object; None if it is absent."""
    if not isinstance(value, dict):
        return None
    # camelCase first, as in google-adk.
    camel_key = camel(name)
    return value[camel_key] if camel_key in value else value.get(name)


def items_in(value: Any, name: str) -> list[Any]:
    """The items of the list `name` of an object, of any type; none if it is absent or not a list."""
    items = get(value, name)
    return items if isinstance(items, list) else []


def parts_of(content: Any) -> Iterator[dict[str, Any]]:
    """The parts of a content that are objects."""
    return objects_in(items_in(content, "parts"))


def text_of_parts(content: Any) -> str:
    """The texts of the parts, joined line by line as in google-adk (`get_text_from_content`)."""
    texts = (part.get("text") for part in parts_of(content))
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def objects_in(values: list[Any]) -> Iterator[dict[str, Any]]:
    """The objects among some values."""
    return (value for value in values if isinstance(value, dict))


class PlainTurn:
    """One turn as it is in a file."""

    # Its lists keep values of any type, so that a check can look at them.
    __slots__ = ("authors", "calls", "data", "events", "has_events", "responses")

    def __init__(self, data: Any) -> None:
        self.data = data
        between = get(data, "intermediate_data")
        self.has_events = isinstance(between, dict) and (
            "invocationEvents" in between or "invocation_events" in between
        )
        """Whether its intermediate data are events (`InvocationEvents`) instead of lists (`IntermediateData`)."""
        self.events: list[Any] = []
        self.calls: list[Any]
        """The calls that the trajectory metric compares: `tool_uses`, or the function calls of all events, in order."""
        self.authors: list[Any]
        """The author of the event of each call; None for calls in lists."""
        self.responses: list[Any]
        """`tool_responses`, or the function responses of all events, in order."""
        if self.has_events:
            self.events = items_in(between, "invocation_events")
            parts = [(event, part) for event in self.events for part in parts_of(get(event, "content"))]
            calls = [(event, call) for event, part in parts if (call := get(part, "function_call")) is not None]
            self.calls = [call for _, call in calls]
            self.authors = [get(event, "author") for event, _ in calls]
            responses = (get(part, "function_response") for _, part in parts)
            self.responses = [response for response in responses if response is not None]
        else:
            self.calls = items_in(between, "tool_uses")
            self.authors = [None] * len(self.calls)
            self.responses = items_in(between, "tool_responses")

    @property
    def contents(self) -> Iterator[Any]:
        """All contents of the turn: user content, contents of events, final response."""
        of_events = (get(event, "content") for event in self.events)
        every = (get(self.data, "user_content"), *of_events, get(self.data, "final_response"))
        return (content for content in every if content is not None)

    @property
    def rubrics(self) -> list[Any]:
        """The rubrics of the turn itself."""
        return items_in(self.data, "rubrics")


class PlainCase:
    """One case as it is in a file."""

    def __init__(self, data: Any) -> None:
        self.data = data
        eval_id = get(data, "eval_id")
        self.eval_id: str | None = eval_id if isinstance(eval_id, str) else None
        """The eval_id; None if it is absent or not a string."""
        self.turns = [PlainTurn(turn) for turn in items_in(data, "conversation")]
        """The turns of the conversation."""

    @property
    def is_scenario(self) -> bool:
        """Whether a simulated user plays the case."""
        return get(self.data, "conversation") is None and get(self.data, "conversation_scenario") is not None

    @property
    def rubrics(self) -> list[Any]:
        """The rubrics of the case itself, without those of its turns."""
        return items_in(self.data, "rubrics")

    @property
    def all_rubrics(self) -> list[Any]:
        """The rubrics of the case, then those of its turns."""
        return [*self.rubrics, *(rubric for turn in self.turns for rubric in turn.rubrics)]


# --- values as pydantic takes them in its lax mode, in which google-adk reads its files ----------------------------

_TRUE, _FALSE = frozenset({"1", "on", "t", "true", "y", "yes"}), frozenset({"0", "off", "f", "false", "n", "no"})


def as_number(value: Any) -> float | None:
    """A JSON value as pydantic reads it for a number: a number, a text with a number, true as 1; else None."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    if not isinstance(value, int | float):
        return None
    # `float` refuses larger integers, and pydantic reads them as infinity.
    return float(value) if not isinstance(value, int) or abs(value) < 2**1023 else math.inf


def as_bool(value: Any) -> bool | None:
    """A JSON value as pydantic reads it for a boolean: true, 1, "yes" and the like; else None."""
    if isinstance(value, str):
        lowered = value.lower()
        return True if lowered in _TRUE else False if lowered in _FALSE else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


# --- unchecked values of recordings and results -------------------------------------------------------------------

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
        time = datetime.fromtimestamp(number / per_second, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    # 0 is no time: it is the default of google-adk's models.
    return f"{time:%Y-%m-%d %H:%M:%S} UTC" + (f" (in {unit})" if unit else "") if number else ""


def seconds_of(text: str, existing: Node | None) -> bytes | None:
    """A date in ISO form as a number in the unit of `existing`; UTC without a time zone. None if it is not a date."""
    try:
        time = datetime.fromisoformat(text.strip().removesuffix("UTC").strip())
    except ValueError:
        return None
    try:
        per_second = unit_of(float(existing.source()))[0] if existing is not None else 1
    except ValueError:
        per_second = 1
    value = (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * per_second
    # An integer stays an integer, as its author wrote it.
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
