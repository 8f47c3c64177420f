"""A row of the review, with an expected and an actual side, and the lines of tool calls and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.evalset.turn import NOT_RECORDED, TurnCall
from evaltui.printable import one_line
from evaltui.review.review_changes import Place, ReviewChange
from evaltui.scoring.call_equality import ABSENT
from evaltui.tui.lines import NO_MARK, Line, Run, call_line, value_text

if TYPE_CHECKING:
    from evaltui.tui.review.review_queue import QueueEntry

_NAME = 40
"""The most characters of the path of an argument."""

Lines = tuple[Line, ...]
"""Paragraphs of one side, to be wrapped."""
INNER: Run = ("    ", "")
"""Room where the rows around have a mark and an indent."""


class ReviewRow(NamedTuple):
    """An expected and an actual side; each is a sequence of paragraphs to be wrapped."""

    key: str
    """Identifies the row within its item; stays the same when changes are accepted."""
    mark: Run
    expected: Lines = ()
    actual: Lines = ()
    said: str = ""
    """A word about the pair, at the right end."""
    changes: tuple[ReviewChange, ...] = ()
    """The changes that accept the actual side."""
    fold: bool | None = None
    """Whether the row is unfolded; None if it cannot be unfolded."""
    is_heading: bool = False
    values: tuple[Any, Any] = (ABSENT, ABSENT)
    """Both sides as values of JSON, for copying."""
    place: Place | None = None
    """The place of the expected value, for editing; None if it cannot be edited here."""

    goal: QueueEntry | None = None
    """The entry that the line leads to, in the summary."""

    @property
    def is_stop(self) -> bool:
        """Whether the cursor stops here."""
        return bool(self.changes) or self.fold is not None or self.goal is not None

    @property
    def is_same(self) -> bool:
        """Whether one side is shown for both, as they are equal or only one exists."""
        return self.expected == self.actual or not self.actual


def heading(key: str, text: str) -> ReviewRow:
    """A line above other rows."""
    return ReviewRow(key, NO_MARK, ([(text, "heading")],), is_heading=True)


def recorded_call_line(call: TurnCall, width: int = 40, *, most: int = 8) -> Line:
    """A tool call that was read from a file; `width` is the most characters of an argument."""
    if not call.has_args:
        return [*call_line(call.name or "", ()), (f"  arguments {NOT_RECORDED}", "dim")]
    if call.args is None:
        return call_line(call.name or "", None)
    arguments = ((name, [(value_text(value, width), "")]) for name, value in call.args.items())
    return call_line(call.name or "", arguments, len(call.args), most=most)


def call_lines(call: TurnCall | None, number: int | None = None) -> Lines:
    """The paragraph of a tool call; none without a call."""
    start: Line = [(f"{number}. ", "dim")] if number is not None else []
    return ([*start, *recorded_call_line(call)],) if call is not None else ()


def argument_name(pointer: str) -> str:
    """The path of an argument as shown: `y/2/z` for the pointer `/y/2/z`."""
    return one_line(pointer[1:].replace("~1", "/").replace("~0", "~"), _NAME) or '""'


def argument_lines(pointer: str, value: Any, width: int = 200) -> Lines:
    """`flight_id="1"`, with at most `width` characters of the value."""
    return ([(f"{argument_name(pointer)}=", "dim"), (value_text(value, width), "")],)


def call_value(call: TurnCall | None) -> Any:
    """A call as JSON has it; `ABSENT` for none."""
    if call is None:
        return ABSENT
    members = {"id": call.id, "name": call.name, "args": call.args if call.has_args else None}
    return {name: value for name, value in members.items() if value is not None}
