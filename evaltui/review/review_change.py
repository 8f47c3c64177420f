"""A change that makes one part of an expected turn equal to what the agent did."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from evaltui.printable import one_line
from evaltui.scoring.results import plain

ChangeKind = Literal["fill", "text", "args", "sequence"]
"""An expectation that is absent · another response · other arguments · calls or turns that come, go or move."""
KINDS: tuple[ChangeKind, ...] = ("fill", "text", "args", "sequence")

Action = Literal["arguments", "argument", "add_call", "delete_call", "move_call", "response", "add_turn", "delete_turn"]
"""The parts of a turn that a change writes; `argument` is a value within the arguments of a call."""

_LONGEST = 60
"""The most characters of a name within an id; the hash tells longer ones apart."""


_SENTENCES, _SENTENCE = 3, 90
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


def changes_text(changes: Sequence[ReviewChange]) -> str:
    """The sentences of changes on one safe line; of many the first ones and how many more."""
    said = [one_line(change.summary, _SENTENCE) for change in changes[:_SENTENCES]]
    more = len(changes) - len(said)
    return f"{', '.join(said)}{f' and {more} more' if more else ''}"


def digest(*sides: Any) -> str:
    """A short hash of values of JSON: the same for the same values, in whatever order members stand."""
    text = json.dumps(plain(list(sides)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def id_of(*steps: str | int, sides: tuple[Any, ...]) -> str:
    """The id of a change: the names on the way to it, each fit for a shell's word, and the hash of both sides."""
    return f"{'/'.join(_word(str(step)) for step in steps)}@{digest(*sides)}"


def _word(name: str) -> str:
    """A name without blanks, control characters and signs that end a step."""
    shown = name[:_LONGEST]
    return "".join(
        char if char.isprintable() and not char.isspace() and char not in "%/@'\"\\" else _encoded(char)
        for char in shown
    )


def _encoded(char: str) -> str:
    return quote(char, safe="", errors="surrogatepass")
