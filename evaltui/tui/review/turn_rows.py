"""The rows of one turn: user message, tool calls with their arguments, and response, expected beside actual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any

from evaltui.evalset.turn import NOT_RECORDED, TurnCall
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ComparedTurn
from evaltui.scoring.call_alignment import Row
from evaltui.scoring.call_equality import ABSENT, ArgumentDifference
from evaltui.tui.commands import key_of
from evaltui.tui.lines import NO_MARK, STATE_MARKS, value_text
from evaltui.tui.review.review_row import (
    INNER,
    Lines,
    ReviewRow,
    argument_lines,
    argument_name,
    call_lines,
    call_value,
)
from evaltui.tui.review.text_rows import TextRows, part_rows

_ARGUMENT_SAID = {"type_differs": "type differs", "missing": "not given", "extra": "not expected"}
_ARGUMENT_STATE = {"equal": "matched", "value_differs": "arguments_differ", "type_differs": "arguments_differ"}
_NO_VALUE = "no expected value yet"
_MOST_ARGUMENTS = 200
"""The most rows of arguments of one call."""
_LONG, _LONGEST = 200, 100_000
"""Characters of a value that are shown while it is folded, and unfolded."""


class TurnRows:
    """The rows of one turn on both sides."""

    def __init__(self, compared: ComparedTurn, texts: TextRows, key: str = "") -> None:
        """`key` begins the keys of all its rows."""
        self._compared, self._texts, self._key = compared, texts, key
        self._expected, self._actual = compared.scores.expected, compared.scores.actual

    def rows(self) -> Iterator[ReviewRow]:
        """Rows of the user message, of each call with its arguments, and of the response."""
        expected, actual = self._expected, self._actual
        is_told = "user_text" not in actual.unrecorded
        texts = expected.user_text, actual.user_text
        yield from self._texts.rows(f"{self._key}user", "User", *texts, is_quiet=True, is_recorded=is_told)
        yield from part_rows(f"{self._key}user", expected.user_parts, actual.user_parts)
        if "calls" in actual.unrecorded:
            yield unrecorded_calls(self._key)
            for at, call in enumerate(expected.calls):
                yield ReviewRow(f"{self._key}call -{at}", NO_MARK, call_lines(call))
        else:
            for row in self._compared.rows:
                yield from self._of_call(row)
            for change in self._compared.changes:
                if change.place.action == "no_calls":
                    told: Lines = ([(change.summary, "dim")],)
                    yield ReviewRow(f"{self._key}calls", NO_MARK, (), told, _NO_VALUE, (change,))
        yield from self._of_response()

    @cached_property
    def _changes(self) -> dict[tuple[int | None, int | None], list[ReviewChange]]:
        """The changes of each call, by its place on both sides."""
        found: dict[tuple[int | None, int | None], list[ReviewChange]] = {}
        for each in self._compared.changes:
            if each.place.action != "response":
                found.setdefault((each.place.call, each.place.actual_call), []).append(each)
        return found

    def _of_call(self, row: Row) -> Iterator[ReviewRow]:
        ours = self._expected.calls[row.expected] if row.expected is not None else None
        theirs = self._actual.calls[row.actual] if row.actual is not None else None
        key = f"{self._key}call {row.actual if row.actual is not None else f'-{row.expected}'}"
        changes = self._changes.get((row.expected, row.actual), [])
        kinds = {change.kind for change in changes}
        said = _NO_VALUE if kinds == {"fill"} else row.remark
        has_more = any(call is not None and (call.args or call.response is not None) for call in (ours, theirs))
        is_open = key in self._texts.opened
        yield ReviewRow(
            key,
            STATE_MARKS[row.state],
            call_lines(ours, _number(row, row.expected)),
            call_lines(theirs, _number(row, row.actual)),
            said,
            tuple(changes),
            is_open if has_more else None,
            values=(call_value(ours), call_value(theirs)),
            place=self._compared.place._replace(action="arguments", call=row.expected) if ours is not None else None,
        )
        shown = [each for each in row.arguments or () if each.state != "equal" or is_open]
        by_pointer = {each.place.pointer: each for each in changes if each.place.action in ("argument", "arguments")}
        for difference in shown[:_MOST_ARGUMENTS]:
            yield self._of_argument(key, row, difference, by_pointer)
        if len(shown) > _MOST_ARGUMENTS:
            more = f"… {len(shown) - _MOST_ARGUMENTS:,} more arguments; press {key_of('review.json')} to show all"
            yield ReviewRow(f"{key} more", INNER, ([(more, "dim")],))
        if is_open:
            if row.arguments is None:
                yield from _all_arguments(key, ours, theirs)
            yield from _responses(key, ours, theirs)

    def _of_argument(
        self, key: str, row: Row, difference: ArgumentDifference, changes: Mapping[str, ReviewChange]
    ) -> ReviewRow:
        """The row of a difference. `changes` has the pointer of each change as key, "" for all arguments."""
        pointer = difference.pointer
        ways = accumulate(pointer.split("/"), lambda way, part: f"{way}/{part}")
        accepting = tuple(changes[way] for way in ways if way in changes)
        row_key = f"{key}{pointer}"
        is_open = row_key in self._texts.opened
        ours, theirs, is_cut = self._argument_sides(difference, is_open=is_open)
        mark, role = STATE_MARKS[_ARGUMENT_STATE.get(difference.state, difference.state)]
        place = self._compared.place._replace(action="argument", call=row.expected, pointer=pointer) if ours else None
        return ReviewRow(
            row_key,
            (f"  {mark}", role),
            ours,
            theirs,
            _ARGUMENT_SAID.get(difference.state, ""),
            accepting if difference.state != "equal" else (),
            is_open if is_cut or is_open else None,
            values=(difference.expected, difference.actual),
            place=place,
        )

    def _argument_sides(self, difference: ArgumentDifference, *, is_open: bool) -> tuple[Lines, Lines, bool]:
        """The lines of both values, with marked words in texts, and whether anything is cut."""
        one, other = difference.expected, difference.actual
        if isinstance(one, str) and isinstance(other, str) and max(len(one), len(other)) > _LONG:
            left, right, is_cut = self._texts.sides(one, other, is_open=is_open)
            name: Lines = ([(f"{argument_name(difference.pointer)}:", "dim")],)
            return (*name, *left), (*name, *right), is_cut
        width = _LONGEST if is_open else _LONG
        ours, theirs = (
            argument_lines(difference.pointer, value, width) if value is not ABSENT else () for value in (one, other)
        )
        is_cut = any(len(value_text(value, _LONGEST)) > _LONG for value in (one, other) if value is not ABSENT)
        return ours, theirs, is_cut

    def _of_response(self) -> Iterator[ReviewRow]:
        changes = tuple(each for each in self._compared.changes if each.place.action == "response")
        ours, theirs = self._expected.response, self._actual.response
        said = _NO_VALUE if changes and changes[0].kind == "fill" else ""
        key, place = f"{self._key}response", self._compared.place
        is_told = "response" not in self._actual.unrecorded
        yield from self._texts.rows(
            key, "Response", ours, theirs, changes=changes, said=said, place=place, is_recorded=is_told
        )
        yield from part_rows(key, self._expected.other_parts, self._actual.other_parts)


def unrecorded_calls(key: str) -> ReviewRow:
    """The row in the place of tool calls that the recording does not hold."""
    return ReviewRow(f"{key}calls", NO_MARK, (), ([(f"tool calls {NOT_RECORDED}", "dim")],))


def _number(row: Row, place: int | None) -> int | None:
    """The number of a moved call on its side, from 1; None for other calls."""
    return place + 1 if row.state == "moved" and place is not None else None


def _all_arguments(key: str, ours: TurnCall | None, theirs: TurnCall | None) -> Iterator[ReviewRow]:
    """A row for each argument of a call that matches or that only one side has."""
    call = ours or theirs
    for name, value in (call.args or {}).items() if call is not None else ():
        lines = argument_lines(f"/{name}", value)
        is_theirs = theirs is not None and theirs.has_args
        yield ReviewRow(f"{key}/{name}", INNER, lines if ours is not None else (), lines if is_theirs else ())


def _responses(key: str, ours: TurnCall | None, theirs: TurnCall | None) -> Iterator[ReviewRow]:
    """The responses of the tool, where either side has one."""
    responses = [call.response if call is not None else None for call in (ours, theirs)]
    if any(response is not None for response in responses):
        left, right = (_response_lines(each) for each in responses)
        yield ReviewRow(f"{key} response", INNER, left, right, "not compared")


def _response_lines(response: Any) -> Lines:
    return ([("tool response  ", "dim"), (value_text(response, 2_000), "dim")],) if response is not None else ()
