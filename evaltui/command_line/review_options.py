"""Options of the commands that decide about differences: `review` and `accept`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import (
    DIFF,
    ONLY_LATEST,
    add_color,
    add_criteria,
    add_exit_code,
    add_format,
    add_recordings,
    add_sets,
)

_KIND = (
    "With --case: accept only this kind of change. fill: the set has no expected value yet. text: another response. "
    "args: other arguments of a tool call. sequence: tool calls are added, left out or moved. Repeatable."
)


def add_review(parser: CommandParser) -> None:
    """Add the options of `evaltui review`."""
    add_sets(parser)
    add_recordings(parser, ONLY_LATEST)
    add_criteria(parser)
    passing = "Also show turns that pass but differ from the recording."
    parser.add_argument_group("Choice of turns").add_argument("--all", action="store_true", help=passing)
    forms = "Print the review in place of the app: text, json or markdown."
    add_color(add_format(parser, ("text", "json", "markdown"), forms, None))
    add_exit_code(parser, can_regress=False)


def add_accept(parser: CommandParser) -> None:
    """Add the options of `evaltui accept`."""
    parser.add_argument_group("Arguments").add_argument("set", metavar="SET", help="The eval set to change.")
    choice = parser.add_argument_group("Choice of changes")
    change = "Accept the change with this id. `evaltui review --format text` prints the ids. Repeatable."
    choice.add_argument("--change", metavar="ID", action="append", default=[], help=change)
    choice.add_argument("--case", metavar="ID", help="Accept all changes of the case with this eval_id.")
    choice.add_argument("--turn", metavar="N", type=int, help="With --case: accept only this turn, counted from 1.")
    kinds = ("fill", "text", "args", "sequence")
    choice.add_argument("--kind", metavar="KIND", choices=kinds, action="append", default=[], help=_KIND)
    fills = "Accept all changes of the kind fill, in all cases."
    choice.add_argument("--fills", action="store_true", help=fills)
    passing = "Also accept changes in turns that pass but differ from the recording."
    choice.add_argument("--all", action="store_true", help=passing)
    add_recordings(parser, ONLY_LATEST)
    add_criteria(parser)
    output = parser.add_argument_group("Output")
    note = "Why you accept. evaltui writes it to SET.review.jsonl beside the set."
    output.add_argument("--note", metavar="TEXT", help=note)
    output.add_argument("--diff", action="store_true", help=DIFF)
    add_exit_code(parser, can_regress=False)
