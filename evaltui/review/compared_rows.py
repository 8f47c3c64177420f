"""Rows of the expected side beside the recorded side: texts, calls and arguments, with the changes that accept each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, zip_longest
from typing import Any, Literal, NamedTuple

from evaltui.document.pointer import escape
from evaltui.evalset.turn import NOT_RECORDED, Turn, TurnCall
from evaltui.review.review_changes import Place, ReviewChange, digest
from evaltui.review.review_items import ComparedTurn, ReviewItem, pair_turns
from evaltui.scoring.call_alignment import Row, RowState, align_calls
from evaltui.scoring.call_equality import ABSENT

_NOTES = {"type_differs": "type differs", "missing": "not given", "extra": "not expected"}
_ARGUMENT_STATES: Mapping[str, RowState] = {
    "equal": "matched",
    "value_differs": "arguments_differ",
    "type_differs": "arguments_differ",
    "missing": "missing",
    "extra": "extra",
}


class ComparedRow(NamedTuple):
    """A part of a turn on both sides."""

    key: str
    """Identifies the row within its item: by the place in the recording, so it stays the same after accepting."""
    kind: Literal["heading", "turn", "user", "call", "argument", "tool response", "response", "part", "json"]
    state: RowState | Literal["unmarked"] = "unmarked"
    """The result of the comparison; unmarked if nothing is compared."""
    expected: Any = ABSENT
    """A text, a `Turn`, `TurnCall` or `OtherPart`, or a value of JSON."""
    actual: Any = ABSENT
    note: str = ""
    """A few words about the pair: `type differs`, `call 2 instead of 1`, `not recorded`."""
    changes: tuple[ReviewChange, ...] = ()
    """The changes that accept the actual side."""
    place: Place | None = None
    """The place of the expected value in the set; None without one."""
    parent: str = ""
    """The key of the row under which it is folded; a row that differs is shown anyway."""

    @property
    def pointer(self) -> str:
        """The place of an argument below the arguments of its call (RFC 6901)."""
        return self.key.removeprefix(self.parent)

    @property
    def side(self) -> Literal["expected", "actual"]:
        """The side of its `value`."""
        return "expected" if self.actual is ABSENT else "actual"

    @property
    def value(self) -> Any:
        """The actual value as JSON has it, else the expected one; a call without its id."""
        value = self.value_of(self.side)
        # A recorded id means nothing in another case, where the call may be pasted.
        return {name: value[name] for name in value if name != "id"} if self.kind == "call" else value

    def value_of(self, side: Literal["expected", "actual"]) -> Any:
        """The value of a side as JSON has it; `ABSENT` for none."""
        if self.kind in ("heading", "turn", "part"):  # no value of the file
            return ABSENT
        value = self.expected if side == "expected" else self.actual
        return value_of_call(value) if isinstance(value, TurnCall) else value


def value_of_call(call: TurnCall) -> dict[str, Any]:
    """A call as JSON has it, without its response."""
    members = {"id": call.id, "name": call.name, "args": call.args if call.has_args else None}
    return {name: value for name, value in members.items() if value is not None}


# --- a turn or case that was scored ----------------------------------------------------------------------------------


def rows_of_item(item: ReviewItem) -> list[ComparedRow]:
    """All rows of an item, those of folded parts too."""
    if item.compared is not None:
        return [*rows_of_turn(item.compared)]
    changes = {(change.place.turn, change.place.actual_turn): change for change in item.changes}
    rows: list[ComparedRow] = []
    for index in item.deleted:
        rows += _rows_of_one_side(f"turn {index + 1}", "missing", item.case.turns[index], changes.get((index, None)))
    for turn in item.turns:
        number = turn.scores.number
        rows += [_heading(f"turn {number}"), *rows_of_turn(turn, f"{number} ")]
    for index in item.added:
        turn_name, actual = f"turn {index + 1} of the recording", item.run.conversation.turns[index]
        rows += _rows_of_one_side(turn_name, "extra", actual, changes.get((None, index)))
    return rows


@lru_cache(maxsize=16)  # form, column and keys ask for the rows of one turn again and again
def rows_of_turn(turn: ComparedTurn, start: str = "") -> tuple[ComparedRow, ...]:
    """Rows of the user message, of each call with its arguments, and of the response; their keys begin with `start`."""
    expected, actual = turn.scores.expected, turn.scores.actual
    changes = tuple(change for change in turn.changes if change.place.action == "response")
    response = _row_of_text(f"{start}response", "response", expected, actual)
    return (
        _heading(f"{start}user heading", "User"),
        _row_of_text(f"{start}user", "user", expected, actual),
        *_rows_of_parts(f"{start}user", expected.user_parts, actual.user_parts),
        *_rows_of_calls(turn, start),
        _heading(f"{start}response heading", "Response"),
        response._replace(changes=changes, place=turn.place),
        *_rows_of_parts(f"{start}response", expected.other_parts, actual.other_parts),
    )


def _heading(key: str, text: str = "") -> ComparedRow:
    return ComparedRow(key, "heading", expected=text or key)


def _row_of_text(
    key: str, kind: Literal["user", "response"], expected: Turn | None, actual: Turn | None
) -> ComparedRow:
    part: Literal["user_text", "response"] = "user_text" if kind == "user" else "response"
    ours, theirs = (getattr(turn, part) if turn is not None else ABSENT for turn in (expected, actual))
    if actual is not None and part in actual.unrecorded:
        return ComparedRow(key, kind, "unmarked", ours, note=NOT_RECORDED)
    if expected is None or actual is None:
        return ComparedRow(key, kind, "unmarked", ours, theirs)
    return ComparedRow(key, kind, state_of_texts(ours, theirs), ours, theirs)


def state_of_texts(expected: str, actual: str) -> RowState:
    """The result of comparing two texts of one part."""
    if expected == actual:
        return "matched"
    if not actual:
        return "missing"
    return "arguments_differ" if expected else "extra"


def _rows_of_parts(start: str, expected: Sequence[Any], actual: Sequence[Any]) -> Iterator[ComparedRow]:
    """The parts of a content that are no text. No metric compares them, so nothing accepts them."""
    for index, (ours, theirs) in enumerate(zip_longest(expected, actual, fillvalue=ABSENT)):
        is_same = ours is not ABSENT and theirs is not ABSENT and ours.digest == theirs.digest
        note = "" if is_same else "not compared"
        yield ComparedRow(f"{start} part {index}", "part", "unmarked", ours, theirs, note)


# --- tool calls ------------------------------------------------------------------------------------------------------


def _rows_of_calls(turn: ComparedTurn, start: str) -> Iterator[ComparedRow]:
    expected, actual = turn.scores.expected, turn.scores.actual
    if "calls" in actual.unrecorded:
        yield ComparedRow(f"{start}calls", "call", note=NOT_RECORDED)
        for index, expected_call in enumerate(expected.calls):
            expected_place = turn.place._replace(action="arguments", call=index)
            yield ComparedRow(f"{start}call -{index}", "call", "unmarked", expected_call, place=expected_place)
        return
    changes: defaultdict[tuple[int | None, int | None], list[ReviewChange]] = defaultdict(list)
    for change in turn.changes:
        changes[change.place.call, change.place.actual_call].append(change)
    missing: Counter[str] = Counter()
    for row in turn.rows:
        ours = expected.calls[row.expected] if row.expected is not None else None
        theirs = actual.calls[row.actual] if row.actual is not None else None
        place: int | str | None = row.actual
        if ours is not None and theirs is None:
            # Without a recorded place, the content names the call: its expected place changes when others are deleted.
            name = digest(ours.name, ours.args)
            place = f"-{name} {missing[name]}"
            missing[name] += 1
        own = changes[row.expected, row.actual]
        call = ComparedRow(
            f"{start}call {place}",
            "call",
            row.state,
            ours if ours is not None else ABSENT,
            theirs if theirs is not None else ABSENT,
            row.remark,
            tuple(own),
            turn.place._replace(action="arguments", call=row.expected, actual_call=row.actual) if ours else None,
        )
        yield call
        yield from _rows_in_call(call, row, own)
    yield from (
        ComparedRow(f"{start}calls", "call", note=change.summary, changes=(change,))
        for change in turn.changes
        if change.place.action == "no_calls"
    )


def _rows_in_call(call: ComparedRow, row: Row, changes: Sequence[ReviewChange]) -> Iterator[ComparedRow]:
    # The change of all arguments has the pointer "".
    by_pointer = {
        change.place.pointer: change for change in changes if change.place.action in ("argument", "arguments")
    }
    for difference in row.arguments or ():
        # A change of a list writes all of it, so it also accepts the differences of its items.
        pointers = accumulate(difference.pointer.split("/"), lambda pointer, name: f"{pointer}/{name}")
        accepting = tuple(by_pointer[pointer] for pointer in pointers if pointer in by_pointer)
        place = call.place if difference.expected is not ABSENT else None
        yield ComparedRow(
            f"{call.key}{difference.pointer}",
            "argument",
            _ARGUMENT_STATES[difference.state],
            difference.expected,
            difference.actual,
            _NOTES.get(difference.state, ""),
            accepting if difference.state != "equal" else (),
            place._replace(action="argument", pointer=difference.pointer) if place is not None else None,
            call.key,
        )
    ours, theirs = (None if side is ABSENT else side for side in (call.expected, call.actual))
    either_call = ours or theirs
    # A call without a difference in its arguments, or on one side only.
    if row.arguments is None and either_call is not None:
        has_theirs = theirs is not None and theirs.has_args
        for name, value in (either_call.args or {}).items():
            expected, actual = (value if has_value else ABSENT for has_value in (ours is not None, has_theirs))
            yield ComparedRow(f"{call.key}/{name}", "argument", "unmarked", expected, actual, parent=call.key)
    expected, actual = (
        side.response if side is not None and side.response is not None else ABSENT for side in (ours, theirs)
    )
    if expected is not actual:
        key, note = f"{call.key} response", "not compared"
        yield ComparedRow(key, "tool response", "unmarked", expected, actual, note, parent=call.key)


def arguments_by_name(call: ComparedRow, rows: Iterable[ComparedRow]) -> Iterator[ComparedRow]:
    """The arguments of a call as whole values, unexpected ones last. `rows` are those of its differences."""
    first_differences: dict[str, ComparedRow] = {}
    for row in rows:
        if row.parent == call.key and row.kind == "argument" and row.state not in ("matched", "unmarked"):
            first_differences.setdefault("/".join(row.pointer.split("/")[:2]), row)
    ours, theirs = call.expected.args or {}, call.actual.args or {}
    for name in {**ours, **theirs}:
        pointer = f"/{escape(name)}"
        row = ComparedRow(f"{call.key}{pointer}", "argument", "matched", parent=call.key)
        row = row._replace(expected=ours.get(name, ABSENT), actual=theirs.get(name, ABSENT))
        difference = first_differences.get(pointer)
        if difference is not None and difference.pointer == pointer:
            row = difference._replace(expected=row.expected, actual=row.actual)
        elif difference is not None:  # inside of the value
            row = row._replace(state="arguments_differ")
        yield row


# --- whole conversations ---------------------------------------------------------------------------------------------


def rows_of_conversation(
    expected: Sequence[Turn], actual: Sequence[Turn], selected: int | None = None
) -> Iterator[ComparedRow]:
    """All turns of both sides, without marks of differences in texts. The turn with the number `selected` says so."""
    for number, (index, other_index) in enumerate(pair_turns(expected, actual), 1):
        name = f"turn {number}"
        yield _heading(name, f"{name} · this turn" if selected == number else name)
        ours = expected[index] if index is not None else None
        theirs = actual[other_index] if other_index is not None else None
        yield from _plain_rows(ours, theirs, f"{number} ")


def _plain_rows(expected: Turn | None, actual: Turn | None, start: str, parent: str = "") -> Iterator[ComparedRow]:
    """Rows of the texts and calls of a turn. Only calls that differ are marked, if both sides are there."""

    def text(kind: Literal["user", "response"]) -> ComparedRow:
        return _row_of_text(f"{start}{kind}", kind, expected, actual)._replace(state="unmarked", parent=parent)

    yield _heading(f"{start}user heading", "User")._replace(parent=parent)
    yield text("user")
    unrecorded = actual is not None and "calls" in actual.unrecorded
    if unrecorded:
        yield ComparedRow(f"{start}calls", "call", note=NOT_RECORDED, parent=parent)
    ours, theirs = (turn.calls if turn is not None else () for turn in (expected, actual))
    is_compared = expected is not None and actual is not None and not unrecorded
    for index, row in enumerate(align_calls(ours, () if unrecorded else theirs)):
        call = ours[row.expected] if row.expected is not None else ABSENT
        other_call = theirs[row.actual] if row.actual is not None else ABSENT
        plain = ComparedRow(f"{start}call {index}", "call", "unmarked", call, other_call, parent=parent)
        is_marked = is_compared and row.state != "matched"
        yield plain._replace(state=row.state, note=row.remark) if is_marked else plain
    yield _heading(f"{start}response heading", "Response")._replace(parent=parent)
    yield text("response")


def _rows_of_one_side(
    name: str, state: Literal["missing", "extra"], turn: Turn, change: ReviewChange | None
) -> Iterator[ComparedRow]:
    """The rows of a turn that one side lacks. `change` is None if too little of the turn is recorded."""
    expected, actual = (turn, None) if state == "missing" else (None, turn)
    note, changes = f"not in the {'recording' if expected else 'case'}", (change,) if change is not None else ()
    yield ComparedRow(name, "turn", state, expected or ABSENT, actual or ABSENT, note, changes)
    yield from _plain_rows(expected, actual, f"{name} ", name)
