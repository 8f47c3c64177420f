"""Draws rows in lines of a width: both sides for the review, one line for Why. In texts, differing words are marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.evalset.turn import NOT_RECORDED, TurnCall
from evaltui.printable import one_line
from evaltui.review.compared_rows import ComparedRow
from evaltui.review.text_difference import TextDifference, folded, text_difference
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.words import TextRun
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.row_list import ListDrawing
from evaltui.tui.lines import (
    FILL,
    NO_MARK,
    STATE_MARKS,
    Line,
    Run,
    behind_start,
    call_line,
    cells_of,
    paragraphs,
    value_text,
    wrap_runs,
)

if TYPE_CHECKING:
    from evaltui.tui.review.review_queue import QueueEntry

TWO_COLUMNS = 100
"""The least width, in cells, at which each side has its own column."""
_BAR: Run = (" │ ", "dim")
_INNER: Run = ("    ", "")
"""Room where the rows around have a mark and an indent."""
_LEAST = 8
"""The least width of a side, in cells."""
_EMPTY = {"user": "no user message", "response": "no response"}
"""The words in the place of an empty text."""
_MOST_ARGUMENTS = 200
"""The most rows of arguments of one call."""
_LONG, _LONGEST = 200, 100_000
"""Characters of a value that are shown while it is folded, and unfolded."""
_NAME = 40
"""The most characters of the path of an argument."""
_AROUND = 25
"""Words that are shown on each side of a difference in a folded text."""
_MOST_FOLDED = 1_200
"""The most characters of a side that are shown while a text is folded."""
Lines = list[Line]
"""Paragraphs of one side, to be wrapped."""
_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", list: "list", dict: "object"}


class TextRow(NamedTuple):
    """A row for reading at full width, such as a remark or a line of the summary."""

    text: str
    mark: Run = NO_MARK
    role: str = ""
    goal: QueueEntry | None = None
    """The entry that the row leads to."""
    changes: tuple[()] = ()
    """Nothing to accept."""

    @property
    def key(self) -> str:
        """Its text: rows with the same text look alike."""
        return self.text


Row = ComparedRow | TextRow


class _Drawn(NamedTuple):
    """A row before it is wrapped."""

    mark: Run
    left: Lines
    right: Lines
    note: str = ""
    is_cut: bool = False
    """Whether a part of a text or value is not shown."""


class RowDrawing(ListDrawing[Row]):
    """Draws both sides of a turn. The cursor stops at rows that can be accepted, unfolded or followed."""

    stops_everywhere = False

    def __init__(self, texts: TextSides) -> None:
        super().__init__()
        self._texts = texts
        self._parents: set[str] = set()
        self._drawn: dict[str, _Drawn] = {}

    # --- folds ---------------------------------------------------------------------------------------------------

    def visible(self, rows: Sequence[Row]) -> list[Row]:
        """The rows to show: those in folded rows are left out, except arguments that differ."""
        self._drawn.clear()
        self._parents = {row.parent for row in rows if isinstance(row, ComparedRow) and row.parent}
        # Nobody should accept a turn without seeing it, so a turn that one side lacks starts open.
        turns = {row.key for row in rows if isinstance(row, ComparedRow) and row.kind == "turn"}
        opened = turns ^ self.toggled
        shown: list[Row] = []
        arguments: Counter[str] = Counter()
        for row in rows:
            if isinstance(row, ComparedRow) and row.parent:
                is_compared = row.kind == "argument" and row.state != "unmarked"
                if row.parent not in opened and not (is_compared and row.state != "matched"):
                    continue
                arguments[row.parent] += is_compared
                if is_compared and arguments[row.parent] > _MOST_ARGUMENTS:
                    continue
            shown.append(row)
        for call in (call for call, count in arguments.items() if count > _MOST_ARGUMENTS):
            last = max(index for index, row in enumerate(shown) if isinstance(row, ComparedRow) and row.parent == call)
            more = f"… {arguments[call] - _MOST_ARGUMENTS:,} more arguments; press {key_of('review.json')} to show all"
            shown.insert(last + 1, TextRow(more, _INNER, "dim"))
        return shown

    def stops_at(self, row: Row) -> bool:
        """Whether a row can be accepted, unfolded or followed."""
        return bool(row.changes) or self.can_fold(row) or (isinstance(row, TextRow) and row.goal is not None)

    def differs(self, row: Row) -> bool:
        """Whether something of a row can be accepted."""
        return bool(row.changes)

    def can_fold(self, row: Row) -> bool:
        """Whether a row has more to show, or less."""
        if isinstance(row, TextRow) or row.kind == "heading":
            return False
        return row.kind == "json" or row.key in self._parents or self.is_open(row) or self._draw(row).is_cut

    # --- both sides ----------------------------------------------------------------------------------------------

    def lines(self, row: Row, width: int) -> list[Line]:
        """The lines of a row. In a narrow view, the actual side is below the expected one."""
        if isinstance(row, TextRow):
            room = max(_LEAST, width - 1 - len(row.mark[0]))
            return behind_start([row.mark], wrap_runs([(row.text, row.role)], room))
        drawn = self._draw(row)
        is_wide = width >= TWO_COLUMNS and row.kind != "heading"
        return _in_columns(drawn, column_width(width)) if is_wide else _stacked(drawn, width - 1)

    def _draw(self, row: ComparedRow) -> _Drawn:
        if (drawn := self._drawn.get(row.key)) is None:
            drawn = self._drawn[row.key] = self._draw_anew(row)
        return drawn

    def _draw_anew(self, row: ComparedRow) -> _Drawn:
        mark = STATE_MARKS.get(row.state, NO_MARK)
        note = "no expected value yet" if {change.kind for change in row.changes} == {"fill"} else row.note
        match row.kind:
            case "heading":
                return _Drawn(NO_MARK, [[(row.expected, "heading")]], [])
            case "turn":
                name: Run = (f"{row.key}  ", "name")
                return _Drawn(mark, *_sides(row, lambda turn: [name, (one_line(turn.user_text, 200), "")]), note)
            case "call" if row.expected is row.actual:  # no calls in the recording, or not recorded
                text = row.note if row.changes else f"tool calls {row.note}"
                return _Drawn(NO_MARK, [], [[(text, "dim")]], note if row.changes else "")
            case "call":
                left, right = _sides(row, recorded_call_line)
                if row.state == "moved" and row.place and row.place.call is not None:
                    left = [[(f"{row.place.call + 1}. ", "dim"), *left[0]]]
                    right = [[(f"{(row.place.actual_call or 0) + 1}. ", "dim"), *right[0]]]
                return _Drawn(mark, left, right, note)
            case "argument":
                return self._draw_argument(row)
            case "tool response":
                sides = _sides(row, lambda value: [(f"tool response  {value_text(value, 2_000)}", "dim")])
                return _Drawn(_INNER, *sides, note)
            case "part":
                sides = _sides(row, lambda part: [(one_line(part.description, 100), ""), (f"  {part.digest}", "dim")])
                return _Drawn(NO_MARK, *sides, note)
        return self._draw_text(row, note)

    def _draw_argument(self, row: ComparedRow) -> _Drawn:
        name, is_open = argument_name(row.pointer), self.is_open(row)
        sign, role = STATE_MARKS.get(row.state, NO_MARK)
        mark: Run = f"  {sign}", role
        if row.state == "unmarked":
            return _Drawn(mark, *_sides(row, lambda value: _argument_line(name, value, _LONG)))
        expected, actual = row.expected, row.actual
        if isinstance(expected, str) and isinstance(actual, str) and max(len(expected), len(actual)) > _LONG:
            left, right, is_cut = self._texts.both(expected, actual, is_open=is_open)
            label: Line = [(f"{name}:", "dim")]
            return _Drawn(mark, [label, *left], [label, *right], row.note, is_cut)
        most = _LONGEST if is_open else _LONG
        is_cut = any(len(value_text(side, _LONGEST)) > _LONG for side in (expected, actual) if side is not ABSENT)
        return _Drawn(mark, *_sides(row, lambda value: _argument_line(name, value, most)), row.note, is_cut)

    def _draw_text(self, row: ComparedRow, note: str) -> _Drawn:
        expected, actual = (side if side is not ABSENT else None for side in (row.expected, row.actual))
        is_open, is_recorded = row.kind == "json" or self.is_open(row), row.note != NOT_RECORDED
        empty, compared = _EMPTY.get(row.kind, ""), actual if is_recorded else expected
        left, right, is_cut = self._texts.both(expected, compared, is_open=is_open, empty=empty)
        if not is_recorded:
            right, note = [[(NOT_RECORDED, "dim")]], ""
        if note and not expected:
            left = []  # the note fills the column
        # Metrics do not compare user messages, and equal texts need no mark.
        has_mark = row.kind != "user" and row.state != "matched"
        return _Drawn(STATE_MARKS.get(row.state, NO_MARK) if has_mark else NO_MARK, left, right, note, is_cut)


def _sides(row: ComparedRow, draw: Callable[[Any], Line]) -> tuple[Lines, Lines]:
    left, right = ([draw(side)] if side is not ABSENT else [] for side in (row.expected, row.actual))
    return left, right


# --- one value -----------------------------------------------------------------------------------------------------


def recorded_call_line(call: TurnCall, width: int = 40, *, most: int = 8) -> Line:
    """A tool call that was read from a file; `width` is the most characters of an argument."""
    if not call.has_args:
        return [*call_line(call.name or "", ()), (f"  arguments {NOT_RECORDED}", "dim")]
    if call.args is None:
        return call_line(call.name or "", None)
    arguments = ((name, [(value_text(value, width), "")]) for name, value in call.args.items())
    return call_line(call.name or "", arguments, len(call.args), most=most)


def argument_name(pointer: str) -> str:
    """The path of an argument as shown: `y/2/z` for the pointer `/y/2/z`."""
    return one_line(pointer[1:].replace("~1", "/").replace("~0", "~"), _NAME) or '""'


def _argument_line(name: str, value: Any, width: int) -> Line:
    return [(f"{name}=", "dim"), (value_text(value, width), "")]


# --- one line, for Why -----------------------------------------------------------------------------------------------


def one_line_of(row: ComparedRow) -> Line:
    """A call, or an argument with both values and their types: a string and a number can look alike."""
    note: Line = [("", FILL), (f"  {row.note} ", "dim")] if row.note else []
    if row.kind == "call":
        call = row.expected if row.expected is not ABSENT else row.actual
        if call is ABSENT:
            return [("      ", ""), (row.note, "dim")]
        return [("    ", ""), STATE_MARKS.get(row.state, NO_MARK), *recorded_call_line(call, 30), *note]
    line: Line = [("        ", ""), (f"{one_line(row.pointer[1:], _NAME) or 'args'}  ", "dim")]
    sides = [
        ("null" if side is None else f"{value_text(side, 60)} ({_TYPES.get(type(side), 'value')})", "")
        for side in (row.expected, row.actual)
        if side is not ABSENT
    ]
    line += [sides[0], (" → ", "dim"), sides[1]] if len(sides) == 2 else sides
    return [*line, ("", FILL), ("  is missing ", "dim")] if row.state == "missing" else [*line, *note]


def first_name(row: ComparedRow) -> str:
    """The name of the argument around the value of a row."""
    return row.pointer[1:].partition("/")[0].replace("~1", "/").replace("~0", "~")


# --- sides in columns, or one above the other ----------------------------------------------------------------------


def column_width(width: int) -> int:
    """Cells of each column in a view of `width` cells, of which the cursor takes the first."""
    return (width - 1 - len(_BAR[0])) // 2


def _in_columns(drawn: _Drawn, width: int) -> list[Line]:
    mark, note = drawn.mark, drawn.note
    room = max(_LEAST, width - len(mark[0]))
    left, right = ([line for text in side for line in wrap_runs(text, room)] for side in (drawn.left, drawn.right))
    if note and left and right:
        right = _with_note(right, note, room)
    elif note:  # in the empty column
        left, right = left or [[(note, "dim")]], right or [[(note, "dim")]]
    # The right column has no mark, but an argument is indented there too.
    indent: Line = [(" " * (len(mark[0]) - 2), "")] if len(mark[0]) > 2 else []
    blank: Line = []
    lines = [
        [*expected, (" " * max(0, room - cells_of(expected)), ""), _BAR, *(indent if actual else []), *actual]
        for expected, actual in zip_longest(left, right, fillvalue=blank)
    ]
    return behind_start([mark], lines)


def _stacked(drawn: _Drawn, width: int) -> list[Line]:
    room = max(_LEAST, width - len(drawn.mark[0]))
    if drawn.left == drawn.right or not drawn.right:
        lines = [line for text in drawn.left or drawn.right for line in wrap_runs(text, room)]
        return behind_start([drawn.mark], _with_note(lines, drawn.note, room) if lines else lines)
    lines = []
    for label, side in zip(("expected  ", "actual    "), (drawn.left, drawn.right), strict=True):
        wrapped = [line for text in side for line in wrap_runs(text, room - len(label))]
        lines += behind_start([(label, "dim")], wrapped)
    return behind_start([drawn.mark], [*lines[:-1], *_with_note(lines[-1:], drawn.note, room)])


def _with_note(lines: list[Line], note: str, room: int) -> list[Line]:
    """The lines with a note at the right end of the first one, or below them if it has no room."""
    if not note:
        return lines
    end: Line = [("", FILL), (f"  {note} ", "dim")]
    has_room = cells_of(lines[0]) + cells_of(end) <= room
    return [[*lines[0], *end], *lines[1:]] if has_room else [*lines, end]


# --- two texts -------------------------------------------------------------------------------------------------------


class TextSides:
    """Compares texts, caches the differences, and makes the lines of both sides."""

    def __init__(self, app: BaseApp | None = None, redraw: Callable[[], object] = bool) -> None:
        """Without `app`, long texts are not compared. With it, a thread compares them and then calls `redraw`."""
        self._app, self._redraw = app, redraw
        self._differences: dict[tuple[str, str], TextDifference] = {}

    def difference(self, expected: str, actual: str) -> TextDifference:
        """The difference of two texts. Until that of long ones is ready, they count as equal."""
        texts = expected, actual
        if texts in self._differences:
            return self._differences[texts]
        while len(self._differences) >= 64:
            del self._differences[next(iter(self._differences))]
        is_short = len(expected) + len(actual) <= 20_000 or expected == actual  # at most 10 ms
        difference = text_difference(*texts) if is_short else (((expected, True),), ((actual, True),))
        self._differences[texts] = difference
        if self._app is not None and not is_short:

            def take(difference: TextDifference) -> None:
                self._differences[texts] = difference
                self._redraw()

            self._app.start_thread("texts", lambda: text_difference(*texts), take, self._app.note_fault)
        return difference

    def both(
        self, expected: str | None, actual: str | None, *, is_open: bool, empty: str = '""'
    ) -> tuple[Lines, Lines, bool]:
        """The lines of both sides, and whether a part is hidden. `empty` stands for an empty text, nothing for None."""
        difference = self.difference(expected or "", actual or "")
        sides = [_shown(runs, is_open=is_open) for runs in difference]
        left, right = (
            [] if text is None else paragraphs(runs) if text else [[(empty, "dim")]]
            for (runs, _), text in zip(sides, (expected, actual), strict=True)
        )
        return left, right, any(is_cut for _, is_cut in sides)

    def actual(self, expected: str, actual: str, most: int) -> Lines:
        """The first `most` characters of the actual side, unfolded."""
        start: list[Run] = []
        for run in self.difference(expected, actual)[1]:
            text, role = _marked(run)
            start += [(text[:most], role)] if most > 0 else []
            most -= len(text)
        return paragraphs(start)


def _marked(run: TextRun) -> Run:
    text, is_shared = run
    return text, "" if is_shared else "differs"


def _shown(runs: Sequence[TextRun], *, is_open: bool) -> tuple[list[Run], bool]:
    """The runs of a side with their roles, and whether something is left out."""
    if is_open:
        return [_marked(run) for run in runs], False
    shown: list[Run] = []
    is_cut, room = False, _MOST_FOLDED
    for run, hidden in folded(runs, _AROUND):
        text, role = _marked(run)
        if hidden:
            shown.append((f" … {hidden:,} more words … ", "dim"))
            is_cut = True
        else:
            shown.append((text[:room], role))
            if len(text) > room:
                return [*shown, (f" … {len(text) - room:,} more characters", "dim")], True
            room -= len(text)
    return shown, is_cut
