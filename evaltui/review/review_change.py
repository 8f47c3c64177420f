"""A change that makes one part of an expected turn equal to what the agent did."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from evaltui.printable import is_unsafe, one_line
from evaltui.scoring.results import plain

ChangeKind = Literal["fill", "text", "args", "sequence"]
"""An expectation that is absent · another response · other arguments · calls or turns that come, go or move."""
KINDS: tuple[ChangeKind, ...] = ("fill", "text", "args", "sequence")

Action = Literal["arguments", "argument", "add_call", "delete_call", "move_call", "response", "add_turn", "delete_turn"]
"""The parts of a turn that a change writes; `argument` is a value within the arguments of a call."""

_LONGEST = 60
"""The most characters of a name within an id; the hash tells longer ones apart."""
_is_plain = re.compile(r"[A-Za-z0-9_.-]*").fullmatch
_SIGNS = "%/@'\"\\"
"""Signs that would end a step of an id, or the quotes around it."""


_SENTENCES, _SENTENCE = 2, 70
"""The most changes that one message names, and the most characters of each."""


class Place(NamedTuple):
    """The part of a conversation that a change is about, by its places among expected and actual turns and calls."""

    action: Action
    turn: int | None = None
    """The expected turn, from 0; None for one that only the recording has."""
    actual_turn: int | None = None
    """The recorded turn, from 0; None for one that only the set has."""
    call: int | None = None
    """The expected call, from 0."""
    actual_call: int | None = None
    """The recorded call, from 0."""
    pointer: str = ""
    """The value within the arguments of the call (RFC 6901)."""


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """One decision that a person can take; `place` and the recorded turns say what it writes."""

    id: str
    """Unique among the changes of a review; the hash in it changes with either side."""
    kind: ChangeKind
    summary: str
    """A sentence without its end: `flight_id: "1" → 1 (type differs)`. It may hold any characters of the file."""
    place: Place


_ORDER: tuple[Action, ...] = (
    *("argument", "arguments", "delete_call", "move_call", "add_call", "response", "delete_turn", "add_turn"),
)


def in_written_order(changes: Iterable[ReviewChange]) -> list[ReviewChange]:
    """Changes in the order in which they are written; any other would give the same."""
    return sorted(changes, key=lambda change: _ORDER.index(change.place.action))


def changes_text(changes: Sequence[ReviewChange]) -> str:
    """The sentences of changes on one safe line; of many the first ones and how many more."""
    said = [
        "the response" if change.place.action == "response" else one_line(change.summary, _SENTENCE)
        for change in changes[:_SENTENCES]
    ]
    more = len(changes) - len(said)
    return f"{', '.join(said)}{f' and {more} more' if more else ''}"


def digest(*sides: Any) -> str:
    """A short hash of values of JSON: the same for the same values, in whatever order members stand."""
    text = json.dumps(plain(list(sides)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def id_of(*steps: str | int, sides: tuple[Any, ...]) -> str:
    """The id of a change: the names on the way to it, each fit for a shell's word, and the hash of both sides."""
    first, *others = steps
    return f"{'/'.join([case_step(str(first)), *(_word(str(step)) for step in others)])}@{digest(*sides)}"


def case_step(eval_id: str) -> str:
    """The first step of the ids of a case; it never looks like an option of a command line."""
    step = _word(eval_id)
    return f"%2D{step[1:]}" if step.startswith("-") else step


def _word(name: str) -> str:
    """A name without blanks, control characters and signs that end a step."""
    shown = name[:_LONGEST]
    if _is_plain(shown):
        return shown
    return "".join(
        _encoded(char) if char in _SIGNS or char.isspace() or not char.isprintable() or is_unsafe(char) else char
        for char in shown
    )


def _encoded(char: str) -> str:
    return quote(char, safe="", errors="surrogatepass")
