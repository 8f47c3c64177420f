"""`evaltui watch`: sets scored at once, and again after each change of a set, its config or a recording.

On a terminal a live table, elsewhere one `run` document a line.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from typing import TYPE_CHECKING

from evaltui.command_line.parser import CommandParser
from evaltui.commands.set_options import (
    BASELINE,
    add_criteria,
    add_exit_code,
    add_format,
    add_recordings,
    add_reports,
    add_sets,
)
from evaltui.document.errors import DocumentError
from evaltui.printable import say

if TYPE_CHECKING:
    from evaltui.commands.watched_command import WatchedCommand
    from evaltui.commands.watched_sets import WatchedSets
    from evaltui.runs.score_blocks import Prepare

USAGE = "watch [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Score eval sets now, and again after each change of a set, its config or a recording."
EXAMPLE = "evaltui watch trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui watch`."""
    add_sets(parser, takes_stdin=False)
    add_recordings(parser)
    add_criteria(parser)
    agent = parser.add_argument_group("Agent")
    command = "A shell command that makes new recordings. It runs after a change of a file that matches --on."
    agent.add_argument("--exec", metavar="CMD", help=command)
    on = "Files to watch for --exec, such as 'agent/**/*.py'. Repeatable."
    agent.add_argument("--on", metavar="GLOB", action="append", default=[], help=on)
    forms = (
        "Format of standard output: table, or jsonl with one document a line. Default: table on a terminal, else jsonl."
    )
    # `run --format json` is known to many: it is parsed so that the error can name jsonl.
    output = add_format(parser, ("table", "jsonl", "json"), forms, None)
    add_reports(output, "Also write a report to FILE after each run.")
    parser.add_argument_group("Baselines").add_argument("--baseline", metavar="FILE", help=BASELINE)
    add_exit_code(parser, can_regress=True)
    # A run would compare the next one with itself. `RunOutputs` reads the option all the same.
    parser.set_defaults(save_baseline=None)


def run(options: Namespace) -> int:
    """Watch until the person ends it. Returns the exit code of the last run; 2 if nothing can be scored.

    All usage errors are reported before the screen opens.
    """
    from pathlib import Path

    from evaltui.commands.run_outputs import RunOutputs
    from evaltui.commands.set_options import run_options, set_arguments
    from evaltui.commands.watched_sets import WatchedSets
    from evaltui.runs.score_sets import RefusedInput
    from evaltui.runs.set_reader import STDIN

    try:
        has_table = _has_table(options.format)
        _refuse_stdin(options, has_table=has_table)
        compared = [Path(options.baseline)] if options.baseline not in (None, STDIN) else []
        preparation = None if has_table else _line_preparation
        watched = WatchedSets(set_arguments(options.sets), run_options(options), compared, preparation)
        command = _command(options, watched)
        RunOutputs(options)  # refuses unusable files before the first run
        first = watched.first()
        if has_table:
            from evaltui.commands.watch_table import show_runs

            return show_runs(watched, options, command, first)
        from evaltui.commands.watch_lines import print_runs

        return print_runs(watched, options, command, first)
    except RefusedInput as error:
        say(error)
        return 2


def _line_preparation(_cases: int) -> Prepare:
    """Prepares each case for documents of one line, so that only changed cases are explained again."""
    from evaltui.report.prepared_case import ReportParts, prepare_case

    return partial(prepare_case, ReportParts(has_json=True))


def _has_table(form: str | None) -> bool:
    """Whether runs are shown in a table. Raises `DocumentError` for a format that is not possible here."""
    if form == "json":
        raise DocumentError("evaltui watch prints one document a line: use --format jsonl")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if form == "table" and not is_terminal:
        raise DocumentError("the table of evaltui watch needs a terminal: use --format jsonl")
    return form == "table" or (form is None and is_terminal)


def _refuse_stdin(options: Namespace, *, has_table: bool) -> None:
    from evaltui.commands.set_options import set_arguments
    from evaltui.runs.set_reader import STDIN

    if any(argument.name == STDIN for argument in set_arguments(options.sets)):
        raise DocumentError("watch cannot read the eval set from standard input: give a file name")
    if has_table and STDIN in (*options.recording, options.config, options.baseline):
        raise DocumentError("the table uses standard input for the keyboard: give a file name, or use --format jsonl")


def _command(options: Namespace, watched: WatchedSets) -> WatchedCommand | None:
    from evaltui.commands.watched_command import WatchedCommand

    if options.exec is None:
        if options.on:
            raise DocumentError("--on needs --exec COMMAND: the command that runs when one of these files changes")
        return None
    if not all(options.on or ("",)):
        raise DocumentError("--exec needs --on GLOB: the command runs when one of these files changes")
    return WatchedCommand(options.exec, options.on, watched.signs)
