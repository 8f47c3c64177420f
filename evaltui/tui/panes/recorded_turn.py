"""A recorded turn or tool call as lines beside the items of a form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.turn import NOT_RECORDED, TurnCall
from evaltui.printable import one_line
from evaltui.review.text_difference import text_difference
from evaltui.scoring.call_alignment import Row, align_calls
from evaltui.scoring.call_equality import ABSENT, ArgumentDifference
from evaltui.scoring.results import TurnScores
from evaltui.tui.comparison.row_drawing import recorded_call_line
from evaltui.tui.forms.form import Heading, Item, Link, Note, Stop, WhySubject
from evaltui.tui.lines import NO_MARK, STATE_MARKS, Line, Run, behind_start, paragraphs, value_text, wrap_runs

_NAME, _WHOLE_VALUE = 60, 400
"""Most characters of a name, and of a value on its own lines."""
_MOST_TEXT, _MOST_COMPARED = 4_000, 20_000
"""Most characters shown of a text, and of two texts compared by word, which takes 10 ms."""
_MOST_ROWS = 100
_ARGUMENT_SAID = {"type_differs": "type differs"}


class Beside(NamedTuple):
    """Lines beside an item of the form."""

    anchor: Hashable | None
    """The key or value of the item; `("heading", TEXT)` for a heading; None for lines that follow the previous ones."""
    lines: list[Line]
    subject: WhySubject | None = None
    """The part of the turn that differs and can be accepted here; None if nothing differs."""


def turn_beside(turn: TurnScores, calls: Sequence[Node | None], width: int) -> list[Beside]:
    """The recorded turn beside the form of a turn; `calls` are the nodes of the expected tool calls."""
    expected, actual = turn.expected, turn.actual
    found = [
        Beside(("heading", "User"), [[("User", "heading")]]),
        Beside(("user_content", 0), _side(turn, "user_text", width)),
    ]
    tells_calls = "calls" not in actual.unrecorded
    count = f"{len(actual.calls):,}" if tells_calls else NOT_RECORDED
    found.append(Beside(("heading", "Tool calls"), [[("Tool calls", "heading"), (f"  {count}", "dim")]]))
    rows = align_calls(expected.calls, actual.calls) if tells_calls else ()
    for row in rows[:_MOST_ROWS]:
        at = calls[row.expected] if row.expected is not None else None
        found.append(Beside(at, _call(row, turn, width), _subject_of(row, turn)))
    if len(rows) > _MOST_ROWS:
        found.append(Beside(None, [[(f"  … {len(rows) - _MOST_ROWS:,} more calls", "dim")]]))
    found.append(Beside(("heading", "Expected response"), [[("Actual response", "heading")]]))
    differs = expected.response != actual.response and "response" not in actual.unrecorded
    response = WhySubject(is_response=True) if differs else None
    return [*found, Beside(("final_response", 0), _side(turn, "response", width), response)]


def call_beside(turn: TurnScores, place: int, call: Node, width: int) -> list[Beside]:
    """The recorded tool call beside the form of the expected call with the index `place`."""
    if "calls" in turn.actual.unrecorded:
        return [Beside("name", [_unrecorded()])]
    row = next(each for each in align_calls(turn.expected.calls, turn.actual.calls) if each.expected == place)
    about = _subject_of(row, turn)
    if row.actual is None:
        return [Beside("name", [[STATE_MARKS["missing"], ("not called in the recording", "")]], about)]
    made = turn.actual.calls[row.actual]
    moved = f"  call {row.actual + 1} of the recording" if row.state == "moved" else ""
    found = [
        Beside("name", [[STATE_MARKS[row.state], (one_line(made.name or "", _NAME), "name"), (moved, "dim")]], about)
    ]
    found += _arguments(row, turn.expected.calls[place], made, call.member("args"), width)
    if made.response is not None:
        said: Line = [("Response", "heading"), ("  not compared", "dim")]
        shown = _marked(NO_MARK, [(value_text(made.response, 2_000), "dim")], width)
        found += [Beside(("heading", "Response"), [said]), Beside("response", shown)]
    return found


class ItemPlaces:
    """The items of a form, by key and by value."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._places: dict[Hashable, int] = {}
        for number, item in enumerate(items):
            if isinstance(item, Heading):
                self._places.setdefault(("heading", item.text), number)
            elif isinstance(item, Stop):
                self._places.setdefault(item.key, number)
                for node in (item.node, item.target if isinstance(item, Link) else None):
                    if node is not None:
                        self._places.setdefault(node, number)

    def gathered(self, items: Sequence[Item], found: Sequence[Beside]) -> dict[int, list[Beside]]:
        """The lines beside each item, by its index; lines without an item follow the previous ones."""
        gathered: dict[int, list[Beside]] = {}
        at = 0
        for each in found:
            place = self._places.get(each.anchor) if each.anchor is not None else None
            if place is not None:
                at = max(at, place)
            elif isinstance(items[at], Heading) and at + 1 < len(items) and isinstance(items[at + 1], Note):
                at += 1  # the first recorded call takes the place of the line that says that there are none
            gathered.setdefault(at, []).append(each)
        return gathered


def _subject_of(row: Row, turn: TurnScores) -> WhySubject | None:
    """The call of a row, if it differs."""
    if row.state == "matched" or (row.actual is not None and not turn.actual.calls[row.actual].has_args):
        return None
    gone = turn.expected.calls[row.expected] if row.actual is None and row.expected is not None else None
    return WhySubject(actual_call=row.actual, expected_call=row.expected, call=gone)


# --- calls -----------------------------------------------------------------------------------------------------


def _call(row: Row, turn: TurnScores, width: int) -> list[Line]:
    said = row.remark
    if row.actual is None:
        return [[STATE_MARKS["missing"], (said, "dim")]]
    differing = {_first_name(each.pointer) for each in row.arguments or () if each.state != "equal"}
    line = _call_line(turn.actual.calls[row.actual], differing if row.state != "extra" else set())
    return _marked(STATE_MARKS[row.state], [*line, (f"  {said}" if said else "", "dim")], width)


def _call_line(call: TurnCall, differing: set[str]) -> Line:
    """A recorded call with all its arguments; the values of `differing` arguments are marked."""
    line = recorded_call_line(call, most=len(call.args or {}))
    names = list(call.args or {})
    # Behind the name of the call, each argument is a name and a value.
    for position, name in enumerate(names):
        if name in differing:
            line[2 * position + 2] = line[2 * position + 2][0], "differs"
    return line


def _arguments(row: Row, ours: TurnCall, theirs: TurnCall, args: Node | None, width: int) -> Iterator[Beside]:
    """The recorded arguments beside those of the form, then the unexpected ones."""
    count = len(theirs.args or {})
    remark = NOT_RECORDED if not theirs.has_args else str(count) if theirs.args is not None else "absent"
    yield Beside(("heading", "Arguments"), [[("Arguments", "heading"), (f"  {remark}", "dim")]])
    if not theirs.has_args:
        return
    differing: dict[str, ArgumentDifference] = {}
    for each in row.arguments or ():
        if each.state != "equal":
            differing.setdefault(_first_name(each.pointer), each)
    recorded = theirs.args or {}
    for name in ours.args or {}:
        node = args.member(name) if args is not None and args.kind == "object" else None
        found = differing.get(name)
        about = WhySubject(actual_call=row.actual, pointer=f"/{escape(name)}") if found is not None else None
        if name not in recorded:
            yield Beside(node, [[STATE_MARKS["missing"], ("not given", "dim")]], about)
            continue
        said = _ARGUMENT_SAID.get(found.state, "") if found is not None and found.pointer.count("/") == 1 else ""
        mark = STATE_MARKS["matched" if found is None else "arguments_differ"]
        shown = _value(ours.args.get(name, ABSENT) if ours.args else ABSENT, recorded[name], is_equal=found is None)
        yield Beside(node, _marked(mark, [*shown, (f"  {said}" if said else "", "dim")], width), about)
    for name, value in recorded.items():
        if name not in (ours.args or {}):
            line: Line = [(f"{one_line(name, 24)}=", "dim"), (value_text(value, _WHOLE_VALUE), "")]
            about = WhySubject(actual_call=row.actual, pointer=f"/{escape(name)}")
            yield Beside(None, _marked(STATE_MARKS["extra"], [*line, ("  not expected", "dim")], width), about)


def _value(ours: Any, theirs: Any, *, is_equal: bool) -> Line:
    shown = value_text(theirs, _WHOLE_VALUE)
    if is_equal:
        return [(shown, "")]
    if isinstance(ours, str) and isinstance(theirs, str):
        runs = text_difference(value_text(ours, _WHOLE_VALUE), shown).actual
        return [(run.text, "" if run.is_shared else "differs") for run in runs]
    return [(shown, "differs")]


def _first_name(pointer: str) -> str:
    """The name of the argument around the value at a pointer."""
    return pointer.removeprefix("/").partition("/")[0].replace("~1", "/").replace("~0", "~")


# --- texts -----------------------------------------------------------------------------------------------------


def _side(turn: TurnScores, part: Literal["user_text", "response"], width: int) -> list[Line]:
    """The recorded user message or response, compared with the expected one."""
    if part in turn.actual.unrecorded:
        return [_unrecorded()]
    ours, theirs = getattr(turn.expected, part), getattr(turn.actual, part)
    return _text(ours, theirs, width, is_quiet=part == "user_text")


def _unrecorded() -> Line:
    return [NO_MARK, (NOT_RECORDED, "dim")]


def _text(ours: str, theirs: str, width: int, *, is_quiet: bool = False) -> list[Line]:
    """A recorded text with marks on words that differ from the expected text; `is_quiet`: none if they are equal."""
    if not theirs:
        return [[STATE_MARKS["missing"] if ours else NO_MARK, ("no text", "dim")]]
    mark = STATE_MARKS["matched" if ours == theirs else "arguments_differ" if ours else "extra"]
    lines: list[Line] = []
    for paragraph in _paragraphs(ours, theirs):
        lines += _marked(NO_MARK, paragraph, width)
    if len(theirs) > _MOST_TEXT:
        lines.append([(f"  … {len(theirs):,} characters in all", "dim")])
    if not (is_quiet and ours == theirs):
        lines[0] = [mark, *lines[0][1:]]
    return lines


def _paragraphs(ours: str, theirs: str) -> list[Line]:
    is_compared = bool(ours) and ours != theirs and len(ours) + len(theirs) <= _MOST_COMPARED
    runs = text_difference(ours, theirs).actual if is_compared else ()
    shown: Line = []
    room = _MOST_TEXT
    for text, role in [(run.text, "" if run.is_shared else "differs") for run in runs] or [(theirs, "")]:
        shown.append((text[:room], role))
        room -= len(text)
        if room <= 0:
            break
    return paragraphs(shown)


def _marked(mark: Run, line: Line, width: int) -> list[Line]:
    """A mark and a wrapped line."""
    return behind_start([mark], wrap_runs(line, max(10, width - 3)))
