"""Changes that make parts of an expected turn equal to the recording: arguments, calls, the response."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import quote

from evaltui.document.pointer import join, parse_pointer
from evaltui.document.sequence_diff import shared_length
from evaltui.evalset.turn import TurnCall
from evaltui.printable import is_unsafe, one_line
from evaltui.scoring.call_alignment import Row, RowState
from evaltui.scoring.call_equality import ABSENT, fingerprint, kind_of, number_calls
from evaltui.scoring.metrics import response_match, tool_trajectory
from evaltui.scoring.results import plain
from evaltui.scoring.words import words_of

if TYPE_CHECKING:
    from evaltui.review.review_items import ComparedTurn

ChangeKind = Literal["fill", "text", "args", "sequence"]
"""fill: the expectation is absent. text: another response. args: other arguments. sequence: other calls or turns."""
KINDS: tuple[ChangeKind, ...] = ("fill", "text", "args", "sequence")

Action = Literal[
    "arguments", "argument", "add_call", "delete_call", "move_call", "no_calls", "response", "add_turn", "delete_turn"
]
"""The parts of a turn that a change writes.

`argument` is a value within the arguments of a call. `no_calls` states that no tool is called.
"""

_NAME, _VALUE, _TEXT = 60, 40, 60
"""The most characters of a name, a value and a text in a sentence."""
_BEFORE = 20
"""The characters in a quote before the first difference of two texts."""
_ARGUMENTS = 3
"""The most arguments of a call in a sentence."""
_SENTENCES, _SENTENCE = 2, 70
"""The most changes that one message names, and the most characters of each."""
_LONGEST = 60
"""The most characters of a name in an id. The hash makes longer names unique."""
_is_plain = re.compile(r"[A-Za-z0-9_.-]*").fullmatch
_SIGNS = "%/@'\"\\"
"""Characters that would end a step of an id, or the quotes around it."""
_UNMOVED: tuple[RowState, ...] = ("matched", "arguments_differ")


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
    def sentence(self) -> str:
        """The summary with the remark."""
        return f"{self.summary} ({self.remark})" if self.remark else self.summary


def changes_of_turn(turn: ComparedTurn) -> Iterator[ReviewChange]:
    """Yield the changes that make the expected turn equal to the recorded one.

    What is not recorded changes nothing, nor does a turn in which the agent failed.
    """
    expected, actual = turn.scores.expected, turn.scores.actual
    if actual.failure:
        return
    metrics = {metric.name for metric in turn.scores.metrics}
    place, steps = turn.place, (turn.eval_id, turn.scores.number)
    if "calls" not in actual.unrecorded:
        if "calls" in expected.unstated and not actual.calls:
            identifier = id_of(*steps, "calls", "none", sides=(None, []))
            yield ReviewChange(identifier, "fill", "no tool calls", place._replace(action="no_calls"))
        yield from _call_changes(turn, metrics)
    if "response" not in actual.unrecorded and expected.response != actual.response:
        # Both quotes begin before the first difference, so that they show it.
        shared = shared_length(expected.response, actual.response)
        start = expected.response.rfind(" ", 0, shared - _BEFORE) + 1 if shared >= _TEXT - _BEFORE else 0
        summary = f"response: {quote_text(expected.response, start)} → {quote_text(actual.response, start)}"
        identifier = id_of(*steps, "response", sides=(expected.response, actual.response))
        kind: ChangeKind = "text" if expected.response else "fill"
        yield ReviewChange(identifier, kind, summary, place, remark_on(metrics, response=actual.response))


def _call_changes(turn: ComparedTurn, metrics: Container[str]) -> Iterator[ReviewChange]:
    expected_calls, actual_calls = turn.scores.expected.calls, turn.scores.actual.calls
    steps = turn.eval_id, turn.scores.number, "calls"
    names = Counter(call.name for call in actual_calls)
    (kinds,) = number_calls(expected_calls)
    often, deleted = Counter(kinds), Counter[int]()
    # Nobody knows which expected calls these tools were called with.
    without_args = {call.name for call in actual_calls if not call.has_args}
    # Nobody can add a call without its arguments, so no other call makes way for it.
    deletes = all(
        actual_calls[row.actual].has_args for row in turn.rows if row.expected is None and row.actual is not None
    )
    unmoved = [row.actual for row in turn.rows if row.state in _UNMOVED and row.actual is not None]
    previous = ""
    for row in turn.rows:
        place = turn.place._replace(call=row.expected, actual_call=row.actual)
        if row.actual is None:
            call, kind = expected_calls[row.expected or 0], kinds[row.expected or 0]
            if not deletes or call.name in without_args:
                continue
            # Ids count equal calls only, so that additions and deletions of other calls do not change them. If one of
            # several equal calls is deleted, the next one must not get its id.
            deleted[kind] += 1
            sides = ([call.name, call.args], None, *([often[kind]] if often[kind] > 1 else []))
            identifier = id_of(*steps, f"-{deleted[kind]}", call.name or "", sides=sides)
            summary = f"delete call {_call_text(call)} (not in the recording)"
            yield ReviewChange(identifier, "sequence", summary, place._replace(action="delete_call"))
            continue
        call, number = actual_calls[row.actual], row.actual + 1
        if row.expected is None:
            if call.has_args:
                identifier = id_of(*steps, number, call.name or "", sides=(None, [call.name, call.args]))
                summary = f"add call {_call_text(call)}{previous if turn.has_calls else ''}"
                added: ChangeKind = "sequence" if turn.has_calls else "fill"
                place = place._replace(action="add_call")
                yield ReviewChange(identifier, added, summary, place, remark_on(metrics, call))
            continue
        if row.state in _UNMOVED:
            previous = f" after {_name(call)}"
        elif call.name not in without_args or names[call.name] < 2:
            following = [actual_calls[index] for index in unmoved[bisect_right(unmoved, row.actual) :][:1]]
            # A name says which call it is only if the tool is called once.
            texts = [_name(moved) if names[moved.name] < 2 else _call_text(moved) for moved in (call, *following)]
            summary = f"move call {' before '.join(texts)}{'' if following else ' to the end'}"
            identifier = id_of(*steps, number, "order", sides=([call.name, call.args],))
            yield ReviewChange(identifier, "sequence", summary, place._replace(action="move_call"))
        yield from _argument_changes(turn, row, metrics)


def _argument_changes(turn: ComparedTurn, row: Row, metrics: Container[str]) -> Iterator[ReviewChange]:
    if row.expected is None or row.actual is None or row.arguments is None:
        return
    expected_args, call = turn.scores.expected.calls[row.expected].args, turn.scores.actual.calls[row.actual]
    place = turn.place._replace(call=row.expected, actual_call=row.actual)
    steps = turn.eval_id, turn.scores.number, "calls", row.actual + 1, _name(call)
    if expected_args is None or call.args is None:
        texts = [_value_text(args) if args is not None else "none" for args in (expected_args, call.args)]
        identifier = id_of(*steps, "args", sides=(expected_args, call.args))
        remark = remark_on(metrics, call, written=[call.args])
        summary = f"args: {texts[0]} → {texts[1]}"
        yield ReviewChange(identifier, "args", summary, place._replace(action="arguments"), remark)
        return
    differing = (argument.pointer for argument in row.arguments if argument.state != "equal")
    for pointer in dict.fromkeys(_writable(pointer, expected_args, call.args) for pointer in differing):
        expected, actual = value_at(expected_args, pointer), value_at(call.args, pointer)
        sides = tuple(None if value is ABSENT else [value] for value in (expected, actual))
        identifier = id_of(*steps, pointer[1:], sides=(pointer, *sides))
        key = parse_pointer(pointer)[-1:] if expected is ABSENT else []
        remark = remark_on(metrics, call, written=[*key, actual] if actual is not ABSENT else [])
        texts = ["nothing" if value is ABSENT else _value_text(value) for value in (expected, actual)]
        are_there = expected is not ABSENT and actual is not ABSENT
        differs = " (type differs)" if are_there and kind_of(expected) != kind_of(actual) else ""
        name = one_line("/".join(parse_pointer(pointer)), _NAME) or '""'
        summary = f"{name}: {texts[0]} → {texts[1]}{differs}"
        yield ReviewChange(identifier, "args", summary, place._replace(action="argument", pointer=pointer), remark)


def _writable(pointer: str, expected: Any, actual: Any) -> str:
    """The pointer of a difference; if lists have different lengths, of the list."""
    # The items of such lists have no places that both sides share.
    tokens = parse_pointer(pointer)
    for depth, token in enumerate(tokens):
        if isinstance(expected, list) and isinstance(actual, list) and len(expected) != len(actual):
            return join(*tokens[:depth])
        expected, actual = _member(expected, token), _member(actual, token)
    return pointer


def _member(value: Any, token: str) -> Any:
    if isinstance(value, dict):
        return value.get(token, ABSENT)
    return value[int(token)] if isinstance(value, list) and int(token) < len(value) else ABSENT


def value_at(args: Any, pointer: str) -> Any:
    """The value at a pointer within arguments; `ABSENT` if there is none."""
    for token in parse_pointer(pointer):
        args = _member(args, token)
    return args


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
        pass  # such a value is refused where it is written
    return False


# --- sentences -----------------------------------------------------------------------------------------------------


def _call_text(call: TurnCall) -> str:
    """`book_flight(flight_id="1", …)`."""
    args = list((call.args or {}).items())
    texts = [f"{one_line(name, 24)}={_value_text(value)}" for name, value in args[:_ARGUMENTS]]
    return f"{_name(call)}({', '.join([*texts, *(['…'] if len(args) > _ARGUMENTS else [])])})"


def _name(call: TurnCall) -> str:
    return one_line(call.name or "", _NAME) or "a tool without a name"


def _value_text(value: Any) -> str:
    try:
        return one_line(json.dumps(value, ensure_ascii=False), _VALUE)
    except RecursionError:
        return "a deeply nested value"


def quote_text(text: str, start: int = 0) -> str:
    """A text on one line in quotes, from an index on; `nothing` for an empty text."""
    return f'"{"…" if start else ""}{one_line(text[start:], _TEXT)}"' if text else "nothing"


def changes_text(changes: Sequence[ReviewChange]) -> str:
    """The summaries of changes on one safe line: the first few, and the number of the others."""
    texts = [
        f"the response{f' ({change.remark})' if change.remark else ''}"
        if change.place.action == "response"
        else one_line(change.sentence, _SENTENCE)
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


# --- ids -----------------------------------------------------------------------------------------------------------


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
        quote(char, safe="", errors="surrogatepass")
        if char in _SIGNS or char.isspace() or not char.isprintable() or is_unsafe(char)
        else char
        for char in short
    )
