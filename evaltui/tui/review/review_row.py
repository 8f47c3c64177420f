"""A row of a review: a pair of what is expected and what came, and the lines of a call on one side."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line
from evaltui.review.review_change import Place, ReviewChange
from evaltui.scoring.argument_differences import ABSENT
from evaltui.scoring.results import plain
from evaltui.tui.lines import Line, Run
from evaltui.tui.marks import NO_MARK

_MOST_ARGUMENTS, _VALUE, _NAME = 8, 40, 40
"""The most arguments of a call on its line, and the most characters of each."""

Lines = tuple[Line, ...]
"""Paragraphs of one side, to be wrapped."""
INNER: Run = ("    ", "")
"""Room where the rows around have a mark and an indent."""


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


def heading(key: str, text: str) -> ReviewRow:
    """A line above other rows."""
    return ReviewRow(key, NO_MARK, ([(text, "heading")],), is_heading=True)


def call_lines(call: TurnCall | None) -> Lines:
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


def argument_name(pointer: str) -> str:
    """The names on the way to an argument: `y/2/z`."""
    return one_line(pointer[1:].replace("~1", "/").replace("~0", "~"), _NAME) or '""'


def argument_lines(pointer: str, value: Any, width: int = 200) -> Lines:
    """`flight_id="1"`, the value in so many characters at most."""
    return ([(f"{argument_name(pointer)}=", "dim"), (value_text(value, width), "")],)


def call_value(call: TurnCall | None) -> Any:
    """A call as JSON has it; `ABSENT` for none."""
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
