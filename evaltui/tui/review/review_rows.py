"""The rows of an item of a review: what was said, each call and argument, the response, expected beside actual."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.printable import one_line, printable
from evaltui.recordings.case_matches import Unmatched
from evaltui.review.review_change import Place, ReviewChange
from evaltui.review.review_item import ComparedTurn, ReviewItem
from evaltui.review.text_difference import TextRun, text_difference
from evaltui.review.text_folds import TextFold, folded
from evaltui.scoring.alignment import Row
from evaltui.scoring.argument_differences import ABSENT, ArgumentDifference
from evaltui.scoring.results import plain
from evaltui.tui.lines import Line, Run
from evaltui.tui.marks import NO_MARK, OF_STATE

_CALL_SAID = {"missing": "not called", "extra": "not expected", "moved": "elsewhere"}
_ARGUMENT_SAID = {"type_differs": "type differs", "missing": "not given", "extra": "not expected"}
_ARGUMENT_STATE = {"value_differs": "arguments_differ", "type_differs": "arguments_differ"}
_MOST_ARGUMENTS, _VALUE, _NAME = 8, 40, 40
"""The most arguments of a call on its line, and the most characters of each."""
_AROUND = 25
"""Words that are shown on each side of a difference in a folded text."""
_CHARACTERS = 1_200
"""So many characters of what differs are shown while a text is folded."""


Lines = tuple[Line, ...]
"""Paragraphs of one side, to be wrapped."""
_INNER: Run = ("    ", "")


class ReviewRow(NamedTuple):
    """A pair of what is expected and what came; each side is a sequence of paragraphs to be wrapped."""

    key: str
    """The same for the same row of an item, whatever was accepted."""
    mark: Run
    expected: Lines = ()
    actual: Lines = ()
    said: str = ""
    """A word about the pair, at the right end."""
    changes: tuple[ReviewChange, ...] = ()
    """The changes that accept what came."""
    fold: bool | None = None
    """Whether there is more to show; None where the row does not open."""
    is_heading: bool = False
    values: tuple[Any, Any] = (ABSENT, ABSENT)
    """Both sides as values of JSON, for copying."""
    place: Place | None = None
    """Where the expected side stands, for editing; None where it cannot be edited here."""

    @property
    def is_stop(self) -> bool:
        """Whether the cursor stops here."""
        return bool(self.changes) or self.fold is not None

    @property
    def is_same(self) -> bool:
        """Whether both sides are shown as one."""
        return self.expected == self.actual or not self.actual


def rows_of(item: ReviewItem, opened: frozenset[str]) -> list[ReviewRow]:
    """All rows of an item; those whose key is among `opened` are shown whole."""
    if item.compared is not None:
        return [*_TurnRows(item.compared, opened).rows()]
    rows: list[ReviewRow] = []
    reason = item.result.reason or item.run.reason
    if reason:
        rows.append(ReviewRow("reason", NO_MARK, ([(printable(reason), "")],)))
    come_or_go = {change.place.actual_turn: change for change in item.changes if change.place.action == "add_turn"}
    gone = {change.place.turn: change for change in item.changes if change.place.action == "delete_turn"}
    for at in item.deleted:
        rows += _whole_turn(item.case.turns[at], f"turn {at + 1}", gone[at], "missing", opened)
    for each in item.turns:
        number = each.scores.number
        rows.append(ReviewRow(f"turn {number}", NO_MARK, ([(f"turn {number}", "heading")],), is_heading=True))
        rows += _TurnRows(each, opened, f"{number} ").rows()
    for at in item.added:
        name = f"turn {at + 1} of the recording"
        rows += _whole_turn(item.run.conversation.turns[at], name, come_or_go[at], "extra", opened)
    return rows


def conversation_rows(item: ReviewItem, opened: frozenset[str]) -> list[ReviewRow]:
    """All turns of the case beside all turns of the recording, in order; the turn of the item is marked."""
    rows: list[ReviewRow] = []
    expected, actual = item.case.turns, item.run.conversation.turns
    for at in range(max(len(expected), len(actual))):
        one, other = (side[at] if at < len(side) else None for side in (expected, actual))
        here = " · this turn" if item.turn == at + 1 else ""
        rows.append(ReviewRow(f"turn {at + 1}", NO_MARK, ([(f"turn {at + 1}{here}", "heading")],), is_heading=True))
        rows += _said_and_done(one, other, f"{at + 1} ", opened)
    return rows


def json_rows(expected: str, item: ReviewItem) -> list[ReviewRow]:
    """Both sides of a turn as JSON, whole; `expected` is the text in the set."""
    compared = item.compared
    turns = [compared.scores.actual] if compared is not None else [*item.run.conversation.turns]
    text = "\n".join(json.dumps(plain(_as_recorded(turn)), ensure_ascii=False, indent=2) for turn in turns)
    return [*_text_row("json", "JSON", expected, text, frozenset({"json"}))]


def _as_recorded(turn: Turn) -> dict[str, Any]:
    """All that is known of a recorded turn."""
    calls = [{**_call_value(call), "response": call.response} for call in turn.calls]
    return {"invocation_id": turn.invocation_id, "user": turn.user_text, "calls": calls, "response": turn.response}


def recording_rows(recording: Unmatched, opened: frozenset[str]) -> list[ReviewRow]:
    """The turns of a recording that belongs to no case."""
    rows: list[ReviewRow] = []
    for number, turn in enumerate(recording.conversation.turns, 1):
        rows.append(ReviewRow(f"turn {number}", NO_MARK, ([(f"turn {number}", "heading")],), is_heading=True))
        rows += _said_and_done(None, turn, f"{number} ", opened)
    return rows


def _said_and_done(one: Turn | None, other: Turn | None, key: str, opened: frozenset[str]) -> Iterator[ReviewRow]:
    """What both sides say and do in a turn, without comparing them."""
    ours, theirs = (side.user_text if side is not None else None for side in (one, other))
    yield from _text_row(f"{key}user", "User", ours, theirs, opened, is_quiet=True)
    calls = [side.calls if side is not None else () for side in (one, other)]
    for at, pair in enumerate(zip_longest(*calls)):
        yield ReviewRow(f"{key}call {at}", NO_MARK, _call_lines(pair[0]), _call_lines(pair[1]))
    ours, theirs = (side.response if side is not None else None for side in (one, other))
    yield from _text_row(f"{key}response", "Response", ours, theirs, opened, is_quiet=True)


def _whole_turn(turn: Turn, name: str, change: ReviewChange, state: str, opened: frozenset[str]) -> Iterator[ReviewRow]:
    """A turn that only one side has."""
    is_extra = state == "extra"
    said = "not in the case" if is_extra else "not in the recording"
    line: Lines = ([(f"{name}  ", "name"), (one_line(turn.user_text, 200), "")],)
    is_open = name in opened
    ours, theirs = _sides(line, is_extra)
    yield ReviewRow(name, OF_STATE[state], ours, theirs, said, (change,), is_open)
    if is_open:
        yield from _said_and_done(None if is_extra else turn, turn if is_extra else None, f"{name} ", opened)


class _TurnRows:
    """The rows of one turn on both sides."""

    def __init__(self, compared: ComparedTurn, opened: frozenset[str], key: str = "") -> None:
        self._compared, self._opened, self._key = compared, opened, key
        self._expected, self._actual = compared.scores.expected, compared.scores.actual

    def rows(self) -> Iterator[ReviewRow]:
        """What the user says, the calls with their arguments, the response."""
        yield from _text_row(
            f"{self._key}user", "User", self._expected.user_text, self._actual.user_text, self._opened, is_quiet=True
        )
        for row in self._compared.rows:
            yield from self._of_call(row)
        yield from self._of_response()

    def _changes(self, row: Row) -> list[ReviewChange]:
        sides = (row.expected, row.actual)
        return [
            each
            for each in self._compared.changes
            if each.place.action != "response" and (each.place.call, each.place.actual_call) == sides
        ]

    def _of_call(self, row: Row) -> Iterator[ReviewRow]:
        ours = self._expected.calls[row.expected] if row.expected is not None else None
        theirs = self._actual.calls[row.actual] if row.actual is not None else None
        key = f"{self._key}call {row.actual if row.actual is not None else f'-{row.expected}'}"
        changes = self._changes(row)
        kinds = {change.kind for change in changes}
        said = "nothing expected yet" if kinds == {"fill"} else _CALL_SAID.get(row.state, "")
        has_more = any(call is not None and (call.args or call.response is not None) for call in (ours, theirs))
        is_open = key in self._opened
        yield ReviewRow(
            key,
            OF_STATE[row.state],
            _call_lines(ours),
            _call_lines(theirs),
            said,
            tuple(changes),
            is_open if has_more else None,
            values=(_call_value(ours), _call_value(theirs)),
            place=self._compared.place._replace(action="arguments", call=row.expected) if ours is not None else None,
        )
        for difference in row.arguments or ():
            if difference.state != "equal" or is_open:
                yield self._of_argument(key, row, difference, changes)
        if is_open:
            if row.arguments is None:
                yield from _all_arguments(key, ours, theirs)
            yield from _responses(key, ours, theirs)

    def _of_argument(
        self, key: str, row: Row, difference: ArgumentDifference, changes: Sequence[ReviewChange]
    ) -> ReviewRow:
        pointer = difference.pointer
        accepting = tuple(
            each
            for each in changes
            if each.place.action == "arguments"
            or (each.place.action == "argument" and f"{pointer}/".startswith(f"{each.place.pointer}/"))
        )
        state = "matched" if difference.state == "equal" else difference.state
        ours, theirs = (
            _argument_lines(pointer, value) if value is not ABSENT else ()
            for value in (difference.expected, difference.actual)
        )
        return ReviewRow(
            f"{key}{pointer}",
            ("  " + OF_STATE[_ARGUMENT_STATE.get(state, state)][0], OF_STATE[_ARGUMENT_STATE.get(state, state)][1]),
            ours,
            theirs,
            said=_ARGUMENT_SAID.get(difference.state, ""),
            changes=accepting if difference.state != "equal" else (),
            values=(difference.expected, difference.actual),
            place=self._compared.place._replace(action="argument", call=row.expected, pointer=pointer)
            if ours
            else None,
        )

    def _of_response(self) -> Iterator[ReviewRow]:
        changes = tuple(each for each in self._compared.changes if each.place.action == "response")
        ours, theirs = self._expected.response, self._actual.response
        said = "nothing expected yet" if changes and changes[0].kind == "fill" else ""
        yield from _text_row(f"{self._key}response", "Response", ours, theirs, self._opened, changes=changes, said=said)


# --- lines of one side -----------------------------------------------------------------------------------------


def _text_row(
    key: str,
    name: str,
    ours: str | None,
    theirs: str | None,
    opened: frozenset[str],
    *,
    changes: tuple[ReviewChange, ...] = (),
    said: str = "",
    is_quiet: bool = False,
    place: Place | None = None,
) -> Iterator[ReviewRow]:
    """A text of both sides with its differences by word; a long one is folded around them."""
    yield ReviewRow(f"{key} heading", NO_MARK, ([(name, "heading")],), is_heading=True)
    is_open = key in opened
    difference = text_difference(ours or "", theirs or "")
    shown = [_shown(runs, is_open=is_open) for runs in difference]
    is_cut = any(cut for _, cut in shown)
    state = "matched" if ours == theirs else "missing" if not theirs else "extra" if not ours else "arguments_differ"
    mark = NO_MARK if is_quiet or ours == theirs else OF_STATE[state]
    left, right = (_paragraphs(side, text) for (side, _), text in zip(shown, (ours, theirs), strict=True))
    if said and not ours:
        left = ()
    fold = is_open if is_cut or is_open else None
    yield ReviewRow(key, mark, left, right, said, changes, fold, values=(_text(ours), _text(theirs)), place=place)


def _shown(runs: Sequence[TextRun], *, is_open: bool) -> tuple[list[Run], bool]:
    """The runs of a side with their roles, and whether something is left out."""
    if is_open:
        return [(run.text, _role(run)) for run in runs], False
    shown: list[Run] = []
    is_cut, room = False, _CHARACTERS
    for part in folded(runs, _AROUND):
        if isinstance(part, TextFold):
            shown.append((f" … {part.words:,} more words … ", "dim"))
            is_cut = True
        elif len(part.text) > room:
            shown += [(part.text[:room], _role(part)), (f" … {len(part.text) - room:,} more characters", "dim")]
            return shown, True
        else:
            shown.append((part.text, _role(part)))
            room -= len(part.text)
    return shown, is_cut


def _role(run: TextRun) -> str:
    return "" if run.is_shared else "differs"


def _text(text: str | None) -> Any:
    return ABSENT if text is None else text


def _paragraphs(runs: Sequence[Run], text: str | None) -> Lines:
    """The runs of a text, a line each; a role marks those that only this side has."""
    if text is None:
        return ()
    if not text:
        return ([("nothing", "dim")],)
    lines: list[Line] = [[]]
    for part, role in runs:
        first, *others = printable(part, keep_lines=True).expandtabs(4).split("\n")
        lines[-1].append((first, role))
        lines += [[(other, role)] for other in others]
    return tuple(lines)


def _call_lines(call: TurnCall | None) -> Lines:
    """A tool call as it looks everywhere: `name  key=value key=value`."""
    if call is None:
        return ()
    shown: Line = [(one_line(call.name or "", 60) or "unnamed call", "name")]
    if call.args is None:
        return ([*shown, ("  no args", "dim")],)
    args = list(call.args.items())
    for name, value in args[:_MOST_ARGUMENTS]:
        shown += [(f"  {one_line(name, 24)}=", "dim"), (value_text(value, _VALUE), "")]
    if len(args) > _MOST_ARGUMENTS:
        shown.append((f"  … {len(args) - _MOST_ARGUMENTS} more", "dim"))
    return (shown,)


def _argument_lines(pointer: str, value: Any) -> Lines:
    name = one_line(pointer[1:].replace("~1", "/").replace("~0", "~"), _NAME) or '""'
    return ([(f"{name}=", "dim"), (value_text(value, 400), "")],)


def _all_arguments(key: str, ours: TurnCall | None, theirs: TurnCall | None) -> Iterator[ReviewRow]:
    """Each argument of a call that matches, or that one side has."""
    call = ours or theirs
    for name, value in (call.args or {}).items() if call is not None else ():
        lines = _argument_lines(f"/{name}", value)
        yield ReviewRow(f"{key}/{name}", _INNER, lines if ours is not None else (), lines if theirs is not None else ())


def _responses(key: str, ours: TurnCall | None, theirs: TurnCall | None) -> Iterator[ReviewRow]:
    """The responses of the tool, where either side has one."""
    responses = [call.response if call is not None else None for call in (ours, theirs)]
    if any(response is not None for response in responses):
        left, right = (_response_lines(each) for each in responses)
        yield ReviewRow(f"{key} response", _INNER, left, right, "not compared")


def _response_lines(response: Any) -> Lines:
    return ([("response  ", "dim"), (value_text(response, 2_000), "dim")],) if response is not None else ()


def _sides(lines: Lines, is_actual: bool) -> tuple[Lines, Lines]:
    return ((), lines) if is_actual else (lines, ())


def _call_value(call: TurnCall | None) -> Any:
    if call is None:
        return ABSENT
    members = {"id": call.id, "name": call.name, "args": call.args}
    return {name: value for name, value in members.items() if value is not None}


def value_text(value: Any, width: int) -> str:
    """A value as JSON on one line."""
    try:
        return one_line(json.dumps(plain(value), ensure_ascii=False), width)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__
