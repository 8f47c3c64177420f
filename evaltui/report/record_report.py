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


class RecordReport(NamedTuple):
    """The outcome of one command."""

    name: str
    """The set, as it was named."""
    added: Sequence[AddedCase]
    left_out: Sequence[LeftOut]
    notes: Sequence[LeftOut] = ()
    """Turns that were added, and of which a person should know something."""
    is_written: bool = True
    """False with `--diff`."""


def print_report(report: RecordReport, form: str) -> None:
    """Print what was added: as JSON, or as lines on stdout, with what was left out on stderr."""
    if form == "json":
        print_json(report_as_data(report))
    else:
        _print_lines(report)
    if not report.added:
        say(f"{report.name}: nothing to add; nothing was written")
    elif not report.is_written:
        say(f"{report.name}: {_count(report.added)} would be added; nothing was written")


def _print_lines(report: RecordReport) -> None:
    for prefix, found in (("left out: ", report.left_out), ("", report.notes)):
        for each in found:
            turn = f" turn {each.turn}" if each.turn is not None else ""
            say(f"{prefix}{one_line(each.conversation)}{turn}: {one_line(each.reason)}")
    if not report.added or not report.is_written:
        return
    for case in report.added:
        turns = f"{case.turns} turn{'s' * (case.turns != 1)}"
        write_line("stdout", f"{one_line(case.eval_id)}: {turns} of {one_line(case.conversation)}")
    write_line("stdout", f"{_count(report.added)} added to {one_line(report.name)}")


def report_as_data(report: RecordReport) -> dict[str, Any]:
    """The document of `--format json`."""
    return {
        "version": 1,
        "set": report.name,
        "added": [each._asdict() for each in report.added],
        "left_out": [each._asdict() for each in report.left_out],
        "notes": [{"conversation": each.conversation, "turn": each.turn, "note": each.reason} for each in report.notes],
    }


def _count(added: Sequence[AddedCase]) -> str:
    return f"{len(added)} case{'s' * (len(added) != 1)}"
