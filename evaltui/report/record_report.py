"""The report of `evaltui record`: the added cases, and the conversations and turns that were skipped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from evaltui.printable import one_line, say, write_line
from evaltui.recordings.recorded_choice import Omission
from evaltui.report.output import print_json

_MOST = 20
"""The most skipped items in the text report: a database may have thousands."""


class AddedCase(NamedTuple):
    """A new case, and the conversation that it comes from."""

    eval_id: str
    conversation: str
    turns: int


class RecordReport(NamedTuple):
    """The outcome of one command."""

    name: str
    """The set, as named on the command line."""
    added: Sequence[AddedCase]
    left_out: Sequence[Omission]
    notes: Sequence[Omission] = ()
    """Notes on added turns, such as a turn that will probably fail."""
    is_written: bool = True
    """False with `--diff`."""


def print_report(report: RecordReport, form: str) -> None:
    """Print the added cases as JSON or as lines on stdout. In text form, skipped items go to stderr."""
    if form == "json":
        print_json(report_as_data(report))
    else:
        _print_lines(report)
    _say_notes(report.notes)
    if not report.added:
        say(f"{report.name}: nothing to add; nothing was written")
    elif not report.is_written:
        say(f"{report.name}: {_count(report.added)} would be added; nothing was written")


def _print_lines(report: RecordReport) -> None:
    lines = [f"{_subject(each, 'conversation ')} skipped: {one_line(each.reason)}" for each in report.left_out]
    for line in lines[:_MOST]:
        say(line)
    if len(lines) > _MOST:
        say(f"{len(lines) - _MOST} more skipped; --format json lists all")
    if not report.added or not report.is_written:
        return
    for case in report.added:
        turns = f"{case.turns} turn{'s' * (case.turns != 1)}"
        write_line("stdout", f"{one_line(case.eval_id)}: {turns} from {one_line(case.conversation)}")
    write_line("stdout", f"{_count(report.added)} added to {one_line(report.name)}")


def _say_notes(notes: Sequence[Omission]) -> None:
    for each in notes[:_MOST]:
        say(_told(each))
    if len(notes) > _MOST:
        say(f"{len(notes) - _MOST} more turns will probably fail; --list --format json has all turns")


def _told(omission: Omission) -> str:
    return f"{_subject(omission)}: {one_line(omission.reason)}"


def _subject(omission: Omission, what: str = "") -> str:
    """The turn or conversation; `what` comes before the id of a conversation."""
    turn = f"turn {omission.turn} of " if omission.turn is not None else what
    return f"{turn}{one_line(omission.conversation)}"


def report_as_data(report: RecordReport) -> dict[str, Any]:
    """The document of `--format json`."""
    return {
        "version": 1,
        "set": report.name,
        "added": [each._asdict() for each in report.added],
        "left_out": [each._asdict() for each in report.left_out],
    }


def _count(added: Sequence[AddedCase]) -> str:
    return f"{len(added)} case{'s' * (len(added) != 1)}"
