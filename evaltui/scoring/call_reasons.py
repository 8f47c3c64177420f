"""Sentences about the tool calls that make a turn fail, and about the arguments that differ."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from unicodedata import normalize

from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line, printable
from evaltui.scoring.call_alignment import Calls, Row
from evaltui.scoring.call_equality import ABSENT, ArgumentDifference, kind_of
from evaltui.scoring.results import plain

_NAME, _PLACE, _VALUE = 60, 60, 40
"""The most characters that are shown of a name, of the place of an argument, and of its value."""
_NAMED = 3
"""The most arguments of one call, or tools in one sentence, that are named."""
_SENTENCES = 3
"""The most sentences on one kind of fault."""


def describe_call_faults(expected: Calls, actual: Calls, rows: Sequence[Row], match_type: str) -> tuple[str, ...]:
    """The faults of the actual calls, each a sentence without its full stop; `rows` align both sides."""
    if not expected and actual:
        return (f"the case expects no tool calls in this turn, but the agent calls {_list_tools(actual)}",)
    if expected and not actual:
        return (f"the agent calls no tool; expected: {_list_tools(expected)}", *_tools_inside_a_model(expected))
    expected_counts, actual_counts = Counter(map(_tool_name, expected)), Counter(map(_tool_name, actual))
    missing = [expected[row.expected] for row in rows if row.state == "missing" and row.expected is not None]
    extra = [actual[row.actual] for row in rows if row.state == "extra" and row.actual is not None]
    differing = [row for row in rows if row.arguments is not None]
    moved = [row for row in rows if row.state == "moved"]

    def describe_count(name: str, count: int, *sides: str) -> str:
        counts = {"expected": expected_counts[name], "called": actual_counts[name]}
        if 0 < counts[sides[1]] < counts[sides[0]]:
            return f"{name} is called {_count_times(counts['called'])}, expected {_count_times(counts['expected'])}"
        times = "" if count == 1 else f" {_count_times(count)}"
        return f"{name} is {sides[0]}{times} but not {sides[1]}"

    missing_counts, extra_counts = Counter(map(_tool_name, missing)), Counter(map(_tool_name, extra))
    on_missing = (describe_count(*counted, "expected", "called") for counted in missing_counts.items())
    on_arguments = (_describe_arguments(row, expected, actual) for row in differing)
    sentences = [
        *_first_few(on_missing, len(missing_counts), "tool", "expected but not called"),
        *_tools_inside_a_model(missing),
        *_first_few(on_arguments, len(differing), "call", "made with other arguments"),
    ]
    # Only the order decides between ANY_ORDER and the others, and only EXACT forbids further calls.
    if match_type != "ANY_ORDER":
        on_order = (_describe_order(row, rows, expected) for row in moved)
        sentences += _first_few(on_order, len(moved), "call", "out of order")
    if match_type == "EXACT":
        on_extra = (describe_count(*counted, "called", "expected") for counted in extra_counts.items())
        sentences += _first_few(on_extra, len(extra_counts), "tool", "called but not expected")
    return tuple(sentences)


def _first_few(sentences: Iterable[str], count: int, noun: str, fault: str) -> Iterator[str]:
    """The first few of `count` sentences, and a sentence with the number of the others."""
    # Two calls of one tool can have the same fault, and nobody needs to read it twice.
    yield from dict.fromkeys(islice(sentences, _SENTENCES))
    if (more := count - _SENTENCES) > 0:
        yield f"{more} more {noun}{' is' if more == 1 else 's are'} {fault}"


def _describe_arguments(row: Row, expected: Calls, actual: Calls) -> str:
    assert row.expected is not None
    assert row.actual is not None
    call, other_call = expected[row.expected], actual[row.actual]
    differing = [difference for difference in row.arguments or () if difference.state != "equal"]
    if not differing:
        # Absent arguments and {} are all that differ without a difference to name.
        ours, theirs = ("no args" if args is None else "args {}" for args in (call.args, other_call.args))
        fault = f"{_tool_name(call)} has {ours} in the set and {theirs} in the recording"
        return f"{fault}; google-adk treats these as different"
    named = [describe_difference(difference) for difference in differing[:_NAMED]]
    more = len(differing) - len(named)
    return f"{_tool_name(call)}: {', '.join(named)}{f' and {more} more' if more else ''}"


def _describe_order(row: Row, rows: Sequence[Row], expected: Calls) -> str:
    """Name the nearest call of another tool that has changed sides with this call."""
    assert row.expected is not None
    assert row.actual is not None
    name, is_among_its_own, place = _tool_name(expected[row.expected]), False, row.expected
    paired = [pair for pair in rows if pair.state in ("matched", "arguments_differ")]
    for pair in sorted(paired, key=lambda pair: abs((pair.expected or 0) - place)):
        assert pair.expected is not None
        assert pair.actual is not None
        neighbour = _tool_name(expected[pair.expected])
        if neighbour == name:
            is_among_its_own = True
        elif (row.expected < pair.expected) != (row.actual < pair.actual):
            actual_side, expected_side = ("before", "after") if row.actual < pair.actual else ("after", "before")
            return f"{name} is called {actual_side} {neighbour}, expected {expected_side}"
    if is_among_its_own:
        return f"the calls of {name} are in another order than expected"
    return f"{name} is called in another place than expected"


def _tools_inside_a_model(missing: Calls) -> Iterator[str]:
    if any(call.name == "google_search" for call in missing):
        yield "google_search runs inside the model and is never in a recording: delete this call from the set"


def _list_tools(calls: Calls) -> str:
    counts = Counter(map(_tool_name, calls))
    names = [name if count == 1 else f"{name} ({count} times)" for name, count in counts.items()]
    more = len(names) - _NAMED
    return f"{', '.join(names[:_NAMED])}{f' and {more} more' if more > 0 else ''}"


def _tool_name(call: TurnCall) -> str:
    # Spaces around a name are a fault that `one_line` would hide, so such a name is quoted.
    if call.name and call.name != call.name.strip():
        return f'"{printable(call.name[:_NAME])}"'
    return one_line(call.name or "", _NAME) or "a tool without a name"


def _count_times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def describe_difference(difference: ArgumentDifference) -> str:
    """`flight_id is the string "1" in the set and the number 1 in the recording`."""
    place = one_line(difference.pointer[1:].replace("~1", "/").replace("~0", "~"), _PLACE) or '""'
    with_kind = difference.state == "type_differs"
    ours, theirs = (_value_text(side, with_kind=with_kind) for side in (difference.expected, difference.actual))
    # A terminal shows composed and decomposed letters alike, so these two values look the same as well.
    if normalize("NFC", ours) == normalize("NFC", theirs):
        return f"{place} {_describe_lookalikes(difference.expected, difference.actual, ours)}"
    return f"{place} is {ours} in the set and {theirs} in the recording"


def _describe_lookalikes(expected: Any, actual: Any, text: str) -> str:
    """A phrase for two different values that look the same: both as `text`."""
    if isinstance(expected, float):  # NaN: no other float looks like another
        return f"is {text} on both sides, but {text} never equals {text}"
    if not isinstance(expected, str) or not isinstance(actual, str):
        return "differs in a part that is too long to show"
    pairs = enumerate(zip(expected, actual, strict=False))
    first = next((index for index, (char, other_char) in pairs if char != other_char), min(len(expected), len(actual)))
    ours, theirs = (_value_text(side[first:], with_kind=False) for side in (expected, actual))
    if ours == theirs or normalize("NFC", expected) == normalize("NFC", actual):
        return f"is {text} on both sides, but with different characters that look the same"
    return f"differs from character {first + 1}: {ours} in the set and {theirs} in the recording"


def _value_text(value: Any, *, with_kind: bool) -> str:
    if value is ABSENT:
        return "absent"
    json_value = plain(value)
    # NaN and Infinity are strings in `plain`; here they need no quotes.
    is_word = isinstance(value, float) and isinstance(json_value, str)
    text = one_line(json_value if is_word else json.dumps(json_value, ensure_ascii=False), _VALUE)
    names_its_kind = value is None or isinstance(value, bool)
    return f"the {kind_of(value)} {text}" if with_kind and not names_its_kind else text
