"""A change that makes one part of an expected turn equal to the recording."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from evaltui.document.sequence_diff import shared_length
from evaltui.evalset.turn import Turn, TurnCall
from evaltui.printable import is_unsafe, one_line
from evaltui.scoring.call_alignment import Row
from evaltui.scoring.call_equality import ABSENT, fingerprint, kind_of, number_calls
from evaltui.scoring.metrics import response_match, tool_trajectory
from evaltui.scoring.results import plain
from evaltui.scoring.words import words_of

ChangeKind = Literal["fill", "text", "args", "sequence"]
"""fill: the expectation is absent. text: another response. args: other arguments. sequence: other calls or turns."""
KINDS: tuple[ChangeKind, ...] = ("fill", "text", "args", "sequence")

Action = Literal[
    "arguments", "argument", "add_call", "delete_call", "move_call", "no_calls", "response", "add_turn", "delete_turn"
]
"""The parts of a turn that a change writes.

`argument` is a value within the arguments of a call. `no_calls` states that no tool is called.
"""

_LONGEST = 60
"""The most characters of a name in an id. The hash makes longer names unique."""
_is_plain = re.compile(r"[A-Za-z0-9_.-]*").fullmatch
_SIGNS = "%/@'\"\\"
"""Characters that would end a step of an id, or the quotes around it."""


_SENTENCES, _SENTENCE = 2, 70
"""The most changes that one message names, and the most characters of each."""


class Place(NamedTuple):
    """The part of a conversation that a change writes: indexes of expected and actual turns and calls."""

    action: Action
    turn: int | None = None
    """The expected turn, from 0; None for a turn that only the recording has."""
    actual_turn: int | None = None
    """The recorded turn, from 0; None for a turn that only the set has."""
    call: int | None = None
    """The expected call, from 0."""
    actual_call: int | None = None
    """The recorded call, from 0."""
    pointer: str = ""
    """The value within the arguments of the call (RFC 6901)."""


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """A change that a person can accept. `place` and the recorded turns determine what it writes."""

    id: str
    """Unique among the changes of a review; the hash in it changes with either side."""
    kind: ChangeKind
    summary: str
    """A sentence without full stop: `flight_id: "1" → 1 (type differs)`. It may have any characters of the file."""
    place: Place
    remark: str = ""
    """Why the turn still cannot pass with this change, as a clause; "" if it can."""

    @property
    def told(self) -> str:
        """The summary with the remark."""
        return f"{self.summary} ({self.remark})" if self.remark else self.summary


def remark_on(
    metrics: Container[str], *calls: TurnCall, response: str | None = None, written: Sequence[Any] | None = None
) -> str:
    """The remark of a change that writes these recorded calls, or this response, in a run with these metrics.

    `written` are the values that it writes, if it writes only a part of the calls.
    """
    if written is None:
        written = (response, *((call.name, call.args) for call in calls))
    if any(map(_has_half_pair, written)):
        return "the case is rejected then, because a text has half a surrogate pair"
    if tool_trajectory.NAME in metrics and any(fingerprint(call.args) is None for call in calls):
        return f"{tool_trajectory.NAME} still fails, because NaN equals nothing"
    if response_match.NAME in metrics and response is not None and not words_of(response):
        return f"{response_match.NAME} stays 0.0, because the response has no words"
    return ""


def _has_half_pair(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except RecursionError:
        return False
    return False


_ORDER: tuple[Action, ...] = (
    *("argument", "arguments", "delete_call", "move_call", "add_call", "no_calls", "response"),
    *("delete_turn", "add_turn"),
)


def in_written_order(changes: Iterable[ReviewChange]) -> list[ReviewChange]:
    """Changes in the order of writing. Any other order gives the same result."""
    return sorted(changes, key=lambda change: _ORDER.index(change.place.action))


def changes_text(changes: Sequence[ReviewChange]) -> str:
    """The summaries of changes on one safe line: the first few, and the number of the others."""
    texts = [
        f"the response{f' ({change.remark})' if change.remark else ''}"
        if change.place.action == "response"
        else one_line(change.told, _SENTENCE)
        for change in changes[:_SENTENCES]
    ]
    more = len(changes) - len(texts)
    return f"{', '.join(texts)}{f' and {more} more' if more else ''}"


def turns_title(changes: Sequence[ReviewChange]) -> str:
    """The effect of changes that add or delete turns: `delete turn 3`, `add 2 turns`; "" if one is about a call."""
    actions = {change.place.action for change in changes}
    if not actions or not actions <= {"add_turn", "delete_turn"}:
        return ""
    if len(actions) > 1:
        return "add and delete turns"
    verb = "delete" if "delete_turn" in actions else "add"
    if len(changes) > 1:
        return f"{verb} {len(changes):,} turns"
    turn = changes[0].place.turn
    return f"{verb} turn {turn + 1:,}" if turn is not None else f"{verb} turn"


def digest(*sides: Any) -> str:
    """A short hash of JSON values. The order of keys does not count."""
    text = json.dumps(plain(list(sides)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def id_of(*steps: str | int, sides: tuple[Any, ...]) -> str:
    """The id of a change: the names on its path, each safe in a shell word, and the hash of both sides."""
    first, *more_steps = steps
    return f"{'/'.join([case_step(str(first)), *(_word(str(step)) for step in more_steps)])}@{digest(*sides)}"


def case_step(eval_id: str) -> str:
    """The first step of the ids of a case."""
    step = _word(eval_id)
    # `--change` would take an id that begins with a dash for an option.
    return f"%2D{step[1:]}" if step.startswith("-") else step


def _word(name: str) -> str:
    """A name with spaces, control characters and separators percent-encoded."""
    short = name[:_LONGEST]
    if _is_plain(short):
        return short
    return "".join(
        _encoded(char) if char in _SIGNS or char.isspace() or not char.isprintable() or is_unsafe(char) else char
        for char in short
    )


def _encoded(char: str) -> str:
    return quote(char, safe="", errors="surrogatepass")


_NAME, _VALUE, _TEXT = 60, 40, 60
"""The most characters of a name, a value and a text in a sentence."""
_BEFORE = 20
"""The characters in a quote before the first difference of two texts."""
_ARGUMENTS = 3
"""The most arguments of a call in a sentence."""


def changes_of_turn(
    expected: Turn,
    actual: Turn,
    rows: Sequence[Row],
    *,
    eval_id: str,
    turn: int,
    actual_turn: int,
    has_calls: bool,
    metrics: Container[str] = (),
) -> Iterator[ReviewChange]:
    """Yield the changes that make the expected turn equal to the recorded one.

    What is not recorded changes nothing, nor does a turn in which the agent failed. `rows` align the calls of both
    sides. `has_calls` means that the file specifies the expected calls, maybe none. `metrics` are the names of the
    metrics of the run, for remarks.
    """
    if actual.failure:
        return
    turn_changes = _TurnChanges(expected, actual, (eval_id, turn + 1), Place("response", turn, actual_turn), metrics)
    if "calls" not in actual.unrecorded:
        if "calls" in expected.unstated and not actual.calls:
            yield turn_changes.no_calls()
        yield from turn_changes.call_changes(rows, "sequence" if has_calls else "fill")
    if "response" not in actual.unrecorded:
        yield from turn_changes.response_changes()


class _TurnChanges:
    def __init__(
        self, expected: Turn, actual: Turn, start: tuple[str, int], place: Place, metrics: Container[str]
    ) -> None:
        self._expected, self._actual, self._metrics = expected, actual, metrics
        self._start = start
        self._place = place
        (self._kinds,) = number_calls(expected.calls)
        self._often = Counter(self._kinds)
        # Ids of deletions count equal calls only, so that additions and deletions of other calls do not change them.
        self._deleted: Counter[int] = Counter()
        self._names = Counter(call.name for call in actual.calls)
        self._without_args = {call.name for call in actual.calls if not call.has_args}
        """The tools with calls whose arguments are not recorded: nobody knows which expected calls these are."""

    def call_changes(self, rows: Sequence[Row], added: ChangeKind) -> Iterator[ReviewChange]:
        """The changes of all rows. Changes that add a call have the kind `added`."""
        in_order = [row for row in rows if row.state in ("matched", "arguments_differ")]
        # Nobody can add a call without its arguments, so no other call makes way for it.
        deletes = not any(row.expected is None and not self._recorded_call(row).has_args for row in rows)
        previous: Row | None = None
        for row in rows:
            if row.state in ("matched", "arguments_differ"):
                previous = row
            if row.expected is None:
                if self._recorded_call(row).has_args:
                    yield self._added_call(row, added, previous)
            elif row.actual is None:
                if deletes and self._expected.calls[row.expected].name not in self._without_args:
                    yield self._deleted_call(row)
            else:
                if row.state == "moved" and self._is_known(self._recorded_call(row)):
                    yield self._moved_call(row, in_order)
                yield from self._arguments(row)

    def no_calls(self) -> ReviewChange:
        """The change that states that no tool is called."""
        identifier = id_of(*self._start, "calls", "none", sides=(None, []))
        return ReviewChange(identifier, "fill", "no tool calls", self._place._replace(action="no_calls"))

    def _is_known(self, call: TurnCall) -> bool:
        """Whether a recorded call is certainly the one that it is paired with."""
        return call.name not in self._without_args or self._names[call.name] < 2

    def response_changes(self) -> Iterator[ReviewChange]:
        """The change of the response, where it differs."""
        expected, actual = self._expected.response, self._actual.response
        if expected != actual:
            kind: ChangeKind = "text" if expected else "fill"
            start = _shared_start(expected, actual)
            summary = f"response: {quoted(expected, start)} → {quoted(actual, start)}"
            remark = remark_on(self._metrics, response=actual)
            identifier = id_of(*self._start, "response", sides=(expected, actual))
            yield ReviewChange(identifier, kind, summary, self._place, remark)

    def _added_call(self, row: Row, kind: ChangeKind, previous: Row | None) -> ReviewChange:
        assert row.actual is not None
        call = self._actual.calls[row.actual]
        behind = f" after {_name(self._recorded_call(previous))}" if previous is not None and kind == "sequence" else ""
        summary = f"add call {call_text(call)}{behind}"
        identifier = id_of(*self._start, "calls", row.actual + 1, call.name or "", sides=(None, _sides(call)))
        return ReviewChange(identifier, kind, summary, self._place_of("add_call", row), remark_on(self._metrics, call))

    def _deleted_call(self, row: Row) -> ReviewChange:
        assert row.expected is not None
        call = self._expected.calls[row.expected]
        sides = _sides(call)
        kind = self._kinds[row.expected]
        self._deleted[kind] += 1
        number, equal = self._deleted[kind], self._often[kind]
        # If one of several equal calls is deleted, the next one must not get its id.
        seen = (sides, None) if equal == 1 else (sides, None, equal)
        identifier = id_of(*self._start, "calls", f"-{number}", call.name or "", sides=seen)
        summary = f"delete call {call_text(call)} (not in the recording)"
        return ReviewChange(identifier, "sequence", summary, self._place_of("delete_call", row))

    def _moved_call(self, row: Row, in_order: Sequence[Row]) -> ReviewChange:
        call = self._recorded_call(row)
        assert row.actual is not None
        place = bisect_right(in_order, row.actual, key=lambda other: other.actual or 0)
        following = self._recorded_call(in_order[place]) if place < len(in_order) else None
        target = f"before {self._call_name(following)}" if following is not None else "to the end"
        identifier = id_of(*self._start, "calls", row.actual + 1, "order", sides=(_sides(call),))
        return ReviewChange(
            identifier, "sequence", f"move call {self._call_name(call)} {target}", self._place_of("move_call", row)
        )

    def _call_name(self, call: TurnCall) -> str:
        """The name of a call, with its arguments if the tool is called more than once."""
        return _name(call) if self._names[call.name] < 2 else call_text(call)

    def _arguments(self, row: Row) -> Iterator[ReviewChange]:
        if row.arguments is None or row.expected is None or row.actual is None:
            return
        expected_args, actual_args = self._expected.calls[row.expected].args, self._actual.calls[row.actual].args
        steps = (*self._start, "calls", row.actual + 1, _name(self._actual.calls[row.actual]))
        remark_of = partial(remark_on, self._metrics, self._actual.calls[row.actual])
        if expected_args is None or actual_args is None:
            texts = [_value(side) if side is not None else "none" for side in (expected_args, actual_args)]
            identifier = id_of(*steps, "args", sides=(expected_args, actual_args))
            summary = f"args: {texts[0]} → {texts[1]}"
            yield ReviewChange(
                identifier, "args", summary, self._place_of("arguments", row), remark_of(written=[actual_args])
            )
            return
        differing = (argument.pointer for argument in row.arguments if argument.state != "equal")
        for pointer in dict.fromkeys(_writable(pointer, expected_args, actual_args) for pointer in differing):
            expected, actual = value_at(expected_args, pointer), value_at(actual_args, pointer)
            sides = tuple(None if value is ABSENT else [value] for value in (expected, actual))
            identifier = id_of(*steps, pointer[1:], sides=(pointer, *sides))
            summary = _argument_text(pointer, expected, actual)
            key = _tokens(pointer)[-1:] if expected is ABSENT else []
            remark = remark_of(written=[*key, actual] if actual is not ABSENT else [])
            yield ReviewChange(identifier, "args", summary, self._place_of("argument", row, pointer), remark)

    def _recorded_call(self, row: Row | None) -> TurnCall:
        assert row is not None
        assert row.actual is not None
        return self._actual.calls[row.actual]

    def _place_of(self, action: Action, row: Row, pointer: str = "") -> Place:
        return self._place._replace(action=action, call=row.expected, actual_call=row.actual, pointer=pointer)


def _sides(call: TurnCall) -> list[Any]:
    return [call.name, call.args]


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _writable(pointer: str, expected: Any, actual: Any) -> str:
    """The pointer of a difference; if lists have different lengths, of the list."""
    # The items of such lists have no places that both sides share.
    way = ""
    for part, token in zip(pointer.split("/")[1:], _tokens(pointer), strict=True):
        if isinstance(expected, list) and isinstance(actual, list) and len(expected) != len(actual):
            return way
        expected, actual = _member(expected, token), _member(actual, token)
        way += f"/{part}"
    return way


def _member(value: Any, token: str) -> Any:
    if isinstance(value, dict):
        return value.get(token, ABSENT)
    return value[int(token)] if isinstance(value, list) and int(token) < len(value) else ABSENT


def value_at(args: Any, pointer: str) -> Any:
    """The value at a pointer within arguments; `ABSENT` if there is none."""
    for token in _tokens(pointer):
        args = _member(args, token)
    return args


# --- sentences -----------------------------------------------------------------------------------------------------


def call_text(call: TurnCall) -> str:
    """`book_flight(flight_id="1", …)`."""
    args = list((call.args or {}).items())
    texts = [f"{one_line(name, 24)}={_value(value)}" for name, value in args[:_ARGUMENTS]]
    return f"{_name(call)}({', '.join([*texts, *(['…'] if len(args) > _ARGUMENTS else [])])})"


def _name(call: TurnCall) -> str:
    return one_line(call.name or "", _NAME) or "a tool without a name"


def _argument_text(pointer: str, expected: Any, actual: Any) -> str:
    place = one_line("/".join(_tokens(pointer)), _NAME) or '""'
    expected_text, actual_text = ("nothing" if value is ABSENT else _value(value) for value in (expected, actual))
    are_there = expected is not ABSENT and actual is not ABSENT
    differs = " (type differs)" if are_there and kind_of(expected) != kind_of(actual) else ""
    return f"{place}: {expected_text} → {actual_text}{differs}"


def _value(value: Any) -> str:
    try:
        return one_line(json.dumps(value, ensure_ascii=False), _VALUE)
    except RecursionError:
        return "a deeply nested value"


def quoted(text: str, start: int = 0) -> str:
    """A text on one line in quotes, from an index on; `nothing` for an empty text."""
    return f'"{"…" if start else ""}{one_line(text[start:], _TEXT)}"' if text else "nothing"


def _shared_start(expected: str, actual: str) -> int:
    """The index where quotes of two texts start, so that they show the first difference; 0 if it is near the start."""
    shared = shared_length(expected, actual)
    if shared < _TEXT - _BEFORE:
        return 0
    return expected.rfind(" ", 0, shared - _BEFORE) + 1
