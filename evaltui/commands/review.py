"""`evaltui review`: the turns that a person should look at, in the app or, with a format, as a report."""

from __future__ import annotations

from argparse import Namespace

from evaltui.command_line.parser import CommandParser
from evaltui.commands.set_options import (
    add_color,
    add_criteria,
    add_exit_code,
    add_format,
    add_recordings,
    add_sets,
)

USAGE = "review [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Open the review of failing turns in the app. With --format, print the list of changes."
EXAMPLE = "evaltui review trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui review`."""
    add_sets(parser)
    add_recordings(parser, takes_all=False)
    add_criteria(parser)
    passing = "Also show turns that pass but differ from the recording."
    parser.add_argument_group("Choice of turns").add_argument("--all", action="store_true", help=passing)
    forms = "Print the review in place of the app: text, json or markdown."
    add_color(add_format(parser, ("text", "json", "markdown"), forms, None))
    add_exit_code(parser, can_regress=False)


def run(given: Namespace) -> int:
    """Open the review screen or print a report; for exit codes see `report_review` and `open_review`."""
    if given.format is None:
        from evaltui.commands.review_screen import open_review

        return open_review(given)
    from evaltui.commands.review_report import report_review

    return report_review(given, given.format)
