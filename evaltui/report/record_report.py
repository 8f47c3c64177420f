"""The report of `evaltui record`: the cases that were added, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evaltui.printable import one_line, say, write_line
from evaltui.recordings.recorded_choice import LeftOut
from evaltui.report.output import print_json


class AddedCase(NamedTuple):
    """A case, and the conversation that it was made of."""

    eval_id: str
    conversation: str
    turns: int


def print_report(
    name: str, added: Sequence[AddedCase], left_out: Sequence[LeftOut], form: str, *, is_written: bool
) -> None:
    """Print what was added to the set of this name: as JSON, or as lines, with what was left out on stderr."""
    if form == "json":
        print_json(report_as_data(name, added, left_out))
        return
    for each in left_out:
        turn = f" turn {each.turn}" if each.turn is not None else ""
        say(f"left out: {one_line(each.conversation, 60)}{turn}: {one_line(each.reason)}")
    if not is_written:
        say(f"{name}: {_count(added)} would be added; nothing was written")
        return
    for case in added:
        turns = f"{case.turns} turn{'s' * (case.turns != 1)}"
        write_line("stdout", f"{one_line(case.eval_id)}: {turns} of {one_line(case.conversation)}")
    if added:
        write_line("stdout", f"{_count(added)} added to {one_line(name)}")
    else:
        say(f"{name}: nothing to add; nothing was written")


def report_as_data(name: str, added: Sequence[AddedCase], left_out: Sequence[LeftOut]) -> dict[str, Any]:
    """The document of `--format json`."""
    return {
        "version": 1,
        "set": name,
        "added": [each._asdict() for each in added],
        "left_out": [each._asdict() for each in left_out],
    }


def _count(added: Sequence[AddedCase]) -> str:
    return f"{len(added)} case{'s' * (len(added) != 1)}"
