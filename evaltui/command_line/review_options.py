"""Options of the commands that decide about differences: `review` and `accept`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import (
    DIFF,
    add_color,
    add_criteria,
    add_exit_code,
    add_format,
    add_recordings,
    add_sets,
)

_ALL = "Include turns that pass but differ from the recording."


def add_review(parser: CommandParser) -> None:
    """Add the options of `evaltui review`."""
    add_sets(parser)
    add_recordings(parser)
    add_criteria(parser)
    parser.add_argument_group("Choice of turns").add_argument("--all", action="store_true", help=_ALL)
    forms = "Print the review in place of the app: text, json or markdown."
    add_color(add_format(parser, ("text", "json", "markdown"), forms, None))
    add_exit_code(parser, can_regress=False)


def add_accept(parser: CommandParser) -> None:
    """Add the options of `evaltui accept`."""
    parser.add_argument_group("Arguments").add_argument("set", metavar="SET", help="The eval set to change.")
    choice = parser.add_argument_group("Choice of changes")
    change = "Accept the change with this id. `evaltui review --format text` prints the ids. Repeatable."
    choice.add_argument("--change", metavar="ID", action="append", default=[], help=change)
    choice.add_argument("--case", metavar="ID", help="Accept the changes of the case with this eval_id.")
    choice.add_argument("--turn", metavar="N", type=int, help="With --case: accept only this turn, counted from 1.")
    kind = "With --case: accept only this kind: fill, text, args or sequence. Repeatable."
    kinds = ("fill", "text", "args", "sequence")
    choice.add_argument("--kind", metavar="KIND", choices=kinds, action="append", default=[], help=kind)
    choice.add_argument("--fills", action="store_true", help="Accept all changes that fill an empty expectation.")
    choice.add_argument("--all", action="store_true", help=_ALL)
    add_recordings(parser)
    add_criteria(parser)
    output = parser.add_argument_group("Output")
    output.add_argument("--note", metavar="TEXT", help="The reason. It is kept in SET.review.jsonl beside the set.")
    output.add_argument("--diff", action="store_true", help=DIFF)
    add_exit_code(parser, can_regress=False)
