"""Options of the commands that write cases: `edit` and `record`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import CONFIG, DIFF, add_force, add_recordings


def add_edit(parser: CommandParser) -> None:
    """Add the options of `evaltui edit`."""
    what = "An eval set or dataset. The first save creates a new file. Default: a list of the eval sets in this folder."
    parser.add_argument_group("Arguments").add_argument("set", metavar="SET", nargs="?", help=what)
    add_recordings(parser)
    parser.add_argument_group("Criteria").add_argument("--config", metavar="FILE", help=CONFIG)
    view = parser.add_argument_group("View")
    view.add_argument("--case", metavar="ID", help="Begin at the case with this eval_id.")
    view.add_argument("--readonly", action="store_true", help="Allow no change.")


def add_record(parser: CommandParser) -> None:
    """Add the options of `evaltui record`."""
    what = (
        "A session database, session, trace, result or folder. Default: .adk/session.db in the folder of the set, "
        "of its agent, or else in the current folder."
    )
    parser.add_argument_group("Arguments").add_argument("sources", metavar="SOURCE", nargs="*", help=what)
    goal = parser.add_argument_group("Goal")
    listed = "List the conversations. With --into SET, mark those that are cases of SET already."
    goal.add_argument("--list", action="store_true", help=listed)
    goal.add_argument("-o", "--output", metavar="NEW", help="Write a new eval set. The file must not exist.")
    into = "Add the cases to this eval set or dataset and keep its formatting."
    goal.add_argument("--into", metavar="SET", help=into)
    choice = parser.add_argument_group("Choice of conversations and turns")
    one = "Take only this conversation. Repeatable."
    choice.add_argument("--conversation", metavar="ID", action="append", default=[], help=one)
    choice.add_argument("--turns", metavar="N-M", help="Take only these turns, counted from 1: N, N-M, N- or -M.")
    again = "Also take conversations that are cases of SET already."
    choice.add_argument("--again", action="store_true", help=again)
    choice.add_argument("--rewound", action="store_true", help="Also take turns that a rewind removed.")
    cases = parser.add_argument_group("New cases")
    cases.add_argument(
        "--eval-id", metavar="ID", help="The eval_id of the new case, if you take only one conversation."
    )
    shape = (
        "How tool calls are written. tool_uses: a list of calls and a list of responses. events: one list of all "
        "events. Default: as in SET, else tool_uses."
    )
    cases.add_argument("--shape", metavar="SHAPE", choices=("tool_uses", "events"), help=shape)
    output = parser.add_argument_group("Output")
    add_force(output)
    output.add_argument("--diff", action="store_true", help=DIFF)
    formats = "Format of the list or report: text or json. Default: text."
    output.add_argument("--format", metavar="FORMAT", choices=("text", "json"), default="text", help=formats)
