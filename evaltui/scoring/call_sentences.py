"""Sentences about the tool calls that make a turn fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line, printable
from evaltui.scoring.alignment import Calls, Row
from evaltui.scoring.argument_differences import difference_text

Often = tuple[Mapping[str, int], Mapping[str, int]]
"""How many times each tool is expected, and how many times it is called."""

_NAME = 60
"""The most characters of a name that are shown."""
_ARGUMENTS = 3
"""The most arguments of one call, or tools in one sentence, that are named."""
_SENTENCES = 3
"""The most sentences on one kind of fault."""

T = TypeVar("T")


def sentences_on_calls(expected: Calls, actual: Calls, rows: Sequence[Row], match_type: str) -> tuple[str, ...]:
    """The faults of the actual calls, each a sentence without its full stop; `rows` align both sides."""
    if not expected and actual:
        return (f"the case expects no tool calls in this turn, but the agent calls {_names(actual)}",)
    if expected and not actual:
        return (f"the agent calls no tool; expected: {_names(expected)}", *_inside_a_model(expected))
    often = Counter(map(_name, expected)), Counter(map(_name, actual))
    missing = [expected[row.expected] for row in rows if row.state == "missing" and row.expected is not None]
    extra = [actual[row.actual] for row in rows if row.state == "extra" and row.actual is not None]
    differing = [row for row in rows if row.arguments is not None]
    moved = [row for row in rows if row.state == "moved"] if match_type != "ANY_ORDER" else []
    return (
        *_first(lambda each: _on_missing(each, often), _counted(missing), "tool", "expected but not called"),
        *_inside_a_model(missing),
        *_first(lambda row: _on_arguments(row, expected, actual), differing, "call", "made with other arguments"),
        *_first(lambda row: _on_order(row, rows, expected), moved, "call", "out of order"),
        *_first(
            lambda each: _on_extra(each, often),
            _counted(extra) if match_type == "EXACT" else [],
            "tool",
            "called but not expected",
        ),
    )


def _first(say: Callable[[T], str], each: Sequence[T], what: str, fault: str) -> Iterator[str]:
    """A sentence for each of the first few items, and a sentence with the number of the others."""
    yield from dict.fromkeys(map(say, each[:_SENTENCES]))
    if (more := len(each) - _SENTENCES) > 0:
        yield f"{more} more {what}{' is' if more == 1 else 's are'} {fault}"


def _on_missing(counted: tuple[str, int], often: Often) -> str:
    name, count = counted
    wanted, called = (side[name] for side in often)
    if 0 < called < wanted:
        return f"{name} is called {_how_often(called)}, expected {_how_often(wanted)}"
    return f"{name} is expected{_times(count)} but not called"


def _on_extra(counted: tuple[str, int], often: Often) -> str:
    name, count = counted
    wanted, called = (side[name] for side in often)
    if 0 < wanted < called:
        return f"{name} is called {_how_often(called)}, expected {_how_often(wanted)}"
    return f"{name} is called{_times(count)} but not expected"


def _on_arguments(row: Row, expected: Calls, actual: Calls) -> str:
    assert row.expected is not None
    assert row.actual is not None
    name, ours, theirs = _name(expected[row.expected]), expected[row.expected].args, actual[row.actual].args
    differing = [each for each in row.arguments or () if each.state != "equal"]
    if not differing:
        sides = [f"{'no args' if args is None else 'args {}'}" for args in (ours, theirs)]
        found = f"{name} has {sides[0]} in the set and {sides[1]} in the recording"
        return f"{found}; google-adk treats these as different"
    said = [difference_text(each) for each in differing[:_ARGUMENTS]]
    more = len(differing) - len(said)
    return f"{name}: {', '.join(said)}{f' and {more} more' if more else ''}"


def _on_order(row: Row, rows: Sequence[Row], expected: Calls) -> str:
    """Name the nearest call of another tool that has changed sides with this call."""
    assert row.expected is not None
    assert row.actual is not None
    name, is_among_its_own = _name(expected[row.expected]), False
    for other in sorted(
        (each for each in rows if each.state in ("matched", "arguments_differ")),
        key=lambda each: abs((each.expected or 0) - (row.expected or 0)),
    ):
        assert other.expected is not None
        assert other.actual is not None
        if _name(expected[other.expected]) == name:
            is_among_its_own = True
            continue
        if (row.expected < other.expected) != (row.actual < other.actual):
            called, wanted = ("before", "after") if row.actual < other.actual else ("after", "before")
            return f"{name} is called {called} {_name(expected[other.expected])}, expected {wanted}"
    if is_among_its_own:
        return f"the calls of {name} are in another order than expected"
    return f"{name} is called in another place than expected"


def _inside_a_model(missing: Calls) -> Iterator[str]:
    if any(call.name == "google_search" for call in missing):
        yield "google_search runs inside the model and is never in a recording: delete this call from the set"


def _counted(calls: Calls) -> list[tuple[str, int]]:
    return [*Counter(map(_name, calls)).items()]


def _names(calls: Calls) -> str:
    names = [name if count == 1 else f"{name} ({count} times)" for name, count in _counted(calls)]
    shown = names[:_ARGUMENTS]
    more = len(names) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"


def _how_often(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _name(call: TurnCall) -> str:
    name = one_line(call.name or "", _NAME)
    if call.name and call.name != call.name.strip():
        return f'"{printable(call.name[:_NAME])}"'
    return name or "a tool without a name"
