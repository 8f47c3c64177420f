"""The diff of the expected and recorded sides of a review item, made printable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from evaltui.document.diff.sequence_diff import differing_runs, shared_length
from evaltui.evalset.turn import NOT_RECORDED, Turn, TurnCall
from evaltui.printable import one_line, printable
from evaltui.review.review_item import ReviewItem

_CONTEXT = 2
"""The number of shared lines around a difference."""
_AROUND = 60
"""The number of shared characters around the difference of two long lines."""
_LONGEST = 2_000
"""The most characters of a line."""
_LONGEST_SHARED = 200
"""The most characters of a shared line."""
_LABEL = "response: "


class DiffLine(NamedTuple):
    """A line of the expected side (-), of the recorded side (+), or of both."""

    sign: Literal["-", "+", " "]
    text: str


def diff_of_item(item: ReviewItem) -> list[DiffLine]:
    """The diff of a turn, or of added and deleted turns, with their messages, calls and responses."""
    if item.compared is not None:
        return [*_diff(item.compared.scores.expected, item.compared.scores.actual)]
    lines: list[DiffLine] = []
    for turn in item.turns:
        if found := [*_diff(turn.scores.expected, turn.scores.actual)]:
            lines += [DiffLine(" ", f"turn {turn.scores.number}"), *found]
    for at in item.deleted:
        lines += [DiffLine("-", line) for line in _turn_lines(at, item.case.turns[at])]
    for at in item.added:
        lines += [DiffLine("+", line) for line in _turn_lines(at, item.run.conversation.turns[at])]
    return [line._replace(text=_cut(line.text)) for line in lines]


def _turn_lines(at: int, turn: Turn) -> Iterator[str]:
    yield f"turn {at + 1}: {one_line(turn.user_text)}"
    yield from _lines(turn)


def _lines(turn: Turn) -> list[str]:
    """The calls of a turn, a line each, and the lines of its response."""
    calls = [f"tool calls {NOT_RECORDED}"] if "calls" in turn.unrecorded else map(call_line, turn.calls)
    response = [f"{_LABEL}{NOT_RECORDED}"] if "response" in turn.unrecorded else _response_lines(turn.response)
    return [*calls, *response]


def _response_lines(response: str) -> Iterator[str]:
    for number, line in enumerate(response.split("\n") if response else []):
        yield (" " * len(_LABEL) if number else _LABEL) + printable(line)


def call_line(call: TurnCall) -> str:
    """`book_flight(flight_id="1")`, whole."""
    if not call.has_args:
        return f"{_name(call)}: arguments {NOT_RECORDED}"
    if call.args is None:
        return f"{_name(call)}: no arguments"
    return f"{_name(call)}({', '.join(f'{printable(name)}={_value(value)}' for name, value in call.args.items())})"


def _name(call: TurnCall) -> str:
    return printable(call.name or "") or "a tool without a name"


def _value(value: Any) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return "a deeply nested value"


def _diff(expected: Turn, actual: Turn) -> Iterator[DiffLine]:
    ours, theirs = _lines(expected), _lines(actual)
    runs = differing_runs(ours, theirs)
    place = 0
    for number, run in enumerate(runs):
        yield from _shared(ours[place : run.start], _CONTEXT if number else 0, _CONTEXT)
        yield from _changed(ours[run.start : run.stop], theirs[run.new_start : run.new_stop])
        place = run.stop
    yield from _shared(ours[place:], _CONTEXT if runs else 0, 0)


def _shared(lines: Sequence[str], head: int, tail: int) -> Iterator[DiffLine]:
    """Shared lines; of many, only `head` lines after a difference and `tail` lines before the next one."""
    if len(lines) > head + tail + 1:
        lines = [*lines[:head], f"… {len(lines) - head - tail} equal lines", *lines[len(lines) - tail :]]
    yield from (DiffLine(" ", _cut(line, _LONGEST_SHARED)) for line in lines)


def _changed(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[DiffLine]:
    folded = [_folded(*pair) for pair in zip(ours, theirs, strict=False)]
    yield from (DiffLine("-", line) for line, _ in folded)
    yield from (DiffLine("-", _cut(line)) for line in ours[len(folded) :])
    yield from (DiffLine("+", line) for _, line in folded)
    yield from (DiffLine("+", _cut(line)) for line in theirs[len(folded) :])


def _folded(one: str, other: str) -> tuple[str, str]:
    """Two lines; long lines are cut to the text around their difference."""
    if max(len(one), len(other)) <= 4 * _AROUND:
        return one, other
    start = max(0, shared_length(one, other) - _AROUND)
    ours, theirs = one[start:], other[start:]
    stop = max(0, shared_length(ours[::-1], theirs[::-1]) - _AROUND)
    stop = min(stop, len(ours), len(theirs))
    return _between(one, start, len(one) - stop), _between(other, start, len(other) - stop)


def _between(text: str, start: int, stop: int) -> str:
    label = _LABEL if start >= len(_LABEL) and text.startswith(_LABEL) else ""
    return _cut(f"{label}{'…' if start else ''}{text[start:stop]}{'…' if stop < len(text) else ''}")


def _cut(line: str, longest: int = _LONGEST) -> str:
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
