"""Values in recorded arguments that differ in the next run: dates, UUIDs, ids from a tool response.

A case that expects them fails in the next run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, NamedTuple

from evaltui.evalset.case_data import PlainTurn, as_number, get, parts_of, text_of_parts

VolatileKind = Literal["date", "uuid", "from_response"]
"""The reason why a value is volatile."""
_Path = tuple[str | int, ...]
_MOST_DEPTH = 50
_YEAR = 366 * 86_400.0

_is_date = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?", re.IGNORECASE | re.ASCII
).fullmatch
_is_uuid = re.compile(
    r"(?:[a-z]+[_:-])*[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE | re.ASCII
).fullmatch
_is_id = re.compile(r"(?=\S*\d)\S{4,200}").fullmatch


class VolatileValue(NamedTuple):
    """A value in the arguments of a call; turns among the invocations and calls in their turn count from 0."""

    turn: int
    call: int
    path: _Path
    """The keys and indexes from the arguments to the value."""
    kind: VolatileKind
    text: str
    """The value as text."""


def volatile_values(invocations: Sequence[Mapping[str, Any]]) -> list[VolatileValue]:
    """The volatile values in the arguments of all calls, in their order.

    - date: a text that is a whole date or time in ISO form, or a number within a year of the turn's own time, in
      seconds or milliseconds.
    - uuid: a text that is a UUID, with or without a prefix.
    - from_response: a text of four characters or more, with a digit and without blanks, that is a whole value in the
      response of an earlier call. Dates and UUIDs that a response brought are of this kind only if they are ids.

    Nothing that stands in a text of the user up to this turn is one.
    """
    volatile: list[VolatileValue] = []
    user_texts, brought = "", set[str]()
    for number, invocation in enumerate(invocations):
        turn = PlainTurn(invocation)
        user_texts = f"{user_texts}\n{text_of_parts(get(invocation, 'user_content'))}".casefold()
        time = as_number(get(invocation, "creation_timestamp"))
        for index, call in _calls_and_responses(turn, brought):
            for path, value in _leaves(get(call, "args")):
                kind = _kind_of(value, time, brought)
                # What the user said comes again in the next run. Few marks that are right beat many.
                if kind is not None and str(value).casefold() not in user_texts:
                    volatile.append(VolatileValue(number, index, path, kind, str(value)))
    return volatile


def without_values(invocations: Sequence[Mapping[str, Any]], values: Collection[VolatileValue]) -> list[dict[str, Any]]:
    """Copies of the invocations without these arguments, or without these items of lists in arguments."""
    copies = [_copied(dict(invocation)) for invocation in invocations]
    calls = [PlainTurn(invocation).calls for invocation in copies]
    # Deletions inside lists go from the back, so that earlier indexes stay valid.
    for value in sorted(values, key=lambda value: [(isinstance(step, str), step) for step in value.path], reverse=True):
        container: Any = get(calls[value.turn][value.call], "args")
        for step in value.path[:-1]:
            container = container[step]
        del container[value.path[-1]]
    return copies


def _copied(value: Any) -> Any:
    # `copy.deepcopy` takes two calls for each level, which deep values do not leave.
    if not isinstance(value, dict | list):
        return value
    copy = value.copy()
    for place, item in value.items() if isinstance(value, dict) else enumerate(value):
        copy[place] = _copied(item)
    return copy


def _kind_of(value: Any, time: float | None, brought: Collection[str]) -> VolatileKind | None:
    if isinstance(value, str):
        if _is_date(value):
            with suppress(ValueError):  # Python 3.11 reads fractions of a second after a dot only
                datetime.fromisoformat(value.replace(",", ".").upper())
                return "date"
            return None
        if value in brought and _is_id(value):
            return "from_response"
        return "uuid" if _is_uuid(value) else None
    # Any number may be a time; only one near the turn's own is taken for it. True is an int in Python.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "date" if time and is_number and any(abs(value / unit - time) < _YEAR for unit in (1, 1000)) else None


def _calls_and_responses(turn: PlainTurn, brought: set[str]) -> Iterator[tuple[int, Any]]:
    """The calls of a turn with their indexes; `brought` has the texts of all responses before the current call."""
    if turn.has_events:
        number = 0
        for event in turn.events:
            for part in parts_of(get(event, "content")):
                if (call := get(part, "function_call")) is not None:
                    yield number, call
                    number += 1
                _note(get(part, "function_response"), brought)
        return
    # Lists do not tell when a response came; there it counts for the calls after its own.
    by_id: dict[Any, list[Any]] = {}
    for response in turn.responses:
        by_id.setdefault(_name_of(response), []).append(response)
    for number, call in enumerate(turn.calls):
        yield number, call
        if answers := by_id.get(_name_of(call)):
            _note(answers.pop(0), brought)
    for response in turn.responses:
        _note(response, brought)


def _name_of(value: Any) -> str:
    """The id of a call or response, else its name."""
    return str(get(value, "id") or get(value, "name") or "")


def _note(response: Any, brought: set[str]) -> None:
    brought.update(value for _, value in _leaves(get(response, "response")) if isinstance(value, str) and _is_id(value))


def _leaves(value: Any) -> Iterator[tuple[_Path, Any]]:
    """The values other than objects and lists, in order, each with its path."""
    pending: list[tuple[_Path, Any]] = [((), value)]
    while pending:
        path, item = pending.pop()
        if len(path) > _MOST_DEPTH:
            continue
        if isinstance(item, dict):
            pending += [((*path, name), item) for name, item in reversed(item.items())]
        elif isinstance(item, list):
            pending += [((*path, index), item) for index, item in reversed(list(enumerate(item)))]
        elif path:
            yield path, item
