"""A change that makes one part of an expected turn equal to the recording."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from evaltui.evalset.turn import TurnCall
from evaltui.printable import is_unsafe, one_line
from evaltui.scoring.call_equality import fingerprint
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
