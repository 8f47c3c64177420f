"""The recorded side of a turn or tool call, as lines beside the items of its form."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.turn import NOT_RECORDED
from evaltui.printable import one_line
from evaltui.review.compared_rows import ComparedRow, arguments_by_name, rows_of_turn
from evaltui.review.review_items import ComparedTurn
from evaltui.scoring.call_equality import ABSENT
from evaltui.tui.comparison.row_drawing import TextSides, first_name, recorded_call_line
from evaltui.tui.lines import NO_MARK, STATE_MARKS, Line, behind_start, value_text, wrap_runs

_MOST_CALLS = 100
_MOST_VALUE, _MOST_TEXT = 400, 4_000
"""Characters of an argument and of a text that are shown."""


class Beside(NamedTuple):
    """Lines beside an item of the form."""

    anchor: Hashable | None
    """The key or value of the item; `("heading", TEXT)` for a heading; None for lines that follow the previous ones."""
    lines: list[Line]
    row: ComparedRow | None = None
    """The part of the turn that differs and can be accepted here; None if nothing differs."""


def turn_beside(turn: ComparedTurn, calls: Sequence[Node | None], texts: TextSides, width: int) -> Iterator[Beside]:
    """The recorded turn beside the form of a turn; `calls` are the nodes of the expected tool calls."""
    rows, actual = rows_of_turn(turn), turn.scores.actual
    user, response = (next(row for row in rows if row.kind == kind) for kind in ("user", "response"))
    yield Beside(("heading", "User"), [[("User", "heading")]])
    yield Beside(("user_content", 0), _text_lines(user, texts, width))
    is_recorded = "calls" not in actual.unrecorded
    count = f"{len(actual.calls):,}" if is_recorded else NOT_RECORDED
    yield Beside(("heading", "Tool calls"), [[("Tool calls", "heading"), (f"  {count}", "dim")]])
    compared = [row for row in rows if row.kind == "call" and row.state != "unmarked"]
    differing: dict[str, set[str]] = {}
    for row in rows:
        if row.kind == "argument" and row.state not in ("matched", "unmarked"):
            differing.setdefault(row.parent, set()).add(first_name(row))
    for row in compared[:_MOST_CALLS]:
        call = calls[row.place.call] if row.place is not None and row.place.call is not None else None
        yield Beside(call, _call_lines(row, width, differing.get(row.key, ())), row if _can_accept(row) else None)
    if len(compared) > _MOST_CALLS:
        yield Beside(None, [[(f"  … {len(compared) - _MOST_CALLS:,} more calls", "dim")]])
    yield Beside(("heading", "Expected response"), [[("Actual response", "heading")]])
    lines = _text_lines(response, texts, width)
    yield Beside(("final_response", 0), lines, response if _can_accept(response) else None)


def call_beside(turn: ComparedTurn, index: int, call: Node, texts: TextSides, width: int) -> Iterator[Beside]:
    """The recorded tool call beside the form of the expected call with an index."""
    rows = rows_of_turn(turn)
    row = next(row for row in rows if row.kind == "call" and row.place is not None and row.place.call == index)
    about = row if _can_accept(row) else None
    if row.state == "unmarked":
        yield Beside("name", [[NO_MARK, (NOT_RECORDED, "dim")]])
        return
    if row.actual is ABSENT:
        yield Beside("name", [[STATE_MARKS["missing"], ("not called in the recording", "")]], about)
        return
    number = (row.place.actual_call or 0) + 1 if row.place is not None else 0
    moved = f"  call {number} of the recording" if row.state == "moved" else ""
    name = one_line(row.actual.name or "", 60)
    yield Beside("name", [[STATE_MARKS[row.state], (name, "name"), (moved, "dim")]], about)
    count = len(row.actual.args or {})
    remark = NOT_RECORDED if not row.actual.has_args else str(count) if row.actual.args is not None else "absent"
    yield Beside(("heading", "Arguments"), [[("Arguments", "heading"), (f"  {remark}", "dim")]])
    args = call.member("args")
    for argument in arguments_by_name(row, rows) if row.actual.has_args else ():
        has_field = argument.expected is not ABSENT and args is not None and args.kind == "object"
        field = args.member(first_name(argument)) if has_field and args is not None else None
        lines = _argument_lines(argument, texts, width)
        yield Beside(field, lines, argument if argument.state != "matched" else None)
    if row.actual.response is not None:
        yield Beside(("heading", "Response"), [[("Response", "heading"), ("  not compared", "dim")]])
        lines = wrap_runs([(value_text(row.actual.response, 2_000), "dim")], max(10, width - 3))
        yield Beside("response", behind_start([NO_MARK], lines))


def _can_accept(row: ComparedRow) -> bool:
    """Whether a row differs. Nobody can accept a call without its arguments."""
    lacks_arguments = row.kind == "call" and row.side == "actual" and not row.actual.has_args
    return row.state not in ("matched", "unmarked") and not lacks_arguments


def _text_lines(row: ComparedRow, texts: TextSides, width: int) -> list[Line]:
    """A recorded user message or response. Words that differ from the expected text are marked."""
    if row.note == NOT_RECORDED:
        return [[NO_MARK, (NOT_RECORDED, "dim")]]
    if not row.actual:
        return [[STATE_MARKS["missing"] if row.expected else NO_MARK, ("no text", "dim")]]
    # Beside an empty text, every word would be marked.
    runs = texts.actual(row.expected or row.actual, row.actual, _MOST_TEXT)
    lines = [line for paragraph in runs for line in wrap_runs(paragraph, max(10, width - 3))]
    mark = NO_MARK if row.kind == "user" and row.state == "matched" else STATE_MARKS[row.state]
    lines = behind_start([mark], lines)
    more: Line = [(f"  … {len(row.actual):,} characters in all", "dim")]
    return [*lines, more] if len(row.actual) > _MOST_TEXT else lines


def _call_lines(row: ComparedRow, width: int, differing: Collection[str]) -> list[Line]:
    """A recorded call with all its arguments; the values of `differing` arguments are marked."""
    if row.actual is ABSENT:
        return [[STATE_MARKS["missing"], (row.note, "dim")]]
    line = recorded_call_line(row.actual, most=len(row.actual.args or {}))
    if row.state != "extra":
        for number, name in enumerate(row.actual.args or {}):
            if name in differing:  # behind the name of the call, an argument is two runs: name and value
                line[2 * number + 2] = line[2 * number + 2][0], "differs"
    return _marked(row, [*line, (f"  {row.note}" if row.note else "", "dim")], width)


def _argument_lines(row: ComparedRow, texts: TextSides, width: int) -> list[Line]:
    """A recorded argument; one that was not expected with its name, as the form has no line for it."""
    if row.actual is ABSENT:
        return [[STATE_MARKS["missing"], (row.note, "dim")]]
    text, line = value_text(row.actual, _MOST_VALUE), [(f"{one_line(first_name(row), 24)}=", "dim")]
    if row.expected is ABSENT:
        line.append((text, ""))
    elif row.state != "matched" and isinstance(row.expected, str) and isinstance(row.actual, str):
        line = texts.actual(value_text(row.expected, _MOST_VALUE), text, _MOST_VALUE)[0]
    else:
        line = [(text, "" if row.state == "matched" else "differs")]
    return _marked(row, [*line, (f"  {row.note}" if row.note else "", "dim")], width)


def _marked(row: ComparedRow, line: Line, width: int) -> list[Line]:
    return behind_start([STATE_MARKS.get(row.state, NO_MARK)], wrap_runs(line, max(10, width - 3)))
