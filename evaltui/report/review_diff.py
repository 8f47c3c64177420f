"""The diff of the expected and recorded sides of a review item, made printable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from evaltui.document.sequence_diff import differing_runs, shared_length
from evaltui.evalset.turn import NOT_RECORDED, Turn, TurnCall
from evaltui.printable import one_line, printable
from evaltui.review.review_items import ReviewItem

Sign = Literal["-", "+", " "]
DiffLine = tuple[Sign, str]
"""A line of the expected side (-), of the recorded side (+), or of both."""
_CONTEXT = 2
"""The number of shared lines around a difference."""
_AROUND = 60
"""The number of shared characters around the difference of two long lines."""
_LONGEST = 2_000
"""The most characters of a line."""
_LONGEST_SHARED = 200
"""The most characters of a shared line."""
_LABEL = "response: "


def diff_of_item(item: ReviewItem) -> list[DiffLine]:
    """The diff of a turn, or of added and deleted turns, with their messages, calls and responses."""
    lines: list[DiffLine] = []
    for turn in item.turns:
        differing = list(_differing_lines(turn.scores.expected, turn.scores.actual))
        if differing and item.compared is None:  # the title of an item about one turn names it
            lines.append((" ", f"turn {turn.scores.number}"))
        lines += differing
    lines += _whole_turns("-", item.deleted, item.case.turns)
    lines += _whole_turns("+", item.added, item.run.conversation.turns)
    return [(sign, _cut(text, _LONGEST)) for sign, text in lines]


def _whole_turns(sign: Sign, indexes: Iterable[int], turns: Sequence[Turn]) -> Iterator[DiffLine]:
    for index in indexes:
        yield sign, f"turn {index + 1}: {one_line(turns[index].user_text)}"
        yield from ((sign, line) for line in _turn_lines(turns[index]))


def _turn_lines(turn: Turn) -> list[str]:
    """The calls of a turn, a line each, and the lines of its response, below each other."""
    calls = [f"tool calls {NOT_RECORDED}"] if "calls" in turn.unrecorded else list(map(_call_line, turn.calls))
    if "response" in turn.unrecorded:
        return [*calls, f"{_LABEL}{NOT_RECORDED}"]
    lines = turn.response.split("\n") if turn.response else []
    margin = " " * len(_LABEL)
    return [*calls, *((margin if number else _LABEL) + printable(line) for number, line in enumerate(lines))]


def _call_line(call: TurnCall) -> str:
    """`book_flight(flight_id="1")`, whole."""
    name = printable(call.name or "") or "a tool without a name"
    if not call.has_args:
        return f"{name}: arguments {NOT_RECORDED}"
    if call.args is None:
        return f"{name}: no arguments"
    return f"{name}({', '.join(f'{printable(key)}={_json(value)}' for key, value in call.args.items())})"


def _json(value: Any) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False))
    except RecursionError:  # a parser may read deeper values than this writes
        return "a deeply nested value"


def _differing_lines(expected: Turn, actual: Turn) -> Iterator[DiffLine]:
    """The lines of both sides with their differences and shared lines around these; only shared lines if equal."""
    # Whole lines are compared first, so that a long response does not hide which calls differ.
    expected_lines, actual_lines = _turn_lines(expected), _turn_lines(actual)
    runs = differing_runs(expected_lines, actual_lines)
    position = 0
    for number, (place, new_place) in enumerate(runs):
        yield from _shared_lines(expected_lines[position : place.start], _CONTEXT if number else 0, _CONTEXT)
        old, new = expected_lines[place], actual_lines[new_place]
        pairs = [_folded_pair(*pair) for pair in zip(old, new, strict=False)]
        yield from (("-", line) for line in [*(pair[0] for pair in pairs), *old[len(pairs) :]])
        yield from (("+", line) for line in [*(pair[1] for pair in pairs), *new[len(pairs) :]])
        position = place.stop
    yield from _shared_lines(expected_lines[position:], _CONTEXT if runs else 0, 0)


def _shared_lines(lines: Sequence[str], head: int, tail: int) -> Iterator[DiffLine]:
    """Shared lines; of many, only `head` lines after a difference and `tail` lines before the next one."""
    if len(lines) > head + tail + 1:
        lines = [*lines[:head], f"… {len(lines) - head - tail} equal lines", *lines[len(lines) - tail :]]
    yield from ((" ", _cut(line, _LONGEST_SHARED)) for line in lines)


def _folded_pair(expected: str, actual: str) -> tuple[str, str]:
    """Two lines; long lines are cut to the text around their difference."""
    if max(len(expected), len(actual)) <= 4 * _AROUND:
        return expected, actual
    start = max(0, shared_length(expected, actual) - _AROUND)
    # Behind `start` only, so that the shared end of "aa" and "aaa" is not their shared start as well.
    end = max(0, shared_length(expected[start:][::-1], actual[start:][::-1]) - _AROUND)

    def folded(line: str) -> str:
        label = _LABEL if start >= len(_LABEL) and line.startswith(_LABEL) else ""
        return f"{label}{'…' if start else ''}{line[start : len(line) - end]}{'…' if end else ''}"

    return folded(expected), folded(actual)


def _cut(line: str, longest: int) -> str:
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
